# shellcheck shell=bash
# A small tree with the real set-up scripts and a PATH of stubs, for their tests. Sourced.
# Stubs note their calls in $calls, one per line.

set -euo pipefail
project=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tree
stubs=$scratch/stubs
calls=$scratch/calls
output=$scratch/output
failure_count=0
bash_path=$(command -v bash)

mkdir -p "$tree/tools" "$tree/build/release/tools" "$stubs"
cp "$project"/tools/{deb,fuzz,run,test,setup.sh,packages} "$tree/tools"
for tool in awk bash cat dirname env flock grep ls mkdir readlink sed tail tee; do
    ln -s "$(command -v "$tool")" "$stubs/$tool"
done

# stub NAME BODY: a command NAME that notes its call and then does BODY.
stub() {
    printf '#!%s\nprintf "%%s\\n" "%s $*" >>"%s"\n%s\n' \
        "$bash_path" "$(basename "$1")" "$calls" "$2" >"$stubs/$1"
    chmod +x "$stubs/$1"
}

# debian LACKING UID: the packages named in LACKING are missing, and UID runs the script.
debian() {
    stub dpkg-query "lacking=' $1 '
for name; do
    if [[ \$name != -* && \$lacking != *\" \$name \"* ]]; then
        echo \"\$name installed\"
    fi
done
[[ -z \${lacking// /} ]]"
    stub id "echo $2"
}

# call FOLDER COMMAND...: runs it in FOLDER with the stubs alone. Sets status, and leaves
# its output in $output and its calls in $calls.
call() {
    local folder=$1
    shift
    : >"$calls"
    status=0
    (cd "$folder" && PATH=$stubs exec "$@") >"$output" 2>&1 || status=$?
}

# expect SENTENCE COMMAND...: the test fails if the command does.
expect() {
    local sentence=$1
    shift
    if ! "$@"; then
        failure_count=$((failure_count + 1))
        printf 'FAILED: %s\nstatus %s, output:\n' "$sentence" "$status"
        cat "$output"
        echo "calls:"
        cat "$calls"
    fi
}

# The claims that expect takes.
status_is() {
    [[ $status == "$1" ]]
}
was_called() {
    grep -q -- "$1" "$calls"
}
was_not_called() {
    ! grep -q -- "$1" "$calls"
}
lines_with() { # REGEX COUNT
    [[ $(grep -c -- "$1" "$output") == "$2" ]]
}

finish() {
    if ((failure_count)); then
        echo "$failure_count failed"
        exit 1
    fi
    echo "all passed"
}
