/* The program of a class of PEs under construction by a script: `pe` as a Lua type.
 * Queues and tasks are in pe.c, memory and descriptors in dsd.c, the code of tasks in
 * code.c, machine.c and vector.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lauxlib.h>
#include <lua.h>

#include "arch/wse_program.h"
#include "workloads/host/session.h"
#include "workloads/sandbox/api.h"

typedef struct {
    ArchWseProgram *program; /* NULL when it is complete */
    uint64_t serial;         /* owner of its values */
    guint depth;             /* of nested bodies that have not ended */
    bool has_data;           /* branches may depend on it */
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

/* Types of arrays, by ArchWseType; NULL at the end. */
extern const char *const wafer_type_names[];

/* Calls the function at `index`, which emits code, with the arguments on top of the
 * stack. */
void wafer_pe_body(lua_State *L, WaferPe *self, int index, int argument_count);

/* Methods of `pe`, NULL-terminated: memory and descriptors; scalar code, branches and
 * marks. */
extern const ApiCall wafer_dsd_methods[];
extern const ApiCall wafer_code_methods[];
extern const ApiCall wafer_machine_methods[]; /* machine.c */
/* Adds the methods of vector operations, pe:fmacs(...), to the table on top of the
 * stack. */
void wafer_vector_register(lua_State *L);

/* Row `index` of the vector operations; false after the last. */
bool wafer_vector_at(guint index, ApiCall *call);

/* A script's reference to a part of a PE's program, as a Lua type. Each value belongs
 * to the program it was made for. */
typedef enum {
    WAFER_ARRAY,
    WAFER_VARIABLE,
    WAFER_DESCRIPTOR,
} WaferValueKind;

typedef struct {
    WaferValueKind kind;
    uint64_t owner;   /* serial number of the program */
    guint number;     /* its number in the program */
    ArchWseType type; /* of an array */
    guint count;      /* of an array's numbers */
    guint increment;  /* variable of a descriptor, or ARCH_WSE_NONE */
    bool is_value;    /* a descriptor that is in `increment` and the next variable */
} WaferValue;

int wafer_value_push(lua_State *L, const WaferValue *value);

/* The value at `index` if it is of this kind and of the program `owner`; else raises
 * with `what` in front. */
const WaferValue *wafer_value_check(
    lua_State *L, int index, WaferValueKind kind, uint64_t owner, const char *what);
