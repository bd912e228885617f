#!/bin/bash
# Checks that clang-format would not change any C, C++ or CUDA file. usage:
# check_format.sh [ROOT]
set -euo pipefail
cd "${1:-$(dirname "$0")/../..}"

if ! command -v clang-format >/dev/null; then
    echo "check_format.sh: clang-format is missing" >&2
    exit 1
fi
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    list=(git ls-files -z --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp' '*.hpp'
        '*.cu' '*.cuh')
else
    list=(find . -name build -prune -o -regex '.*\.\([ch]\(pp\)?\|cuh?\)' -print0)
fi
files=()
while IFS= read -r -d '' file; do
    if [[ -f $file ]]; then # a deleted file may still be in the index
        files+=("$file")
    fi
done < <("${list[@]}")
if ((${#files[@]} == 0)); then
    echo "check_format.sh: no C file found in $PWD" >&2
    exit 1
fi
clang-format --dry-run -Werror --style=file "${files[@]}"
