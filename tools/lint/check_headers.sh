#!/bin/bash
# Checks that each public header compiles alone. usage: check_headers.sh [ROOT]
set -euo pipefail
cd "${1:-$(dirname "$0")/../..}"

read -r -a flags < <(pkg-config --cflags glib-2.0 json-glib-1.0 lua5.4)
shopt -s nullglob
headers=({sim,arch,workloads,traces,tools}/*.h)
if ((${#headers[@]} == 0)); then
    echo "check_headers.sh: no public header found in $PWD" >&2
    exit 1
fi
status=0
for header in "${headers[@]}"; do
    # Twice, because a header must allow that.
    if ! printf '#include "%s"\n' "$header" "$header" |
        "${CC:-gcc}" -fsyntax-only -std=gnu11 -Wall -Wextra -Wpedantic -Werror \
            -I. "${flags[@]}" -x c -; then
        echo "$header:1: does not compile alone" >&2
        status=1
    fi
done
exit "$status"
