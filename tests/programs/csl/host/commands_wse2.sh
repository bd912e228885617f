#!/usr/bin/env bash
set -e
cslc layout.csl --arch=wse2 --fabric-dims=9,4 --fabric-offsets 4,1 --params=width:2,height:2 \
--colors=to_pes:4 --colors from_pes:5 -o out --memcpy --channels=1 --width-west-buf=0
cs_python run.py --name out scale shorts mixed rows stream
