/* Makes typed trees of functions; private to this folder. */
#pragma once

#include "workloads/csl/meaning/evaluator.h"
#include "workloads/csl/meaning/typed.h"

typedef struct CslAnalyser {
    CslEvaluator *evaluator;
    CslInstance *instance; /* whose body is analysed */
    uint32_t *slot_locals; /* the local that a slot holds now; CSL_NO_LOCAL: none */
} CslAnalyser;

/* Analyses all functions that can be reached in a class, from bound tasks, exported
 * functions and teardown handlers; they go to its `instances`. Reports errors. */
void csl_analyse_class(CslEvaluator *evaluator, CslPeClass *pe);

/* Whether comptime knows the value of an expression. */
bool csl_is_known(CslAnalyser *self, const CslNode *node);

/* The global that `module.name` means, or NULL. */
CslGlobal *csl_member_of(CslAnalyser *self, const CslNode *node);

/* Expressions and statements. NULL after a report. */
CslTyped *csl_analyse(CslAnalyser *self, const CslNode *node);
CslTyped *csl_analyse_as(CslAnalyser *self, const CslNode *node, const CslType *type);
CslTyped *csl_analyse_call(CslAnalyser *self, const CslNode *node);
CslTyped *csl_analyse_builtin(CslAnalyser *self, const CslNode *node);
CslTyped *csl_analyse_statement(CslAnalyser *self, const CslNode *node);

/* Parts. */
CslTyped *csl_typed_new(CslAnalyser *self,
                        CslTypedKind kind,
                        const CslNode *node,
                        const CslType *type,
                        uint32_t count);
CslTyped *csl_typed_constant(CslAnalyser *self, const CslNode *node, CslValue value);
/* The expression as one of that type; NULL after a report. */
CslTyped *csl_typed_coerce(CslAnalyser *self, CslTyped *typed, const CslType *type);
uint32_t csl_add_local(CslAnalyser *self, const CslNode *node, const CslType *type);
/* The function with these arguments, made if it is new. */
CslInstance *csl_instance_of(CslEvaluator *evaluator,
                             CslGlobal *function,
                             const CslValue *arguments,
                             const CslType *const *types);
