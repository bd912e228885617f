#!/bin/bash
# Packages: what tools/run and tools/test do if some are missing.
# shellcheck source=tests/tools/stubs.sh
. "$(dirname "$0")/stubs.sh"

stub cmake ""
stub ctest ""
stub apt-get ""
cat >"$tree/build/release/tools/gridloom" <<<"#!$bash_path"
chmod +x "$tree/build/release/tools/gridloom"
line="run: sudo apt-get update; sudo apt-get install -y --no-install-recommends"
line+=" cmake liblua5.4-dev\$"

# Not root, and no sudo.
debian "cmake liblua5.4-dev" 1000
call / "$tree/tools/run" chips
expect "a user without sudo is told what to run" lines_with "$line" 1
expect "and nothing else" lines_with "" 1
expect "and it fails" status_is 1
expect "and builds nothing" was_not_called "^cmake"
expect "and does not try to install" was_not_called "^apt-get"
call / "$tree/tools/test"
expect "tools/test says the same" lines_with "$line" 1
expect "tools/test fails" status_is 1
expect "tools/test builds nothing" was_not_called "^c"

# Not root, with sudo.
stub sudo 'exec "$@"'
call / "$tree/tools/run" chips
expect "with sudo the lists are brought up to date" was_called "^sudo .*apt-get .*update"
expect "and the missing packages installed" was_called \
    "^apt-get .*install -y --no-install-recommends cmake liblua5.4-dev\$"
expect "without questions" was_called "^sudo env DEBIAN_FRONTEND=noninteractive apt-get"
expect "and it goes on to build" was_called "^cmake --build"
expect "and ends well" status_is 0

# apt-get fails: first its lists, which the packages may not need, then the packages.
stub apt-get '[[ " $* " != *" update "* ]]'
call / "$tree/tools/run" chips
expect "a failing update does not stop the installation" was_called "^apt-get .*install"
expect "nor the build" was_called "^cmake --build"
expect "nor the run" status_is 0
stub apt-get '[[ " $* " != *" install "* ]]'
call / "$tree/tools/run" chips
expect "a failing install prints the line to run" lines_with "$line" 1
expect "a failing install prints it once" lines_with "apt-get install" 1
expect "a failing install ends with 1" status_is 1
expect "a failing install builds nothing" was_not_called "^cmake"

# Root.
debian "cmake liblua5.4-dev" 0
stub apt-get ""
call / "$tree/tools/run" chips
expect "root installs" was_called "^apt-get .*install .*cmake liblua5.4-dev\$"
expect "root needs no sudo" was_not_called "^sudo"
stub apt-get "exit 100"
call / "$tree/tools/run" chips
expect "root is told a line without sudo" lines_with \
    "run: apt-get update; apt-get install -y .*cmake" 1
expect "root fails with 1" status_is 1

# Nothing is missing.
debian "" 1000
call / "$tree/tools/run" chips
expect "with all packages apt-get is not called" was_not_called "apt-get"
expect "and tests are configured too" was_called "^cmake --preset release -DBUILD_TESTING=ON"
expect "and it ends well" status_is 0

# Only packages for tests are missing.
debian "libcmocka-dev cppcheck" 1000
call / "$tree/tools/run" chips
expect "tools/run does not need packages of tests" was_not_called "apt-get"
expect "and builds without tests" was_called "^cmake --preset release -DBUILD_TESTING=OFF"
stub apt-get ""
call / "$tree/tools/test" --quick
expect "tools/test installs them" was_called "^apt-get .* libcmocka-dev cppcheck\$"

# Commands that come from elsewhere, and packages that others provide.
debian "npm libcmocka-dev" 1000
call / "$tree/tools/test" --quick
expect "a package whose command is missing is installed" was_called \
    "^apt-get .* libcmocka-dev npm\$"
stub npm ""
call / "$tree/tools/test" --quick
expect "one whose command is there is not" was_called "^apt-get .* libcmocka-dev\$"
stub dpkg-query 'if [[ $* == *Provides* ]]; then
    echo "config-files libcmocka-dev"
    echo "installed pkgconf-other, pkg-config (= 1.8), node-d3"
    exit
fi
for name; do
    if [[ $name != -* && $name != pkg-config && $name != node-d3 ]]; then
        echo "$name installed"
    fi
done'
call / "$tree/tools/test" --quick
expect "what an installed package provides is there" was_not_called "apt-get"
stub dpkg-query 'if [[ $* == *Provides* ]]; then
    echo "config-files libcmocka-dev"
    exit
fi
for name; do
    if [[ $name != -* && $name != libcmocka-dev ]]; then
        echo "$name installed"
    fi
done'
call / "$tree/tools/test" --quick
expect "what a removed package provided is not" was_called "^apt-get .* libcmocka-dev\$"

# Every other system.
rm "$stubs/dpkg-query"
call / "$tree/tools/run" chips
expect "without dpkg-query it tries to build" was_called "^cmake --build"

finish
