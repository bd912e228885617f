/* Sweeps of an FPGA board's processing elements, defined by a function of the script:
 * body(d), whose arithmetic on values becomes operators.
 *
 *   d.field(name)     a function (dx, dy, dz): the number at that offset from the point
 *   d.result(name)    the result of the sweep before, at the point
 *   d.stage(value)    a function (dx, dy): the value at a point of the same plane
 *   d.select(a, b, c) b where a > 0, c elsewhere
 *   d.carry()         a value one plane before; d.close(carry, value) says which
 *
 * Values have + - * / and unary minus, with numbers as well. The body returns a list of
 * its results. */
#pragma once

#include <lauxlib.h>

#include "arch/nero_datapath.h"
#include "workloads/host/session.h"
#include "workloads/sandbox/api.h"

/* Registers the types of values with a state, once. */
void board_sweep_register(lua_State *L);

/* What the body of a sweep gets. */
extern const ApiClass board_body_api;

/* The sweep described by the table at `index`, { name =, direction = "up" or "down",
 * results = { names }, body = function(d) }; or raises. The table at `names` maps each
 * field's name to its number; the numbers of the results are added after them. The
 * first `streams` are not results. Owned by the session. */
const ArchNeroDatapath *
board_sweep_check(lua_State *L, Session *session, int index, int names, guint streams);
