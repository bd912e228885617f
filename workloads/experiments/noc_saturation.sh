#!/bin/sh
# Saturation of an 8x8 mesh and an 8x8 torus under five patterns of traffic and four routings,
# beside BookSim 2. Writes a result for each network and pattern and noc_saturation.svg into a
# folder:
#     workloads/experiments/noc_saturation.sh DIR
# Cycles of hops, endpoints and credits are those of BookSim's routers with the settings that
# noc_booksim.csv names. GRIDLOOM is the program; PATTERNS gives other patterns.
set -eu

out=${1:?"usage: noc_saturation.sh DIR"}
here=$(cd "$(dirname "$0")" && pwd)
gridloom=${GRIDLOOM:-gridloom}

# study TOPOLOGY PATTERN ROUTINGS HOP_CYCLES CREDIT_CYCLES
study() {
    "$gridloom" noc traffic --topology "$1" --pattern "$2" --compare "$3" --hop-cycles "$4" \
        --endpoint-cycles 6 --credit-cycles "$5" --saturation --window 1000 -q \
        --json "$out/$2_$1.json"
}

mkdir -p "$out"
set --
for pattern in ${PATTERNS:-uniform transpose tornado bitcomp shuffle}; do
    study mesh "$pattern" xy,west_first,valiant,adaptive 4 3
    study torus "$pattern" xy,yx,valiant,adaptive 5 4
    set -- "$@" "$out/${pattern}_mesh.json" "$out/${pattern}_torus.json"
done
exec "$gridloom" plot latency "$@" --beside "$here/noc_booksim.csv" \
    -o "$out/noc_saturation.svg" \
    --title "Latency over the rate of traffic: gridloom (lines) and BookSim 2 (marks)"
