/* Makes typed trees of functions; private to this folder. */
#pragma once

#include "workloads/csl/meaning/evaluator.h"
#include "workloads/csl/meaning/typed.h"

typedef struct CslTarget CslTarget;
typedef struct CslInlineLoop CslInlineLoop;

/* An inline loop whose body is analysed: break and continue leave blocks. */
struct CslInlineLoop {
    const char *break_label;
    const char *continue_label;
    bool has_ended; /* no turn follows */
    CslInlineLoop *outer;
};

typedef struct CslAnalyser {
    CslEvaluator *evaluator;
    CslInstance *instance;   /* whose body is analysed */
    uint32_t *slot_locals;   /* the local that a slot holds now; CSL_NO_LOCAL: none */
    CslTyped **slot_structs; /* structs with values of run time, by slot; or NULL */
    GPtrArray *ahead;        /* CslTyped that run before the statement at hand */
    CslTarget *targets;      /* of `break :label value` */
    CslInlineLoop *loop;     /* the nearest, if no loop of run time is nearer */
    const CslType *wanted;   /* of the if, switch or block that is analysed next */
    uint32_t branch_depth;   /* of loops and branches that PEs decide on */
    uint32_t *slot_depths;   /* where comptime vars were declared, by slot; or NULL */
    uint32_t label_count;    /* of those that blocks were given */
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
CslTyped *csl_analyse_aggregate(CslAnalyser *self, const CslNode *node);
CslTyped *csl_analyse_call(CslAnalyser *self, const CslNode *node);
/* Whether a builtin works on DSDs; and whether its operands fit it: reports if not. */
bool csl_works_on_dsds(const char *name);
bool csl_check_operation(CslAnalyser *self, CslTyped *typed);
CslTyped *csl_analyse_builtin(CslAnalyser *self, const CslNode *node);
CslTyped *csl_analyse_statement(CslAnalyser *self, const CslNode *node);
/* The same where PEs decide whether, or how often, it runs. */
CslTyped *csl_analyse_branch(CslAnalyser *self, const CslNode *node);
CslTyped *csl_analyse_for(CslAnalyser *self, const CslNode *node);
CslTyped *csl_analyse_while(CslAnalyser *self, const CslNode *node);
/* What is indexed, assigned to, or looped over: an array by its place, even a known
 * one. */
CslTyped *csl_analyse_place(CslAnalyser *self, const CslNode *node);
/* An if, switch or block with a value that PEs choose. */
CslTyped *csl_analyse_value(CslAnalyser *self, const CslNode *node);
/* and, or, with statements on the right side, which run if they must. */
CslTyped *csl_analyse_logic(CslAnalyser *self, const CslNode *node, CslTyped *left);
CslTyped *csl_analyse_break_value(CslAnalyser *self, const CslNode *node);
/* Whether an expression can only be analysed as statements. */
bool csl_needs_statements(const CslNode *node);
/* A switch with its subject; unless that is known, also with the patterns of arms. */
CslTyped *csl_analyse_subject(CslAnalyser *self, const CslNode *node);

/* Statements ahead of the one at hand. What begins returns what ends needs. */
GPtrArray *csl_begin_ahead(CslAnalyser *self);
void csl_add_ahead(CslAnalyser *self, CslTyped *statement);
void csl_take_ahead(CslAnalyser *self, GPtrArray *to);
/* The statement, in a block with those ahead of it. */
CslTyped *csl_end_ahead(CslAnalyser *self, GPtrArray *outer, CslTyped *typed);

/* Parts. */
CslTyped *csl_typed_new(CslAnalyser *self,
                        CslTypedKind kind,
                        const CslNode *node,
                        const CslType *type,
                        uint32_t count);
/* A local of the function. */
CslTyped *csl_typed_local(CslAnalyser *self, const CslNode *node, uint32_t local);
CslTyped *csl_typed_constant(CslAnalyser *self, const CslNode *node, CslValue value);
CslTyped *csl_typed_block(CslAnalyser *self,
                          const CslNode *node,
                          const char *label,
                          const GPtrArray *statements);
/* The expression as one of that type; NULL after a report. */
CslTyped *csl_typed_coerce(CslAnalyser *self, CslTyped *typed, const CslType *type);
uint32_t csl_add_local(CslAnalyser *self, const CslNode *node, const CslType *type);
/* .{ ... } as a struct that was declared; NULL after a report. */
CslTyped *csl_typed_record(CslAnalyser *self, CslTyped *typed, const CslType *record);
/* The item of that name, of an aggregate; or NULL. */
CslTyped *csl_typed_item(const CslTyped *typed, const char *name);
/* A local that holds the value from now on. */
CslTyped *csl_typed_kept(CslAnalyser *self, CslTyped *typed);
/* The name of item i, or NULL. */
const char *csl_typed_item_name(const CslTyped *typed, uint32_t i);
/* Makes a const of a struct whose items are values of run time. */
void csl_keep_struct(CslAnalyser *self, const CslNode *node, CslTyped *typed);
/* A function that is called from outside, with arguments of its own types. */
void csl_reach(CslEvaluator *evaluator, CslGlobal *function);
/* The function with these arguments, made if it is new. */
CslInstance *csl_instance_of(CslEvaluator *evaluator,
                             CslGlobal *function,
                             const CslValue *arguments,
                             const CslType *const *types);

/* Tuples with values of run time: STRUCTs of type comptime_struct. */
bool csl_is_tuple(const CslTyped *typed);
/* Adds the members to the arguments that are passed; the tuple's type for an instance.
 */
const CslType *
csl_tuple_pass(CslAnalyser *self, const CslTyped *tuple, GPtrArray *passed);
/* Member node->children[1]. */
CslTyped *csl_tuple_item(CslAnalyser *self, const CslNode *node, const CslTyped *tuple);
/* The local, or the locals, of an argument, and the value of a local. */
void csl_add_argument(CslAnalyser *self, const CslNode *parameter, const CslType *type);
CslTyped *csl_analyse_local(CslAnalyser *self, const CslNode *node);
