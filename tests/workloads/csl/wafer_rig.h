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
/* The same for a rectangle: PEs know their place as `px` and `py`, and the layout block
 * ends with the statements `layout`. */
void csl_rig_open_all(
    CslRig *self, guint width, guint height, const char *layout, const char *code);
/* The same on a WSE-3. */
void csl_rig_open_wse3(
    CslRig *self, guint width, guint height, const char *layout, const char *code);
/* Expects that the compiler refuses the code of one PE with a message that has this. */
void csl_rig_expect_refused(const char *code, const char *message);
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

typedef struct {
    guint x;
    guint y;
    bool is_float; /* f32, else integers or bits */
} CslRigPlace;

/* Compares the first numbers of an array. */
void csl_rig_expect(CslRig *self,
                    CslRigPlace place,
                    const char *name,
                    const double *numbers,
                    guint count);

/* Integers, bits of f16 and f32 numbers of PE (x, y). */
#define CSL_EXPECT_IN(rig, place, name, ...)                                           \
    do {                                                                               \
        const double numbers[] = {__VA_ARGS__};                                        \
                                                                                       \
        csl_rig_expect(rig, place, name, numbers, G_N_ELEMENTS(numbers));              \
    } while (0)
#define CSL_EXPECT(rig, x, y, name, ...)                                               \
    CSL_EXPECT_IN(rig, ((CslRigPlace){x, y, false}), name, __VA_ARGS__)
#define CSL_EXPECT_FLOATS(rig, x, y, name, ...)                                        \
    CSL_EXPECT_IN(rig, ((CslRigPlace){x, y, true}), name, __VA_ARGS__)

/* Launches `f` of the code of one PE, and expects the integers of `r`. */
void csl_rig_run(const char *code, const int64_t *numbers, guint count);
#define CSL_RUN(code, ...)                                                             \
    do {                                                                               \
        const int64_t integers[] = {__VA_ARGS__};                                      \
                                                                                       \
        csl_rig_run(code, integers, G_N_ELEMENTS(integers));                           \
    } while (0)
