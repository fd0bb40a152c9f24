#!/usr/bin/env bash
# Makes the environment and runs the test suite: ./scripts/test.sh [PYTEST ARGUMENTS]
#
# Two processes by default; a later -n in the arguments wins. GLYPHDEX_SHARED=FOLDER adds the tests over real files.
set -euo pipefail

project="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
. "$project/scripts/environment.sh"

make_environment "$project" dev
cd "$project"
exec "$GLYPHDEX_PYTHON" -m pytest -n 2 "$@"
