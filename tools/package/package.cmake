# The Debian package: `cmake --build BUILD --target deb` leaves it in BUILD/package. It
# has what `cmake --install` installs. One of the preset portable is for every processor.
set(GRIDLOOM_MAINTAINER "Gridloom developers <gridloom@gridloom.invalid>" CACHE STRING
    "Who answers for packages that are built here: Name <address>")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${GRIDLOOM_MAINTAINER}")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of spatial dataflow chips")
file(READ ${CMAKE_CURRENT_LIST_DIR}/description CPACK_PACKAGE_DESCRIPTION)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/postinst
    ${CMAKE_CURRENT_LIST_DIR}/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# These are read when the package is made: the commit may have moved since, and what the
# package needs depends on the files in it.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/version.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/finish.cmake)
set(CPACK_GRIDLOOM_BUILD_NAME ${PROJECT_BINARY_DIR}/tools/build_name.txt)
set(CPACK_GRIDLOOM_FOLDER ${CMAKE_CURRENT_LIST_DIR})
get_property(CPACK_GRIDLOOM_LATE_LIBRARIES GLOBAL PROPERTY LATE_LIBRARIES)
include(CPack)

# The target `package`, which CPack makes, would build all tests first.
add_custom_target(deb
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/package
    COMMAND ${CMAKE_CPACK_COMMAND} --config ${PROJECT_BINARY_DIR}/CPackConfig.cmake
    DEPENDS gridloom libgridloom manual schemas
    VERBATIM)
