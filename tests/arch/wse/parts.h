/* Parts of wafer programs for tests: a chip with known numbers, and builders that must
 * succeed. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/wse/program/program.h"

typedef struct {
    ArchParams *params;
    ArchWseProgram *program;
} Parts;

void parts_open(Parts *self);
void parts_close(Parts *self);
/* In place of what the file has; before anything is built. */
void parts_override(Parts *self, const char *assignment);

guint parts_array(const Parts *self, const char *name, ArchWseType type, guint count);
guint parts_aligned(const Parts *self, const char *name, guint count, guint align);
guint parts_variable(const Parts *self, const char *name, int32_t value);
/* `count` numbers of an array from `offset` on, `stride` apart. */
guint parts_row(const Parts *self, guint array, int offset, guint count, int stride);
guint parts_memory(const Parts *self, const ArchWseMemoryDsd *config);
guint parts_fabin(const Parts *self, guint color, guint queue, guint extent);
guint parts_fabout(const Parts *self, guint color, guint queue, guint extent);
guint parts_number(const Parts *self, ArchWseType type, double value);

void parts_begin(const Parts *self, guint id);
void parts_end(const Parts *self);
/* A synchronous operation; ARCH_WSE_NONE for sources it does not have. */
ArchWseVector parts_vector(
    const char *name, guint destination, guint source0, guint source1, guint source2);
void parts_emit(const Parts *self, ArchWseVector vector);
void parts_finish(const Parts *self);

const WseInstruction *parts_instruction(const Parts *self, guint index);
/* Task 0 with this operation alone, in a finished program. */
const WseInstruction *parts_only(const Parts *self, ArchWseVector vector);
