/* Data movers: circular buffers, semaphores, loads, stores, zones, accounts, deadlock.
 */
#include "sim/error.h"
#include "tests/arch/tensix/rig.h"

static Rig rig;

static int open_rig(void **state G_GNUC_UNUSED)
{
    rig_open(&rig, 1);
    return 0;
}

static int close_rig(void **state G_GNUC_UNUSED)
{
    rig_close(&rig);
    return 0;
}

/* The compute side of a buffer, played by an event of its region. */
typedef struct {
    CircularBuffer *buffer;
    guint pages;
    SimTime when; /* the movers see it */
    bool is_push;
} Play;

static void play(SimRegion *region, gpointer data)
{
    const Play *self = data;

    (void) region;
    if (self->is_push) {
        tensix_cb_push(self->buffer, TENSIX_CB_COMPUTE, self->pages, self->when);
    } else {
        tensix_cb_pop(self->buffer, TENSIX_CB_COMPUTE, self->pages, self->when);
    }
    tensix_cb_send(self->buffer, TENSIX_CB_COMPUTE);
}

static void schedule_play(Play *self, const ArchTensixCore *core)
{
    sim_region_at(sim_engine_region(rig.engine, arch_tensix_core_region(core)),
                  self->when - RIG_VISIBLE,
                  tensix_core_key(core, TENSIX_CORE_PORT_COMPUTE), play, self);
}

static void calls_cost_what_the_chip_file_says(void **state G_GNUC_UNUSED)
{
    rig_buffer(&rig, 0, 0, 3, 4);
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 10);
    call_cb(kernel, ARCH_MOVER_CB_RESERVE, 3, 2);
    call_cb(kernel, ARCH_MOVER_CB_PUSH, 3, 2);
    call_spend(kernel, 100);
    call_cb(kernel, ARCH_MOVER_CB_WAIT, 3, 2);
    call_cb(kernel, ARCH_MOVER_CB_POP, 3, 2);
    call_load(kernel, 0x10000);
    call_store(kernel, 0x10000, 7, 10);
    call_store(kernel, 0x10000, 7, 10);

    rig_run(&rig);

    static const SimTime cycles[] = {RIG_RESERVE, RIG_PUSH, 100, RIG_WAIT,
                                     RIG_POP,     RIG_LOAD, 51,  52}; /* 103.4 */
    for (guint i = 0; i < G_N_ELEMENTS(cycles); i++) {
        assert_int_equal(kernel->ends[i] - kernel->starts[i], cycles[i]);
    }
    assert_int_equal(kernel->starts[0], 10);
    assert_int_equal(rig_word(&rig, 0, 0, 0x10000 + 36), 7);
    assert_int_equal(rig_word(&rig, 0, 0, 0x10000 + 40), 0);
}

/* A page that is seen at `when`, by a mover that asks from 0 on: the first look is at
 * 19, then every 11. */
static SimTime end_of_wait(SimTime when)
{
    Play pushed = {.pages = 1, .when = when, .is_push = true};
    rig_open(&rig, 1);
    rig_buffer(&rig, 1, 0, 0, 2);
    pushed.buffer = &rig_core(&rig, 1, 0)->buffers[0];
    Kernel *kernel = rig_kernel(&rig, 1, 0, ARCH_MOVER_BRISC, 0, 0);
    call_cb(kernel, ARCH_MOVER_CB_WAIT, 0, 1);
    schedule_play(&pushed, rig_core(&rig, 1, 0));

    rig_run(&rig);

    const SimTime end = kernel->ends[0];
    assert_int_equal(rig_use(&rig, 1, 0, "writer", "busy"), RIG_WAIT);
    assert_int_equal(rig_use(&rig, 1, 0, "writer", "circular_buffer"), end - RIG_WAIT);
    assert_int_equal(rig_use(&rig, 1, 0, "writer", NULL), sim_engine_now(rig.engine));
    rig_close(&rig);
    return end;
}

static void pages_are_seen_by_the_first_poll_and_not_before(void **state G_GNUC_UNUSED)
{
    assert_int_equal(end_of_wait(10), 19);
    assert_int_equal(end_of_wait(19), 19);
    assert_int_equal(end_of_wait(20), 30);
    assert_int_equal(end_of_wait(30), 30);
    assert_int_equal(end_of_wait(31), 41);
    assert_int_equal(end_of_wait(1000), 19 + 11 * 90);
}

