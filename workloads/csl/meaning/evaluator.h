/* Evaluates expressions and runs statements at comptime; private to this folder. */
#pragma once

#include "workloads/csl/meaning/program.h"

/* Calls and expressions nest at most so deep, so that the stack suffices. */
#define CSL_DEPTH_MOST 1200
/* What a call counts for, because it needs more of the stack than an operator. */
#define CSL_CALL_DEPTH 5
/* Slots of all frames together. */
#define CSL_STACK_VALUES 65536U
/* Modules of one PE. */
#define CSL_MODULES_MOST 2000U

typedef struct {
    CslModule *module;
    CslValue *slots;
} CslFrame;

/* How a statement ends. */
typedef enum {
    CSL_FLOW_NEXT,
    CSL_FLOW_BREAK,
    CSL_FLOW_CONTINUE,
    CSL_FLOW_RETURN,
    CSL_FLOW_FAILED,
} CslFlow;

typedef struct CslEvaluator CslEvaluator;
typedef struct CslMemo CslMemo;

struct CslEvaluator {
    CslProgram *program;
    CslPeClass *pe; /* whose globals are evaluated; NULL in a layout */
    bool is_layout; /* a layout block runs */
    CslFrame *frame;
    CslValue *stack; /* of slots */
    uint32_t stack_used;
    uint64_t step_count;
    uint64_t effect_count; /* of builtins that do more than to give a value */
    uint64_t step_check;   /* the count at which limits are looked at next */
    guint depth;
    const char *label; /* of a break under way; NULL for the nearest loop */
    CslValue result;   /* of return, and of break from a block */
    /* The file that a path was found to mean last. */
    const CslText *cached_text;
    const CslFile *cached_from;
    const CslFile *cached_file;
    /* While a function is analysed: who does it, and how it finds types; else NULL. */
    struct CslAnalyser *analyser;
    const CslType *(*type_of)(struct CslEvaluator *self, const CslNode *node);
    GPtrArray *memos;      /* CslMemo or NULL, by the slots of nodes; or NULL */
    uint32_t module_limit; /* of CslProgram.modules, while one PE is made */
};

void csl_evaluator_init(CslEvaluator *self, CslProgram *program);
void csl_evaluator_clear(CslEvaluator *self);

/* Reports at a node of the module at hand. */
CslPlace csl_here(const CslEvaluator *self, const CslNode *node);
void csl_complain(CslEvaluator *self, const CslNode *node, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Expressions. All give a value without a type after a report. */
CslValue csl_evaluate(CslEvaluator *self, const CslNode *node);
CslValue csl_evaluate_builtin(CslEvaluator *self, const CslNode *node);
CslValue csl_evaluate_access(CslEvaluator *self, const CslNode *node);
CslValue csl_evaluate_type_node(CslEvaluator *self, const CslNode *node);
CslValue csl_operate_unary(CslEvaluator *self, const CslNode *node);
CslValue csl_operate(
    CslEvaluator *self, const CslNode *node, CslTokenKind sign, CslValue a, CslValue b);
CslValue csl_call(CslEvaluator *self, const CslNode *node);
/* A type, or NULL after a report. */
const CslType *csl_evaluate_type(CslEvaluator *self, const CslNode *node);
/* True and the number, or false after a report. `what` names it: "the width". */
bool csl_evaluate_integer(CslEvaluator *self,
                          const CslNode *node,
                          const char *what,
                          CslInteger *to);

/* Places: what & takes the address of. */
typedef struct {
    CslGlobal *global;
    CslInteger offset; /* elements */
    const CslType *type;
    bool is_const;
} CslSpot;
bool csl_locate(CslEvaluator *self, const CslNode *node, CslSpot *to);
/* The flat index of an element; false after a report. */
bool csl_flatten(CslEvaluator *self,
                 const CslNode *node,
                 const CslType *array,
                 CslInteger *flat);

/* Conversions. */
CslValue csl_coerce(CslEvaluator *self,
                    const CslNode *node,
                    CslValue value,
                    const CslType *type);
/* The same without a report: false if it does not convert. */
bool csl_convert(CslProgram *program, CslValue *value, const CslType *type);
CslValue
csl_cast(CslEvaluator *self, const CslNode *node, CslValue value, const CslType *type);
CslValue csl_zero(CslProgram *program, const CslType *type);
double csl_round(const CslType *type, double real);

/* Statements. */
/* The arm of a switch for a value, or NULL after a report. */
const CslNode *csl_find_arm(CslEvaluator *self, const CslNode *node, CslValue subject);
CslFlow csl_execute(CslEvaluator *self, const CslNode *node);
/* Runs the block of a layout or comptime declaration in a module. */
bool csl_run_block(CslEvaluator *self, CslModule *module, const CslNode *node);
CslValue csl_call_function(CslEvaluator *self,
                           const CslNode *node,
                           CslGlobal *function,
                           CslValue *arguments,
                           uint32_t count);

/* Globals: evaluated at the first question. */
CslValue csl_global_value(CslEvaluator *self, CslGlobal *global, CslPlace asked);
const CslType *csl_global_type(CslEvaluator *self, CslGlobal *global, CslPlace asked);
/* True if a comptime block of the module, or of one it imports, has run well. */
bool csl_module_run(CslEvaluator *self, CslModule *module);
