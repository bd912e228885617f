/* An FPGA board with a design on it, as the `run` function of a script sees it. */
#pragma once

#include <lauxlib.h>
#include <lua.h>

#include "arch/nero.h"
#include "workloads/host/session.h"

enum {
    BOARD_GRIDS = 64, /* fields that come in, results of a sweep: at most */
};

/* What a session keeps of its board. */
typedef struct {
    GPtrArray *sweeps; /* of ArchNeroDatapath: those of designs, which borrow */
    uint64_t designs;  /* the last of them is on the board */
} BoardState;

typedef struct {
    Session *session;   /* of its chip */
    uint64_t number;    /* of its design */
    ArchNeroUse before; /* what the chip did before it had this design */
    bool is_prepared;   /* what the next run costs is paid */
} Board;

/* Registers the types of boards and their parts with a state, once. */
void board_register(lua_State *L);

/* Lua functions host.board{ name =, pes =, window = { x, y, z }, depth =, format =,
 * fields =, sweeps =, lanes =, partition =, buffers = }, and host.try_board, which
 * returns nil and why where the design does not fit; with the session as upvalue. */
int board_new(lua_State *L);
int board_try(lua_State *L);

/* The chip's, NULL where it is no board. */
ArchNero *board_nero(const Session *session);
/* Where it is one. */
BoardState *board_state(const Session *session);
