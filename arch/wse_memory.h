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
} ArchWseType;

guint arch_wse_type_bytes(ArchWseType type);
const char *arch_wse_type_name(ArchWseType type); /* f32 */

/* `count` numbers at a multiple of `align` bytes (0: of the type), all 0, after what
 * there is already. Whether all of it fits shows in arch_wse_program_finish(). */
bool arch_wse_program_array(ArchWseProgram *self,
                            const char *name,
                            ArchWseType type,
                            guint count,
                            guint align,
                            guint *array,
                            GError **error);

/* The numbers of an array, from number `first` on, as numbers of another type or fewer
 * of them, under a name of its own (CSL: @ptrcast, &array[first]). It takes no memory,
 * lies in the array and begins where its type can. */
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

/* What numbers `first` on of the array hold at the start. */
bool arch_wse_program_set(ArchWseProgram *self,
                          guint array,
                          guint first,
                          const double *values,
                          guint count,
                          GError **error);

/* A whole number that tasks count with; there is one of it in every PE, whether data is
 * simulated or not. 32 bits. */
bool arch_wse_program_variable(ArchWseProgram *self,
                               const char *name,
                               int32_t value,
                               guint *variable,
                               GError **error);

/* The array of this name; its place for the host. False where there is none. */
typedef struct {
    ArchWseType type;
    guint address; /* in bytes */
    guint count;
} ArchWseSymbol;
bool arch_wse_program_find(const ArchWseProgram *self,
                           const char *name,
                           ArchWseSymbol *symbol);

/* The number of the variable of this name. False where there is none. */
bool arch_wse_program_find_variable(const ArchWseProgram *self,
                                    const char *name,
                                    guint *variable);

/* One line per array: where it is, how large. The caller frees it. */
char *arch_wse_program_map(const ArchWseProgram *self);
