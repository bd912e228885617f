/* Gives the issue slot of a compute element to a task or a microthread. */
#include "arch/wse/ce/queue.h"
#include "arch/wse/ce/single.h"
#include "arch/wse/ce/visit.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    NO_THREAD = WSE_THREADS,
};

/* A watcher may have come while it was under way. */
static bool is_usual(const WseVisit *self, guint index)
{
    return G_LIKELY(self->threads[index].usual != 0) && !wse_is_watched(self->region);
}

static bool is_ready(WseVisit *self, guint index)
{
    return is_usual(self, index) ? wse_single_is_ready(self, &self->threads[index])
                                 : wse_vector_is_ready(self, index);
}

static bool step(WseVisit *self, guint index)
{
    WseThread *thread = &self->threads[index];

    if (!is_usual(self, index)) {
        return wse_vector_step(self, index);
    }
    if (!wse_single_step(self, thread)) {
        return false;
    }
    wse_vector_finish(self, &self->kind->code[thread->instruction], thread->instruction,
                      self->now + 1);
    return true;
}

static guint first_ready(WseVisit *self, uint32_t threads)
{
    for (uint32_t left = wse_queue_fed(self->pe, threads); left != 0;
         left &= left - 1) {
        guint thread = (guint) __builtin_ctz(left);

        if (is_ready(self, thread)) {
            return thread;
        }
    }
    return NO_THREAD;
}

static guint oldest_ready(WseVisit *self, uint32_t threads)
{
    guint oldest = NO_THREAD;
    uint8_t most = 0;

    for (uint32_t left = wse_queue_fed(self->pe, threads); left != 0;
         left &= left - 1) {
        guint thread = (guint) __builtin_ctz(left);
        uint8_t age = sim_u8((self->pe->age - self->threads[thread].age) & UINT8_MAX);

        if (is_ready(self, thread) && (oldest == NO_THREAD || age > most)) {
            oldest = thread;
            most = age;
        }
    }
    return oldest;
}

/* Which of these microthreads, of one priority, issues; NO_THREAD for none. */
static guint arbitrate(WseVisit *self, uint32_t threads)
{
    uint32_t last = self->pe->last_thread;
    uint32_t above = 0;
    guint chosen = NO_THREAD;

    if (threads == 0) {
        return NO_THREAD;
    }
    if (self->pe->has_switched) {
        chosen = first_ready(self, threads & (1u << last));
        if (chosen != NO_THREAD) {
            return chosen;
        }
    }
    switch (self->fabric->numbers.arbitration) {
    case WSE_LOWEST_ID:
        return first_ready(self, threads);
    case WSE_ROUND_ROBIN:
        above = threads & (UINT32_MAX << (last + 1) % 32);
        chosen = first_ready(self, above);
        return chosen != NO_THREAD ? chosen : first_ready(self, threads & ~above);
    case WSE_STICKY:
        chosen = first_ready(self, threads & (1u << last));
        return chosen != NO_THREAD ? chosen
                                   : first_ready(self, threads & ~(1u << last));
    case WSE_OLDEST_FIRST:
        return oldest_ready(self, threads);
    }
    return NO_THREAD;
}

/* High before medium. */
static guint arbitrate_raised(WseVisit *self)
{
    uint32_t high = 0;

    for (uint32_t left = self->pe->raised; left != 0; left &= left - 1) {
        guint thread = (guint) __builtin_ctz(left);
        const WseInstruction *instruction =
            &self->kind->code[self->threads[thread].instruction];

        if (instruction->priority == ARCH_WSE_PRIORITY_HIGH) {
            high |= 1u << thread;
        }
    }
    guint chosen = arbitrate(self, high);

    return chosen != NO_THREAD ? chosen : arbitrate(self, self->pe->raised & ~high);
}

static void issue_thread(WseVisit *self, guint thread)
{
    uint32_t switching = self->fabric->numbers.thread_switch;

    if (switching > 0 && self->pe->last_thread != thread) {
        self->pe->last_thread = sim_u8(thread);
        self->pe->has_switched = true;
        self->pe->issue_free = self->now + switching;
        return;
    }
    self->pe->last_thread = sim_u8(thread);
    self->pe->has_switched = false;
    self->pe->is_main_next = true;
    if (step(self, thread)) {
        self->pe->threads &= (uint8_t) ~(1u << thread);
        self->pe->raised &= (uint8_t) ~(1u << thread);
    }
}

/* The main thread has issued its work, the last of it in the cycle before `when`. */
static void end_work(WseVisit *self, uint32_t when)
{
    WsePe *pe = self->pe;
    const uint32_t moving = when + pe->work_stalls;

    pe->memory_idle += pe->work_stalls;
    pe->work_stalls = 0;
    pe->main_at = MAX(pe->main_at, moving);
    pe->end = MAX(pe->end, moving);
    if (!self->fabric->numbers.is_stall_of_thread) {
        pe->issue_free = moving;
    }
}

