# What `cmake --install` puts beside the program: files that it looks for, examples, and
# the pages, whose links work there, too.

# install_tree(<destination> <pattern...>): files of the source tree, each at its own path
# below the destination. Patterns begin with a folder and reach into those below it.
# Folders that would be empty are not made.
function(install_tree destination)
    list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE patterns)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${patterns})
    list(FILTER files EXCLUDE REGEX "/node_modules/|/__pycache__/|/\\.clang-format$")
    foreach(file ${files})
        cmake_path(GET file PARENT_PATH folder)
        set(kind FILES)
        if(file MATCHES "\\.sh$")
            set(kind PROGRAMS)
        endif()
        install(${kind} ${PROJECT_SOURCE_DIR}/${file} DESTINATION ${destination}/${folder})
    endforeach()
endfunction()

install_tree(${CMAKE_INSTALL_DATADIR}/gridloom
    arch/chips/*.ini arch/systems/*.xml
    workloads/*.lua workloads/*.csl workloads/*.py workloads/experiments/*.sh
    # What kernels of tt-metal programs are compiled with, and programs to try.
    workloads/metal/device/* workloads/metal/programs/*
    traces/reference/*.csv traces/gpu/*.json traces/gpu/models/*.csv traces/figures/*.csv
    traces/figures/*.ini
    traces/perfetto/*.sql traces/perfetto/view.json)

set(pages)
foreach(room sim arch workloads traces tools tests)
    list(APPEND pages ${room}/*.md)
endforeach()
# The pages show these pictures and point at these scripts.
install_tree(${CMAKE_INSTALL_DOCDIR} ${pages} traces/samples/*.png traces/samples/*.svg tests/bench/*.svg
    workloads/experiments/*.svg workloads/experiments/*.lua workloads/experiments/*.sh
    tools/python/examples/*.py tools/library/example.c)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
