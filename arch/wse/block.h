/* The block of bytes that holds a PE, and the offsets of its parts. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/wse/layout.h"
#include "arch/wse/pe.h"
#include "arch/wse/program/live.h"

/* Where the parts of a block are, in bytes. */
typedef struct {
    gsize colors;
    gsize rings;
    gsize slots; /* after their times; up to here, a router needs it */
    gsize threads;
    gsize variables;
    gsize phases;
    gsize fifos;
    gsize routes; /* a PE's own, there only if a program configures its router */
    gsize lives;  /* there only if a program is dynamic */
    gsize bytes;  /* of a block */
} WseBlock;

static inline WseColor *wse_pe_colors(WsePe *self, const WseBlock *block)
{
    return (WseColor *) ((char *) self + block->colors);
}
static inline WseRing *wse_pe_rings(WsePe *self, const WseBlock *block)
{
    return (WseRing *) ((char *) self + block->rings);
}
static inline WseThread *wse_pe_threads(WsePe *self, const WseBlock *block)
{
    return (WseThread *) ((char *) self + block->threads);
}
static inline int32_t *wse_pe_variables(WsePe *self, const WseBlock *block)
{
    return (int32_t *) ((char *) self + block->variables);
}
static inline WsePhase *wse_pe_phases(WsePe *self, const WseBlock *block)
{
    return (WsePhase *) ((char *) self + block->phases);
}
static inline WseFifo *wse_pe_fifos(WsePe *self, const WseBlock *block)
{
    return (WseFifo *) ((char *) self + block->fifos);
}
static inline WseRoute *wse_pe_routes(WsePe *self, const WseBlock *block)
{
    return (WseRoute *) ((char *) self + block->routes);
}
static inline WseLive *wse_pe_lives(WsePe *self, const WseBlock *block)
{
    return (WseLive *) ((char *) self + block->lives);
}
static inline WseToken *wse_pe_slots(WsePe *self, const WseBlock *block)
{
    return (WseToken *) ((char *) self + block->slots);
}
