# Makes the project's virtual environment; sourced by quickstart.sh and test.sh.
#
# In: the project folder, an extra of pyproject.toml. Out: PROJECT/.venv with the project and that extra installed, and
# its Python in $GLYPHDEX_PYTHON. A second call finds the environment as it is and installs nothing.

MINIMUM="3.11"
BELOW="3.14"

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 2; }

# What a caller's shell may carry must not reach our environment.
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_USER=0 PIP_NO_INPUT=1 PIP_USE_PEP517=1 PYTHONNOUSERSITE=1

is_suitable() {
    "$1" -c "import sys; v = sys.version_info[:2]; sys.exit(not (3, 11) <= v < (3, 14))" 2>/dev/null
}

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11; do
        if [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 && is_suitable "$candidate"; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

# Debian and Ubuntu split ensurepip from Python: without python3-venv, venv cannot put pip into the environment.
make_venv() {
    local folder="$1" python version
    rm -rf "$folder"
    if ! python="$(find_python)"; then
        if command -v uv >/dev/null 2>&1; then
            say "No Python >= $MINIMUM and < $BELOW found; uv makes the environment with one of its own."
            uv venv --quiet --seed --python "3.12" "$folder" && return 0
        fi
        fail "Python >= $MINIMUM and < $BELOW is needed; found: $(python3 --version 2>/dev/null || echo none)." \
            "Install one (Debian, Ubuntu: apt-get install python3 python3-venv), or name it: PYTHON=/path/to/python3.12 $0"
    fi
    version="$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
    if "$python" -c "import ensurepip" 2>/dev/null; then
        "$python" -m venv "$folder" && return 0
    elif "$python" -m virtualenv --version >/dev/null 2>&1; then
        "$python" -m virtualenv --quiet "$folder" && return 0
    elif "$python" -m pip --version >/dev/null 2>&1; then
        "$python" -m venv --without-pip "$folder" &&
            "$python" -m pip --quiet --python "$folder/bin/python" install pip && return 0
    elif command -v uv >/dev/null 2>&1; then
        uv venv --quiet --seed --python "$python" "$folder" && return 0
    elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "This Python has no ensurepip; installing the system package python$version-venv."
        apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y "python$version-venv" >/dev/null &&
            "$python" -m venv "$folder" && return 0
    fi
    rm -rf "$folder"
    fail "$python cannot make a virtual environment." \
        "Debian, Ubuntu: run 'sudo apt-get install python$version-venv', then this command again."
}

# make_environment PROJECT EXTRA
make_environment() {
    local project="$1" extra="$2" folder stamp wanted
    folder="$project/.venv"
    stamp="$folder/.installed-$extra"
    wanted="$project $(cksum <"$project/pyproject.toml")"
    if [ ! -x "$folder/bin/python" ] || ! is_suitable "$folder/bin/python" ||
        ! "$folder/bin/python" -m pip --version >/dev/null 2>&1; then
        say "Making the virtual environment $folder"
        make_venv "$folder"
    fi
    if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
        say "Installing glyphdex[$extra] and what it needs (about 300 MB on disk, one to three minutes)"
        "$folder/bin/python" -m pip install --quiet --editable "$project[$extra]" ||
            fail "pip could not install the project; its message is above. A network connection to PyPI is needed."
        printf '%s' "$wanted" >"$stamp"
    fi
    GLYPHDEX_PYTHON="$folder/bin/python"
}
