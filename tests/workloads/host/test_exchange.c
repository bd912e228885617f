/* Messages between chips: what time they take, and how runs of several chips end. */
#include <math.h>

#include "sim/error.h"
#include "tests/workloads/machine.h"
#include "workloads/error.h"

/* A core sends `bytes` to the same core of another chip, which waits for them. */
static const char kernels[] =
    "send = function(a)\n"
    "  fabric_async_write_semaphore_inc(a.data, get_fabric_addr(a.to, a.x, 0, "
    "a.data),\n"
    "    a.bytes, get_fabric_addr(a.to, a.x, 0, a.flag), 1)\n"
    "  fabric_write_barrier()\n"
    "end,\n"
    "wait = function(a) noc_semaphore_wait_min(a.flag, a.count or 1) end,\n"
    "increment = function(a)\n"
    "  fabric_semaphore_inc(get_fabric_addr(a.to, 0, 0, a.flag), 1)\n"
    "end,\n"
    "idle = function(a) delay(a.cycles) end\n";

/* exchange(pairs, bytes): a message for each { from, to, core }, all at once; the
 * cycles that each receiver waited, from the launch of all chips on. place(bytes) is
 * the memory for it, start(device, name, x, args) one kernel. */
#define PRELUDE                                                                        \
    "local function start(d, name, x, args)\n"                                         \
    "  local program = d.program()\n"                                                  \
    "  program:kernel{ kernel = name, processor = 'writer', args = args,\n"            \
    "    cores = { x = x, y = 0 } }\n"                                                 \
    "  return d.launch(program)\n"                                                     \
    "end\n"                                                                            \
    "local data, flag\n"                                                               \
    "local function place(bytes)\n"                                                    \
    "  local all = { 0, 0, 3, 0 }\n"                                                   \
    "  for _, d in ipairs(host.devices) do\n"                                          \
    "    flag = d.l1_allocate{ cores = all, bytes = 16 }\n"                            \
    "    data = d.l1_allocate{ cores = all, bytes = bytes }\n"                         \
    "    for x = 0, 3 do d.l1_write(x, 0, flag, host.buffer(16)) end\n"                \
    "  end\n"                                                                          \
    "end\n"                                                                            \
    "local function exchange(pairs, bytes)\n"                                          \
    "  place(bytes)\n"                                                                 \
    "  local waited = {}\n"                                                            \
    "  host.each(function(d)\n"                                                        \
    "    local program, used = d.program(), false\n"                                   \
    "    for i, p in ipairs(pairs) do\n"                                               \
    "      local args = { to = p[2], x = p[3], data = data, flag = flag, bytes = "     \
    "bytes }\n"                                                                        \
    "      for k, kernel in ipairs{ 'send', 'wait' } do\n"                             \
    "        if p[k] == d.index then\n"                                                \
    "          used = true\n"                                                          \
    "          program:kernel{ kernel = kernel, args = args,\n"                        \
    "            processor = k == 1 and 'writer' or 'reader', cores = { x = p[3], y "  \
    "= 0 } }\n"                                                                        \
    "        end\n"                                                                    \
    "      end\n"                                                                      \
    "    end\n"                                                                        \
    "    if used then waited[d.index] = d.wait(d.launch(program)) end\n"               \
    "  end)\n"                                                                         \
    "  return waited\n"                                                                \
    "end\n"

static const Machine pair = {.system = "n300", .kernels = kernels};
static const Machine peers = {
    .chip = "wormhole_n150", .system = "n150x4-pcie", .kernels = kernels};

/* The number that the body prints last. */
static double printed_number(const char *body, const Machine *machine)
{
    g_auto(Result) result = machine_run_well(body, machine);

    return g_ascii_strtod(result_text(&result, "printed"), NULL);
}

static double cycles_of_message(guint bytes, const Machine *machine)
{
    g_autofree char *body =
        g_strdup_printf(PRELUDE "print(exchange({ { 0, 1, 0 } }, %u)[1])", bytes);

    return printed_number(body, machine);
}

static void data_comes_before_its_increment(void **state)
{
    (void) state;
    g_auto(Result) result = machine_run_well(
        PRELUDE "place(20000)\n"
                "local a, b = host.devices[1], host.devices[2]\n"
                "local buffer, back = host.buffer(20000), host.buffer(20000)\n"
                "buffer:fill(5)\n"
                "a.l1_write(2, 0, data, buffer)\n"
                "local there = start(b, 'wait', 2, { flag = flag })\n"
                "start(a, 'send', 2, { to = 1, x = 2, data = data, flag = flag, bytes "
                "= 20000 })\n"
                "b.wait(there)\n"
                "b.l1_read(2, 0, data, back)\n"
                "print(back:differing(buffer))",
        &pair);

    assert_string_equal(result_text(&result, "printed"), "0\n");
}

/* The sender sees it until the acknowledgement, exactly; the receiver looks at its
 * semaphore every few cycles. */
