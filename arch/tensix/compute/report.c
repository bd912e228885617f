/* How the compute side of a core spent its time, and what it waits for. */
#include "arch/tensix/compute/compute.h"
#include "arch/tensix/race/race.h"

enum {
    FAR_AHEAD_CYCLES = 8192, /* threads go less far ahead of the engine on their own */
};

void tensix_compute_uses(const TensixCompute *self, SimTime end, GArray *uses)
{
    static const char *const units[UNITS] = {"unpacker", "fpu", "sfpu", "packer"};

    for (guint i = 0; i < THREADS; i++) {
        tensix_lane_report(&self->threads[i].lane, self->threads[i].name, end, uses);
    }
    for (guint i = 0; i < UNITS; i++) {
        tensix_lane_report(&self->units[i], units[i], end, uses);
    }
}

void tensix_compute_zones(const TensixCompute *self, GHashTable *by_name)
{
    for (guint i = 0; i < THREADS; i++) {
        tensix_zones_collect(&self->zones[i], by_name);
    }
}

uint64_t tensix_compute_progress(const TensixCompute *self, SimTime now)
{
    uint64_t progress = self->is_over;

    for (guint i = 0; i < UNITS; i++) {
        progress += self->units[i].cycles[TENSIX_LANE_BUSY];
    }
    for (guint i = 0; i < THREADS; i++) {
        const TensixLane *lane = &self->threads[i].lane;

        progress += lane->cycles[TENSIX_LANE_UNATTRIBUTED];
        /* It may be in the middle of a long one. */
        progress += lane->at > now + FAR_AHEAD_CYCLES ? now : 0;
    }
    return progress;
}

static char *describe_wait(const TensixCompute *self, const TensixThread *thread)
{
    const ArchComputeCall *call = tensix_program_at(thread->program, thread->position);
    const TensixOperation *operation = tensix_operation_of(call);

    if ((operation->operands & TENSIX_PAGES) != 0) {
        g_autofree char *place =
            arch_place_text(tensix_program_place(thread->program, thread->position));
        g_autofree char *ending = tensix_core_cb_ending(
            self->core, call->cb_a, call->op == ARCH_COMPUTE_CB_WAIT);

        return g_strdup_printf("%s(%u, %u)%s; %s", operation->name, call->cb_a,
                               call->count, place, ending);
    }
    return g_strdup_printf(
        "%s%s", operation->name,
        call->op == ARCH_COMPUTE_ACQUIRE ? ": both halves of Dst are in use" : "");
}

char *tensix_compute_waits(const TensixCompute *self)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < THREADS && !self->is_over; i++) {
        const TensixThread *thread = &self->threads[i];
        g_autofree char *wait = NULL;

        if (thread->position == thread->program->end) {
            continue;
        }
        wait = describe_wait(self, thread);
        g_ptr_array_add(lines,
                        g_strdup_printf("%s.%s (kernel %s) %s in %s", self->core->name,
                                        thread->name, self->name,
                                        self->is_scheduled ? "spins" : "waits", wait));
    }
    if (lines->len == 0) {
        return NULL;
    }
    g_ptr_array_add(lines, NULL);
    return g_strjoinv("\n", (char **) lines->pdata);
}

void tensix_compute_note_tile(const TensixCompute *self,
                              const TensixThread *thread,
                              const CircularBuffer *buffer,
                              uint64_t address,
                              SimTime begin,
                              SimTime end)
{
    const ArchComputeCall *call = tensix_program_at(thread->program, thread->position);

    tensix_race_tile(self->core->owner->races,
                     &(TensixRaceTile){.core = self->core,
                                       .kernel = self->name,
                                       .call = tensix_operation_of(call)->name,
                                       .place = tensix_program_place(thread->program,
                                                                     thread->position),
                                       .address = address,
                                       .bytes = arch_format_tile_bytes(buffer->format),
                                       .is_write = call->op == ARCH_COMPUTE_PACK,
                                       .begin = begin,
                                       .end = end});
}
