/* The build that this program comes from. */
#pragma once

/* Its commit, "-dirty" behind it if files had changes of their own; "unknown" if it was
 * not built in a git checkout. Made by tools/build_name.cmake. */
extern const char gridloom_build_name[];
