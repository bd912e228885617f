/* References that are worked out beside the script. */
#include "tests/workloads/machine.h"
#include "workloads/error.h"
#include "workloads/reference/wanted.h"
#include "workloads/reference/wave.h"

static const guint thread_counts[] = {1, 2, 3};

#define BUFFERS                                                                        \
    "local a, b = host.buffer(2048), host.buffer(2048)\n"                              \
    "a:fill_random('bf16', 1, -1, 1)\n"                                                \
    "b:fill_random('bf16', 2, -1, 1)\n"

static void assert_prints(const char *body, const char *expected)
{
    for (guint i = 0; i < G_N_ELEMENTS(thread_counts); i++) {
        const Machine machine = {.threads = thread_counts[i]};
        g_auto(Result) result = machine_run_well(body, &machine);

        assert_string_equal(result_text(&result, "printed"), expected);
    }
}

static void assert_refused(const char *body, const char *message)
{
    for (guint i = 0; i < G_N_ELEMENTS(thread_counts); i++) {
        const Machine machine = {.threads = thread_counts[i]};
        g_auto(Result) result = machine_run(body, &machine);

        assert_failed(&result, WL_ERROR, WL_ERROR_RUNTIME, message);
    }
}

static void results_are_those_of_the_method(void **state G_GNUC_UNUSED)
{
    assert_prints(BUFFERS "local sum = host.reference(a, 'sum', 'bf16', b, 'fpu')\n"
                          "host.sleep(1)\n"
                          "print(sum():differing(a:sum('bf16', b, 'fpu')))",
                  "0\n");
    assert_prints(BUFFERS "local both = host.reference(a, 'dot', 'bf16', b)\n"
                          "local x, y = a:dot('bf16', b)\n"
                          "local u, v, w = both()\n"
                          "print(x == u, y == v, w, select('#', both()))",
                  "true\ttrue\tnil\t2\n");
}

static void results_can_be_had_again(void **state G_GNUC_UNUSED)
{
    assert_prints(BUFFERS "local sum = host.reference(a, 'sum', 'bf16', b, 'fpu')\n"
                          "local first = sum()\n"
                          "a:fill(9)\n"
                          "print(first:differing(sum()))",
                  "0\n");
}

static void many_are_done_in_any_order(void **state G_GNUC_UNUSED)
{
    assert_prints(BUFFERS "local list, right = {}, 0\n"
                          "for i = 1, 50 do\n"
                          "    list[i] = host.reference(a, 'scaled', 'bf16', i)\n"
                          "end\n"
                          "for i = 50, 1, -3 do\n"
                          "    if list[i]():differing(a:scaled('bf16', i)) == 0 then\n"
                          "        right = right + 1\n"
                          "    end\n"
                          "end\n"
                          "print(right)", /* and 33 are never asked for */
                  "17\n");
}

static void tables_are_copied_at_once(void **state G_GNUC_UNUSED)
{
    assert_prints("local a = host.buffer(8)\n"
                  "a:set('fp32', 0, 3)\n"
                  "local options = { merges = { { 0, 1 } }, words = 1 }\n"
                  "local sum = host.reference(a, 'merged', options)\n"
                  "options.merges[1][1], options.words = 7, 7\n"
                  "print(sum():get('fp32', 0))",
                  "3.0\n");
}

static void its_buffers_cannot_be_changed(void **state G_GNUC_UNUSED)
{
    static const char *const changes[] = {
        "b:fill(1)",
        "b:set_byte(0, 1)",
        "b:set('bf16', 0, 1)",
        "b:fill_with('bf16', 1)",
        "b:fill_random('bf16', 1, 0, 1)",
        "b:put(0, host.buffer(4))",
        "host.download(0, b)",
        "host.l1_read(0, 0, 0, b)",
    };

    for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
        g_autofree char *body = g_strdup_printf(
            BUFFERS "local sum = host.reference(a, 'sum', 'bf16', b, 'fpu')\n"
                    "print(pcall(function() %s end))\n"
                    "sum()\n"
                    "%s",
            changes[i], changes[i]);
        g_auto(Result) result = machine_run_well(body, NULL);

        assert_non_null(strstr(result_text(&result, "printed"),
                               "a reference under way reads this buffer"));
    }
}

