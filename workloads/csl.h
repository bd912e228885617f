/* CSL programs: what is wrong with them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* How cslc is called. Strings and lists stay the caller's. */
typedef struct {
    const char *path;              /* the file with the layout block */
    const char *arch;              /* "wse2" or "wse3" */
    const char *const *parameters; /* "name:1" or "a:1,b:2"; NULL at the end, or NULL */
    const char *const *colors;     /* likewise, for params that are colors */
    const char *const *import_paths; /* folders of libraries, before our own */
} WlCslOrder;

typedef struct {
    char *text; /* errors and warnings as a compiler prints them; "" for none */
    guint error_count;
    guint width; /* of the rectangle of PEs */
    guint height;
    guint class_count; /* programs of PEs that differ */
} WlCslReport;

void wl_csl_report_clear(WlCslReport *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WlCslReport, wl_csl_report_clear)

/* Parses and interprets a program up to what its PEs do at run time. True if there is
 * no error. */
bool wl_csl_check(const WlCslOrder *order, WlCslReport *report);
