#!/bin/bash
# How tools/run calls gridloom, tools/test calls ctest, and tools/fuzz calls fuzzers.
# shellcheck source=tests/tools/stubs.sh
. "$(dirname "$0")/stubs.sh"

debian "" 1000
stub cmake "echo words of cmake"
stub gridloom 'if [[ $1 == help ]]; then
    printf "Usage\n  %s  does something\n" run chips workloads describe
    exit
fi
while (($#)); do
    if [[ $1 == --out ]]; then mkdir -p "$2"; echo >"$2/result.json"; fi
    shift
done
pwd
exit ${GRIDLOOM_STATUS:-0}'
mv "$stubs/gridloom" "$tree/build/release/tools/gridloom"
elsewhere=$scratch/elsewhere
mkdir "$elsewhere"

# tools/run
call "$elsewhere" "$tree/tools/run" x.lua rows=2 --set "noc.hop_cycles=4" "a b"
expect "a script is run" was_called "^gridloom run x.lua rows=2 --set noc.hop_cycles=4 a b\$"
expect "in the folder of the caller" lines_with "^$elsewhere\$" 1
expect "after a build that says one line" lines_with "" 2
expect "of the release preset" was_called "^cmake --build --preset release --target gridloom"
call "$elsewhere" "$tree/tools/run" --chip wse2 x.lua
expect "options may come first" was_called "^gridloom run --chip wse2 x.lua\$"
for command in chips workloads "describe wse2" "run x.lua" --help --version; do
    # shellcheck disable=SC2086 # words
    call "$elsewhere" "$tree/tools/run" $command
    expect "$command is handed through" was_called "^gridloom $command\$"
done
ln -s "$tree/tools/run" "$elsewhere/run"
call "$elsewhere" ./run chips
expect "a link to it works" was_called "^gridloom chips\$"
GRIDLOOM_STATUS=3 call "$elsewhere" "$tree/tools/run" x.lua
expect "the status is gridloom's" status_is 3
call "$elsewhere" "$tree/tools/run"
expect "without arguments it runs the demonstration" was_called \
    "^gridloom compare pcg --chips wormhole_n300,wse2 .* --beside h200-.* --out $tree/build/demo\$"
expect "and draws a roofline of it" was_called "^gridloom roofline .* -o $tree/build/demo/roofline.svg"
expect "and says where the page is" lines_with "$tree/build/demo/report.html shows the runs" 1
expect "and which" lines_with "^result.json\$" 1
GRIDLOOM_STATUS=4 call "$elsewhere" "$tree/tools/run"
expect "a failing demonstration has gridloom's status" status_is 4
stub cmake "echo words of cmake; exit 7"
call "$elsewhere" "$tree/tools/run" x.lua
expect "a failing build shows its log" lines_with "words of cmake" 1
expect "a failing build ends with 1" status_is 1
expect "a failing build runs nothing" was_not_called "^gridloom"

# tools/deb
stub cmake ""
mkdir -p "$tree/build/portable/package"
touch "$tree/build/portable/package/gridloom_1_all.deb"
call "$elsewhere" "$tree/tools/deb"
expect "the package is for all processors" was_called \
    "^cmake --preset portable -DBUILD_TESTING=OFF\$"
expect "and built without tests" was_called \
    "^cmake --build --preset portable --target deb\$"
expect "and it says how to install it" lines_with \
    "apt install $tree/build/portable/package/gridloom_1_all.deb\$" 1
call "$elsewhere" "$tree/tools/deb" --help
expect "--help explains it" lines_with "Builds gridloom's Debian package" 1
expect "and builds nothing" was_not_called "cmake"
call "$elsewhere" "$tree/tools/deb" --frobnicate
expect "it has no options" status_is 1
debian "dpkg-dev" 1000
call "$elsewhere" "$tree/tools/deb"
expect "it names a package that is missing" lines_with "apt-get install .* dpkg-dev\$" 1
expect "and does not begin without it" status_is 1
debian "" 1000

# tools/test
ctest_body='echo "words of ctest"
if [[ $* == *build/$FAILING* ]]; then
    echo "50% tests passed in $FAILING"
    exit 8
fi
echo "100% tests passed"'
stub cmake ""
stub ctest "$ctest_body"
FAILING=none call "$elsewhere" "$tree/tools/test"
expect "tests run optimised" was_called "^ctest --test-dir $tree/build/release "
expect "and with sanitizers" was_called "^ctest --test-dir $tree/build/asan "
expect "everything is built" was_called "^cmake --build --preset asan --target all"
expect "all passes" status_is 0
expect "nothing is run twice in the same way" \
    was_called "^ctest .*build/release .* -LE \^sanitized[$]\$"
expect "and nothing is left out" was_not_called "^ctest .*build/asan .* -LE "
expect "and fuzzers are built" was_called "^cmake --preset release .*-DGRIDLOOM_FUZZ=ON"
expect "but no unit tests that sanitizers run, too" \
    was_called "^cmake --preset release .*-DGRIDLOOM_UNITS=OFF"
expect "which are built there" was_not_called "^cmake --preset asan .*-DGRIDLOOM_UNITS=OFF"
FAILING=none call "$elsewhere" "$tree/tools/test" --quick
expect "--quick leaves sanitizers out" was_not_called "asan"
expect "and long tests" was_called "^ctest .*build/release .* -LE \^long[$]\$"
expect "and does not build fuzzers" was_called "^cmake --preset release .*-DGRIDLOOM_FUZZ=OFF"
expect "but unit tests" was_called "^cmake --preset release .*-DGRIDLOOM_UNITS=ON"
FAILING=none call "$elsewhere" "$tree/tools/test" --quick -R "sim[.]"
expect "-R reaches ctest" was_called "^ctest .*build/release .*-R sim\[\.\]\$"
expect "and finds long tests with --quick, too" was_not_called "^ctest .* -LE "
expect "for which fuzzers are built" was_called "^cmake --preset release .*-DGRIDLOOM_FUZZ=ON"
expect "but --quick is without sanitizers" was_not_called "asan"
FAILING=none call "$elsewhere" "$tree/tools/test" --races
expect "--races builds the program with the thread sanitizer" \
    was_called "^cmake --build --preset tsan --target gridloom"
expect "runs what has threads" was_called "^ctest --test-dir $tree/build/tsan "
expect "and nothing else" was_not_called "build/release"
FAILING=tsan call "$elsewhere" "$tree/tools/test" --races
expect "a race fails" status_is 1
for preset in release asan; do
    FAILING=$preset call "$elsewhere" "$tree/tools/test"
    expect "a failure in $preset fails" status_is 1
    expect "a failure in $preset does not stop the rest" was_called "^ctest .*build/asan "
    expect "the summary of $preset comes last" \
        test "$(tail -n 1 "$output")" = "50% tests passed in $preset"
done
call "$elsewhere" "$tree/tools/test" --frobnicate
expect "an unknown option fails" status_is 1
expect "before anything is built" was_not_called "cmake"
call "$elsewhere" "$tree/tools/test" -R
expect "-R alone fails" status_is 1
call "$elsewhere" "$tree/tools/test" --help
expect "--help explains" lines_with "^  --quick  " 1
expect "and says what --quick leaves out" lines_with "clang-tidy, cppcheck, fuzzers" 1

# tools/fuzz
programs=$tree/build/fuzz/tests/fuzz
mkdir -p "$tree/tests/fuzz/corpus" "$programs"
for name in one two; do
    touch "$tree/tests/fuzz/fuzz_$name.c"
    printf '/seeds of;/%s' "$name" >"$programs/$name.seeds"
    stub "fuzz_$name" 'echo "stat::number_of_executed_units: 123"
echo "stat::average_exec_per_sec: 45"
if [[ $0 == *fuzz_$FAILING ]]; then
    echo "artifact_prefix; Test unit written to /findings/crash-1"
    exit 77
fi'
    mv "$stubs/fuzz_$name" "$programs"
done
FAILING=none call "$elsewhere" "$tree/tools/fuzz" 1.5
expect "targets are built" was_called "^cmake --build --preset fuzz --target fuzzers"
expect "each runs so many minutes" was_called "^fuzz_one -max_total_time=90 "
expect "one after another" was_called "^fuzz_two -max_total_time=90 "
expect "from kept inputs and seeds" was_called \
    "$tree/build/fuzz/corpus/one $tree/tests/fuzz/corpus/one /seeds of /one\$"
expect "each tells its speed" lines_with "123 inputs, *45 a second: ok" 2
expect "no finding is no failure" status_is 0
FAILING=one call "$elsewhere" "$tree/tools/fuzz" 1
expect "a finding is told with its input" lines_with "FINDING /findings/crash-1, see" 1
expect "and does not stop the others" was_called "^fuzz_two "
expect "and fails" status_is 1
FAILING=one call "$elsewhere" "$tree/tools/fuzz" 1 two
expect "a target may be chosen" was_not_called "^fuzz_one "
expect "and be right alone" status_is 0
for words in "" "x" "1 three"; do
    # shellcheck disable=SC2086 # words
    call "$elsewhere" "$tree/tools/fuzz" $words
    expect "bad words fail: $words" status_is 1
    expect "before anything is built: $words" was_not_called "cmake"
done

finish
