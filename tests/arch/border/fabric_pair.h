/* Two chips and a wire between them, for tests: it carries a message at a time each
 * way, and tells when. */
#pragma once

#include "arch/border/fabric.h"
#include "tests/arch/tensix/rig.h"

enum {
    PAIR_CHANNEL = 9, /* its tile is (1,6), five hops from core (0,0) on noc 0, and back
                       * on noc 1 */
    PAIR_HOPS = 5,
    PAIR_LATENCY = 500, /* of the wire */
    PAIR_INITIATE = 80,
    PAIR_ISSUE = 22,  /* of any command */
    PAIR_COMMAND = 6, /* from who issues it to the network */
    PAIR_POLL = 7,    /* of a barrier */
    PAIR_SLOT = 4352,
};

/* What became of a message. */
typedef struct {
    ArchMessage message; /* without its data */
    SimTime left;        /* when its last byte did */
    SimTime came;
} Carried;

typedef struct {
    Rig chips[2];
    ArchPort port;        /* of both */
    GArray *carried;      /* of Carried, in the order in which they were sent */
    GQueue under_way[2];  /* of ArchMessage, to that chip */
    GArray *comes[2];     /* of SimTime: when */
    SimTime wire_free[2]; /* of the one that leads away from that chip */
    bool is_stuck;        /* nothing leaves */
} Pair;

/* Not connected yet. */
void pair_open(Pair *self, guint thread_count);
void pair_close(Pair *self);
void pair_set(Pair *self, const char *assignment); /* of both chips' keys */
void pair_connect(Pair *self, ArchPort port);

ArchFabric *pair_fabric(const Pair *self, guint chip);

/* Bytes of core (0,0) to the same place of the other chip's core. */
ArchMoverMessage pair_message(uint32_t address, uint64_t bytes);

/* What is under way comes in: before that chip runs. */
void pair_deliver(Pair *self, guint chip);

/* Both to their ends, which must come, in windows that are no longer than the wire's
 * latency. */
void pair_run(Pair *self, SimTime window);

const Carried *pair_carried(const Pair *self, guint index);

/* From where a command enters a network until the last flit of so many bytes is there,
 * `hops` away: into the L1 on noc 1, out of it on noc 0. */
SimTime pair_way(guint noc, guint hops, uint64_t bytes);
/* Until a word is there. */
SimTime pair_word_way(guint hops);
