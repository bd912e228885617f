#!/bin/sh
# What somebody with a bare machine does with the package /tmp/gridloom.deb, from
# installing to removing it. Runs inside a root folder; leaves its results in /tmp/results.
set -eu
export DEBIAN_FRONTEND=noninteractive HOME=/nonexistent

# say WORDS: what comes next, in case it fails.
say() {
    echo "inside the root: $*"
}

# as_user COMMAND...: without the rights of root.
as_user() {
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

say "installing"
apt-get install -y --no-install-recommends /tmp/gridloom.deb
mkdir /tmp/results
chown 65534:65534 /tmp/results
cd /tmp/results

say "running the command"
as_user gridloom --version >version
as_user gridloom run pcg --chip wse2 nx=16 ny=16 nz=32 iterations=3 --out on_wse2
as_user gridloom run pcg --chip wormhole_n300 rows=2 cols=2 tiles=1 iterations=2 --out on_n300

say "pictures as PNG want a package that is recommended"
if as_user gridloom plot timeline on_n300/trace.pftrace -o timeline.png 2>no_png; then
    exit 1
fi
as_user gridloom plot timeline on_n300/trace.pftrace -o timeline.svg

say "running the module of Python"
# As root, who may write what Python compiles beside it.
python3 -c '
import gridloom
run = gridloom.run("pcg", chip="wse2", nx=16, ny=16, nz=32, iterations=3, save=["x"])
check = run.result["check"]["status"]
print(gridloom.version(), run.result["cycles"], check, len(run.arrays["x"]))' >python

say "calling the library"
as_user python3 -c '
import ctypes
lib, chip, cycles = ctypes.CDLL("libgridloom.so.0"), ctypes.c_void_p(), ctypes.c_double()
lib.gridloom_open(ctypes.byref(chip), b"wse2")
lib.gridloom_load(chip, 0, b"pcg")
for name, value in ((b"nx", b"16"), (b"ny", b"16"), (b"nz", b"32"), (b"iterations", b"3")):
    lib.gridloom_param(chip, name, value)
code = lib.gridloom_run(chip, None, None)
lib.gridloom_number(chip, b"/cycles", ctypes.byref(cycles))
print(code, int(cycles.value))
lib.gridloom_close(chip)' >library

say "looking for manual pages and completion"
man -w gridloom gridloom-run cslc
man gridloom-run | grep 'gridloom run' >/dev/null
bash -c '. /usr/share/bash-completion/completions/gridloom
    COMP_WORDS=(gridloom run --chip ws) COMP_CWORD=3
    function=$(complete -p gridloom | sed "s/.*-F \([^ ]*\).*/\1/")
    "$function" gridloom ws --chip
    echo "${COMPREPLY[@]}"' >completion

say "removing"
apt-get purge -y gridloom
apt-get clean
rm /tmp/gridloom.deb
# Logs remember it, and man keeps pages that were read.
find / -xdev '(' -path /tmp -o -path /var/log -o -path /var/cache/man ')' -prune -o \
    -iname '*gridloom*' -print >left
