/* Registers of functions, and what machine type a value has. */
#pragma once

#include "workloads/csl/code/generator.h"

/* How the machine computes with a type; reports one that it cannot. */
ArchWseType csl_machine_type(CslGenerator *self, const CslType *type);
static inline bool csl_is_pair(const CslType *type)
{
    return type->kind == CSL_KIND_DSD ||
           ((type->kind == CSL_KIND_SIGNED || type->kind == CSL_KIND_UNSIGNED) &&
            type->bits == 64);
}
/* Whether values of the type lie in registers. */
bool csl_is_number(const CslType *type);

guint csl_take(CslGenerator *self, const CslType *type);
guint csl_take_single(CslGenerator *self);
#define CSL_ANYWHERE_ELSE UINT_MAX
/* Registers `wanted`; new ones for CSL_ANYWHERE_ELSE. */
guint csl_target(CslGenerator *self, const CslType *type, guint wanted);
typedef struct {
    guint singles;
    guint pairs;
} CslMark;
CslMark csl_mark(const CslGenerator *self);
void csl_release(CslGenerator *self, CslMark mark);
/* The registers of an instance, made if there are none: from `base` of the generator on
 * if functions share them. */
CslCodeFrame *csl_frame_of(CslGenerator *self, const CslInstance *instance);
void csl_frame_free(CslCodeFrame *self);
