/* Explicit DSRs of a PE's program: descriptors that stay in registers, so that
 * operations on them need not be set up. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/wafer/pe.h"
#include "workloads/wafer/value.h"

/* What holds for all operations on the DSR. */
typedef struct {
    guint kind; /* dsr_dest, dsr_src0, dsr_src1 */
    guint id;
    guint variable; /* the first of its two registers */
    guint operand;  /* descriptor */
    bool is_async;
    bool is_saved;    /* it moves on past what was used */
    guint signals[2]; /* registers of the tasks to activate and to unblock, or NONE */
    ArchWseOperand first[2]; /* those tasks unless a load says otherwise */
    ArchWseOnControl on_control;
    guint control_task;
    guint thread; /* 1 + its microthread, or 0 */
} WaferDsr;

/* The DSR of a value. */
const WaferDsr *wafer_dsr_of(const WaferPe *self, const WaferValue *value);

/* Lets the DSR be operand `index` of an operation. */
void wafer_dsr_join(lua_State *L,
                    const WaferPe *self,
                    const WaferDsr *dsr,
                    guint index,
                    ArchWseVector *vector);

/* 1 + the microthread in the field `ut_id` of the table at `index`, or 0. */
guint wafer_thread_check(lua_State *L, int index);

/* Reads { terminate = true }, { activate = task } or { unblock = task } in the field
 * `on_control` of the table at `index`. */
ArchWseOnControl wafer_on_control_check(lua_State *L, int index, guint *task);
