/* The parts of a run's time: each step of its critical path belongs to one, so they add
 * up to the run's cycles. */
#pragma once

#include <glib.h>

#include "traces/reading/path.h"

typedef enum {
    EXPLAIN_LAUNCH,    /* the host starts programs */
    EXPLAIN_DRAM,      /* waits for data in DRAM */
    EXPLAIN_NEIGHBOUR, /* waits for another core or PE, and the way from there */
    EXPLAIN_BUFFER,    /* waits for pages or space in circular buffers */
    EXPLAIN_BANK,      /* waits for a bank of memory */
    EXPLAIN_CREDITS,   /* waits for space to send */
    EXPLAIN_HANDOVER,  /* from one unit or thread of a core to the next */
    EXPLAIN_DISPATCH,  /* from what activates a task to its begin */
    EXPLAIN_OTHER,     /* waits that nobody ends */
    EXPLAIN_MOVERS,    /* work of data movers */
    EXPLAIN_RISCVS,    /* work of RISC-Vs that compute kernels run on */
    EXPLAIN_UNITS,     /* work of units */
    EXPLAIN_PES,       /* work of PEs */
    EXPLAIN_PARTS,
} ExplainKind;

typedef struct {
    ExplainKind kind;
    SimTime cycles;
    guint steps;
    char *where;   /* file:line of the calls with most of these cycles; NULL: unknown */
    char *name;    /* of the operation or reason with most of them */
    char *lane;    /* the lane with most of them */
    double gain;   /* cycles that the run takes less without it; NaN: not known */
    char *without; /* the keys that were changed for that; NULL: none */
    char *failure; /* why that run gave nothing; NULL: it did */
} ExplainPart;

typedef struct {
    SimTime cycles; /* of the path, and of the run */
    guint steps;
    guint lanes; /* that it goes through */
    guint places;
    SimTime imbalance; /* busy cycles of the busiest core above the mean */
    char *busiest;     /* that core; NULL: there is one only */
    GArray *parts;     /* of ExplainPart, those that have cycles: waits by cycles, then
                        * work by cycles */
} ExplainParts;

ExplainParts *explain_parts_new(const TraceTimeline *timeline, const TracePath *path);
void explain_parts_free(ExplainParts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ExplainParts, explain_parts_free)

static inline ExplainPart *explain_part_at(const ExplainParts *self, guint i)
{
    return &g_array_index(self->parts, ExplainPart, i);
}

/* The part of this kind; NULL: it has no cycles. */
const ExplainPart *explain_parts_find(const ExplainParts *self, ExplainKind kind);

bool explain_is_work(ExplainKind kind);

/* "a neighbour": what is waited for, or who works. */
const char *explain_words(ExplainKind kind);
