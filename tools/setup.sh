# shellcheck shell=bash
# The common part of tools/run, tools/deb and tools/test: packages and builds. Sourced, not run. All
# its output goes to stderr, because stdout belongs to gridloom and ctest.

source_dir=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")

say() {
    printf 'gridloom: %s\n' "$*" >&2
}

# package_names GROUP...: the packages of these groups, one per line, as PACKAGE or as
# PACKAGE:COMMAND.
package_names() {
    local wanted=" $* "
    local -a words
    while read -r -a words; do
        if ((${#words[@]})) && [[ $wanted == *" ${words[0]} "* ]]; then
            printf '%s\n' "${words[@]:1}"
        fi
    done <"$source_dir/tools/packages"
}

# provided_packages: the packages that installed ones provide, one per line.
provided_packages() {
    dpkg-query --show --showformat='${db:Status-Status} ${Provides}\n' 2>/dev/null |
        sed -n 's/^installed //p' | sed 's/, */\n/g; s/ ([^)]*)//g'
}

# missing_packages GROUP...: their packages that are not installed, one per line. A
# package is not missing if another one provides it or if its command exists.
missing_packages() {
    local word name installed provided=""
    local -a words
    mapfile -t words < <(package_names "$@")
    # It fails when a package is unknown, and still lists the others.
    installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' \
        "${words[@]%%:*}" 2>/dev/null) || true
    for word in "${words[@]}"; do
        name=${word%%:*}
        if grep -qxF "$name installed" <<<"$installed" ||
            { [[ $word == *:* ]] && command -v "${word#*:}" >/dev/null; }; then
            continue
        fi
        provided=${provided:-$(provided_packages || true)}
        if ! grep -qxF "$name" <<<"$provided"; then
            printf '%s\n' "$name"
        fi
    done
}

# has_packages GROUP...: true if all of them are known to be installed.
has_packages() {
    command -v dpkg-query >/dev/null && [[ -z $(missing_packages "$@") ]]
}

# install_packages GROUP...: installs the missing packages. If it may not or cannot, it
# prints the one line that a person must run, and fails; whoever runs that line sees apt's
# reasons.
install_packages() {
    local by_hand=""
    local -a missing apt_get
    if ! command -v dpkg-query >/dev/null; then
        say "not a Debian system: going on with the packages that are there"
        return 0
    fi
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]} == 0)); then
        return 0
    fi

    apt_get=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120)
    if [[ $(id -u) != 0 ]]; then
        by_hand="sudo "
        apt_get=(sudo "${apt_get[@]}")
    fi
    # Fresh images have no package lists, so the line to run fetches them, too.
    by_hand="${by_hand}apt-get update; ${by_hand}apt-get install -y"
    by_hand+=" --no-install-recommends ${missing[*]}"
    if [[ ${apt_get[0]} != sudo ]] || command -v sudo >/dev/null; then
        say "installing ${missing[*]}"
        # A broken list of a third party need not stop packages that Debian's lists have.
        "${apt_get[@]}" update </dev/null >/dev/null 2>&1 || true
        if "${apt_get[@]}" install -y --no-install-recommends "${missing[@]}" \
            </dev/null >/dev/null 2>&1; then
            return 0
        fi
    fi
    say "packages are missing; run: $by_hand"
    return 1
}

# build PRESET TARGET ON|OFF [OPTION...]: configures with or without tests and with these
# options of cmake, and builds. The log is shown only on failure. Two builds of one tree
# wait for each other.
build() {
    local preset=$1 target=$2 testing=$3
    local log=$source_dir/build/$preset.log
    say "building build/$preset"
    mkdir -p "$source_dir/build"
    if ! (
        flock 9
        cd "$source_dir" &&
            cmake --preset "$preset" -DBUILD_TESTING="$testing" "${@:4}" &&
            cmake --build --preset "$preset" --target "$target"
    ) 9>"$source_dir/build/lock" </dev/null >"$log" 2>&1; then
        cat "$log" >&2
        say "building build/$preset failed"
        return 1
    fi
}

# build_release TARGET: builds a target that is not a test. A folder that was set up for
# tests stays so. Tests cannot even be configured without their packages.
build_release() {
    local testing=OFF
    if has_packages run test; then
        testing=ON
    fi
    build release "$1" "$testing"
}
