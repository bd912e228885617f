/* The inside of the race checker. */
#pragma once

#include "arch/tensix/core.h"
#include "arch/tensix/mover/state.h"
#include "arch/tensix/race/race.h"

/* Who does something, and where in a script. */
typedef struct {
    const ArchTensixCore *core;
    guint agent;        /* by core and mover */
    const char *kernel; /* interned */
    const char *call;   /* static or interned */
    const char *file;   /* interned; NULL: unknown */
    guint line;
} RaceActor;

typedef struct {
    RaceActor actor;
    uint32_t first; /* byte */
    uint32_t after; /* the last byte */
    SimTime begin;
    SimTime end;    /* SIM_TIME_NEVER: not known */
    uint64_t order; /* in which they were made */
    guint users;
    guint8 barriers; /* that end it, a bit each */
    bool is_write;
    bool is_multicast;
    bool is_left; /* its bytes have left the core */
} RaceAccess;

/* A word that was changed over a NoC: what was written before by the same agent has
 * come, too. */
typedef struct {
    uint32_t address;
    guint agent;
    uint64_t order;
    bool is_multicast;
} RaceSignal;

/* The last one to set a word. */
typedef struct {
    uint32_t address;
    RaceActor actor;
    SimTime when;
} RaceSet;

typedef struct {
    GPtrArray *open[MOVERS]; /* of RaceAccess: of its movers, whose end is not known */
    GPtrArray *landed;       /* of RaceAccess: written to this core, likewise */
    GArray *signals;         /* of RaceSignal */
    GArray *sets;            /* of RaceSet */
    SimTime heard;       /* when it last saw a word or the end of a read; 0: never */
    GPtrArray *pending;  /* of RaceAccess, in order of time: not judged yet */
    GPtrArray **blocks;  /* of RaceAccess by place in L1: judged, under way */
    GMutex lock;         /* of what follows, which compute threads write */
    GPtrArray *computed; /* of RaceAccess: not judged yet */
    SimTime held;        /* when the oldest one that is still to come begins */
} RaceCore;

/* The kinds of races. */
typedef enum {
    RACE_READS,  /* what is being written */
    RACE_WRITES, /* where somebody reads */
    RACE_SETS,   /* a word that another core has set */
} RaceKind;

/* A race: `actor` meets what `other` began before. */
typedef struct {
    RaceKind kind;
    const ArchTensixCore *core; /* whose L1 it is */
    SimTime cycle;
    RaceActor actor;
    RaceActor other;
    SimTime since;
    uint32_t first; /* byte */
    uint32_t after;
} Race;

struct TensixRaces {
    ArchTensix *owner;
    guint core_count;
    RaceCore *cores;
    guint block_count;
    uint64_t order;
    guint unjudged;    /* accesses of movers */
    GHashTable *found; /* of Race, by kind and places */
};

static inline TensixRaces *race_checker_of(const ArchMover *mover)
{
    return mover->core->owner->races;
}

static inline RaceCore *race_core_of(TensixRaces *self, const ArchTensixCore *core)
{
    return &self->cores[core->index];
}

void race_access_release(RaceAccess *self);
void race_release_all(GPtrArray *accesses);

/* The mover, at its present call. */
RaceActor race_actor_of(const ArchMover *mover, const char *call);

/* Notes an access to the L1 of `core`. */
RaceAccess *race_add(TensixRaces *self, const ArchTensixCore *core, RaceAccess access);

/* Adds to a list, from which it drops accesses that have ended, now and then. */
void race_list_add(GPtrArray *list, RaceAccess *access);

/* Somebody sets a word of `core`. */
void race_set_word(TensixRaces *self,
                   const ArchTensixCore *core,
                   uint32_t address,
                   const RaceActor *actor,
                   SimTime now);

/* Judges accesses of a core that began before `until`. */
void race_judge(TensixRaces *self, guint index, SimTime until);
void race_judge_clear(TensixRaces *self, RaceCore *core);

/* Keeps the first race of each pair of places. */
void race_note(TensixRaces *self, const Race *race);
GHashTable *race_notes_new(void);