static void space_is_seen_by_the_first_poll_and_not_before(void **state G_GNUC_UNUSED)
{
    /* Full after 2 x (23 + 25); the third reserve looks at 119, then every 11. */
    static const SimTime whens[][2] = {{119, 119}, {120, 130}, {130, 130}, {131, 141}};

    for (gsize i = 0; i < G_N_ELEMENTS(whens); i++) {
        Play seen = {.pages = 1, .when = whens[i][0], .is_push = false};
        rig_open(&rig, 1);
        rig_buffer(&rig, 1, 0, 0, 2);
        seen.buffer = &rig_core(&rig, 1, 0)->buffers[0];
        (void) tensix_cb_when_filled(seen.buffer, TENSIX_CB_COMPUTE, 2);
        Kernel *kernel = rig_kernel(&rig, 1, 0, ARCH_MOVER_BRISC, 0, 0);
        for (guint j = 0; j < 2; j++) {
            call_cb(kernel, ARCH_MOVER_CB_RESERVE, 0, 1);
            call_cb(kernel, ARCH_MOVER_CB_PUSH, 0, 1);
        }
        call_cb(kernel, ARCH_MOVER_CB_RESERVE, 0, 1);
        schedule_play(&seen, rig_core(&rig, 1, 0));

        rig_run(&rig);

        assert_int_equal(kernel->ends[4], whens[i][1]);
        rig_close(&rig);
    }
}

static void two_movers_hand_pages_on(void **state G_GNUC_UNUSED)
{
    rig_buffer(&rig, 0, 0, 0, 1);
    Kernel *reader = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 1, 0);
    for (guint i = 0; i < 10; i++) {
        call_cb(reader, ARCH_MOVER_CB_RESERVE, 0, 1);
        call_cb(reader, ARCH_MOVER_CB_PUSH, 0, 1);
        call_cb(writer, ARCH_MOVER_CB_WAIT, 0, 1);
        call_cb(writer, ARCH_MOVER_CB_POP, 0, 1);
    }

    rig_run(&rig);

    /* Pushed at 48, seen at 54, looked at every 11 from 19 on. */
    assert_int_equal(reader->ends[1], 48);
    assert_int_equal(writer->ends[0], 63);
    /* Popped at 84, seen at 90; looked at every 11 from 48 + 23 = 71 on. */
    assert_int_equal(writer->ends[1], 84);
    assert_int_equal(reader->ends[2], 93);
    assert_int_equal(rig_use(&rig, 0, 0, "reader", NULL), sim_engine_now(rig.engine));
    assert_int_equal(rig_use(&rig, 0, 0, "writer", NULL), sim_engine_now(rig.engine));
    assert_true(arch_tensix_finish(rig.tensix, NULL));
}

/* A page from one mover to the other and its space back, the first starting at
 * `delay`. */
static void hand_on(SimTime delay, SimTime waited, SimTime reserved)
{
    rig_open(&rig, 1);
    rig_buffer(&rig, 0, 0, 0, 1);
    Kernel *reader = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, delay);
    Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 1, 0);
    call_cb(reader, ARCH_MOVER_CB_RESERVE, 0, 1);
    call_cb(reader, ARCH_MOVER_CB_PUSH, 0, 1);
    call_cb(reader, ARCH_MOVER_CB_RESERVE, 0, 1);
    call_cb(writer, ARCH_MOVER_CB_WAIT, 0, 1);
    call_cb(writer, ARCH_MOVER_CB_POP, 0, 1);

    rig_run(&rig);

    assert_int_equal(writer->ends[0], waited);
    assert_int_equal(reader->ends[2], reserved);
    rig_close(&rig);
}

static void counters_are_seen_six_cycles_later(void **state G_GNUC_UNUSED)
{
    /* The writer looks at 63 and 74, and pops 21 later; the reader looks 71 after its
     * start and every 11. */
    hand_on(8, 63, 90);   /* popped at 84, seen at 90 */
    hand_on(7, 63, 100);  /* looks at 89, too early */
    hand_on(9, 63, 91);   /* pushed at 57, seen at 63 */
    hand_on(10, 74, 103); /* pushed at 58, seen at 64 */
}

static void pointers_go_round(void **state G_GNUC_UNUSED)
{
    rig_buffer(&rig, 0, 0, 0, 2);
    const uint32_t start = rig_core(&rig, 0, 0)->buffers[0].address;
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    uint32_t address = 0;
    for (guint i = 0; i < 3; i++) {
        call_cb(kernel, ARCH_MOVER_CB_RESERVE, 0, 1);
        call_cb(kernel, ARCH_MOVER_CB_PUSH, 0, 1);
        call_cb(kernel, ARCH_MOVER_CB_WAIT, 0, 1);
        if (i < 2) {
            call_cb(kernel, ARCH_MOVER_CB_POP, 0, 1);
        }
    }

    rig_run(&rig);

    assert_true(arch_mover_cb_pointer(kernel->mover, 0, true, &address, NULL));
    assert_int_equal(address, start + 64);
    assert_true(arch_mover_cb_pointer(kernel->mover, 0, false, &address, NULL));
    assert_int_equal(address, start);
    g_autoptr(GError) error = NULL;
    assert_false(arch_mover_cb_pointer(kernel->mover, 1, true, &address, &error));
    assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
}

