/* A channel of the board's memory, shared by bursts of all its users. Reads go first,
 * because a PE waits for them; writes fill the gaps, also those in which a row is
 * opened for a read. Each direction is served in order of arrival. Behind it are banks,
 * which open rows and are refreshed. */
#pragma once

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/nero/banks.h"
#include "arch/nero/server.h"
#include "sim/counter.h"
#include "sim/ratio.h"

typedef enum {
    NERO_READ,
    NERO_WRITE,
    NERO_DIRECTIONS,
} NeroDirection;

/* From the first byte to behind the last one. */
typedef struct {
    SimTime begin, end;
} NeroSpan;

/* A read or a write. `served` is called when the channel begins with it, with the span
 * in which its bytes pass. A writer gets its acknowledgement at the end of the span. */
typedef struct {
    NeroDirection direction;
    uint64_t bytes;
    uint64_t address; /* in the channel */
    void (*served)(gpointer data, uint64_t bytes, NeroSpan span);
    gpointer data;
    SimTime since; /* set by the channel: when it came */
} NeroBurst;

typedef struct {
    NeroServer server;
    NeroBanks banks;
    SimKey key;
    SimRatio cycles_per_byte;
    uint64_t remainder;
    SimTime latency_cycles;
    SimTime turnaround_cycles;
    NeroDirection direction;          /* of the last one */
    GArray *waiting[NERO_DIRECTIONS]; /* of NeroBurst, in order of arrival */
    guint next[NERO_DIRECTIONS];      /* the first of them */
    SimEvent event;                   /* for the next burst, or 0 */
    SimTime event_at;
    uint64_t bytes[NERO_DIRECTIONS];
    SimCounter counter;
} NeroChannel;

/* Which one of how many. */
typedef struct {
    guint index, count;
} NeroChannelPlace;

/* Numbers from section [memory]. */
void nero_channel_init(NeroChannel *self,
                       SimRegion *region,
                       SimKey key,
                       SimLane lane,
                       NeroChannelPlace place,
                       const ArchParams *params);
void nero_channel_clear(NeroChannel *self);

/* Queues a burst. */
void nero_channel_request(NeroChannel *self, const NeroBurst *burst);

/* The exact cycles per byte if `key` of `params` is in bytes per second. */
SimRatio nero_cycles_per_byte(const ArchParams *params, const char *key);

/* A PE's port to memory, one way: a beat a cycle. */
typedef struct {
    uint64_t beat_bytes;
    SimTime free_at;
} NeroPort;

/* Cycles of a burst. */
SimTime nero_port_cycles(const NeroPort *self, uint64_t bytes);

/* Passes a burst whose bytes arrive as `span` says, after all earlier bursts. Returns
 * when its last byte has passed. */
SimTime nero_port_pass(NeroPort *self, NeroSpan span, uint64_t bytes);
