/* Builtins, evaluated at comptime; private to this folder. */
#pragma once

#include "workloads/csl/meaning/evaluator.h"

/* No builtin takes more. */
#define CSL_ARGUMENTS_MOST 32

enum {
    CSL_IN_LAYOUT = 1 << 0,
    CSL_IN_COMPTIME = 1 << 1,
    CSL_AT_RUN_TIME = 1 << 2,
    CSL_ANYWHERE = 7,
};

/* Evaluates a call. `arguments` holds the values of all children but a raw one. */
typedef CslValue
CslBuiltinCall(CslEvaluator *self, const CslNode *node, const CslValue *arguments);

typedef struct {
    const char *name; /* with its @ */
    uint32_t fewest;
    uint32_t most;
    guint where;
    uint32_t raw;        /* which argument is a place, from 1; 0 for none */
    CslBuiltinCall *run; /* NULL: not at comptime */
} CslBuiltin;

/* The builtin of that name, or NULL. */
const CslBuiltin *csl_builtin_find(const char *name);
/* Writes into the slot of each BUILTIN node where its builtin stands in the table, + 1;
 * 0 stays where there is none. */
void csl_builtin_bind(CslNode *node);
/* The builtin of a node, or NULL. */
const CslBuiltin *csl_builtin_of(const CslNode *node);
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
/* Whether a kind of DSD has a field of that name; reports if not. */
bool csl_check_dsd_field(CslEvaluator *self,
                         const CslNode *node,
                         const CslType *kind,
                         const char *name);
/* Reads .{ .routes = ... }; false after a report. */
bool csl_color_config_read(CslEvaluator *self,
                           const CslNode *node,
                           const CslStruct *given,
                           CslColorConfig *to);

/* One each, by group; see builtin.def. */
CslBuiltinCall csl_builtin_act;
CslBuiltinCall csl_builtin_allocate_fifo;
CslBuiltinCall csl_builtin_as;
CslBuiltinCall csl_builtin_bind_task;
CslBuiltinCall csl_builtin_bitcast;
CslBuiltinCall csl_builtin_comptime_assert;
CslBuiltinCall csl_builtin_comptime_print;
CslBuiltinCall csl_builtin_concat_structs;
CslBuiltinCall csl_builtin_constants;
CslBuiltinCall csl_builtin_dimensions;
CslBuiltinCall csl_builtin_element_count;
CslBuiltinCall csl_builtin_element_type;
CslBuiltinCall csl_builtin_export_name;
CslBuiltinCall csl_builtin_export_symbol;
CslBuiltinCall csl_builtin_field;
CslBuiltinCall csl_builtin_fp16;
CslBuiltinCall csl_builtin_get_array;
CslBuiltinCall csl_builtin_get_dsd;
CslBuiltinCall csl_builtin_get_dsr;
CslBuiltinCall csl_builtin_get_id;
CslBuiltinCall csl_builtin_get_int;
CslBuiltinCall csl_builtin_get_rectangle;
CslBuiltinCall csl_builtin_has_field;
CslBuiltinCall csl_builtin_import_module;
CslBuiltinCall csl_builtin_increment_dsd_offset;
CslBuiltinCall csl_builtin_initialize_queue;
CslBuiltinCall csl_builtin_is_arch;
CslBuiltinCall csl_builtin_is_comptime;
CslBuiltinCall csl_builtin_is_same_type;
CslBuiltinCall csl_builtin_note_effect;
CslBuiltinCall csl_builtin_range;
CslBuiltinCall csl_builtin_range_part;
CslBuiltinCall csl_builtin_rank;
CslBuiltinCall csl_builtin_set_color_config;
CslBuiltinCall csl_builtin_set_dsd_base_addr;
CslBuiltinCall csl_builtin_set_dsd_length;
CslBuiltinCall csl_builtin_set_dsd_stride;
CslBuiltinCall csl_builtin_set_local_color_config;
CslBuiltinCall csl_builtin_set_rectangle;
CslBuiltinCall csl_builtin_set_teardown_handler;
CslBuiltinCall csl_builtin_set_tile_code;
CslBuiltinCall csl_builtin_strcat;
CslBuiltinCall csl_builtin_get_string_from_byte;
CslBuiltinCall csl_builtin_strlen;
CslBuiltinCall csl_builtin_type_of;
CslBuiltinCall csl_builtin_zeros;
