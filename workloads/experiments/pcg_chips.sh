#!/bin/sh
# PCG on a Wormhole and on a wafer: time per iteration against the size of the grid. Writes
# pcg_chips.csv and pcg_chips.svg into a folder:
#     workloads/experiments/pcg_chips.sh DIR
# Both solve the same problems: a Wormhole in BF16 with its fused kernel, 64 x 16 columns of
# numbers per core, on up to all 56 cores; a wafer in FP32, one column per PE. The start of the
# program is left out, because a solve of many iterations pays it once.
# GRIDLOOM is the program. NX, NY (lists that advance together), NZ and ITERATIONS give other
# sizes.
set -eu

out=${1:?"usage: pcg_chips.sh DIR"}
here=$(cd "$(dirname "$0")" && pwd)

mkdir -p "$out"
exec "${GRIDLOOM:-gridloom}" compare "$here/../pcg.lua" --chips wormhole_n300,wse2 --timing-only \
    --over "nx=${NX:-64,128,192,256,320,384,448,512}" \
    --over "ny=${NY:-16,32,48,64,80,96,112,112}" \
    "nz=${NZ:-64}" "iterations=${ITERATIONS:-3}" \
    --quantity metrics.device_seconds/iterations \
    --csv "$out/pcg_chips.csv" --svg "$out/pcg_chips.svg"
