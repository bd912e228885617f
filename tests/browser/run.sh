#!/bin/bash
# Opens reports in Chromium. ctest calls it as browser.reports.
#   run.sh test|bench|pictures
# `pictures` takes the pictures of traces/samples, which the README shows, again.
# Environment: GRIDLOOM, GRIDLOOM_MAKE_PAGE, GRIDLOOM_MAKE_SWEEP, GRIDLOOM_SOURCE,
# GRIDLOOM_BUILD.
set -euo pipefail
here=$GRIDLOOM_SOURCE/tests/browser
work=$GRIDLOOM_BUILD/tests/browser/work
version=$(sed -n 's/.*"playwright-core": "\([^"]*\)".*/\1/p' "$here/package.json")

fail() {
    printf 'browser tests: %s\n' "$*" >&2
    exit 1
}

command -v node >/dev/null || fail "node is missing: install Debian's package nodejs"
command -v npm >/dev/null || fail "npm is missing: install Debian's package npm"
command -v chromium >/dev/null || fail "chromium is missing: install Debian's package chromium"

# The library, installed once for each build folder.
mkdir -p "$work"
if ! grep -qs "\"version\": \"$version\"" "$work/node_modules/playwright-core/package.json"; then
    cp "$here/package.json" "$here/.npmrc" "$work"
    (cd "$work" && npm install --no-package-lock >"$work/npm.log" 2>&1) || {
        tail -n 5 "$work/npm.log" >&2
        fail "npm cannot install playwright-core $version: is its registry in reach?"
    }
fi

# The pages.
pages=$work/pages
rm -rf "$pages"
mkdir -p "$pages"
pcg=(run pcg rows=2 cols=2 tiles=4 iterations=3 -q)
"$GRIDLOOM" "${pcg[@]}" --report "$pages/pcg.html" --json "$pages/a.json" >/dev/null
"$GRIDLOOM" "${pcg[@]}" routing=center --set noc.hop_cycles=11 --json "$pages/b.json" >/dev/null
"$GRIDLOOM" run stencil2d --chip wse2 -q --report "$pages/wafer.html" \
    --json "$pages/w.json" >/dev/null
"$GRIDLOOM" report "$pages/a.json" "$pages/w.json" -q -o "$pages/chips.html"
"$GRIDLOOM" roofline "$pages/a.json" "$pages/w.json" --gpu h100,h200 -q \
    --json "$pages/gpus.json" -o "$pages/gpus.html"
"$GRIDLOOM" noc traffic --size 6x4 --rate 0.2 -q --json "$pages/noc.json"
"$GRIDLOOM" report "$pages/noc.json" -q -o "$pages/noc.html"
"$GRIDLOOM" noc traffic --size 4x4 --pattern transpose --window 2000 --rate 0.1:0.9:0.2 -q --json "$pages/saturated.json"
"$GRIDLOOM" report "$pages/saturated.json" -q -o "$pages/saturated.html"
"$GRIDLOOM" noc traffic --size 4x4 --pattern transpose --window 2000 --rate 0.1:0.9:0.2 --compare xy,valiant -q \
    --json "$pages/compared.json"
"$GRIDLOOM" report "$pages/compared.json" -q -o "$pages/compared.html"
"$GRIDLOOM_MAKE_PAGE" small "$pages/a.json" "$pages/small.html"
"$GRIDLOOM_MAKE_PAGE" small "$pages/a.json" "$pages/b.json" "$pages/two.html"
"$GRIDLOOM_MAKE_PAGE" large "$pages/a.json" "$pages/large.html"
"$GRIDLOOM_MAKE_PAGE" dense "$pages/a.json" "$pages/dense.html"
"$GRIDLOOM_MAKE_PAGE" bare "$pages/a.json" "$pages/bare.html"
node "$here/hostile.mjs" "$pages/a.json" >"$pages/hostile.json"
"$GRIDLOOM_MAKE_PAGE" hostile "$pages/hostile.json" "$pages/hostile.html"
node "$here/source.mjs" "$pages/a.json" >"$pages/source.json"
"$GRIDLOOM" report "$pages/source.json" -q -o "$pages/source.html"
# A validation of two suites: within and outside tolerances, a word, rows that are not run.
cp "$here/timed.lua" "$here/first.csv" "$here/second.csv" "$pages"
(cd "$pages" && "$GRIDLOOM" validate first.csv second.csv --quick -q --html validation.html) || [[ $? == 4 ]]
for kind in small large hostile alone; do
    "$GRIDLOOM_MAKE_SWEEP" "$kind" "$pages/sweep_$kind.html"
done
samples=$GRIDLOOM_SOURCE/traces/samples
for trace in "$samples"/*.pftrace; do
    "$GRIDLOOM" report "$trace" -q -o "$pages/sample_$(basename "$trace" .pftrace).html"
done
"$GRIDLOOM" report "$samples"/dot_{naive,center}.pftrace -q -o "$pages/sample_dot.html"
"$GRIDLOOM" report "$samples"/{dot_naive,stencil25}.pftrace -q -o "$pages/kinds.html"

export GRIDLOOM_PAGES=$pages GRIDLOOM_WORK=$work
case ${1:-test} in
test) exec node --test-reporter spec "$here/tests.mjs" ;;
bench) exec node "$here/bench_timeline.mjs" ;;
pictures)
    "$GRIDLOOM" plot timeline "$samples/stencil25.pftrace" --cores 0:9,1 --units switch1 \
        -o "$samples/switches.svg"
    exec node "$here/pictures.mjs" "$samples"
    ;;
*) fail "unknown word $1, known are test, bench, pictures" ;;
esac
