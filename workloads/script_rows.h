/* The parameters of a script on all families of chips that it runs on. */
#pragma once

#include <glib.h>

#include "workloads/script.h"

/* A parameter, and those families that have the same. */
typedef struct {
    const WlParam *param; /* borrowed from the script */
    guint family;         /* the first of them */
    char *allowed;        /* "1..8", "on|off", "number" */
    char *families;       /* "both", "all", "nero,wse" */
} WlScriptRow;

/* An array of WlScriptRow, which the caller frees. Rows of one name follow each other;
 * one that a family alone has comes before what is next in it. The last family is
 * chosen after that. */
GArray *wl_script_rows(WlScript *script);
