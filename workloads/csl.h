/* CSL programs: what is wrong with them, what cslc makes of them, and how their host
 * programs are served. */
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
    const char *fabric;              /* "width,height"; NULL: as small as can be */
    const char *offsets; /* "x,y" of the first PE; NULL: as small as can be */
    guint channels;      /* of the host; 0: one */
    guint west_buffers;  /* columns of FIFOs beside the PEs */
    guint east_buffers;
    bool has_memcpy;
    bool is_strict; /* warnings are errors */
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

/* The same, and writes what host programs need into a folder: out.json, and a list of
 * what each program of PEs holds. Writes nothing where it fails: with the report's
 * errors, or as files do. */
bool wl_csl_compile(const WlCslOrder *order,
                    const char *folder,
                    WlCslReport *report,
                    GError **error);

/* What a host program with these words runs on: "wse2" or "wse3" if a word says so or
 * names a folder that cslc has made, alone or behind '=', or if there is one in `out`;
 * else NULL. The caller frees it. */
char *wl_csl_arch_of(const char *const *words);

/* What works for a host program, over messages of workloads/host/message.h. */
typedef struct WlCslRuntime WlCslRuntime;

/* Takes the socket. It must outlive the chip that it runs on. */
WlCslRuntime *wl_csl_runtime_new(int socket);
void wl_csl_runtime_free(WlCslRuntime *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlCslRuntime, wl_csl_runtime_free)
