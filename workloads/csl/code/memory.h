/* The memory of a PE: globals and constants at addresses. */
#pragma once

#include "workloads/csl/code/generator.h"

/* The memory of a global, made if there is none. */
const CslCodeArray *csl_array_of(CslGenerator *self, CslGlobal *global);
guint csl_address_at(CslGenerator *self,
                     const CslPointer *pointer,
                     const CslType *type);
/* The memory of an array that comptime knows. */
guint csl_memory_of(CslGenerator *self, const CslValue *value);
/* Memory for something without a name. */
guint csl_new_memory(CslGenerator *self, const char *name, const CslType *type);
/* A constant as registers hold it. */
int64_t csl_bits_of(CslGenerator *self, const CslValue *value);
/* Makes memory for all variables of the class. */
void csl_lay_out(CslGenerator *self);
/* The registers of a global DSD. */
guint csl_registers_of(CslGenerator *self, CslGlobal *global);
