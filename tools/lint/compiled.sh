# shellcheck shell=bash
# Lists our C files that a build compiles, for checks that read its commands. Sourced.

# compiled_files BUILD_DIR: one per line, without generated files. Fails if there is none,
# or if a file of a room is not compiled: no check would ever see it.
compiled_files() {
    local build=$1 root file status=0
    local -a files
    local -A is_compiled
    root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
    mapfile -t files < <(sed -n 's/^ *"file": "\(.*\.c\)",\{0,1\}$/\1/p' \
        "$build/compile_commands.json" | grep -vF "$build/" | sort -u)
    if ((${#files[@]} == 0)); then
        echo "no C file of ours in $build/compile_commands.json" >&2
        return 1
    fi
    for file in "${files[@]}"; do
        is_compiled[$file]=1
    done
    while read -r file; do
        if [[ -z ${is_compiled[$file]-} ]]; then
            echo "$file:1: not compiled by $build" >&2
            status=1
        fi
    done < <(find "$root"/{sim,arch,workloads,traces,tools} -name '*.c' | sort)
    printf '%s\n' "${files[@]}"
    return "$status"
}
