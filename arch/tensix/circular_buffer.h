/* A circular buffer: pages in L1 and two counters, pushed and popped. Each side sees
 * the other's counter some cycles after it has moved.
 *
 * A side is in one of two domains: the data movers, in region 0, or the compute
 * threads, in the region of their core. Counters travel with the time at which they can
 * be seen, so that a side may be ahead of the engine's time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix.h"
#include "arch/tensix/lane.h"
#include "sim/engine.h"
#include "sim/lane.h"

enum {
    CIRCULAR_BUFFERS = 32,
};

typedef enum {
    TENSIX_CB_MOVERS,
    TENSIX_CB_COMPUTE,
    TENSIX_CB_DOMAINS,
} TensixCbDomain;

/* A sight: the value that a counter has from some time on. */
typedef struct {
    uint64_t count;
    SimTime when;
    TensixCause by; /* whose move it was; known only where somebody watches */
    uint64_t works; /* of compute, which came before the move */
} TensixCbSight;

/* The view of a counter in one domain: as many of the last sights as can matter. */
typedef struct {
    TensixCbSight *sights;
    guint first;
    guint length;
    uint64_t latest; /* count that was seen */
    bool is_read;    /* the side that reads the counter is in this domain */
} TensixCbView;

/* Sights on their way from one domain to the other. There are never more than
 * page_count of them, because the writer of a counter is never further ahead of its
 * reader; where it may be, there is room for more. */
typedef struct {
    struct CircularBuffer *buffer;
    struct TensixCbCounter *counter;
    TensixCbDomain to;
    TensixCbSight *sights;
    guint next_in;       /* the sending domain's */
    guint next_out;      /* the receiving domain's */
    guint unsent;        /* the last so many before next_in: the sending domain's */
    guint *batches;      /* how many of them travel together, by message */
    guint next_message;  /* the sending domain's */
    guint first_message; /* the receiving domain's */
} TensixCbPassage;

/* Written by one side, read by the other. */
typedef struct TensixCbCounter {
    uint64_t total; /* the writing side's own */
    TensixCbView views[TENSIX_CB_DOMAINS];
    TensixCbPassage passages[TENSIX_CB_DOMAINS]; /* by where they lead */
} TensixCbCounter;

/* Called when a domain sees a new value of a counter. */
typedef void (*TensixCbChangedFunc)(gpointer data, guint index);

typedef struct CircularBuffer {
    guint index;
    guint page_count; /* 0: not configured */
    guint page_bytes;
    guint room; /* for sights */
    uint32_t address;
    ArchFormat format;
    bool is_foreign; /* of another format: only moved */
    bool is_filled;  /* may be read and popped without a wait */
    bool is_open;    /* both domains may read a counter */
    TensixCbCounter pushed;
    TensixCbCounter popped;
    uint64_t waited; /* pushes that the reading side has asked for */
    SimRegion *regions[TENSIX_CB_DOMAINS];
    SimKey keys[TENSIX_CB_DOMAINS];     /* of messages from the other domain */
    uint32_t *moved[TENSIX_CB_DOMAINS]; /* buffers with moves to send, a bit each */
    SimTime window;
    TensixCbChangedFunc changed[TENSIX_CB_DOMAINS];
    uint64_t (*works)(gpointer data); /* that compute has had so far; NULL: none */
    /* Does so many of them, before movers see what compute has moved. */
    void (*settle)(gpointer data, uint64_t works);
    gpointer data;
    TensixCause movers[TENSIX_CB_DOMAINS]; /* who makes the next move, for watchers */
    bool is_watched;                       /* how full it is, on `lane` */
    SimLane lane;
} CircularBuffer;

/* Configures the buffer from `config`. The caller must have set the other public fields
 * before. */
void tensix_cb_configure(CircularBuffer *self, const ArchCircularBufferConfig *config);
void tensix_cb_clear(CircularBuffer *self);

/* The name of buffer `index`, as traces have it: cb 3. */
const char *tensix_cb_name(guint index);

/* When `domain` sees `pages` to read, or space for `pages`; SIM_TIME_NEVER while that
 * is unknown. `pages` must not exceed the buffer. */
SimTime tensix_cb_when_filled(CircularBuffer *self, TensixCbDomain domain, guint pages);
SimTime tensix_cb_when_free(CircularBuffer *self, TensixCbDomain domain, guint pages);

/* Moves the counter of the side in `domain`; the other side sees it at `when`. Moves
 * that leave the domain wait for tensix_cb_send(). */
void tensix_cb_push(CircularBuffer *self,
                    TensixCbDomain domain,
                    guint pages,
                    SimTime when);
void tensix_cb_pop(CircularBuffer *self,
                   TensixCbDomain domain,
                   guint pages,
                   SimTime when);

/* The move that ended a wait for pages, or for space: that of the last answer of
 * tensix_cb_when_filled() or tensix_cb_when_free() which was a time. */
TensixCause
tensix_cb_cause(const CircularBuffer *self, TensixCbDomain domain, bool is_filled);

/* Sends all moves of `domain` since the last call to the other domain in one message.
 * It arrives when the first move can be seen; the others carry their own later times.
 * Call it at the end of an event. */
void tensix_cb_send(CircularBuffer *self, TensixCbDomain domain);

/* Pages that `domain` has seen pushed and not popped; for reports. */
uint64_t tensix_cb_fill(const CircularBuffer *self, TensixCbDomain domain);

/* Where in L1 the page `offset` pages past the read or write pointer lies. */
uint32_t tensix_cb_read_address(const CircularBuffer *self, guint offset);
uint32_t tensix_cb_write_address(const CircularBuffer *self, guint offset);
