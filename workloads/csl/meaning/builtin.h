/* Builtins, evaluated at comptime; private to this folder. */
#pragma once

#include "workloads/csl/meaning/evaluator.h"

enum {
    CSL_IN_LAYOUT = 1 << 0,
    CSL_IN_COMPTIME = 1 << 1,
    CSL_AT_RUN_TIME = 1 << 2,
    CSL_ANYWHERE = 7,
};

/* Evaluates a call. `arguments` holds the values of all children but a raw one. */
typedef CslValue (*CslBuiltinFunc)(CslEvaluator *self,
                                   const CslNode *node,
                                   CslValue *arguments);

typedef struct {
    const char *name; /* with its @ */
    uint32_t fewest;
    uint32_t most;
    guint where;
    uint32_t raw;       /* which argument is a place, from 1; 0 for none */
    CslBuiltinFunc run; /* NULL: not at comptime */
} CslBuiltin;

/* The builtin of that name, or NULL. */
const CslBuiltin *csl_builtin_find(const char *name);
/* The name that a misspelt one is nearest to, or NULL. */
const char *csl_builtin_nearest(const char *name);

/* A string argument, as text that ends with NUL; NULL after a report. */
const char *
csl_argument_text(CslEvaluator *self, const CslNode *node, const CslValue *of);
/* An integer argument from least to most; false after a report. */
bool csl_argument_integer(CslEvaluator *self,
                          const CslNode *node,
                          const CslValue *of,
                          CslInteger most,
                          uint32_t *to);
/* Reads .{ .routes = ... }; false after a report. */
bool csl_color_config_read(CslEvaluator *self,
                           const CslNode *node,
                           const CslStruct *given,
                           CslColorConfig *to);

CslValue csl_builtin_act(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_allocate_fifo(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue csl_builtin_as(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_bind_task(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_bitcast(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue csl_builtin_comptime_assert(CslEvaluator *self,
                                     const CslNode *node,
                                     CslValue *arguments);
CslValue csl_builtin_comptime_print(CslEvaluator *self,
                                    const CslNode *node,
                                    CslValue *arguments);
CslValue csl_builtin_concat_structs(CslEvaluator *self,
                                    const CslNode *node,
                                    CslValue *arguments);
CslValue
csl_builtin_constants(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_dimensions(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_element_count(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_element_type(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_export_name(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_export_symbol(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_field(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue csl_builtin_fp16(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_get_array(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_get_dsd(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_get_dsr(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_get_id(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_get_int(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_get_rectangle(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_has_field(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_import_module(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue csl_builtin_increment_dsd_offset(CslEvaluator *self,
                                          const CslNode *node,
                                          CslValue *arguments);
CslValue csl_builtin_initialize_queue(CslEvaluator *self,
                                      const CslNode *node,
                                      CslValue *arguments);
CslValue
csl_builtin_is_arch(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_is_comptime(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_is_same_type(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_note_effect(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_range(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_range_part(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue csl_builtin_rank(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue csl_builtin_set_color_config(CslEvaluator *self,
                                      const CslNode *node,
                                      CslValue *arguments);
CslValue csl_builtin_set_dsd_base_addr(CslEvaluator *self,
                                       const CslNode *node,
                                       CslValue *arguments);
CslValue csl_builtin_set_dsd_length(CslEvaluator *self,
                                    const CslNode *node,
                                    CslValue *arguments);
CslValue csl_builtin_set_dsd_stride(CslEvaluator *self,
                                    const CslNode *node,
                                    CslValue *arguments);
CslValue csl_builtin_set_local_color_config(CslEvaluator *self,
                                            const CslNode *node,
                                            CslValue *arguments);
CslValue
csl_builtin_set_rectangle(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue csl_builtin_set_teardown_handler(CslEvaluator *self,
                                          const CslNode *node,
                                          CslValue *arguments);
CslValue
csl_builtin_set_tile_code(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_strcat(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_strlen(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_type_of(CslEvaluator *self, const CslNode *node, CslValue *arguments);
CslValue
csl_builtin_zeros(CslEvaluator *self, const CslNode *node, CslValue *arguments);
