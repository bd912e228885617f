#!/bin/bash
# Runs clang-tidy over our C files that a build compiles, but for tests: they have the
# compilers and cppcheck, and would double the time. usage: check_tidy.sh BUILD_DIR
# Environment: TIDY_STATES, for a longer look (225000) at all paths.
set -euo pipefail
# shellcheck source=tools/lint/compiled.sh
. "$(dirname "$0")/compiled.sh"

build=$(readlink -f "${1:?usage: check_tidy.sh BUILD_DIR}")
sources=$(compiled_files "$build" | grep -v '/tests/')

# How far the analyser follows the paths of one function: its own limit is 225000 states,
# takes four times as long, and finds the same (90 files, 16 findings with unix.Malloc on).
export TIDY_STATES=${TIDY_STATES:-20000}

# tidy BUILD FILE: silent when all is well, where clang-tidy counts what it suppressed;
# otherwise the findings without their notes, of which there can be hundreds of lines.
tidy() {
    local output
    # The build may be gcc's, which has optimisation flags that clang does not know.
    if ! output=$(clang-tidy -p "$1" --quiet --extra-arg=-Wno-ignored-optimization-argument \
        --extra-arg=-Wno-unknown-warning-option --extra-arg=-Xclang \
        --extra-arg=-analyzer-config --extra-arg=-Xclang \
        --extra-arg="max-nodes=$TIDY_STATES" "$2" 2>&1); then
        grep -E -A 2 ': (error|warning): ' <<<"$output" || printf '%s\n' "$output"
        return 1
    fi
}
export -f tidy
# shellcheck disable=SC2016 # the inner shell expands them
printf '%s\n' "$sources" | xargs -d '\n' -P 2 -n 1 bash -c 'tidy "$0" "$1"' "$build"
