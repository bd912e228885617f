#!/bin/bash
# Runs clang-tidy over our C files that a build compiles, except tests: these have the
# compilers and cppcheck, and would take longer. usage: check_tidy.sh BUILD_DIR
# Environment: TIDY_STATES, for a longer look (225000) at all paths.
set -euo pipefail
# shellcheck source=tools/lint/compiled.sh
. "$(dirname "$0")/compiled.sh"

build=$(readlink -f "${1:?usage: check_tidy.sh BUILD_DIR}")
lint_dir=$(readlink -f "$(dirname "$0")")
sources=$(compiled_files "$build" | grep -v '/tests/')
groups=$(python3 -B "$lint_dir/tidy_groups.py" "$build" "$build/tidy" <<<"$sources")

# How far the analyser follows the paths of one function. Its own limit is 225000 states.
# With 20000 it takes a quarter of the time and found the same (90 files, 16 findings with
# unix.Malloc on); with 5000 it takes three fifths of that and found all of that and three
# more (170 files, 32 and 35 findings).
export TIDY_STATES=${TIDY_STATES:-5000}
export TIDY_CONFIG=$lint_dir/../../.clang-tidy

# run_tidy COMMANDS_DIR FILE...: all output of clang-tidy.
run_tidy() {
    # The build may use gcc, with optimisation flags that clang does not know. To the
    # analyser, a file in a group is a header.
    clang-tidy -p "$1" --config-file="$TIDY_CONFIG" --quiet \
        --extra-arg=-Wno-ignored-optimization-argument \
        --extra-arg=-Wno-unknown-warning-option --extra-arg=-Xclang \
        --extra-arg=-analyzer-config --extra-arg=-Xclang \
        --extra-arg="max-nodes=$TIDY_STATES" --extra-arg=-Xclang \
        --extra-arg=-analyzer-opt-analyze-headers "${@:2}" 2>&1
}

# tidy BUILD GROUP: silent if all is well, where clang-tidy itself counts suppressed
# warnings; otherwise prints the findings without their notes, which can be hundreds of
# lines. If a group does not compile or has findings, its files are read one by one, each
# by a process of its own: only what is found in a file alone counts. With several files,
# the analyser's check of va_list finds in one what it has seen in another.
tidy() {
    local file output status=0
    if run_tidy "$1/tidy" "$2" >/dev/null; then
        return 0
    fi
    while read -r file; do
        if ! output=$(run_tidy "$1/tidy" "$file"); then
            grep -E -A 2 ': (error|warning): ' <<<"$output" || printf '%s\n' "$output"
            status=1
        fi
    done < <(sed -n 's/^#include "\(.*\)".*/\1/p' "$2")
    return "$status"
}
export -f run_tidy tidy
# shellcheck disable=SC2016 # the inner shell expands them
printf '%s\n' "$groups" | xargs -d '\n' -P 2 -n 1 bash -c 'tidy "$0" "$1"' "$build"
