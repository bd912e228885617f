/* A circular buffer: pages in L1 and two counters, pushed and popped, that each side
 * sees some cycles after the other has moved it.
 *
 * A side is in one of two domains: the data movers, in region 0, or the compute
 * threads, in the region of their core. Counters travel with the time at which they
 * can be seen, so that a side may be ahead of the engine's time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix.h"
#include "sim/engine.h"
#include "sim/lane.h"

enum {
    CIRCULAR_BUFFERS = 32,
};

typedef enum {
    CB_MOVERS,
    CB_COMPUTE,
    CB_DOMAINS,
} CbDomain;

/* That a counter had a value from some time on. */
typedef struct {
    uint64_t count;
    SimTime when;
} CbSight;

/* What one domain has seen of a counter: the last sights, as many as can matter. */
typedef struct {
    CbSight *sights;
    guint first;
    guint length;
    uint64_t latest; /* count that was seen */
    bool is_read;    /* the side that reads the counter is in this domain */
} CbView;

/* Sights on their way from one domain to the other. There are never more than
 * page_count of them: the writer of a counter is no further ahead of its reader. */
typedef struct {
    struct CircularBuffer *buffer;
    struct CbCounter *counter;
    CbDomain to;
    CbSight *sights;
    guint next_in;      /* the sending domain's */
    guint next_out;     /* the receiving domain's */
    guint unsent;       /* the last so many before next_in: the sending domain's */
    guint *batches;     /* how many of them travel together, for each letter */
    guint next_letter;  /* the sending domain's */
    guint first_letter; /* the receiving domain's */
} CbPassage;

/* Written by one side, read by the other. */
typedef struct CbCounter {
    uint64_t total; /* the writing side's own */
    CbView views[CB_DOMAINS];
    CbPassage passages[CB_DOMAINS]; /* by where they lead */
} CbCounter;

/* Told that `domain` sees more of a counter than before. */
typedef void (*CbChangedFunc)(gpointer data, guint index);

typedef struct CircularBuffer {
    guint index;
    guint page_count; /* 0: not configured */
    guint page_bytes;
    uint32_t address;
    ArchFormat format;
    CbCounter pushed;
    CbCounter popped;
    uint64_t waited; /* pushes that the reading side has asked for */
    SimRegion *regions[CB_DOMAINS];
    SimKey keys[CB_DOMAINS];     /* of what comes from the other domain */
    uint32_t *moved[CB_DOMAINS]; /* buffers with moves to send, a bit each */
    SimTime window;
    CbChangedFunc changed[CB_DOMAINS];
    gpointer data;
    bool is_watched; /* how full it is, on `lane` */
    SimLane lane;
} CircularBuffer;

/* From `config`; the rest of what is public above is the caller's to set before. */
void cb_configure(CircularBuffer *self, const ArchCircularBufferConfig *config);
void cb_clear(CircularBuffer *self);

/* The name of buffer `index`, as traces have it: cb 3. */
const char *cb_name(guint index);

/* When `domain` sees that there are `pages` to read, or is space for so many:
 * SIM_TIME_NEVER while that is not known. `pages` are at most the buffer's. */
SimTime cb_when_filled(CircularBuffer *self, CbDomain domain, guint pages);
SimTime cb_when_free(CircularBuffer *self, CbDomain domain, guint pages);

/* The side in `domain` moves its counter; the other sees it at `when`. What leaves the
 * domain waits for cb_send(). */
void cb_push(CircularBuffer *self, CbDomain domain, guint pages, SimTime when);
void cb_pop(CircularBuffer *self, CbDomain domain, guint pages, SimTime when);

/* Sends the moves of `domain` since the last time to the other one, all in one letter
 * that arrives when the first of them can be seen: the others are ahead of their time,
 * and say so. At the end of an event. */
void cb_send(CircularBuffer *self, CbDomain domain);

/* Pages that `domain` has seen pushed and not popped; for reports. */
uint64_t cb_fill(const CircularBuffer *self, CbDomain domain);

/* Where in L1 the page `offset` pages past the read or write pointer lies. */
uint32_t cb_read_address(const CircularBuffer *self, guint offset);
uint32_t cb_write_address(const CircularBuffer *self, guint offset);
