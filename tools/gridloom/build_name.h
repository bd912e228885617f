/* The build that this program comes from. */
#pragma once

/* Its version with its commit: "0.1.0~git1397.g0123456789ab", as tools/build_name.cmake
 * makes it; "0.1.0" at a release and outside of git. Results have only
 * GRIDLOOM_VERSION, because a commit that changes no behaviour changes none of their
 * bytes. */
extern const char gridloom_build_name[];
