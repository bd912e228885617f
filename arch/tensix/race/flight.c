/* Notes what packets of data movers read and write, and the words that they change. */
#include "arch/tensix/race/state.h"
#include "sim/narrow.h"

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
    TensixRaces *self = race_checker_of(mover);
    RaceAccess *added = race_add(self, core, *access);

    race_list_add(race_core_of(self, mover->core)->open[mover->config.index], added);
    return added;
}

static bool has_heard_since(TensixRaces *self, const ArchTensixCore *core, SimTime when)
{
    return race_core_of(self, core)->heard > when;
}

/* Somebody sets a word of `core`. */
void race_set_word(TensixRaces *self,
                   const ArchTensixCore *core,
                   uint32_t address,
                   const RaceActor *actor,
                   SimTime now)
{
    GArray *sets = race_core_of(self, core)->sets;
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
    TensixRaces *races = race_checker_of(self->mover);

    if (is_set) {
        race_set_word(races, core, target->first, &target->actor, target->begin);
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

    self->is_multicast = what->is_to_many;
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
    RaceAccess near = {.actor = race_actor_of(mover, packet->call),
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
    self->order = ++race_checker_of(mover)->order;
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
    race_release_all(self->far);
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
    TensixRaces *races = race_checker_of(self->mover);

    if (core == NULL) {
        return;
    }
    if (self->is_signal) {
        signal_word(self, race_core_of(races, core));
    }
    for (guint i = 0; i < self->far->len; i++) {
        if (g_array_index(self->far_cores, guint, i) == core->index) {
            race_list_add(race_core_of(races, core)->landed,
                          g_ptr_array_index(self->far, i));
        }
    }
}
