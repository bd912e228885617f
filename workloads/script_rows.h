/* The parameters of a script on all its families of chips. */
#pragma once

#include <glib.h>

#include "workloads/script.h"

/* A parameter, and the families that share it. */
typedef struct {
    const WlParam *param; /* borrowed from the script */
    guint family;         /* the first of them */
    char *allowed;        /* "1..8", "on|off", "number" */
    char *families;       /* "both", "all", "nero,wse" */
} WlScriptRow;

/* An array of WlScriptRow, which the caller frees. Rows of one name are adjacent; a row
 * of a single family comes before the next one in that family. Leaves the last family
 * chosen. */
GArray *wl_script_rows(WlScript *script);
