# Read by CPack when it begins: the version that was built.
file(STRINGS ${CPACK_GRIDLOOM_BUILD_NAME} CPACK_PACKAGE_VERSION)
