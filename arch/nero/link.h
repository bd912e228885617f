/* The host link: cache lines of host memory to the board and back. The directions are
 * independent; the buffer limits how many lines are under way. */
#pragma once

#include <glib.h>

#include "arch/nero/channel.h"

typedef struct {
    NeroServer server;
    SimTime *slots; /* when each line of the buffer is free again, in order of use */
    guint next;
    uint64_t remainder;
} NeroLinkWay;

typedef struct {
    NeroLinkWay ways[NERO_DIRECTIONS]; /* reading host memory, writing it */
    SimRatio cycles_per_byte;
    uint64_t line_bytes;
    guint slot_count;
    SimTime latency_cycles;
    uint64_t bytes;
    SimCounter counter;
} NeroLink;

/* Numbers from section [link]. `lane` is the first of two: to the board, to the host.
 */
void nero_link_init(NeroLink *self,
                    SimRegion *region,
                    SimLane lane,
                    const ArchParams *params);
void nero_link_clear(NeroLink *self);

/* Sends a burst as whole lines. Returns when the last line arrives. */
SimTime nero_link_request(NeroLink *self, NeroDirection direction, uint64_t bytes);
