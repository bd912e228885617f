/* A process that follows a list of operations and leaves a step for each it could do.
 */
#pragma once

#include "sim/channel.h"
#include "sim/process.h"
#include "sim/resource.h"
#include "sim/semaphore.h"
#include "tests/sim/support.h"

typedef enum {
    ACT_END,     /* finishes; so does the end of the list */
    ACT_SLEEP,   /* for `amount` cycles */
    ACT_PUSH,    /* the item `amount` */
    ACT_POP,     /* the step shows the item */
    ACT_TAKE,    /* `amount` from a semaphore */
    ACT_GIVE,    /* `amount` to it */
    ACT_ACQUIRE, /* a slot of a resource */
    ACT_RELEASE,
    ACT_GIVE_UP, /* tries to pop, and finishes without the item */
} ActKind;

typedef struct {
    ActKind kind;
    gpointer object;
    uint64_t amount;
} Act;

typedef struct {
    const char *name;
    GString *trail;
    const Act *acts;
    SimProcess *process;
    guint resumptions;
} Actor;

static inline void leave_act(const Actor *self, const char *verb, uint64_t value)
{
    g_string_append_printf(
        self->trail, " %s.%s%" G_GUINT64_FORMAT "@%" G_GUINT64_FORMAT, self->name, verb,
        value, sim_region_now(sim_process_region(self->process)));
}

/* False if it must wait. */
static inline bool actor_try(Actor *self, const Act *act)
{
    uint64_t item = act->amount;

    switch (act->kind) {
    case ACT_PUSH:
        if (!sim_channel_push(act->object, &item, self->process)) {
            return false;
        }
        leave_act(self, "push", item);
        return true;
    case ACT_POP:
        if (!sim_channel_pop(act->object, &item, self->process)) {
            return false;
        }
        leave_act(self, "pop", item);
        return true;
    case ACT_TAKE:
        if (!sim_semaphore_take(act->object, item, self->process)) {
            return false;
        }
        leave_act(self, "take", item);
        return true;
    case ACT_GIVE:
        sim_semaphore_give(act->object, item);
        return true;
    case ACT_ACQUIRE:
        if (!sim_resource_acquire(act->object, self->process)) {
            return false;
        }
        leave_act(self, "acquire", item);
        return true;
    case ACT_RELEASE:
        sim_resource_release(act->object);
        return true;
    case ACT_GIVE_UP:
        assert_false(sim_channel_pop(act->object, &item, self->process));
        return true;
    case ACT_SLEEP:
    case ACT_END:
        break;
    }
    return true;
}

static inline SimProcessStatus actor_resume(SimProcess *process, gpointer data)
{
    Actor *self = data;

    self->resumptions++;
    while (self->acts->kind != ACT_END) {
        const Act *act = self->acts;

        if (!actor_try(self, act)) {
            return SIM_PROCESS_BLOCKED;
        }
        self->acts++;
        if (act->kind == ACT_SLEEP) {
            sim_process_sleep(process, act->amount);
            return SIM_PROCESS_BLOCKED;
        }
    }
    return SIM_PROCESS_FINISHED;
}

/* Starts a worker at once; actor_clear() ends it. */
static inline void actor_start(Actor *self, SimRegion *region, SimKey key)
{
    self->process = sim_process_new(region, key, self->name, SIM_PROCESS_WORKER,
                                    actor_resume, self);
    sim_process_start(self->process, 0);
}

static inline void actor_clear(Actor *self)
{
    g_clear_pointer(&self->process, sim_process_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Actor, actor_clear)