static void stores_are_seen_by_the_other_mover(void **state G_GNUC_UNUSED)
{
    const uint32_t semaphore = rig_semaphore(&rig, 0, 0, 1);
    Kernel *setter = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_spend(setter, 100);
    call_store(setter, semaphore, 4, 1);
    Kernel *waiter = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    call_semaphore(waiter, semaphore, 2, true);
    Kernel *exact = rig_kernel(&rig, 0, 1, ARCH_MOVER_NCRISC, 0, 0);
    call_semaphore(exact, semaphore, 0, false);

    rig_run(&rig);

    /* Stored at 105; looked at from 8 on, every 11: at 107. */
    assert_int_equal(setter->ends[1], 105);
    assert_int_equal(waiter->ends[0], 107);
    assert_int_equal(rig_use(&rig, 0, 0, "reader", "semaphore"), 107 - RIG_LOAD);
    assert_int_equal(rig_use(&rig, 0, 0, "reader", NULL), sim_engine_now(rig.engine));
    assert_int_equal(exact->ends[0], RIG_LOAD);
}

/* Another core writes 8 KiB into this L1, through all its banks, while a mover
 * stores.
 */
static void stores_meet_the_networks_in_the_banks(void **state G_GNUC_UNUSED)
{
    Kernel *sender = rig_kernel(&rig, 1, 0, ARCH_MOVER_BRISC, 0, 0);
    call_transfer(sender, (ArchMoverTransfer){.op = ARCH_MOVER_WRITE,
                                              .remote = {.x = 0, .offset = 0x20000},
                                              .local = 0x20000,
                                              .bytes = 8192});
    Kernel *storer = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    for (guint i = 0; i < 10; i++) {
        call_store(storer, 0x10000 + i * 40, 7, 10);
    }

    rig_run(&rig);

    const uint64_t waited = rig_use(&rig, 0, 0, "reader", "bank_conflict");

    assert_in_range(waited, 1, 100);
    assert_int_equal(storer->ends[9], 517 + waited);
}

static void waits_for_a_value_need_that_value(void **state G_GNUC_UNUSED)
{
    const uint32_t semaphore = rig_semaphore(&rig, 0, 0, 0);
    Kernel *setter = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_store(setter, semaphore, 4, 1);
    call_spend(setter, 500);
    call_store(setter, semaphore, 3, 1);
    Kernel *waiter = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    call_semaphore(waiter, semaphore, 3, false);

    rig_run(&rig);

    assert_true(waiter->ends[0] > setter->ends[2]);
}

static void a_kernel_far_ahead_lets_the_engine_follow(void **state G_GNUC_UNUSED)
{
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    for (guint i = 0; i < 70; i++) {
        call_spend(kernel, 1000);
    }

    rig_run(&rig);

    assert_int_equal(kernel->ends[69], 70000);
    assert_int_equal(sim_engine_now(rig.engine), 70000);
    assert_in_range(kernel->resumed, 70000 / 6000, 70000 / 4096 + 2);
}

static void zones_give_the_thread_that_spent_most(void **state G_GNUC_UNUSED)
{
    const char *outer = g_intern_string("outer");
    const char *inner = g_intern_string("inner");
    for (guint i = 0; i < 2; i++) {
        Kernel *kernel = rig_kernel(&rig, i, 0, ARCH_MOVER_BRISC, 0, 0);
        call_zone(kernel, outer);
        call_spend(kernel, 100);
        for (guint j = 0; j < 2 + i; j++) {
            call_zone(kernel, inner);
            call_spend(kernel, i == 0 ? 50 : 10);
            call_zone(kernel, NULL);
        }
        call_zone(kernel, NULL);
    }

    rig_run(&rig);

    g_autoptr(GArray) zones = arch_tensix_zones(rig.tensix);
    assert_int_equal(zones->len, 2);
    const ArchTensixZone *first = &g_array_index(zones, ArchTensixZone, 0);
    const ArchTensixZone *second = &g_array_index(zones, ArchTensixZone, 1);
    assert_string_equal(first->name, "inner");
    assert_int_equal(first->cycles, 100);
    assert_int_equal(first->count, 2);
    assert_string_equal(second->name, "outer");
    assert_int_equal(second->cycles, 200);
    assert_int_equal(second->count, 1);
}

