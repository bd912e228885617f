/* Notes the accesses of data movers and units to L1, and when their ends are known. */
#include "arch/tensix/mover/state.h"
#include "arch/tensix/race/state.h"
#include "sim/narrow.h"

enum {
    JUDGED_TOGETHER = 4096,
    MARGIN_CYCLES = 16384, /* threads of cores do not lag behind so far */
    TIDY_LENGTH = 256,     /* of lists that may hold accesses that have ended */
};

TensixRaces *tensix_races_new(ArchTensix *owner)
{
    TensixRaces *self = g_new0(TensixRaces, 1);

    self->owner = owner;
    self->core_count = owner->columns * owner->rows;
    self->cores = g_new0(RaceCore, self->core_count);
    self->found = race_notes_new();
    for (guint i = 0; i < self->core_count; i++) {
        RaceCore *core = &self->cores[i];

        for (guint k = 0; k < MOVERS; k++) {
            core->open[k] = g_ptr_array_new();
        }
        core->landed = g_ptr_array_new();
        core->pending = g_ptr_array_new();
        core->computed = g_ptr_array_new();
        core->signals = g_array_new(FALSE, FALSE, sizeof(RaceSignal));
        core->sets = g_array_new(FALSE, FALSE, sizeof(RaceSet));
        core->held = SIM_TIME_NEVER;
        g_mutex_init(&core->lock);
    }
    return self;
}

void race_access_release(RaceAccess *self)
{
    if (--self->users == 0) {
        g_free(self);
    }
}

void race_release_all(GPtrArray *accesses)
{
    for (guint i = 0; i < accesses->len; i++) {
        race_access_release(g_ptr_array_index(accesses, i));
    }
    g_ptr_array_set_size(accesses, 0);
}

static void core_clear(TensixRaces *self, RaceCore *core)
{
    for (guint k = 0; k < MOVERS; k++) {
        race_release_all(core->open[k]);
    }
    race_release_all(core->landed);
    race_release_all(core->pending);
    race_release_all(core->computed);
    race_judge_clear(self, core);
    g_array_set_size(core->signals, 0);
    g_array_set_size(core->sets, 0);
    core->heard = 0;
    core->held = SIM_TIME_NEVER;
}

void tensix_races_free(TensixRaces *self)
{
    if (self == NULL) {
        return;
    }
    for (guint i = 0; i < self->core_count; i++) {
        RaceCore *core = &self->cores[i];

        core_clear(self, core);
        for (guint k = 0; k < MOVERS; k++) {
            g_ptr_array_unref(core->open[k]);
        }
        g_ptr_array_unref(core->landed);
        g_ptr_array_unref(core->pending);
        g_ptr_array_unref(core->computed);
        g_array_unref(core->signals);
        g_array_unref(core->sets);
        g_free(core->blocks);
        g_mutex_clear(&core->lock);
    }
    g_hash_table_unref(self->found);
    g_free(self->cores);
    g_free(self);
}

void tensix_races_finish(TensixRaces *self)
{
    for (guint i = 0; i < self->core_count; i++) {
        race_judge(self, i, SIM_TIME_NEVER);
        core_clear(self, &self->cores[i]);
    }
    self->unjudged = 0;
}

RaceActor race_actor_of(const ArchMover *mover, const char *call)
{
    ArchPlace place = {0};

    if (mover->config.place != NULL) {
        place = mover->config.place(mover->config.data);
    }
    return (RaceActor){.core = mover->core,
                       .agent = mover->core->index * MOVERS + mover->config.index,
                       .kernel = g_intern_string(mover->config.name),
                       .call = call,
                       .file = g_intern_string(place.file),
                       .line = place.line};
}

/* All that began long ago: what is still to come cannot be as old. */
static void judge_some(TensixRaces *self, SimTime now)
{
    if (++self->unjudged < JUDGED_TOGETHER || now < MARGIN_CYCLES) {
        return;
    }
    self->unjudged = 0;
    for (guint i = 0; i < self->core_count; i++) {
        race_judge(self, i, now - MARGIN_CYCLES);
    }
}

RaceAccess *race_add(TensixRaces *self, const ArchTensixCore *core, RaceAccess access)
{
    RaceAccess *added = g_new(RaceAccess, 1);

    *added = access;
    added->order = ++self->order;
    added->users = 1;
    g_ptr_array_add(race_core_of(self, core)->pending, added);
    judge_some(self, access.begin);
    return added;
}

/* Drops accesses that have ended meanwhile, now and then. */
void race_list_add(GPtrArray *list, RaceAccess *access)
{
    if (list->len % TIDY_LENGTH == TIDY_LENGTH - 1) {
        guint kept = 0;

        for (guint i = 0; i < list->len; i++) {
            RaceAccess *old = g_ptr_array_index(list, i);

            if (old->end == SIM_TIME_NEVER) {
                g_ptr_array_index(list, kept++) = old;
            } else {
                race_access_release(old);
            }
        }
        g_ptr_array_set_size(list, sim_i32(kept));
    }
    access->users++;
    g_ptr_array_add(list, access);
}