static void a_message_takes_its_latency(void **state)
{
    static const char body[] =
        PRELUDE "local waited = exchange({ { 0, 1, 0 } }, 4096)\n"
                "print(waited[%d])";
    static const Machine far = {.system = "n300",
                                .kernels = kernels,
                                .overrides = {"ethernet.latency_ns=1500"}};
    g_autofree char *sender = g_strdup_printf(body, 0);
    g_autofree char *receiver = g_strdup_printf(body, 1);

    (void) state;
    double sent = printed_number(sender, &far) - printed_number(sender, &pair);
    double received = printed_number(receiver, &far) - printed_number(receiver, &pair);

    assert_true(sent == 1000);
    assert_true(fabs(received - 1000) < 20);
}

/* Sender's acknowledgement and receiver's data are both a latency after the last byte;
 * the receiver's goes on over its chip, at most 22 hops of 9 cycles and a packet's
 * fixed costs, to a kernel that looks every few cycles. */
static void data_is_there_when_it_is_acknowledged(void **state)
{
    (void) state;
    double later = printed_number(PRELUDE "local w = exchange({ { 0, 1, 0 } }, 64)\n"
                                          "print(w[1] - w[0])",
                                  &pair);

    assert_true(later > 0 && later < 300);
}

static void a_longer_message_takes_its_bytes(void **state)
{
    (void) state;
    double cycles = cycles_of_message(1048576, &pair) - cycles_of_message(65536, &pair);
    double expected = (1048576 - 65536) / 12.5;

    assert_true(cycles >= expected && cycles <= 1.05 * expected);
}

/* Headers are the difference. */
static void a_link_is_busy_for_its_bytes(void **state)
{
    static const guint sizes[] = {64, 1024, 4096, 16384, 65536, 262144, 1048576};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autofree char *body = g_strdup_printf(
            PRELUDE "exchange({ { 0, 1, 0 } }, %u)\n"
                    "local link = host.links()[3]\n"
                    "assert(link.name == 'eth_0_to_1' and link.kind == 'ethernet')\n"
                    "print(link.busy_seconds * 1e9)",
            sizes[i]);
        double expected = 580 + sizes[i] / 12.5;
        double busy = 580 + printed_number(body, &pair);

        if (busy < expected || busy > 1.05 * expected) {
            fail_msg("%u bytes: %g ns, expected %g", sizes[i], busy, expected);
        }
    }
}

/* Both go over the link from chip 0 to chip 1. */
static void two_messages_share_a_link(void **state)
{
    static const Machine eight = {.system = "t3000", .kernels = kernels};

    (void) state;
    double alone =
        printed_number(PRELUDE "print(exchange({ { 0, 1, 0 } }, 500000)[1])", &eight);
    double both = printed_number(
        PRELUDE "print(exchange({ { 0, 1, 0 }, { 7, 1, 1 } }, 500000)[1])", &eight);

    assert_true(fabs(both / alone - 2) < 0.05);
}

/* Three chips at 11.3 GB/s each into one PCIe link of 24 GB/s. */
static void peers_share_a_link(void **state)
{
    (void) state;
    double alone =
        printed_number(PRELUDE "print(exchange({ { 0, 2, 0 } }, 500000)[2])", &peers);
    double all = printed_number(PRELUDE "print(exchange({ { 0, 2, 0 }, { 1, 2, 1 }, "
                                        "{ 3, 2, 2 } }, 500000)[2])",
                                &peers);

    assert_true(fabs(all / alone - 3 * 11.3 / 24) < 0.05);
}

static void directions_do_not_share(void **state)
{
    (void) state;
    double alone =
        printed_number(PRELUDE "print(exchange({ { 0, 1, 0 } }, 200000)[1])", &pair);
    double both = printed_number(
        PRELUDE "print(exchange({ { 0, 1, 0 }, { 1, 0, 1 } }, 200000)[1])", &pair);

    assert_true(fabs(both / alone - 1) < 0.03);
}

static void a_message_comes_to_a_chip_without_a_launch(void **state)
{
    (void) state;
    g_auto(Result) result = machine_run_well(
        PRELUDE "place(64)\n"
                "local a, b = host.devices[1], host.devices[2]\n"
                "a.wait(start(a, 'increment', 0, { to = 1, flag = flag }))\n"
                "a.wait(start(a, 'increment', 0, { to = 1, flag = flag }))\n"
                "print(b.wait(start(b, 'wait', 0, { flag = flag, count = 2 })) < 200)",
        &pair);

    assert_string_equal(result_text(&result, "printed"), "true\n");
}

static void a_launch_waits_for_the_one_before_it(void **state)
{
    (void) state;
    g_auto(Result) result = machine_run_well(
        PRELUDE "local a = host.devices[1]\n"
                "local first = start(a, 'idle', 0, { cycles = 100000 })\n"
                "print(string.format('%.0f', a.now() * 1e6))\n"
                "local second = start(a, 'idle', 0, { cycles = 5000 })\n"
                "a.wait(second) a.wait(first)\n"
                "print(string.format('%.0f', a.now() * 1e6))",
        &pair);

    /* 30 us for a launch; 100 us; 30 us and 5 us. */
    assert_string_equal(result_text(&result, "printed"), "30\n165\n");
    assert_seconds(&result, "launch_seconds", 60e-6);
}

