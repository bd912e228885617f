/* Delivers incoming messages: the port's tile commands the core that they are for. */
#include "arch/tensix/core_lane.h"
#include "arch/tensix/port/state.h"
#include "sim/counter.h"
#include "sim/narrow.h"
#include "sim/probe.h"

enum {
    WRITE_VC = 0, /* of data and of increments, so that they keep their order */
};

void tensix_port_order_free(TensixPortOrder *order)
{
    g_queue_unlink(&order->port->orders, &order->link);
    g_free(order);
}

void tensix_port_arrival_free(TensixPortArrival *arrival)
{
    g_queue_unlink(&arrival->port->arrivals, &arrival->link);
    arch_message_free(arrival->message);
    g_free(arrival);
}

static void show_landing(const TensixPortOrder *order, const ArchTensixCore *core)
{
    SimRegion *region = tensix_port_region(order->port);
    const ArchNocCommand *command = &order->handover.command;
    const SimProbeDetail detail = {
        .argument_count = 3,
        .arguments = {{.name = "bytes", .value = (int64_t) command->bytes},
                      {.name = "chip", .value = order->arrival->message->from_chip},
                      {.name = "received_bytes", .value = (int64_t) command->bytes}},
    };

    if (SIM_PROBES && G_UNLIKELY(sim_region_is_watched(region))) {
        sim_region_mark(region, tensix_core_lane(core, TENSIX_CORE_NOCS + command->noc),
                        "arrive", sim_region_now(region), &detail);
    }
}

static void count_on(const TensixPortOrder *order, ArchTensixCore *core)
{
    const ArchMessage *message = order->arrival->message;
    GError *error = NULL;

    if (!tensix_core_increment(core, message->semaphore, message->increment, &error)) {
        g_prefix_error(&error, "a message from chip %u: ", message->from_chip);
        sim_region_fail(tensix_port_region(order->port), error);
    }
}

static void landed(gpointer data, ArchTile at)
{
    TensixPortOrder *order = data;
    TensixPortArrival *arrival = order->arrival;
    const ArchMessage *message = arrival->message;
    const ArchNocCommand *command = &order->handover.command;
    ArchTensix *tensix = order->port->tensix;
    ArchTensixCore *core = tensix_core_at(tensix, at);

    sim_region_count(tensix_port_region(order->port), tensix->received_bytes,
                     command->bytes);
    show_landing(order, core);
    if (command->op == ARCH_NOC_ATOMIC) {
        count_on(order, core);
    } else if (message->data != NULL) {
        tensix_core_put(core, message->address + order->offset,
                        (const guint8 *) message->data + order->offset, command->bytes);
    }
    order->arrival = NULL;
    if (--arrival->commands_left == 0) {
        tensix_port_arrival_free(arrival);
    }
}

static void done(gpointer data)
{
    tensix_port_order_free(data);
}

/* The next command, which the port's tile gives to its network. */
static TensixPortOrder *order_new(TensixPortArrival *arrival)
{
    TensixPort *port = arrival->port;
    const ArchMessage *message = arrival->message;
    const ArchTensixCore *core =
        arch_tensix_core(port->tensix, message->x, message->y, NULL);
    const bool is_data = arrival->offset < message->bytes;
    TensixPortOrder *order = g_new0(TensixPortOrder, 1);

    order->port = port;
    order->arrival = arrival;
    order->offset = arrival->offset;
    order->link.data = order;
    order->handover.noc = port->tensix->noc;
    order->handover.command = (ArchNocCommand){
        .op = is_data ? ARCH_NOC_WRITE : ARCH_NOC_ATOMIC,
        .noc = port->numbers.receive_noc,
        .vc = WRITE_VC,
        .from = port->numbers.tile,
        .to = core->tile,
        .bytes =
            is_data ? MIN(message->bytes - arrival->offset, port->numbers.command_bytes)
                    : sizeof message->increment,
        .to_address =
            is_data ? message->address + sim_u32(arrival->offset) : message->semaphore,
        .done = done,
        .landed = landed,
        .data = order,
    };
    g_queue_push_tail_link(&port->orders, &order->link);
    return order;
}

static bool has_command(const TensixPortArrival *arrival)
{
    return arrival->offset < arrival->message->bytes ||
           (arrival->message->increment > 0 && !arrival->is_incremented);
}

/* Makes the next command and sleeps while the port's RISC-V puts it together. */
static void pay(TensixPortWorker *worker, TensixPortArrival *arrival)
{
    const TensixPortNumbers *numbers = &worker->port->numbers;

    worker->order = order_new(arrival);
    worker->since = sim_region_now(tensix_port_region(worker->port));
    worker->is_paid = true;
    sim_process_sleep(
        worker->process,
        worker->order->handover.command.op == ARCH_NOC_WRITE
            ? sim_ratio_charge(numbers->write_cycles, 1, &worker->write_remainder)
            : sim_ratio_charge(numbers->atomic_cycles, 1, &worker->atomic_remainder));
}

static void go_on(TensixPortArrival *arrival, const ArchNocCommand *command)
{
    if (command->op == ARCH_NOC_WRITE) {
        arrival->offset += command->bytes;
    } else {
        arrival->is_incremented = true;
    }
}

bool tensix_port_receive(TensixPortWorker *worker, TensixPortArrival *arrival)
{
    TensixPort *self = worker->port;
    const guint chip = arrival->message->from_chip;

    if (worker->order != NULL) {
        TensixPortOrder *order = worker->order;
        const ArchNocCommand *command = &order->handover.command;

        if (worker->is_paid) {
            worker->is_paid = false;
            tensix_port_show_work(self, TENSIX_PORT_IN, worker->since, command->bytes,
                                  chip);
        }
        if (!noc_handover_issue(&order->handover, self->numbers.command_cycles,
                                worker->process)) {
            return false;
        }
        worker->order = NULL;
        go_on(arrival, command);
    }
    if (!has_command(arrival)) {
        return true;
    }
    pay(worker, arrival);
    return false;
}

static void come(SimRegion *region, gpointer data)
{
    TensixPortArrival *arrival = data;

    (void) region;
    tensix_port_work(arrival->port, TENSIX_PORT_IN,
                     (TensixPortJob){.arrival = arrival});
}

static guint command_count(const TensixPort *self, const ArchMessage *message)
{
    const uint64_t size = self->numbers.command_bytes;

    return sim_u32((message->bytes + size - 1) / size) + (message->increment > 0);
}

void tensix_port_deliver(TensixPort *self, ArchMessage *message, SimTime when)
{
    TensixPortArrival *arrival = g_new0(TensixPortArrival, 1);

    arrival->port = self;
    arrival->message = message;
    arrival->commands_left = command_count(self, message);
    arrival->link.data = arrival;
    g_queue_push_tail_link(&self->arrivals, &arrival->link);
    sim_region_at(tensix_port_region(self), when, self->key, come, arrival);
}