static void end_access(RaceAccess *access, SimTime now)
{
    access->end = MIN(access->end, now);
}

/* Ends those of a mover that a barrier ends, or `has_heard` and they have left. */
static void end_open(ArchMover *mover, guint barriers, bool has_heard)
{
    GPtrArray *open =
        race_core_of(race_checker_of(mover), mover->core)->open[mover->config.index];
    guint kept = 0;

    for (guint i = 0; i < open->len; i++) {
        RaceAccess *access = g_ptr_array_index(open, i);

        if ((access->barriers & barriers) != 0 || (has_heard && access->is_left)) {
            end_access(access, tensix_mover_engine_now(mover));
        }
        if (access->end == SIM_TIME_NEVER) {
            g_ptr_array_index(open, kept++) = access;
        } else {
            race_access_release(access);
        }
    }
    g_ptr_array_set_size(open, sim_i32(kept));
}

void tensix_race_barrier(ArchMover *mover, ArchBarrier barrier)
{
    end_open(mover, 1u << barrier, false);
    if (barrier == ARCH_BARRIER_READ) {
        race_core_of(race_checker_of(mover), mover->core)->heard =
            tensix_mover_engine_now(mover);
    }
}

static bool is_told_of(const RaceCore *core, uint32_t address, const RaceAccess *access)
{
    for (guint i = 0; i < core->signals->len; i++) {
        const RaceSignal *signal = &g_array_index(core->signals, RaceSignal, i);

        if (signal->address == address && signal->agent == access->actor.agent &&
            signal->order > access->order &&
            signal->is_multicast == access->is_multicast) {
            return true;
        }
    }
    return false;
}

void tensix_race_see(ArchMover *mover, uint32_t address)
{
    RaceCore *core = race_core_of(race_checker_of(mover), mover->core);
    const SimTime now = tensix_mover_engine_now(mover);
    guint kept = 0;

    core->heard = now;
    for (guint i = 0; i < core->landed->len; i++) {
        RaceAccess *access = g_ptr_array_index(core->landed, i);

        if (is_told_of(core, address, access)) {
            end_access(access, now);
        }
        if (access->end == SIM_TIME_NEVER) {
            g_ptr_array_index(core->landed, kept++) = access;
        } else {
            race_access_release(access);
        }
    }
    g_ptr_array_set_size(core->landed, sim_i32(kept));
    end_open(mover, 0, true);
}

static void add_point(
    ArchMover *mover, const char *call, uint32_t address, uint32_t bytes, bool is_write)
{
    const SimTime now = tensix_mover_engine_now(mover);

    (void) race_add(race_checker_of(mover), mover->core,
                    (RaceAccess){.actor = race_actor_of(mover, call),
                                 .first = address,
                                 .after = address + bytes,
                                 .begin = now,
                                 .end = now,
                                 .is_write = is_write});
}

void tensix_race_load(ArchMover *mover, const char *call, uint32_t address)
{
    tensix_race_see(mover, address);
    add_point(mover, call, address, sizeof(uint32_t), false);
}

void tensix_race_store(ArchMover *mover,
                       const char *call,
                       uint32_t address,
                       uint32_t bytes)
{
    add_point(mover, call, address, bytes, true);
    if (bytes == sizeof(uint32_t)) {
        const RaceActor actor = race_actor_of(mover, call);

        race_set_word(race_checker_of(mover), mover->core, address, &actor,
                      tensix_mover_engine_now(mover));
    }
}

void tensix_race_hold(TensixRaces *self, const ArchTensixCore *core, SimTime since)
{
    RaceCore *own = race_core_of(self, core);

    g_mutex_lock(&own->lock);
    own->held = since;
    g_mutex_unlock(&own->lock);
}

void tensix_race_tile(TensixRaces *self, const TensixRaceTile *tile)
{
    RaceCore *core = race_core_of(self, tile->core);
    RaceAccess *access = g_new0(RaceAccess, 1);

    access->actor = (RaceActor){.core = tile->core,
                                .agent = G_MAXUINT,
                                .kernel = g_intern_string(tile->kernel),
                                .call = tile->call,
                                .file = g_intern_string(tile->place.file),
                                .line = tile->place.line};
    access->first = sim_u32(tile->address);
    access->after = sim_u32(tile->address + tile->bytes);
    access->begin = tile->begin;
    access->end = tile->end;
    access->is_write = tile->is_write;
    access->users = 1;
    g_mutex_lock(&core->lock);
    g_ptr_array_add(core->computed, access);
    g_mutex_unlock(&core->lock);
}