static void uses_of_all_cores_add_up(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < 5; i++) {
        call_spend(rig_kernel(&rig, i, i, ARCH_MOVER_BRISC, 0, 0), 10 + i);
        call_spend(rig_kernel(&rig, i, i, ARCH_MOVER_NCRISC, 0, i), 100);
    }

    rig_run(&rig);

    g_autoptr(GArray) uses = arch_tensix_uses(rig.tensix, NULL);
    uint64_t sum = 0;
    for (guint i = 0; i < uses->len; i++) {
        sum += g_array_index(uses, ArchTensixUse, i).cycles;
    }
    assert_int_equal(uses->len, 4);
    assert_int_equal(sim_engine_now(rig.engine), 104);
    assert_int_equal(sum, 10 * 104);
    assert_int_equal(g_array_index(uses, ArchTensixUse, 0).cycles, 60);
}

static void programs_count_from_their_own_start(void **state G_GNUC_UNUSED)
{
    call_spend(rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0), 100);
    rig_run(&rig);
    assert_true(arch_tensix_finish(rig.tensix, NULL));
    g_ptr_array_set_size(rig.kernels, 0);
    sim_engine_idle_until(rig.engine, 5000);
    call_spend(rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 30), 200);

    rig_run(&rig);

    assert_int_equal(rig_use(&rig, 0, 0, "writer", "busy"), 200);
    assert_int_equal(rig_use(&rig, 0, 0, "writer", "idle"), 30);
    assert_int_equal(rig_use(&rig, 0, 0, "writer", NULL), 230);
}

typedef struct {
    Call call;
    const char *message; /* a part of it */
} BadRow;

