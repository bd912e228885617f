/* Compares the accesses to the L1 of a core, in order of time. */
#include "arch/tensix/race/state.h"
#include "sim/narrow.h"

enum {
    BLOCK_BYTES = 4096,
};

static int compare(gconstpointer a, gconstpointer b)
{
    const RaceAccess *x = *(const RaceAccess *const *) a;
    const RaceAccess *y = *(const RaceAccess *const *) b;

    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    if (x->order != y->order) {
        return x->order < y->order ? -1 : 1;
    }
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return x->is_write == y->is_write ? 0 : x->is_write ? 1 : -1;
}

/* Moves those that began before `until` from one list to the other. */
static void take(GPtrArray *from, GPtrArray *to, SimTime until)
{
    guint kept = 0;

    for (guint i = 0; i < from->len; i++) {
        RaceAccess *access = g_ptr_array_index(from, i);

        if (access->begin < until) {
            g_ptr_array_add(to, access);
        } else {
            g_ptr_array_index(from, kept++) = access;
        }
    }
    g_ptr_array_set_size(from, sim_i32(kept));
}

static void meet(TensixRaces *self, guint index, RaceAccess *access, RaceAccess *other)
{
    if (access->is_write == other->is_write || access->first >= other->after ||
        other->first >= access->after) {
        return;
    }
    race_note(self, &(Race){.kind = access->is_write ? RACE_WRITES : RACE_READS,
                            .core = &self->owner->cores[index],
                            .cycle = access->begin,
                            .actor = access->actor,
                            .other = other->actor,
                            .since = other->begin,
                            .first = MAX(access->first, other->first),
                            .after = MIN(access->after, other->after)});
}

/* Meets those that are under way in a block, and joins them. */
static void join(TensixRaces *self, guint index, guint block, RaceAccess *access)
{
    GPtrArray **list = &self->cores[index].blocks[block];
    guint kept = 0;

    if (*list == NULL) {
        *list = g_ptr_array_new();
    }
    for (guint i = 0; i < (*list)->len; i++) {
        RaceAccess *other = g_ptr_array_index(*list, i);

        if (other->end <= access->begin) {
            race_access_release(other);
        } else {
            meet(self, index, access, other);
            g_ptr_array_index(*list, kept++) = other;
        }
    }
    g_ptr_array_set_size(*list, sim_i32(kept));
    if (access->end > access->begin) {
        access->users++;
        g_ptr_array_add(*list, access);
    }
}

void race_judge(TensixRaces *self, guint index, SimTime until)
{
    RaceCore *core = &self->cores[index];
    g_autoptr(GPtrArray) accesses = g_ptr_array_new();

    g_mutex_lock(&core->lock);
    until = MIN(until, core->held);
    take(core->computed, accesses, until);
    g_mutex_unlock(&core->lock);
    take(core->pending, accesses, until);
    g_ptr_array_sort(accesses, compare);
    if (self->block_count == 0) {
        self->block_count =
            1 + sim_u32(arch_params_uint(self->owner->params, "l1.capacity_bytes") /
                        BLOCK_BYTES);
    }
    if (core->blocks == NULL && accesses->len > 0) {
        core->blocks = g_new0(GPtrArray *, self->block_count);
    }
    for (guint i = 0; i < accesses->len; i++) {
        RaceAccess *access = g_ptr_array_index(accesses, i);

        for (guint block = access->first / BLOCK_BYTES;
             block <= (access->after - 1) / BLOCK_BYTES && block < self->block_count;
             block++) {
            join(self, index, block, access);
        }
        race_access_release(access);
    }
}

void race_judge_clear(TensixRaces *self, RaceCore *core)
{
    for (guint i = 0; core->blocks != NULL && i < self->block_count; i++) {
        GPtrArray *list = g_steal_pointer(&core->blocks[i]);

        for (guint k = 0; list != NULL && k < list->len; k++) {
            race_access_release(g_ptr_array_index(list, k));
        }
        g_clear_pointer(&list, g_ptr_array_unref);
    }
}
