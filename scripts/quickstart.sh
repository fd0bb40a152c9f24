#!/usr/bin/env bash
# From nothing to a searchable index: ./scripts/quickstart.sh [FOLDER]
#
# Makes .venv, installs glyphdex, ingests FOLDER (without one: five sample PDFs made on the spot) into a store below
# ./store, and shows three searches with their hits. A second run finds everything in place and only looks for changes.
set -euo pipefail

project="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
. "$project/scripts/environment.sh"

case "${1:-}" in
-h | --help)
    sed -n '2,5s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
[ $# -le 1 ] || fail "one folder at most; usage: $0 [FOLDER]"
if [ $# = 1 ]; then
    [ -d "$1" ] || fail "no such folder: $1"
    folder="$(cd "$1" && pwd)"
    name="$(basename "$folder")-$(printf '%s' "$folder" | cksum | cut -d ' ' -f 1)"
else
    folder="$project/samples"
    name="samples"
fi
store="$project/store/$name"

make_environment "$project" samples
quoted() {
    case "$1" in
    *[!A-Za-z0-9_./-]*) printf "'%s'" "${1//\'/\'\\\'\'}" ;;
    *) printf '%s' "$1" ;;
    esac
}
glyphdex() { "$project/.venv/bin/glyphdex" "$@"; }

if [ $# = 0 ]; then
    "$GLYPHDEX_PYTHON" "$project/scripts/make_samples.py" "$folder" >/dev/null
    say "Made sample PDFs in $folder"
fi

say "Ingesting $folder into $store"
mkdir -p "$project/store"
code=0
glyphdex ingest "$folder" --store "$store" || code=$?
case $code in
0) ;;
3) say "Some files could not be read; the store has a row with the reason for each. The others are searchable." ;;
*) exit "$code" ;;
esac

if [ $# = 0 ]; then
    queries=('"lighthouse inspection"' '检索' 'λόγος')
else
    queries=()
    while IFS= read -r query; do queries+=("$query"); done \
        < <("$GLYPHDEX_PYTHON" "$project/scripts/suggest_queries.py" "$store")
fi
[ ${#queries[@]} -gt 0 ] || say "No page has text, so there is nothing to search for."

for query in "${queries[@]}"; do
    printf '\n$ glyphdex search %s %s --limit 3\n' "$(quoted "$store")" "$(quoted "$query")"
    glyphdex search "$store" "$query" --limit 3 || [ $? = 1 ]  # 1: nothing found, which is no error
done

printf '\nYour turn:\n  %s search %s "your words"\n' "$(quoted "$project/.venv/bin/glyphdex")" "$(quoted "$store")"
