/* An FPGA board with a design on it, as the `run` function of a script sees it. */
#pragma once

#include <lauxlib.h>
#include <lua.h>

#include "arch/nero.h"
#include "workloads/host/session.h"
#include "workloads/sandbox/api.h"

enum {
    BOARD_GRIDS = 64, /* the most input fields, and results of a sweep */
};

/* A session's state of its board. */
typedef struct {
    GPtrArray *sweeps; /* of ArchNeroDatapath: the sweeps that designs borrow */
    uint64_t designs;  /* the last of them is on the board */
} BoardState;

typedef struct {
    Session *session;   /* of its chip */
    uint64_t number;    /* of its design */
    ArchNeroUse before; /* the chip's totals before this design */
    bool is_prepared;   /* the cost of the next run is paid */
} Board;

/* Registers the types of boards and their parts with a state, once. */
void board_register(lua_State *L);

extern const ApiClass board_api;

/* Lua functions host.board{ name =, pes =, window = { x, y, z }, depth =, format =,
 * fields =, sweeps =, lanes =, partition =, buffers = } and host.try_board, which
 * returns nil and the reason if the design does not fit. The session is their
 * upvalue. */
int board_new(lua_State *L);
int board_try(lua_State *L);

/* The chip's board; NULL if it is another kind of chip. */
ArchNero *board_nero(const Session *session);
/* The board's state; the chip must be a board. */
BoardState *board_state(const Session *session);

/* Argument 1 of the method `what`, for a call that only the host program may make, and
 * its design is on the board; or raises. */
Board *board_check(lua_State *L, const char *what);

/* Methods that run jobs: one, or several that wait in the board's queue; and the cost
 * of the next launch. */
int board_run(lua_State *L);
int board_run_all(lua_State *L);
int board_prepare(lua_State *L);
