# Read by CPack when all files lie in their places, before it packs them: what Debian
# wants besides, and the packages that this one needs.
set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(doc ${usr}/share/doc/gridloom)

# Manual pages and changes are compressed. The text of the license is on every Debian.
file(REMOVE ${doc}/LICENSE)
file(COPY ${CPACK_GRIDLOOM_FOLDER}/copyright DESTINATION ${doc}
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
file(WRITE ${doc}/changelog.Debian "gridloom (${version}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}; CHANGELOG.md has what changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(COPY_FILE ${doc}/CHANGELOG.md ${doc}/changelog)
file(MAKE_DIRECTORY ${usr}/share/lintian/overrides)
file(COPY_FILE ${CPACK_GRIDLOOM_FOLDER}/lintian ${usr}/share/lintian/overrides/gridloom)
# Where Debian's zsh looks.
file(RENAME ${usr}/share/zsh/site-functions ${usr}/share/zsh/vendor-completions)
file(GLOB pages ${usr}/share/man/man1/*.1)
execute_process(COMMAND gzip -9n ${doc}/changelog ${doc}/changelog.Debian ${pages}
    COMMAND_ERROR_IS_FATAL ANY)

# Programs and libraries need what they are linked with. The module for MPI is there for
# those who have MPI.
set(words)
file(GLOB files ${usr}/bin/* ${usr}/lib/*.so* ${usr}/lib/*/*.so*)
foreach(file ${files})
    if(NOT IS_SYMLINK ${file} AND NOT IS_DIRECTORY ${file})
        file(READ ${file} magic LIMIT 4 HEX)
        if(magic STREQUAL "7f454c46" AND file MATCHES "/gridloom_mpi.so$")
            list(APPEND words -dSuggests -e${file})
        elseif(magic STREQUAL "7f454c46")
            list(APPEND words -dDepends -e${file})
        endif()
    endif()
endforeach()
set(scratch ${CPACK_TOPLEVEL_DIRECTORY}/shlibdeps)
file(WRITE ${scratch}/debian/control
    "Source: gridloom\n\nPackage: gridloom\nArchitecture: any\n")
execute_process(COMMAND dpkg-shlibdeps -O -xgridloom ${words} WORKING_DIRECTORY ${scratch}
    OUTPUT_VARIABLE found ERROR_VARIABLE errors RESULT_VARIABLE status)
if(NOT status EQUAL 0) # else it only warns that files lie elsewhere
    message(FATAL_ERROR "dpkg-shlibdeps: ${errors}")
endif()
foreach(field Depends Recommends Suggests)
    set(${field})
    if(found MATCHES "shlibs:${field}=([^\n]+)")
        set(${field} ${CMAKE_MATCH_1})
    endif()
endforeach()

# Programs of others may be linked with the library.
file(GLOB libraries RELATIVE ${usr}/lib ${usr}/lib/libgridloom.so.*)
if("${libraries}" MATCHES "libgridloom\\.so\\.([0-9]+)")
    file(WRITE ${scratch}/shlibs
        "libgridloom ${CMAKE_MATCH_1} gridloom (>= ${CPACK_PACKAGE_VERSION})\n")
    file(WRITE ${scratch}/triggers "activate-noawait ldconfig\n")
    list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${scratch}/shlibs ${scratch}/triggers)
endif()

# Libraries that are opened at their first use. Without SimGrid no workload runs; without
# the others something is missing that not everybody wants.
foreach(late ${CPACK_GRIDLOOM_LATE_LIBRARIES})
    string(REGEX MATCH "^([^=]+)=(.*)$" late ${late})
    set(field Recommends)
    if(CMAKE_MATCH_1 STREQUAL "SIMGRID")
        set(field Depends)
    endif()
    execute_process(COMMAND dpkg-query --search ${CMAKE_MATCH_2} OUTPUT_VARIABLE owner
        COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE ":.*" "" owner ${owner})
    list(APPEND ${field} ${owner})
endforeach()
# The module for Python; arrays of NumPy, and host programs of CSL; kernels and host
# programs of tt-metal; sweeps over ranks.
list(APPEND Depends python3:any)
list(APPEND Recommends python3-numpy)
list(APPEND Suggests clang lld g++ openmpi-bin)
foreach(field Depends Recommends Suggests)
    string(TOUPPER ${field} upper)
    list(JOIN ${field} ", " CPACK_DEBIAN_PACKAGE_${upper})
endforeach()
