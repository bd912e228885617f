/* Runs a chip window by window, starting at its next event. */
#include "workloads/host/driver.h"

#include <math.h>

#include "workloads/host/exchange_state.h"
#include "workloads/host/launch.h"

static SimEngine *engine_of(const Driver *self)
{
    return arch_chip_engine(self->session->chip);
}

/* In an event of the chip: no place to call into the system. */
static void note_sent(gpointer data, ArchMessage *message)
{
    const Driver *self = data;

    g_ptr_array_add(self->sent, message);
}

void driver_init(Driver *self, Exchange *exchange, Session *session, double latency)
{
    const double cycles = floor(latency * arch_chip_clock_hz(session->chip));

    *self = (Driver){
        .session = session,
        .fabric = arch_chip_fabric(session->chip),
        .exchange = exchange,
        /* One less: host time is rounded to cycles. */
        .window = cycles > 1 ? (SimTime) cycles - 1 : 0,
        .gate = sim_gate_new(),
        .ended = sim_gate_new(),
        .sent = g_ptr_array_new_with_free_func((GDestroyNotify) arch_message_free),
        .senders = g_ptr_array_new_with_free_func((GDestroyNotify) sender_free),
    };
    arch_fabric_set_send(self->fabric, note_sent, self);
}

void driver_clear(Driver *self)
{
    g_clear_pointer(&self->senders, g_ptr_array_unref);
    g_clear_pointer(&self->sent, g_ptr_array_unref);
    g_clear_pointer(&self->gate, sim_gate_free);
    g_clear_pointer(&self->ended, sim_gate_free);
}

SimTime driver_cycle_at(const Driver *self, double seconds)
{
    /* The host's clock is good to 1e-12 s, a cycle far longer. */
    static const double rounding = 1e-2;

    return (SimTime) ceil(seconds * arch_chip_clock_hz(self->session->chip) - rounding);
}

void driver_wake(Driver *self)
{
    if (self->is_asleep) {
        self->is_asleep = false;
        sim_gate_open(self->gate);
    }
}

void driver_release(Driver *self)
{
    const guint waiting = self->waiting;

    self->waiting = 0;
    /* They are active from now on, not from when they are resumed. */
    self->session->run->active_threads += waiting;
    for (guint i = 0; i < waiting; i++) {
        sim_gate_open(self->ended);
    }
}

bool driver_is_at_rest(const Driver *self)
{
    return sim_engine_next(engine_of(self)) == SIM_TIME_NEVER;
}

static Sender *sender_of(Driver *self, ArchPort port)
{
    for (guint i = 0; i < self->senders->len; i++) {
        Sender *sender = g_ptr_array_index(self->senders, i);
        const ArchPort other = sender_port(sender);

        if (other.kind == port.kind && other.channel == port.channel) {
            return sender;
        }
    }
    Sender *sender = sender_new(self, port);

    g_ptr_array_add(self->senders, sender);
    return sender;
}

static void hand_out(Driver *self)
{
    g_autoptr(GPtrArray) sent = g_steal_pointer(&self->sent);

    self->sent = g_ptr_array_new_with_free_func((GDestroyNotify) arch_message_free);
    g_ptr_array_set_free_func(sent, NULL);
    /* All of them now: others run while senders are started. */
    self->exchange->under_way += sent->len;
    for (guint i = 0; i < sent->len; i++) {
        ArchMessage *message = g_ptr_array_index(sent, i);

        sender_take(sender_of(self, message->out), message);
    }
}

/* Runs every event before `end`. */
static bool run_until(Driver *self, SimTime end, GError **error)
{
    const bool is_run = session_run_window(self->session, end, error);

    self->horizon = MAX(self->horizon, end);
    if (is_run && self->sent->len > 0) {
        hand_out(self);
    }
    return is_run;
}

static bool has_waiters(const Driver *self)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

    sim_engine_list_waiters(engine_of(self), lines);
    return lines->len > 0;
}

/* Ends the launch, well or, where `error` is set, badly: then the run stops. */
static void end_launch(Driver *self, GError *error)
{
    Launch *launch = g_steal_pointer(&self->launch);

    if (launch != NULL) {
        (void) launch_finish(launch, error == NULL, error == NULL ? &error : NULL);
    }
    if (error != NULL) {
        session_halt(self->session->run, error);
    }
    driver_release(self);
}

static void sleep_until(Driver *self, SimTime next)
{
    SimSystem *system = self->exchange->system;
    const double at = (double) next / arch_chip_clock_hz(self->session->chip);

    self->is_asleep = true;
    sim_gate_pass_within(self->gate, at - sim_system_now(system));
    self->is_asleep = false;
}

/* Nothing can happen here until somebody else does something. */
static void rest(Driver *self)
{
    /* Most often somebody waits for another chip: no need to ask who. */
    if (self->launch != NULL && !launch_is_busy(self->launch) && !has_waiters(self)) {
        end_launch(self, NULL);
    } else {
        exchange_check(self->exchange);
    }
    /* Meanwhile there may be news. */
    if (driver_is_at_rest(self) && !self->exchange->is_over) {
        self->is_asleep = true;
        sim_gate_pass(self->gate);
        self->is_asleep = false;
    }
}

void driver_run(SimSystem *system, gpointer data)
{
    Driver *self = data;
    GError *error = NULL;

    (void) system;
    while (!self->exchange->is_over) {
        const SimTime next = sim_engine_next(engine_of(self));
        const SimTime now = session_cycle(self->session);

        if (next == SIM_TIME_NEVER) {
            rest(self);
        } else if (next > now) {
            sleep_until(self, next);
        } else if (!run_until(self, now + self->window, &error)) {
            end_launch(self, g_steal_pointer(&error));
        }
    }
}

bool driver_launch(Driver *self, Launch *launch, GError **error)
{
    SimEngine *engine = engine_of(self);
    const SimTime start =
        MAX(session_cycle(self->session), MAX(self->horizon, sim_engine_now(engine)));

    if (!run_until(self, start, error)) {
        return false;
    }
    sim_engine_idle_until(engine, start);
    launch_begin(launch);
    self->launch = launch;
    driver_wake(self);
    return true;
}
