/* Adds scalar instructions to a PE's program, or raises in the script's line. */
#pragma once

#include <lua.h>

#include "workloads/wafer/pe.h"

/* to = a NAME b, as numbers of the type. */
typedef struct {
    const char *name;
    ArchWseType type;
    guint to;
    ArchWseOperand operands[2];
} WaferOperation;

void wafer_emit(lua_State *L, const WaferPe *self, const WaferOperation *operation);
/* to = from, unless it is the same register. */
void wafer_emit_move(
    lua_State *L, const WaferPe *self, ArchWseType type, guint to, ArchWseOperand from);

guint wafer_emit_label(lua_State *L, const WaferPe *self);
void wafer_emit_place(lua_State *L, const WaferPe *self, guint label);
void wafer_emit_jump(lua_State *L, const WaferPe *self, guint label);
void wafer_emit_jump_if(
    lua_State *L, const WaferPe *self, guint variable, bool is_zero, guint label);

/* Raises the error unless it is done. By its place, because a call that sets it may be
 * made after the other arguments were read. */
void wafer_emit_check(lua_State *L, bool is_done, GError **error);
