/* The fixed parts of a board, whatever design is loaded: memory, host link, control. */
#pragma once

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/nero/channel.h"
#include "arch/nero/control.h"
#include "arch/nero/link.h"
#include "arch/nero/part.h"
#include "arch/nero_datapath.h"

/* Lanes of a PE. */
typedef enum {
    NERO_LANE_READER,
    NERO_LANE_FORWARD,
    NERO_LANE_BACKWARD,
    NERO_LANE_WRITER,
    NERO_LANES,
} NeroLane;

/* The lane of the board, or part of a PE, that an event belongs to. They run in this
 * order within a cycle. */
typedef enum {
    NERO_KEY_CONTROL,
    NERO_KEY_CHANNEL,
    NERO_KEY_STAGER,
    NERO_KEY_READER,
    NERO_KEY_PLANES,
    NERO_KEY_FORWARD,
    NERO_KEY_BACKWARD,
    NERO_KEY_OUTPUT,
    NERO_KEY_WRITER,
    NERO_KEY_RETURNER,
} NeroKey;

/* Totals of all PEs since the board was made. */
typedef struct {
    uint64_t windows;
    uint64_t padded_points;
    uint64_t flops;
    uint64_t busy_cycles; /* in which a sweep computed, summed over PEs */
} NeroTally;

typedef struct {
    SimEngine *engine;
    SimRegion *region;
    NeroChannel *channels;
    guint channel_count;
    NeroLink link;
    NeroControl *control;
    NeroPart *parts; /* NERO_LANES for each possible PE */
    guint pe_count;
    NeroTally tally;
    SimCounter flops;
    SimCounter format_flops[ARCH_NERO_FP16 + 1];
    SimCounter sram_bytes;
    uint64_t port_bytes; /* of a beat */
    uint64_t word_bytes; /* of a stream */
    uint64_t burst_bytes;
    uint64_t channel_bytes;
    uint64_t page_bytes; /* of its memory */
    guint outstanding_bursts;
    guint link_bursts;    /* that the link's buffer holds */
    SimTime input_cycles; /* from a port into a window: converter, splitter, gridding */
    SimTime output_cycles; /* from a window to a port: degridding, converter */
    SimTime flush_cycles;
} NeroBoard;

void nero_board_init(NeroBoard *self, SimEngine *engine, const ArchParams *params);
void nero_board_clear(NeroBoard *self);

/* The channel behind a PE's port. */
NeroChannel *nero_board_channel(const NeroBoard *self, guint pe);
NeroPart *nero_board_part(const NeroBoard *self, guint pe, NeroLane lane);
/* "reader", "forward", ... */
const char *nero_lane_name(NeroLane lane);
SimKey nero_board_key(guint pe, NeroKey key);

uint64_t nero_board_memory_bytes(const NeroBoard *self);

/* Hands unfinished slices to the watcher, because nothing more happens for now. */
void nero_board_flush(NeroBoard *self);