static void what_cannot_go_there_is_refused(void **state G_GNUC_UNUSED)
{
    assert_refused("host.reference(host.buffer(4), 'colour')",
                   "t.lua:2: bad argument #2 to 'reference' (buffers have no such "
                   "method)");
    assert_refused("host.reference(host.buffer(4), 'sum', print)",
                   "t.lua:2: host.reference: a function cannot go to a reference, only "
                   "numbers, strings, booleans, buffers and tables of them");
    assert_refused("host.reference(host.buffer(4), 'numbers', 'fp32')()",
                   "t.lua:2: a reference's result: a userdata cannot go to a "
                   "reference, only numbers, strings, booleans, buffers and tables of "
                   "them");
    assert_refused("host.reference(host.buffer(4), 'fill', 1)()",
                   "t.lua:2: bad argument #1 to '?' (a reference under way reads this "
                   "buffer, ask for its results first)");
}

static void a_bad_argument_shows_when_asked_for(void **state G_GNUC_UNUSED)
{
    assert_refused("local a = host.buffer(4)\n"
                   "local part = host.reference(a, 'part', 0, 5)\n"
                   "part()",
                   "t.lua:4: bad argument #3 to '?' (outside the buffer)");
}

static void a_run_can_end_without_asking(void **state G_GNUC_UNUSED)
{
    assert_prints(BUFFERS "host.reference(a, 'sum', 'bf16', b, 'fpu')\n"
                          "local sum = host.reference(a, 'sum', 'bf16', b, 'fpu')\n"
                          "print('end')",
                  "end\n");
    assert_refused(BUFFERS "local sum = host.reference(a, 'sum', 'bf16', b, 'fpu')\n"
                           "error('stop')",
                   "t.lua:6: stop");
}

static void their_memory_counts(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < G_N_ELEMENTS(thread_counts); i++) {
        const Machine machine = {.threads = thread_counts[i], .memory_bytes = 64 << 20};
        g_auto(Result) result =
            machine_run("local a, kept = host.buffer(8 << 20), {}\n"
                        "for i = 1, 20 do\n"
                        "    host.reference(a, 'part', 0, #a)()\n"
                        "end\n"
                        "print('dropped')\n"
                        "for i = 1, 20 do\n"
                        "    kept[i] = host.reference(a, 'part', 0, #a)()\n"
                        "end\n",
                        &machine);

        assert_int_equal((int) result_number(&result, "code"), WL_ERROR_LIMIT);
        assert_string_equal(result_text(&result, "printed"), "dropped\n");
    }
}

/* A limit that one thing at a time keeps is kept with threads, too. */
static void they_share_no_limited_memory(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < G_N_ELEMENTS(thread_counts); i++) {
        const Machine machine = {.threads = thread_counts[i], .memory_bytes = 64 << 20};
        g_auto(Result) result =
            machine_run_well("local a = host.buffer(24 << 20)\n"
                             "local part = host.reference(a, 'part', 0, #a)\n"
                             "host.sleep(1)\n"
                             "do local other = host.buffer(24 << 20) end\n"
                             "print(#part())\n",
                             &machine);

        assert_string_equal(result_text(&result, "printed"), "25165824\n");
    }
}

/* It would take years. */
static void what_nobody_waits_for_ends(void **state G_GNUC_UNUSED)
{
    static const atomic_bool is_unwanted = true;
    const ReferenceWave wave = {
        .columns = 1, .rows = 1, .layers = 1, .steps = UINT_MAX, .directions = "ewsn"};
    float now = 1;
    float before = 2;

    assert_true(reference_is_wanted());
    reference_heed(&is_unwanted);
    assert_false(reference_is_wanted());
    assert_ptr_equal(reference_wave_single(&wave, &now, &before), &now);
    reference_heed(NULL);
    assert_true(reference_is_wanted());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_those_of_the_method),
        cmocka_unit_test(results_can_be_had_again),
        cmocka_unit_test(many_are_done_in_any_order),
        cmocka_unit_test(tables_are_copied_at_once),
        cmocka_unit_test(its_buffers_cannot_be_changed),
        cmocka_unit_test(what_cannot_go_there_is_refused),
        cmocka_unit_test(a_bad_argument_shows_when_asked_for),
        cmocka_unit_test(a_run_can_end_without_asking),
        cmocka_unit_test(their_memory_counts),
        cmocka_unit_test(they_share_no_limited_memory),
        cmocka_unit_test(what_nobody_waits_for_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
