/* What the compute side of a core did with its time, and what it waits for. */
#include "arch/tensix/compute.h"

static void
add_lane(GArray *uses, const char *name, const Lane *lane, SimTime start, SimTime end)
{
    uint64_t accounted = 0;

    for (guint reason = 0; reason < LANE_REASONS; reason++) {
        ArchTensixUse use = {.name = name,
                             .reason = lane_reason_name((LaneReason) reason),
                             .cycles = lane->cycles[reason]};

        accounted += use.cycles;
        if (reason == LANE_IDLE) {
            use.cycles += (end - start) - accounted;
        }
        g_array_append_val(uses, use);
    }
}

void compute_uses(const Compute *self, SimTime start, SimTime end, GArray *uses)
{
    static const char *const units[UNITS] = {"unpacker", "fpu", "sfpu", "packer"};

    for (guint i = 0; i < THREADS; i++) {
        add_lane(uses, self->threads[i].name, &self->threads[i].lane, start, end);
    }
    for (guint i = 0; i < UNITS; i++) {
        add_lane(uses, units[i], &self->units[i], start, end);
    }
}

void compute_zones(const Compute *self, GHashTable *zones)
{
    for (guint i = 0; i < THREADS; i++) {
        GHashTableIter iter;
        gpointer value;

        g_hash_table_iter_init(&iter, self->zones[i]);
        while (g_hash_table_iter_next(&iter, NULL, &value)) {
            const CoreZone *own = value;
            CoreZone *all = g_hash_table_lookup(zones, own->name);

            if (all == NULL) {
                all = g_new0(CoreZone, 1);
                all->name = own->name;
                g_hash_table_insert(zones, (gpointer) own->name, all);
            }
            if (own->cycles > all->cycles) {
                *all = *own;
            }
        }
    }
}

static char *describe_wait(const Compute *self, const ArchComputeCall *call)
{
    const char *name = program_call_name((ArchComputeOp) call->op);

    switch ((int) call->op) {
    case ARCH_COMPUTE_CB_WAIT:
    case ARCH_COMPUTE_CB_RESERVE:
        return g_strdup_printf("%s(%u, %u)", name, call->cb_a, call->count);
    case ARCH_COMPUTE_ACQUIRE:
        return g_strdup_printf("%s: both halves of Dst are in use", name);
    default:
        (void) self;
        return g_strdup(name);
    }
}

void compute_audit(gpointer data, GPtrArray *lines)
{
    const Compute *self = data;
    g_autofree char *levels = NULL;

    if (self->is_over) {
        return;
    }
    levels = core_fill_levels(self->core, CB_COMPUTE);
    for (guint i = 0; i < THREADS; i++) {
        const Thread *thread = &self->threads[i];
        g_autofree char *wait = NULL;

        if (thread->position == self->program.end) {
            continue;
        }
        wait = describe_wait(self, program_at(&self->program, thread->position));
        g_ptr_array_add(lines, g_strdup_printf("%s.%s (kernel %s) waits in %s; %s",
                                               self->core->name, thread->name,
                                               self->name, wait, levels));
    }
}
