/* Descriptors, vector operations, and builtins of PEs. */
#pragma once

#include "workloads/csl/code/generator.h"

CslNumber csl_dsd_constant(CslGenerator *self, const CslValue *value);
CslNumber csl_generate_builtin(CslGenerator *self, const CslTyped *typed, guint wanted);
/* Builtins that are vector operations. */
bool csl_is_operation(const char *name);
CslNumber
csl_generate_operation(CslGenerator *self, const CslTyped *typed, guint wanted);
void csl_generate_map(CslGenerator *self, const CslTyped *typed);
CslNumber csl_generate_dsd(CslGenerator *self, const CslTyped *typed, guint wanted);
/* A field of a struct that is partly known at run time, or NULL; and as comptime knows
 * it, or NULL. */
const CslTyped *csl_item(const CslGenerator *self,
                         const CslTyped *typed,
                         const char *name,
                         const CslValue **known);
/* The DSR that a value of comptime names. */
CslCodeDsr *csl_dsr_of(CslGenerator *self, const CslValue *value);
/* The name that the host calls an instance by, or NULL. */
const char *csl_export_of(const CslGenerator *self, const CslInstance *instance);
/* The machine's number of a function, declared if it is new. */
guint csl_function_of(CslGenerator *self, CslCodeFrame *frame);
/* A register that holds a constant from the start. */
guint csl_constant_register(CslGenerator *self, int64_t bits, bool is_pair);
/* @set_fifo_read_length and _write_length: learnt first, so that all operations on the
 * FIFO find its length in registers. */
void csl_learn_fifo(CslGenerator *self, const CslTyped *typed);
void csl_generate_fifo_length(CslGenerator *self, const CslTyped *typed);
guint csl_fifo_descriptor(CslGenerator *self, guint fifo, bool is_pushed);
/* Loads what comptime loads, and learns how all DSRs are loaded. */
void csl_learn_dsrs(CslGenerator *self);
/* 1 + the microthread that .ut_id names, or 0. */
guint csl_thread_of(const CslValue *id);
void csl_generate_load_dsr(CslGenerator *self, const CslTyped *typed);
/* The number of the task or color that a value names; false if it is not known. */
bool csl_task_number(CslGenerator *self, const CslValue *value, guint *number);
/* Something made once for a text: *made is false if it is new, to be filled in. */
guint *csl_made_once(CslGenerator *self, const char *text, bool *made);
/* A descriptor of what lies in registers. */
guint csl_register_descriptor(CslGenerator *self,
                              ArchWseRegisterKind kind,
                              guint variable);
