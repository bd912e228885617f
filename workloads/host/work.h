/* The programs on a chip's cores or PEs: when they ran, and on how many. */
#pragma once

#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/time.h"

/* One launch. */
typedef struct {
    SimTime begin;
    SimTime end;
    uint64_t cycles; /* that count: less than from begin to end where all PEs waited for
                        the host */
    uint64_t parts;  /* cores or PEs that had programs */
} WorkSpan;

/* The totals of all programs. */
typedef struct {
    double cycles;
    double core_cycles; /* cycles of each program times its cores */
    uint64_t parts;     /* the most cores or PEs that a launch gave a program */
    double link_bytes;  /* that a busy cycle of a link moves; 0: there are no links */
    GArray *spans;      /* of WorkSpan, in order; NULL: none */
} SessionWork;

/* Adds a launch that stands for `whole` times its cycles: 1 unless it is
 * extrapolated. */
void session_work_add(SessionWork *self, const WorkSpan *span, double whole);
void session_work_clear(SessionWork *self);

/* For the summary of a trace: an array of [begin, end, parts, cycles]. */
JsonArray *session_work_to_json(const SessionWork *self);
