"""The `glyphdex` command: one file a command, each loaded only when it is called."""