/* Accounts for the cycles since the last visit, which were the main thread's. */
static void count_work(WseVisit *self)
{
    WsePe *pe = self->pe;
    const uint32_t cycles = self->now - pe->work_since;

    pe->work -= cycles;
    pe->busy += cycles;
    if (pe->work == 0) {
        end_work(self, self->now);
    }
}

/* Whether a microthread may want the issue slot in the next cycle. If not, `again` says
 * when one may, as long as nothing wakes it. */
static bool is_wanted(WseVisit *self)
{
    const WsePe *pe = self->pe;
    const bool is_main_alternating = self->fabric->numbers.is_main_alternating;

    return wse_is_watched(self->region) ||
           first_ready(self, is_main_alternating ? pe->threads : pe->raised) !=
               NO_THREAD;
}

/* Lets the main thread have the issue slot for its work: all of it at once where nobody
 * else can want it in between, else until a visit finds that somebody does. */
static void issue_work(WseVisit *self)
{
    WsePe *pe = self->pe;
    const bool is_shared = wse_ce_is_shared(self);
    uint32_t cycles = is_shared ? 1 : pe->work;

    pe->is_main_next = false;
    if (is_shared && pe->work > 1 && !is_wanted(self)) {
        self->again = MIN(self->again, self->now + pe->work);
        return;
    }
    pe->work -= cycles;
    pe->busy += cycles;
    pe->issue_free = self->now + cycles;
    if (wse_is_watched(self->region)) {
        wse_watch_work(self, cycles, pe->work == 0 ? pe->work_stalls : 0);
    }
    if (pe->work == 0) {
        end_work(self, pe->issue_free);
    }
}

/* Element by element, as the fabric gives and takes. */
static bool issue_element(WseVisit *self)
{
    if (!is_ready(self, WSE_MAIN)) {
        return false;
    }
    if (step(self, WSE_MAIN)) {
        self->pe->main = WSE_RUNNING;
    }
    self->pe->is_main_next = false;
    return true;
}

bool wse_ce_is_private(const WseVisit *self)
{
    const WsePe *pe = self->pe;

    switch (pe->main) {
    case WSE_IDLE:
        return true;
    case WSE_STARTING:
        return self->kind->code[self->threads[WSE_MAIN].instruction].is_private;
    case WSE_BEGINNING:
    case WSE_RUNNING:
        return self->kind->code[pe->pc].is_private;
    default:
        return false;
    }
}

/* The main thread issues now, if it can. */
static bool issue_main(WseVisit *self)
{
    WsePe *pe = self->pe;

    while (pe->work == 0) {
        if (pe->main == WSE_IDLE) {
            wse_ce_dispatch(self);
        }
        if (pe->main == WSE_IDLE || !wse_visit_is_here(self, pe->main_at)) {
            return false;
        }
        if (self->now > self->present && !wse_ce_is_private(self)) {
            self->again = self->now; /* when the fabric is there */
            return false;
        }
        if (pe->main == WSE_WAITING) {
            return issue_element(self);
        }
        if (pe->main == WSE_STARTING) {
            wse_vector_run(self, WSE_MAIN);
            pe->main = WSE_RUNNING;
        } else {
            wse_ce_run(self);
        }
        if (self->region->has_failed) {
            return true;
        }
    }
    issue_work(self);
    return true;
}

static void issue(WseVisit *self)
{
    WsePe *pe = self->pe;
    guint thread = NO_THREAD;

    if (pe->raised != 0) {
        thread = arbitrate_raised(self);
    }
    if (thread == NO_THREAD && self->fabric->numbers.is_main_alternating &&
        !pe->is_main_next && (pe->work > 0 || pe->main != WSE_IDLE)) {
        thread = arbitrate(self, pe->threads & (uint32_t) ~pe->raised);
    }
    if (thread == NO_THREAD && issue_main(self)) {
        return;
    }
    if (thread == NO_THREAD) {
        thread = arbitrate(self, pe->threads & (uint32_t) ~pe->raised);
    }
    if (thread != NO_THREAD) {
        issue_thread(self, thread);
    }
}

void wse_ce_take_turn(WseVisit *self)
{
    WsePe *pe = self->pe;

    if (pe->work > 0) {
        count_work(self);
    }
    if (pe->issue_free <= self->now) {
        issue(self);
    }
    if (pe->work > 0) {
        pe->work_since = MAX(pe->issue_free, self->now);
    }
    pe->end = MAX(pe->end, pe->issue_free);
}
