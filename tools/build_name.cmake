# Writes the commit of a checkout into a C file, if it is another than there already.
set(name unknown)
if(GIT AND EXISTS ${SOURCE}/.git)
    execute_process(
        COMMAND ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0 ${GIT} -C ${SOURCE}
            describe --always --dirty --abbrev=12 --exclude=*
        OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
        RESULT_VARIABLE status)
    if(status EQUAL 0)
        set(name ${found})
    endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "/* The commit that was built. */
#include \"tools/gridloom/build_name.h\"

const char gridloom_build_name[] = \"@name@\";
" @ONLY)
