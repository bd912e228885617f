/* Operands of scalar code as scripts write them: numbers of a type, and variables. */
#pragma once

#include <lua.h>

#include "workloads/wafer/pe.h"
#include "workloads/wafer/value.h"

/* The names of all types, NULL-terminated, by ArchWseType. */
extern const char *const wafer_type_names[];

/* The type whose name is at `index`, or raises. */
ArchWseType wafer_type_check(lua_State *L, int index);

/* The bits of the number at `index` as one of the type, extended to 64 bits with its
 * sign; or raises with `what` in front, and `other` after what is allowed. */
int64_t wafer_number_check(
    lua_State *L, int index, ArchWseType type, const char *what, const char *other);

/* The register of the variable at `index`, which may hold numbers of the type; or
 * raises. Variables without a type hold any of up to 32 bits, and integers of up to 32
 * bits take each other's place. */
guint wafer_variable_check(lua_State *L,
                           const WaferPe *self,
                           int index,
                           ArchWseType type);
/* A variable of any type. */
guint wafer_variable_any(lua_State *L, const WaferPe *self, int index);

/* A number of the type, or such a variable. */
ArchWseOperand
wafer_operand_check(lua_State *L, const WaferPe *self, int index, ArchWseType type);
/* The same for number `number` of a list, which lies at `index`. */
ArchWseOperand wafer_list_operand(
    lua_State *L, const WaferPe *self, int index, guint number, ArchWseType type);
/* An integer of 32 bits, with or without a sign, or a variable. */
ArchWseOperand wafer_operand_integer(lua_State *L, const WaferPe *self, int index);

/* A new variable; those of 64 bits have two registers. `name` may be NULL. */
WaferValue wafer_variable_new(lua_State *L,
                              const WaferPe *self,
                              const char *name,
                              ArchWseType type,
                              int64_t bits);

/* Two registers that follow each other; the first. */
guint wafer_pair_new(lua_State *L, const WaferPe *self, int64_t bits);

/* Pushes the variable at `index`, or a new one where there is none. Returns its
 * register. */
guint wafer_target(lua_State *L, const WaferPe *self, int index, ArchWseType type);

/* A register that lasts until the next call of this. */
guint wafer_scratch(lua_State *L, WaferPe *self);

/* The low 32 bits of a number as a register has them. */
int32_t wafer_low_word(int64_t bits);

ArchWseOperand wafer_in_register(guint variable);
ArchWseOperand wafer_constant(int32_t value);
