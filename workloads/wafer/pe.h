/* The program of a class of PEs under construction by a script: `pe` as a Lua type.
 * Queues and tasks are in pe.c, memory and descriptors in dsd.c, the code of tasks in
 * code.c, branch.c, function.c, access.c, machine.c and vector.c; value.h has what
 * scripts hold of it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lauxlib.h>
#include <lua.h>

#include "arch/wse_program.h"
#include "workloads/host/session.h"
#include "workloads/sandbox/api.h"

enum {
    WAFER_LOOPS = 32, /* in loops */
};

typedef struct WaferFunction WaferFunction; /* workloads/wafer/function.h */

/* Labels of a loop. */
typedef struct {
    guint end;
    guint next; /* turn */
} WaferLoop;

typedef struct {
    ArchWseProgram *program;      /* NULL when it is complete */
    uint64_t serial;              /* owner of its values */
    guint depth;                  /* of nested bodies that have not ended */
    bool has_data;                /* branches may depend on it */
    guint scratch;                /* a register for one operation, or ARCH_WSE_NONE */
    WaferLoop loops[WAFER_LOOPS]; /* that are open */
    guint loop_count;
    GArray *functions; /* of WaferFunction */
    GArray *dsrs;      /* of WaferDsr: dsr.h */
    guint map_count;   /* words for wavelets of pe:map */
    guint dropped;     /* array for those of pe:dfilt, or ARCH_WSE_NONE */
    guint function;    /* that is open, + 1, or 0 */
} WaferPe;

/* Registers the type with a state, once. */
void wafer_pe_register(lua_State *L);

extern const ApiClass wafer_pe_api;

/* Pushes a new `pe`; `name` is that of the program. */
WaferPe *wafer_pe_push(lua_State *L, Session *session, const char *name);

/* The program, which now belongs to the caller; raises if a script caught the error of
 * a body. */
ArchWseProgram *wafer_pe_steal(lua_State *L, WaferPe *self);

/* Argument 1 of a method, or raises. */
WaferPe *wafer_pe_check(lua_State *L);

/* Raises `error` in the script's line unless `is_done`; returns 0. */
int wafer_pe_end(lua_State *L, bool is_done, GError **error);

/* The integer at `index`: a color, a task or a queue. The program checks whether it
 * exists. */
guint wafer_pe_number(lua_State *L, int index);

/* Calls the function at `index`, which emits code, with the arguments on top of the
 * stack. */
void wafer_pe_body(lua_State *L, WaferPe *self, int index, int argument_count);

/* Methods of `pe`, NULL-terminated: memory and descriptors; scalar code, branches and
 * marks. */
extern const ApiCall wafer_dsd_methods[];
extern const ApiCall wafer_code_methods[];
extern const ApiCall wafer_machine_methods[];  /* machine.c */
extern const ApiCall wafer_settings_methods[]; /* settings.c */
extern const ApiCall wafer_access_methods[];   /* access.c */
extern const ApiCall wafer_branch_methods[];   /* branch.c */
extern const ApiCall wafer_function_methods[]; /* function.c */
extern const ApiCall wafer_dsd_value_methods[];
extern const ApiCall wafer_fabric_methods[];
extern const ApiCall wafer_dsr_methods[];
extern const ApiCall wafer_map_methods[];
extern const ApiCall wafer_filter_methods[]; /* vector.c */
/* Adds the methods of vector operations, pe:fmacs(...), to the table on top of the
 * stack. */
void wafer_vector_register(lua_State *L);

/* Row `index` of the vector operations; false after the last. */
bool wafer_vector_at(guint index, ApiCall *call);
