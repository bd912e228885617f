/* Two chips and a wire of 12.5 bytes a cycle. */
#include "tests/arch/border/fabric_pair.h"

#include "tests/arch/noc/chip.h"

static const char *const pair_numbers[] = {
    "ethernet.initiate_cycles=80",
    "ethernet.slot_count=8",
    "ethernet.slot_bytes=4352",
    "ethernet.word_bytes=16",
    "ethernet.payload_limit_bytes=1500",
    "ethernet.overhead_bytes=50",
    "ethernet.receive_noc=1",
    "pcie.receive_noc=0",
    "pcie.write_request_cycles=52.5",
    "pcie.queue_commands=4",
};

typedef struct {
    Pair *pair;
    guint chip; /* that sends */
} Sender;

static SimTime wire_cycles(uint64_t bytes)
{
    return (bytes * 2 + 24) / 25;
}

static void carry(gpointer data, ArchMessage *message)
{
    const Sender *sender = data;
    Pair *self = sender->pair;
    const guint from = sender->chip;
    const guint to = 1 - from;
    Carried carried = {.message = *message};

    assert_int_equal(message->from_chip, from);
    assert_int_equal(message->to_chip, to);
    assert_int_equal(message->sent,
                     sim_region_now(sim_engine_region(self->chips[from].engine, 0)));
    carried.left =
        MAX(message->sent, self->wire_free[from]) + wire_cycles(message->wire_bytes);
    carried.came = carried.left + PAIR_LATENCY;
    self->wire_free[from] = carried.left;
    g_array_append_val(self->carried, carried);
    g_queue_push_tail(&self->under_way[to], message);
    g_array_append_val(self->comes[to], carried.came);
    if (!self->is_stuck) {
        arch_fabric_left(pair_fabric(self, from), message->out, carried.left);
    }
}

void pair_open(Pair *self, guint thread_count)
{
    *self = (Pair){.carried = g_array_new(FALSE, FALSE, sizeof(Carried))};
    for (guint i = 0; i < 2; i++) {
        rig_open(&self->chips[i], thread_count);
        self->comes[i] = g_array_new(FALSE, FALSE, sizeof(SimTime));
        g_queue_init(&self->under_way[i]);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(pair_numbers); i++) {
        pair_set(self, pair_numbers[i]);
    }
}

static void free_message(gpointer data)
{
    arch_message_free(data);
}

void pair_close(Pair *self)
{
    for (guint i = 0; i < 2; i++) {
        rig_close(&self->chips[i]);
        g_queue_clear_full(&self->under_way[i], free_message);
        g_array_unref(self->comes[i]);
    }
    g_array_unref(self->carried);
}

void pair_set(Pair *self, const char *assignment)
{
    for (guint i = 0; i < 2; i++) {
        if (!arch_params_override(self->chips[i].params, assignment, NULL)) {
            fail_msg("%s", assignment);
        }
    }
}

void pair_connect(Pair *self, ArchPort port)
{
    static Sender senders[2];

    self->port = port;
    for (guint i = 0; i < 2; i++) {
        const ArchFabricRoute route = {.chip = 1 - i, .out = port, .in = port};

        senders[i] = (Sender){.pair = self, .chip = i};
        assert_true(arch_fabric_connect(pair_fabric(self, i), i, &route, 1, NULL));
        arch_fabric_set_send(pair_fabric(self, i), carry, &senders[i]);
    }
}

ArchFabric *pair_fabric(const Pair *self, guint chip)
{
    return arch_tensix_fabric(self->chips[chip].tensix);
}

ArchMoverMessage pair_message(uint32_t address, uint64_t bytes)
{
    return (ArchMoverMessage){.chip = 1,
                              .address = address,
                              .local = address,
                              .bytes = bytes,
                              .name = "fabric_async_write"};
}

void pair_deliver(Pair *self, guint chip)
{
    GQueue *under_way = &self->under_way[chip];

    for (guint i = 0; !g_queue_is_empty(under_way); i++) {
        arch_fabric_deliver(pair_fabric(self, chip), g_queue_pop_head(under_way),
                            g_array_index(self->comes[chip], SimTime, i));
    }
    g_array_set_size(self->comes[chip], 0);
}

void pair_run(Pair *self, SimTime window)
{
    bool is_at_rest = false;

    for (SimTime end = window; !is_at_rest; end += window) {
        for (guint i = 0; i < 2; i++) {
            assert_true(
                sim_engine_run_until(self->chips[i].engine, end, SIM_TIME_NEVER, NULL));
        }
        is_at_rest = true;
        for (guint i = 0; i < 2; i++) {
            pair_deliver(self, i);
            is_at_rest =
                is_at_rest && sim_engine_next(self->chips[i].engine) == SIM_TIME_NEVER;
        }
    }
    rig_run(&self->chips[0]);
    rig_run(&self->chips[1]);
}

const Carried *pair_carried(const Pair *self, guint index)
{
    assert_true(index < self->carried->len);
    return &g_array_index(self->carried, Carried, index);
}

/* A channel of noc 1 holds 16 flits, of which 18 cycles later there is room for as many
 * again. */
SimTime pair_way(guint noc, guint hops, uint64_t bytes)
{
    const uint64_t flits = (bytes + 31) / 32;
    const SimTime paid = l1_tail(flits);
    const SimTime credited = flits / 16 * (noc == 0 ? 16 : 18) + flits % 16;

    return pair_word_way(hops) + MAX(paid, credited);
}

SimTime pair_word_way(guint hops)
{
    return ENDS_CYCLES / 2 + hops * HOP_CYCLES;
}