static void a_deadlock_names_who_waits_on_each_chip(void **state)
{
    (void) state;
    g_auto(Result) result = machine_run(
        PRELUDE "place(64)\n"
                "host.each(function(d)\n"
                "  d.wait(start(d, 'wait', d.index, { flag = flag, count = 7 }))\n"
                "end)",
        &pair);
    const char *text = json_object_has_member(result.root, "error")
                           ? result_text(&result, "error")
                           : "";

    assert_int_equal(json_object_get_int_member(result.root, "code"),
                     SIM_ERROR_DEADLOCK);
    assert_non_null(strstr(text, "nothing can happen any more, 2 still wait:\n"));
    assert_non_null(strstr(text, "\n  chip 0: core[0,0].writer (wait) waits for"));
    assert_non_null(strstr(text, "\n  chip 1: core[1,0].writer (wait) waits for"));
}

/* The other thread is alive, and ends what looks like a deadlock. */
static void no_deadlock_while_a_thread_may_act(void **state)
{
    (void) state;
    g_auto(Result) result = machine_run_well(
        PRELUDE "place(64)\n"
                "local t = host.now()\n"
                "host.each(function(d)\n"
                "  if d.index == 0 then\n"
                "    d.wait(start(d, 'wait', 0, { flag = flag }))\n"
                "    print(string.format('%.0f', (d.now() - t) * 1e6))\n"
                "  else\n"
                "    d.sleep(1e-3)\n"
                "    start(d, 'increment', 0, { to = 0, flag = flag })\n"
                "  end\n"
                "end)",
        &pair);

    assert_string_equal(result_text(&result, "printed"), "1031\n");
}

static void a_chip_that_is_not_there_is_refused(void **state)
{
    (void) state;
    g_auto(Result) result = machine_run(
        PRELUDE "host.wait(start(host, 'increment', 0, { to = 5, flag = 0 }))", &pair);

    assert_true(json_object_has_member(result.root, "error"));
    assert_non_null(strstr(result_text(&result, "error"), "chip 5"));
    assert_non_null(strstr(result_text(&result, "error"), "n300.xml has 0..1"));
}

static void windows_need_a_latency(void **state)
{
    static const Machine machine = {.system = "n300",
                                    .overrides = {"ethernet.latency_ns=1"}};

    (void) state;
    g_auto(Result) result = machine_run("", &machine);

    assert_non_null(strstr(result_text(&result, "error"),
                           "a latency of 1e-09 s between chips, at least 2 cycles"));
}

/* From chip 0 to chip 1 by Ethernet, back by PCIe, which takes longer. */
static void windows_need_the_smallest_latency(void **state)
{
    static const Machine machine = {.system = "../../tests/workloads/host/mixed",
                                    .overrides = {"ethernet.latency_ns=1"}};

    (void) state;
    g_auto(Result) result = machine_run("", &machine);

    assert_true(json_object_has_member(result.root, "error"));
    assert_non_null(strstr(result_text(&result, "error"),
                           "a latency of 1e-09 s between chips, at least 2 cycles"));
}

static void scripts_ask_for_routes(void **state)
{
    (void) state;
    g_auto(Result) result = machine_run_well(
        "local r = host.route(0, 3)\n"
        "print(r.kind, r.hops, r.bytes_per_second // 1, string.format('%g', "
        "r.latency_seconds))\n"
        "r = host.route(1, 4)\n"
        "print(r.kind, r.hops, r.bytes_per_second // 1, string.format('%g', "
        "r.latency_seconds))\n"
        "print(host.route(2, 2))\n"
        "print(pcall(function() host.route(0, 8) end))",
        &(Machine){.system = "t3000"});

    assert_string_equal(result_text(&result, "printed"),
                        "ethernet\t1\t25000000000.0\t5e-07\n"
                        "ethernet\t3\t12500000000.0\t1.5e-06\n"
                        "nil\n"
                        "false\tt.lua:7: bad argument #2 to 'route' (no such chip)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_comes_before_its_increment),
        cmocka_unit_test(a_message_takes_its_latency),
        cmocka_unit_test(data_is_there_when_it_is_acknowledged),
        cmocka_unit_test(a_longer_message_takes_its_bytes),
        cmocka_unit_test(a_link_is_busy_for_its_bytes),
        cmocka_unit_test(two_messages_share_a_link),
        cmocka_unit_test(peers_share_a_link),
        cmocka_unit_test(directions_do_not_share),
        cmocka_unit_test(a_message_comes_to_a_chip_without_a_launch),
        cmocka_unit_test(a_launch_waits_for_the_one_before_it),
        cmocka_unit_test(a_deadlock_names_who_waits_on_each_chip),
        cmocka_unit_test(no_deadlock_while_a_thread_may_act),
        cmocka_unit_test(a_chip_that_is_not_there_is_refused),
        cmocka_unit_test(windows_need_a_latency),
        cmocka_unit_test(windows_need_the_smallest_latency),
        cmocka_unit_test(scripts_ask_for_routes),
    };

    return cmocka_run_group_tests_name("workloads.exchange", tests, NULL, NULL);
}
