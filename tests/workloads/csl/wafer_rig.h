/* CSL programs that tests hold as text, run on a simulated wafer. */
#pragma once

#include "arch/wse.h"
#include "tests/workloads/csl/checked.h"
#include "workloads/csl/code/image.h"

typedef struct {
    CslChecked checked;
    ArchParams *params;
    CslImage *image;
    SimEngine *engine;
    ArchWse *wse;
} CslRig;

/* Compiles and starts a program; fails the test with what the compiler says. */
void csl_rig_open(CslRig *self, const char *text);
/* Code of one PE that exports `fn f() void`; memcpy's functions are `sys`. */
void csl_rig_open_pe(CslRig *self, const char *code);
void csl_rig_close(CslRig *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CslRig, csl_rig_close)

/* Launches a function on all PEs and runs until all are done. */
void csl_rig_launch(CslRig *self,
                    const char *function,
                    const int32_t *values,
                    guint count);
/* What the run says when it fails; the caller frees it. */
char *csl_rig_launch_badly(CslRig *self, const char *function);
/* Number `index` of an array of PE (x, y). */
int64_t csl_rig_integer(CslRig *self, guint x, guint y, const char *name, guint index);
float csl_rig_float(CslRig *self, guint x, guint y, const char *name, guint index);
