/* Where what kernels print goes, and what of it, as variables of tt-metal say. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/tensix_riscv.h"

/* Zero-initialised: everything is printed, with core and cycle. */
typedef struct {
    bool is_chosen;   /* only `cores` print, and lines look as tt-metal's do */
    bool has_all;     /* of the cores */
    bool is_bare;     /* nothing stands before a text */
    GArray *cores;    /* of CoreRange */
    char **riscvs;    /* "BR", "TR*"; NULL: all */
    FILE *file;       /* NULL: standard output */
    bool is_profiled; /* TT_METAL_DEVICE_PROFILER=1 */
} MetalPrints;

/* Reads the request "open": its environment has the host program's variables. Fails
 * with WL_ERROR_SYNTAX: cores that are none, a file that cannot be written. */
bool metal_prints_read(MetalPrints *self, JsonObject *request, GError **error);
void metal_prints_clear(MetalPrints *self);

/* Does a RISC-V of a core print? */
bool metal_prints_has(const MetalPrints *self, guint x, guint y, ArchRiscvIndex riscv);

/* What stands before a line, if that is not the usual: "0:(x=0,y=0):BR: ", or nothing.
 * The caller frees it. */
char *metal_prints_head(
    const MetalPrints *self, guint chip, guint x, guint y, ArchRiscvIndex riscv);
