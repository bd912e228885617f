/* A CSL program as a wafer runs it: what code generation makes of its classes of PEs.
 */
#pragma once

#include "arch/wse_layout.h"
#include "workloads/csl/meaning/program.h"

/* A name that the layout exports (@export_name): its place in the list is the host's
 * number of it. On the PEs that export an array, number 0 of the u16 array "@NAME" is
 * its byte address. Argument i of a function is the variable "NAME:i", and "NAME:i+"
 * the upper half of 64 bits. */
typedef struct {
    const char *name; /* the program's */
    bool is_function;
    bool is_mutable;
    ArchWseType type; /* of the array's elements */
    guint argument_count;
    ArchWseType arguments[15];
    const CslType *declared; /* for messages and lists */
} CslSymbol;

typedef struct {
    ArchWseLayout *layout; /* arch_wse_load() takes it: then it is NULL */
    GArray *symbols;       /* CslSymbol */
} CslImage;

/* Code for every class of a program that has loaded without an error. What the machine
 * cannot do is reported to the program's diagnostics: NULL then. `params` and the
 * program must outlive the image. */
CslImage *csl_image_new(CslProgram *program, const ArchParams *params);
void csl_image_free(CslImage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CslImage, csl_image_free)

/* The symbol of that name, or NULL. */
const CslSymbol *csl_image_find(const CslImage *self, const char *name);
