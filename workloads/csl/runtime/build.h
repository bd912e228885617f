/* A CSL program as cslc's options say, from its text to code for PEs. */
#pragma once

#include "workloads/csl.h"
#include "workloads/csl/code/image.h"

typedef struct {
    CslDiagnostics *to;
    CslProgram *program;
    CslImage *image; /* NULL until csl_build_generate() */
    CslOptions options;
    GPtrArray *parameters; /* of --params, each by itself; NULL at the end */
    GPtrArray *colors;
    GPtrArray *folders;
    bool is_strict; /* warnings are errors */
} CslBuild;

/* Reads all files and runs the layout. What is wrong is in `to`. */
CslBuild *csl_build_new(const WlCslOrder *order);
void csl_build_free(CslBuild *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CslBuild, csl_build_free)

/* Whether there is an error, or a warning that is one. */
bool csl_build_has_failed(const CslBuild *self);

/* Makes the code; reports to `to`. */
bool csl_build_generate(CslBuild *self, const ArchParams *params);