static void bad_calls_stop_the_run(void **state G_GNUC_UNUSED)
{
    static const BadRow rows[] = {
        {{.kind = CALL_CB, .op = ARCH_MOVER_CB_POP, .pages = 1},
         "cb_pop_front(0, 1): cb_wait_front has waited for 0"},
        {{.kind = CALL_CB, .op = ARCH_MOVER_CB_PUSH, .pages = 1},
         "cb_push_back(0, 1): cb_reserve_back has reserved 0"},
        {{.kind = CALL_CB, .op = ARCH_MOVER_CB_WAIT, .pages = 5}, "has 1..4 pages"},
        {{.kind = CALL_CB, .op = ARCH_MOVER_CB_RESERVE, .pages = 0}, "has 1..4 pages"},
        {{.kind = CALL_CB, .op = ARCH_MOVER_CB_WAIT, .cb = 7, .pages = 1},
         "core[0,0] has no circular buffer 7"},
        {{.kind = CALL_CB, .op = ARCH_MOVER_CB_WAIT, .cb = 32, .pages = 1},
         "core[0,0] has no circular buffer 32"},
        {{.kind = CALL_LOAD, .address = 0x10002}, "0x10002 is no multiple of 4"},
        {{.kind = CALL_LOAD, .address = 1499136}, "past its end"},
        {{.kind = CALL_STORE, .address = 1499132, .count = 2}, "past its end"},
        {{.kind = CALL_STORE, .address = 0x10001, .count = 1}, "no multiple of 4"},
        {{.kind = CALL_SEMAPHORE, .address = 0x10001}, "no multiple of 4"},
        {{.kind = CALL_ZONE_END}, "a zone ends that has not begun"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        Rig own;
        rig_open(&own, 1);
        rig_buffer(&own, 0, 0, 0, 4);
        Kernel *kernel = rig_kernel(&own, 0, 0, ARCH_MOVER_BRISC, 0, 0);
        kernel->calls[kernel->call_count++] = rows[i].call;

        g_autofree char *message = rig_fail(&own, ARCH_ERROR, ARCH_ERROR_INVALID);

        if (strstr(message, rows[i].message) == NULL) {
            fail_msg("row %zu: %s", i, message);
        }
        rig_close(&own);
    }
}

static void kernels_that_wait_for_ever_are_reported(void **state G_GNUC_UNUSED)
{
    rig_buffer(&rig, 0, 0, 0, 8);
    rig_buffer(&rig, 0, 0, 5, 2);
    const uint32_t semaphore = rig_semaphore(&rig, 1, 0, 3);
    Kernel *reader = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    call_cb(reader, ARCH_MOVER_CB_RESERVE, 0, 1);
    call_cb(reader, ARCH_MOVER_CB_PUSH, 0, 1);
    call_cb(reader, ARCH_MOVER_CB_RESERVE, 5, 2);
    call_cb(reader, ARCH_MOVER_CB_PUSH, 5, 2);
    call_cb(reader, ARCH_MOVER_CB_RESERVE, 5, 1);
    Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_cb(writer, ARCH_MOVER_CB_WAIT, 0, 2);
    Kernel *waiter = rig_kernel(&rig, 1, 0, ARCH_MOVER_BRISC, 0, 0);
    call_semaphore(waiter, semaphore, 4, true);

    g_autofree char *message = rig_fail(&rig, SIM_ERROR, SIM_ERROR_DEADLOCK);

    g_autofree char *expected = g_strdup_printf(
        "deadlock at cycle 102: nothing can happen any more, 3 still wait:\n"
        "  core[0,0].writer (kernel) waits for cb_wait_front(0, 2): 1 of 8 pages, "
        "since cycle 19; kernel kernel, which pushes pages of it (1 so far), waits "
        "too\n"
        "  core[0,0].reader (kernel) waits for cb_reserve_back(5, 1): 2 of 2 pages, "
        "since cycle 119; no kernel of this core has popped a page of it\n"
        "    core[0,0] has cb 0: 1 of 8 pages, cb 5: 2 of 2 pages\n"
        "  core[1,0].writer (kernel) waits for noc_semaphore_wait_min(0x%x, 4), "
        "semaphore 0: it is 3, since cycle 8; no kernel of this chip changes it",
        semaphore);
    assert_string_equal(message, expected);
}

/* Pages go through all cores, each with a compute side in its region, over the NoC. */
static SimTime ring_cycles(guint thread_count)
{
    static Play plays[56][8];
    rig_open(&rig, thread_count);
    for (guint i = 0; i < 56; i++) {
        const guint x = i % 8;
        const guint y = i / 8;
        ArchTensixCore *core = rig_core(&rig, x, y);
        rig_buffer(&rig, x, y, 0, 2);
        const uint32_t memory = rig_memory(&rig, x, y, 1024);
        Kernel *writer = rig_kernel(&rig, x, y, ARCH_MOVER_BRISC, i % 2, i);
        for (guint j = 0; j < 8; j++) {
            plays[i][j] = (Play){.buffer = &core->buffers[0],
                                 .pages = 1,
                                 .when = 100 + 400 * (SimTime) j + (SimTime) i * 3,
                                 .is_push = true};
            schedule_play(&plays[i][j], core);
            call_cb(writer, ARCH_MOVER_CB_WAIT, 0, 1);
            call_transfer(writer, to_core(ARCH_MOVER_WRITE, (x + 3) % 8, (y + 2) % 7,
                                          memory, memory, 1024));
            call_barrier(writer, ARCH_BARRIER_WRITE);
            call_cb(writer, ARCH_MOVER_CB_POP, 0, 1);
        }
    }

    rig_run(&rig);

    SimTime sum = 0;
    for (guint i = 0; i < rig.kernels->len; i++) {
        const Kernel *kernel = g_ptr_array_index(rig.kernels, i);

        for (guint j = 0; j < kernel->call_count; j++) {
            sum = sum * 31 + kernel->ends[j];
        }
    }
    rig_close(&rig);
    return sum;
}

static void threads_do_not_change_results(void **state G_GNUC_UNUSED)
{
    assert_int_equal(ring_cycles(1), ring_cycles(2));
    assert_int_equal(ring_cycles(1), ring_cycles(5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define RIG_TEST(f) cmocka_unit_test_setup_teardown(f, open_rig, close_rig)
        RIG_TEST(calls_cost_what_the_chip_file_says),
        cmocka_unit_test(pages_are_seen_by_the_first_poll_and_not_before),
        cmocka_unit_test(space_is_seen_by_the_first_poll_and_not_before),
        RIG_TEST(two_movers_hand_pages_on),
        cmocka_unit_test(counters_are_seen_six_cycles_later),
        RIG_TEST(pointers_go_round),
        RIG_TEST(stores_are_seen_by_the_other_mover),
        RIG_TEST(stores_meet_the_networks_in_the_banks),
        RIG_TEST(waits_for_a_value_need_that_value),
        RIG_TEST(a_kernel_far_ahead_lets_the_engine_follow),
        RIG_TEST(zones_give_the_thread_that_spent_most),
        RIG_TEST(uses_of_all_cores_add_up),
        RIG_TEST(programs_count_from_their_own_start),
        RIG_TEST(bad_calls_stop_the_run),
        RIG_TEST(kernels_that_wait_for_ever_are_reported),
        cmocka_unit_test(threads_do_not_change_results),
    };

    return cmocka_run_group_tests_name("arch.tensix_mover", tests, NULL, NULL);
}
