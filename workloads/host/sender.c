/* Senders: a message takes the links of its way for as long as its bytes need, shared
 * with whatever else uses them, and comes in a latency after its last byte has left.
 * Its slot is free when the other end has acknowledged it: again a latency of the first
 * link later. */
#include "workloads/host/sender.h"

#include "workloads/host/exchange_state.h"

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

static void hand_over(Driver *from, Driver *to, ArchMessage *message, Latency latency)
{
    const double end = sim_system_now(from->exchange->system);
    const SimTime acknowledged = driver_cycle_at(from, end + latency.first);
    const SimTime when = driver_cycle_at(to, end + latency.whole);

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

Sender *sender_new(Driver *from, ArchPort port)
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

void sender_free(Sender *self)
{
    g_queue_clear_full(&self->messages, (GDestroyNotify) arch_message_free);
    sim_gate_free(self->gate);
    g_free(self);
}

ArchPort sender_port(const Sender *self)
{
    return self->port;
}

void sender_take(Sender *self, ArchMessage *message)
{
    g_queue_push_tail(&self->messages, message);
    sim_gate_open(self->gate);
}

void sender_end(Sender *self)
{
    sim_gate_open(self->gate);
    sim_system_join(self->from->exchange->system, self->program);
}
