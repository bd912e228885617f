#!/bin/bash
# Runs cppcheck over the C files that a build compiles. usage: check_static.sh BUILD_DIR
set -euo pipefail
# shellcheck source=tools/lint/compiled.sh
. "$(dirname "$0")/compiled.sh"

build=$(readlink -f "${1:?usage: check_static.sh BUILD_DIR}")
compiled_files "$build" >/dev/null
mkdir -p "$build/cppcheck" # keeps results, so that only changed files are checked again
# Generated files lie in the build folder; they are not ours to fix. cppcheck 2.10 crashes
# on the lists of values in one file. C++ is what tt-metal programs see, in a form that their
# API gives.
source_dir=$(readlink -f "$(dirname "$0")/../..")
cppcheck --project="$build/compile_commands.json" --file-filter='*.c' \
    --cppcheck-build-dir="$build/cppcheck" -j 2 --std=c11 --library=gtk --inline-suppr --quiet \
    --enable=warning,style,performance,portability --suppress=missingIncludeSystem \
    '-DG_GNUC_PRINTF(format,arguments)=' -i "$build" \
    -i "$source_dir/tools/gridloom/uncertainty/json.c" --suppress="*:$build/*" --error-exitcode=2
