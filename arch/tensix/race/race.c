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

static void release_all(GPtrArray *accesses)
{
    for (guint i = 0; i < accesses->len; i++) {
        race_access_release(g_ptr_array_index(accesses, i));
    }
    g_ptr_array_set_size(accesses, 0);
}

static void core_clear(TensixRaces *self, RaceCore *core)
{
    for (guint k = 0; k < MOVERS; k++) {
        release_all(core->open[k]);
    }
    release_all(core->landed);
    release_all(core->pending);
    release_all(core->computed);
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

static TensixRaces *races_of(const ArchMover *mover)
{
    return mover->core->owner->races;
}

static RaceCore *core_of(TensixRaces *self, const ArchTensixCore *core)
{
    return &self->cores[core->index];
}

static RaceActor actor_of(const ArchMover *mover, const char *call)
{
    const ArchPlace place = mover->config.place == NULL
                                ? (ArchPlace){0}
                                : mover->config.place(mover->config.data);

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

static RaceAccess *
add_access(TensixRaces *self, const ArchTensixCore *core, RaceAccess access)
{
    RaceAccess *added = g_new(RaceAccess, 1);

    *added = access;
    added->order = ++self->order;
    added->users = 1;
    g_ptr_array_add(core_of(self, core)->pending, added);
    judge_some(self, access.begin);
    return added;
}

/* Drops accesses that have ended meanwhile, now and then. */
static void list_add(GPtrArray *list, RaceAccess *access)
{
    guint kept = 0;

    if (list->len % TIDY_LENGTH == TIDY_LENGTH - 1) {
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

/* The accesses of a packet: the mover's own L1, and those of other cores. */
struct TensixRaceFlight {
    ArchMover *mover;
    RaceAccess *near;  /* what it sends; NULL: nothing of the L1 */
    GPtrArray *far;    /* of RaceAccess: what it writes to cores; or NULL */
    GArray *far_cores; /* their indices */
    bool is_signal;
    bool is_multicast;
    uint32_t address; /* of the signal */
    uint64_t order;
};

static RaceAccess *
open_access(ArchMover *mover, const ArchTensixCore *core, const RaceAccess *access)
{
    TensixRaces *self = races_of(mover);
    RaceAccess *added = add_access(self, core, *access);

    list_add(core_of(self, mover->core)->open[mover->config.index], added);
    return added;
}

static bool has_heard_since(TensixRaces *self, const ArchTensixCore *core, SimTime when)
{
    return core_of(self, core)->heard > when;
}

/* Somebody sets a word of `core`. */
static void set_word(TensixRaces *self,
                     const ArchTensixCore *core,
                     uint32_t address,
                     const RaceActor *actor,
                     SimTime now)
{
    GArray *sets = core_of(self, core)->sets;
    const RaceSet set = {.address = address, .actor = *actor, .when = now};

    for (guint i = 0; i < sets->len; i++) {
        RaceSet *last = &g_array_index(sets, RaceSet, i);

        if (last->address != address) {
            continue;
        }
        if (last->actor.core != actor->core &&
            !has_heard_since(self, actor->core, last->when)) {
            race_note(self, &(Race){.kind = RACE_SETS,
                                    .core = core,
                                    .cycle = now,
                                    .actor = *actor,
                                    .other = last->actor,
                                    .since = last->when,
                                    .first = address,
                                    .after = address + (uint32_t) sizeof(uint32_t)});
        }
        *last = set;
        return;
    }
    g_array_append_val(sets, set);
}

/* The packet reaches `core`: as a word, or as data that somebody may wait for. */
static void reach(TensixRaceFlight *self,
                  const ArchTensixCore *core,
                  const RaceAccess *target,
                  bool is_set)
{
    TensixRaces *races = races_of(self->mover);

    if (is_set) {
        set_word(races, core, target->first, &target->actor, target->begin);
    } else if (!self->is_signal) {
        RaceAccess *access = open_access(self->mover, core, target);

        access->users++;
        g_ptr_array_add(self->far, access);
        g_array_append_val(self->far_cores, core->index);
    }
}

static void reach_rectangle(TensixRaceFlight *self,
                            const ArchMoverTransfer *what,
                            const RaceAccess *target,
                            bool is_set)
{
    ArchTensix *tensix = self->mover->core->owner;

    for (guint y = MIN(what->remote.y, what->corner_y);
         y <= MAX(what->remote.y, what->corner_y); y++) {
        for (guint x = MIN(what->remote.x, what->corner_x);
             x <= MAX(what->remote.x, what->corner_x); x++) {
            const ArchTensixCore *core = arch_tensix_core(tensix, x, y, NULL);

            if (core != self->mover->core || what->is_loopback) {
                reach(self, core, target, is_set);
            }
        }
    }
}

enum {
    READ_ENDS = 1 << ARCH_BARRIER_READ,
    WRITE_ENDS = 1 << ARCH_BARRIER_WRITE,
    LEAVING_ENDS = 1 << ARCH_BARRIER_WRITE | 1 << ARCH_BARRIER_FLUSH,
};

static void
issue_read(ArchMover *mover, RaceAccess near, const TensixRacePacket *packet)
{
    const ArchNocAddress *from = &packet->what->remote;
    RaceAccess far = near;

    near.is_write = true;
    near.barriers = READ_ENDS;
    (void) open_access(mover, mover->core, &near);
    if (!from->is_dram) {
        far.first = sim_u32(from->offset + packet->offset);
        far.after = far.first + sim_u32(packet->bytes);
        far.barriers = READ_ENDS;
        (void) open_access(
            mover, arch_tensix_core(mover->core->owner, from->x, from->y, NULL), &far);
    }
}

static void issue_write(TensixRaceFlight *self,
                        const TensixRacePacket *packet,
                        const RaceAccess *near)
{
    const ArchMoverTransfer *what = packet->what;
    const bool is_set = self->is_signal && what->op != ARCH_MOVER_INCREMENT;
    RaceAccess far = *near;

    self->is_multicast = what->op == ARCH_MOVER_MULTICAST;
    self->address = sim_u32(what->remote.offset + packet->offset);
    far.first = self->address;
    far.after = far.first + sim_u32(packet->bytes);
    far.is_write = true;
    far.is_multicast = self->is_multicast;
    far.barriers = what->op == ARCH_MOVER_WRITE_POSTED ? 0 : WRITE_ENDS;
    if (self->is_multicast) {
        reach_rectangle(self, what, &far, is_set);
    } else {
        reach(self,
              arch_tensix_core(self->mover->core->owner, what->remote.x, what->remote.y,
                               NULL),
              &far, is_set);
    }
}

TensixRaceFlight *tensix_race_issue(ArchMover *mover, const TensixRacePacket *packet)
{
    const ArchMoverTransfer *what = packet->what;
    const bool is_word =
        what->op == ARCH_MOVER_INCREMENT || what->op == ARCH_MOVER_INLINE;
    TensixRaceFlight *self = g_new0(TensixRaceFlight, 1);
    RaceAccess near = {.actor = actor_of(mover, packet->call),
                       .first = what->local + sim_u32(packet->offset),
                       .begin = tensix_mover_engine_now(mover),
                       .end = SIM_TIME_NEVER};

    near.after = near.first + sim_u32(packet->bytes);
    self->mover = mover;
    self->far = g_ptr_array_new();
    self->far_cores = g_array_new(FALSE, FALSE, sizeof(guint));
    self->is_signal = !packet->is_for_port && !what->remote.is_dram &&
                      what->op != ARCH_MOVER_READ && what->bytes == sizeof(uint32_t);
    if (what->op == ARCH_MOVER_READ) {
        issue_read(mover, near, packet);
        return self;
    }
    if (!is_word) {
        near.barriers = what->op == ARCH_MOVER_WRITE_POSTED ? 1 << ARCH_BARRIER_FLUSH
                                                            : LEAVING_ENDS;
        near.barriers |= packet->is_for_port ? 1 << ARCH_BARRIER_FABRIC : 0;
        self->near = open_access(mover, mover->core, &near);
        self->near->users++;
    }
    if (!packet->is_for_port && !what->remote.is_dram) {
        issue_write(self, packet, &near);
    }
    self->order = ++races_of(mover)->order;
    return self;
}

void tensix_race_flight_free(TensixRaceFlight *self)
{
    if (self == NULL) {
        return;
    }
    if (self->near != NULL) {
        race_access_release(self->near);
    }
    release_all(self->far);
    g_ptr_array_unref(self->far);
    g_array_unref(self->far_cores);
    g_free(self);
}

void tensix_race_left(TensixRaceFlight *self)
{
    if (self->near != NULL) {
        self->near->is_left = true;
    }
}

static void signal_word(TensixRaceFlight *self, RaceCore *core)
{
    const RaceSignal signal = {.address = self->address,
                               .agent = self->mover->core->index * MOVERS +
                                        self->mover->config.index,
                               .order = self->order,
                               .is_multicast = self->is_multicast};

    for (guint i = 0; i < core->signals->len; i++) {
        RaceSignal *last = &g_array_index(core->signals, RaceSignal, i);

        if (last->address == signal.address && last->agent == signal.agent &&
            last->is_multicast == signal.is_multicast) {
            *last = signal;
            return;
        }
    }
    g_array_append_val(core->signals, signal);
}

void tensix_race_landed(TensixRaceFlight *self, const ArchTensixCore *core)
{
    TensixRaces *races = races_of(self->mover);

    if (core == NULL) {
        return;
    }
    if (self->is_signal) {
        signal_word(self, core_of(races, core));
    }
    for (guint i = 0; i < self->far->len; i++) {
        if (g_array_index(self->far_cores, guint, i) == core->index) {
            list_add(core_of(races, core)->landed, g_ptr_array_index(self->far, i));
        }
    }
}

static void end_access(RaceAccess *access, SimTime now)
{
    access->end = MIN(access->end, now);
}

/* Ends those of a mover that a barrier ends, or `has_heard` and they have left. */
static void end_open(ArchMover *mover, guint barriers, bool has_heard)
{
    GPtrArray *open = core_of(races_of(mover), mover->core)->open[mover->config.index];
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
        core_of(races_of(mover), mover->core)->heard = tensix_mover_engine_now(mover);
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
    RaceCore *core = core_of(races_of(mover), mover->core);
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

    (void) add_access(races_of(mover), mover->core,
                      (RaceAccess){.actor = actor_of(mover, call),
                                   .first = address,
                                   .after = address + bytes,
                                   .begin = now,
                                   .end = now,
                                   .is_write = is_write});
}

void tensix_race_load(ArchMover *mover, uint32_t address)
{
    tensix_race_see(mover, address);
    add_point(mover, "load_word", address, sizeof(uint32_t), false);
}

void tensix_race_store(ArchMover *mover,
                       const char *call,
                       uint32_t address,
                       uint32_t bytes)
{
    add_point(mover, call, address, bytes, true);
    if (bytes == sizeof(uint32_t)) {
        const RaceActor actor = actor_of(mover, call);

        set_word(races_of(mover), mover->core, address, &actor,
                 tensix_mover_engine_now(mover));
    }
}

void tensix_race_hold(TensixRaces *self, const ArchTensixCore *core, SimTime since)
{
    RaceCore *own = core_of(self, core);

    g_mutex_lock(&own->lock);
    own->held = since;
    g_mutex_unlock(&own->lock);
}

void tensix_race_tile(TensixRaces *self, const TensixRaceTile *tile)
{
    RaceCore *core = core_of(self, tile->core);
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
