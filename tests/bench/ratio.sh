#!/bin/bash
# Compares the speed of two commits, or of two build folders.
set -euo pipefail

usage()
{
    cat <<'TEXT'
usage: tests/bench/ratio.sh OLD NEW [--rows NAME,...] [--turns N] [--quick] [--same]
Builds both sides the same way, runs the rows in turn on this machine and prints a table
in Markdown: processor time, wall time and memory of each side, the best of five turns,
and the ratio of old to new. Above 1 the new one is faster.

OLD, NEW     a commit, or a build folder with tools/gridloom and tests/bench in it
--rows LIST  only these rows, separated by commas; 'list' prints their names
--turns N    runs of each row and side (default: 5)
--quick      small sizes, one turn and a build that is not optimised across files
--same       exit code 3 if the cycles of a row differ

Commits are built in $GRIDLOOM_RATIO_DIR (default: gridloom-ratio in $TMPDIR or /tmp) and
stay there for the next time. If the cycles of a row differ, the model has changed between
the two: the table says so, and its ratio is that of cycles per second. Validations run the
suites of their side; the table says how many runs those have. A row that a side cannot
run, because it lacks a workload, parameter or option, is a dash there.
TEXT
}

here=$(cd "$(dirname "$0")" && pwd)
sides=()
options=()
is_quick=no
is_list=no
while (($# > 0)); do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --quick)
        is_quick=yes
        options+=("$1")
        ;;
    --same) options+=("$1") ;;
    --rows | --turns)
        if (($# < 2)); then
            echo "ratio.sh: $1 needs a value; --help lists the options" >&2
            exit 1
        fi
        options+=("$1" "$2")
        if [[ $1 == --rows && $2 == list ]]; then
            is_list=yes
        fi
        shift
        ;;
    -*)
        echo "ratio.sh: unknown option $1; --help lists the options" >&2
        exit 1
        ;;
    *) sides+=("$1") ;;
    esac
    shift
done
if [[ $is_list == yes ]]; then
    exec python3 "$here/ratio.py" --rows list
fi
if ((${#sides[@]} != 2)); then
    echo "ratio.sh: give two commits or build folders; --help says more" >&2
    exit 1
fi

is_folder()
{
    [[ -x $1/tools/gridloom ]]
}

commit_of()
{
    git -C "$here" rev-parse --verify --quiet "$1^{commit}"
}

for side in "${sides[@]}"; do # before a build of the other one takes minutes
    if ! is_folder "$side" && ! commit_of "$side" >/dev/null; then
        echo "ratio.sh: $side is neither a build folder nor a commit" >&2
        exit 1
    fi
done

# The build folder of a commit, with all it needs; prints its path.
build_commit()
{
    local commit root folder build
    commit=$(commit_of "$1")
    root=${GRIDLOOM_RATIO_DIR:-${TMPDIR:-/tmp}/gridloom-ratio}
    folder=$root/${commit:0:12}
    build=$folder/build/release
    if [[ $is_quick == yes ]]; then
        build=$folder/build/quick
    fi
    if [[ ! -d $folder ]]; then
        mkdir -p "$folder.new"
        git -C "$here/../.." archive "$commit" | tar -x -C "$folder.new"
        mv "$folder.new" "$folder"
    fi
    echo "ratio.sh: building ${commit:0:12} in $build" >&2
    {
        cmake -S "$folder" -B "$build" -G Ninja -DBUILD_TESTING=ON \
            -DCMAKE_BUILD_TYPE="$([[ $is_quick == yes ]] || echo Release)" \
            -DCMAKE_C_FLAGS="$([[ $is_quick == no ]] || echo -O2)" \
            -DGRIDLOOM_LTO_BENCHES=ON
        cmake --build "$build" --target gridloom bench_tensix
    } >"$folder/build.log" 2>&1 || {
        echo "ratio.sh: ${commit:0:12} cannot be built; see $folder/build.log" >&2
        exit 1
    }
    echo "$build"
}

folders=()
for side in "${sides[@]}"; do
    if is_folder "$side"; then
        folders+=("$(cd "$side" && pwd)")
    else
        folders+=("$(build_commit "$side")")
    fi
done
exec python3 "$here/ratio.py" "${options[@]}" --names "${sides[@]}" -- "${folders[@]}"
