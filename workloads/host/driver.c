/* Runs a chip window by window, starting at its next event. */
#include <math.h>

#include "workloads/host/exchange_state.h"
#include "workloads/host/launch.h"

struct Sender {
    Driver *from;
    ArchPort port;
    GQueue messages; /* of ArchMessage */
    SimGate *gate;   /* opened once for each of them, and once at the end */
    SimProgram *program;
};

typedef struct {
    double first; /* of the first link */
    double whole;
} Latency;

static Latency latency_of(const SimSystem *system, const char *from, const char *to)
{
    Latency latency = {0};
    SimPlatformWay way;

    if (sim_platform_way(sim_system_platform(system), from, to, &way)) {
        latency.first = sim_system_link_numbers(system, way.links[0]).latency_seconds;
        for (guint i = 0; i < way.count; i++) {
            latency.whole +=
                sim_system_link_numbers(system, way.links[i]).latency_seconds;
        }
    }
    return latency;
}

static void wait_until(SimSystem *system, double seconds)
{
    const double now = sim_system_now(system);

    if (seconds > now) {
        sim_system_sleep(system, seconds - now);
    }
}

/* The first cycle that is not before that host time. */
static SimTime cycle_at(const Driver *self, double seconds)
{
    /* The host's clock is good to 1e-12 s, a cycle far longer. */
    static const double rounding = 1e-2;

    return (SimTime) ceil(seconds * arch_chip_clock_hz(self->session->chip) - rounding);
}

static void hand_over(Driver *from, Driver *to, ArchMessage *message, Latency latency)
{
    const double end = sim_system_now(from->exchange->system);
    const SimTime acknowledged = cycle_at(from, end + latency.first);
    const SimTime when = cycle_at(to, end + latency.whole);

    /* What windows are made for. */
    g_assert(acknowledged >= from->horizon && when >= to->horizon);
    arch_fabric_left(from->fabric, message->out, acknowledged);
    arch_fabric_deliver(to->fabric, message, when);
    from->exchange->under_way--;
    driver_wake(from);
    driver_wake(to);
}

/* Takes the message. */
static void carry(const Sender *self, ArchMessage *message)
{
    Driver *from = self->from;
    Driver *to = &from->exchange->drivers[message->to_chip];
    SimSystem *system = from->exchange->system;
    const char *here = from->session->chip_host;
    const char *there = to->session->chip_host;

    wait_until(system,
               (double) message->sent / arch_chip_clock_hz(from->session->chip));
    sim_system_send(system, here, there, message->wire_bytes);
    if (from->exchange->is_over) {
        arch_message_free(message);
    } else {
        hand_over(from, to, message, latency_of(system, here, there));
    }
}

static void run_sender(SimSystem *system, gpointer data)
{
    Sender *self = data;

    (void) system;
    sim_gate_pass(self->gate);
    while (!self->from->exchange->is_over) {
        carry(self, g_queue_pop_head(&self->messages));
        sim_gate_pass(self->gate);
    }
}

static Sender *sender_new(Driver *from, ArchPort port)
{
    Sender *self = g_new0(Sender, 1);
    g_autofree char *name =
        port.kind == ARCH_PORT_ETHERNET
            ? g_strdup_printf("%s_eth%u", from->session->chip_host, port.channel)
            : g_strdup_printf("%s_pcie", from->session->chip_host);

    self->from = from;
    self->port = port;
    self->gate = sim_gate_new();
    g_queue_init(&self->messages);
    self->program = sim_system_start(from->exchange->system, from->session->chip_host,
                                     name, run_sender, self);
    return self;
}

static void sender_free(Sender *self)
{
    g_queue_clear_full(&self->messages, (GDestroyNotify) arch_message_free);
    sim_gate_free(self->gate);
    g_free(self);
}

void sender_end(Sender *self)
{
    sim_gate_open(self->gate);
    sim_system_join(self->from->exchange->system, self->program);
}

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

        if (sender->port.kind == port.kind && sender->port.channel == port.channel) {
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
        Sender *sender = sender_of(self, message->out);

        g_queue_push_tail(&sender->messages, message);
        sim_gate_open(sender->gate);
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

/* Sleeps: nothing can happen here until another part acts. */
static void rest(Driver *self)
{
    /* Most often this chip waits for another: no need to ask which. */
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
