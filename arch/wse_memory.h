/* The memory of a PE's program: arrays at real addresses, and variables. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

typedef struct ArchWseProgram ArchWseProgram; /* arch/wse_program.h */

typedef enum {
    ARCH_WSE_F16,
    ARCH_WSE_F32,
    ARCH_WSE_I16,
    ARCH_WSE_U16,
    ARCH_WSE_I32,
    ARCH_WSE_U32,
    ARCH_WSE_I8, /* these four are for scalars, not for vector operations */
    ARCH_WSE_U8,
    ARCH_WSE_I64,
    ARCH_WSE_U64,
    ARCH_WSE_TYPES,
} ArchWseType;

guint arch_wse_type_bytes(ArchWseType type);
const char *arch_wse_type_name(ArchWseType type); /* f32 */

/* Adds an array of `count` numbers, all 0, after the existing ones, at a multiple of
 * `align` bytes (0: the size of the type). arch_wse_program_finish() checks that all
 * arrays fit. */
bool arch_wse_program_array(ArchWseProgram *self,
                            const char *name,
                            ArchWseType type,
                            guint count,
                            guint align,
                            guint *array,
                            GError **error);

/* A view of an array from number `first` on, with its own name, type and length (CSL:
 * @ptrcast, &array[first]). It takes no memory, lies within the array, and must be
 * aligned for its type. */
typedef struct {
    const char *name;
    guint array;
    guint first; /* in numbers of the array */
    ArchWseType type;
    guint count;
} ArchWseView;
bool arch_wse_program_view(ArchWseProgram *self,
                           const ArchWseView *config,
                           guint *view,
                           GError **error);

/* Sets the initial values of the array from number `first` on. */
bool arch_wse_program_set(ArchWseProgram *self,
                          guint array,
                          guint first,
                          const double *values,
                          guint count,
                          GError **error);

/* A 32-bit register for the tasks' own counting and computing. Every PE has one,
 * whether data is simulated or not. `name` may be NULL. */
bool arch_wse_program_variable(ArchWseProgram *self,
                               const char *name,
                               int32_t value,
                               guint *variable,
                               GError **error);
/* Changes the value with which it starts. */
bool arch_wse_program_set_variable(ArchWseProgram *self,
                                   guint variable,
                                   int32_t value,
                                   GError **error);

/* Finds the array of this name and its address for the host. Returns false if there is
 * none. */
typedef struct {
    ArchWseType type;
    guint address; /* in bytes */
    guint count;
} ArchWseSymbol;
bool arch_wse_program_find(const ArchWseProgram *self,
                           const char *name,
                           ArchWseSymbol *symbol);

/* Finds the variable of this name. Returns false if there is none. */
bool arch_wse_program_find_variable(const ArchWseProgram *self,
                                    const char *name,
                                    guint *variable);

/* The memory map: one line per array with its address and size. The caller frees it. */
char *arch_wse_program_map(const ArchWseProgram *self);
