/* Finds data races in the L1 of cores.
 *
 * Every access has a span of time. A transfer over a NoC writes to its target, or reads
 * from its source, from its issue until its end is known: to its sender by a barrier,
 * to the receiver of a write by a semaphore that the same sender has changed after it.
 * Units take as long as they work, loads and stores no time. A read and a write of the
 * same byte whose spans overlap are a race, and so are two cores that set a word unless
 * the second has waited for something since the first did. Words of 4 bytes that go
 * over a NoC are semaphores: they may be read at any time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/place.h"
#include "arch/tensix_mover.h"

typedef struct TensixRaces TensixRaces;
typedef struct TensixRaceFlight TensixRaceFlight; /* the accesses of a packet */

TensixRaces *tensix_races_new(ArchTensix *owner);
void tensix_races_free(TensixRaces *self); /* accepts NULL */

/* The program has ended: judges what it has left. */
void tensix_races_finish(TensixRaces *self);

/* See arch_tensix_races(). */
GPtrArray *tensix_races_lines(const TensixRaces *self);

/* A packet of a transfer, at the present time of the engine. */
typedef struct {
    const ArchMoverTransfer *what; /* the whole transfer */
    const char *call;              /* the name of its call */
    uint64_t offset;               /* of the packet's bytes in the transfer's */
    uint64_t bytes;
    bool is_for_port; /* it goes to a port, not to `what->remote` */
} TensixRacePacket;

/* Functions for data movers, in region 0. */
TensixRaceFlight *tensix_race_issue(ArchMover *mover, const TensixRacePacket *packet);
void tensix_race_flight_free(TensixRaceFlight *self); /* accepts NULL */
void tensix_race_left(TensixRaceFlight *self);
void tensix_race_landed(TensixRaceFlight *self, const ArchTensixCore *core);
void tensix_race_barrier(ArchMover *mover, ArchBarrier barrier);
/* It has seen the value it wanted of a word, or has loaded it. */
void tensix_race_see(ArchMover *mover, uint32_t address);
void tensix_race_load(ArchMover *mover, const char *call, uint32_t address);
void tensix_race_store(ArchMover *mover,
                       const char *call,
                       uint32_t address,
                       uint32_t bytes);

/* What a unit of a core does to a tile. */
typedef struct {
    const ArchTensixCore *core;
    const char *kernel;
    const char *call;
    ArchPlace place;
    uint64_t address;
    uint64_t bytes;
    bool is_write;
    SimTime begin;
    SimTime end;
} TensixRaceTile;

/* Functions for compute threads, in the region of their core. What begins before
 * `since` is not judged until the next call with another number; SIM_TIME_NEVER: no
 * unit is at work. */
void tensix_race_hold(TensixRaces *self, const ArchTensixCore *core, SimTime since);
void tensix_race_tile(TensixRaces *self, const TensixRaceTile *tile);
