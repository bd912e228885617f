/* Where cslc and cs_python lie. */
#pragma once

#include <glib.h>

/* The environment with them first on the PATH; the caller frees it. */
char **cmd_csl_environment(void);
