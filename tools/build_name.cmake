# Writes the version of what is built into a C file and into a file of one line, if it is
# another than there already. VERSION is the project's:
#   0.1.0                       at the tag v0.1.0, or without a git checkout
#   0.1.0+git5.g0123456789ab    five commits behind that tag
#   0.1.0~git1397.g0123456789ab the 1397th commit, where there is no such tag yet
# Files with changes of their own add ".dirty". Debian sorts these names by age.
cmake_minimum_required(VERSION 3.23)
set(name ${VERSION})

# look(<variable> <word...>): what git answers, or nothing.
function(look variable)
    execute_process(
        COMMAND ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0 ${GIT} -C ${SOURCE} ${ARGN}
        OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(${variable} "${found}" PARENT_SCOPE)
endfunction()

if(GIT AND EXISTS ${SOURCE}/.git)
    look(found describe --always --dirty --tags --match v${VERSION} --abbrev=12)
    string(REGEX REPLACE "-dirty$" ".dirty" found "${found}")
    if(found MATCHES "^v${VERSION}-([0-9]+)-(.*)")
        set(name ${VERSION}+git${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
    elseif(found MATCHES "^v${VERSION}(.*)")
        set(name ${VERSION}${CMAKE_MATCH_1})
        string(REPLACE ".dirty" "+dirty" name ${name})
    elseif(found)
        look(count rev-list --count HEAD)
        set(name ${VERSION}~git${count}.g${found})
    endif()
endif()
file(CONFIGURE OUTPUT ${OUT}.txt CONTENT "${name}\n" @ONLY)
file(CONFIGURE OUTPUT ${OUT}.c CONTENT "/* The version that was built. */
#include \"tools/gridloom/build_name.h\"

const char gridloom_build_name[] = \"@name@\";
" @ONLY)
