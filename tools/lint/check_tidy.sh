#!/bin/bash
# Runs clang-tidy over our C files that a build compiles, but for tests: they have the
# compilers and cppcheck, and would double the time. usage: check_tidy.sh BUILD_DIR
set -euo pipefail
# shellcheck source=tools/lint/compiled.sh
. "$(dirname "$0")/compiled.sh"

build=$(readlink -f "${1:?usage: check_tidy.sh BUILD_DIR}")
sources=$(compiled_files "$build" | grep -v '/tests/')

# tidy BUILD FILE: silent when all is well, where clang-tidy counts what it suppressed;
# otherwise the findings without their notes, of which there can be hundreds of lines.
tidy() {
    local output
    # The build may be gcc's, which has optimisation flags that clang does not know.
    if ! output=$(clang-tidy -p "$1" --quiet --extra-arg=-Wno-ignored-optimization-argument \
        --extra-arg=-Wno-unknown-warning-option "$2" 2>&1); then
        grep -E -A 2 ': (error|warning): ' <<<"$output" || printf '%s\n' "$output"
        return 1
    fi
}
export -f tidy
# shellcheck disable=SC2016 # the inner shell expands them
printf '%s\n' "$sources" | xargs -d '\n' -P 2 -n 1 bash -c 'tidy "$0" "$1"' "$build"
