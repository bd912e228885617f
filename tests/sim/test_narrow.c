/* Tests of checked narrowing. */
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/ending.h"
#include "sim/narrow.h"
#include "tests/sim/support.h"

static void what_fits_keeps_its_value(void **state)
{
    const uint64_t size = UINT32_MAX;

    (void) state;

    assert_int_equal(sim_u8(0), 0);
    assert_int_equal(sim_u8(255U), 255);
    assert_int_equal(sim_u16((uint64_t) 65535), 65535);
    assert_int_equal(sim_u32(size), UINT32_MAX);
    assert_int_equal(sim_i16(-32768), -32768);
    assert_int_equal(sim_i16((uint64_t) 32767), 32767);
    assert_int_equal(sim_i32((int64_t) INT32_MIN), INT32_MIN);
}

static void reals_lose_their_fraction(void **state)
{
    (void) state;

    assert_int_equal(sim_u8(255.99), 255);
    assert_int_equal(sim_u8(-0.5), 0);
    assert_int_equal(sim_u32(4294967295.5), UINT32_MAX);
    assert_int_equal(sim_i32(-2147483648.5), INT32_MIN);
    assert_int_equal(sim_i16(-1.5F), -1);
}

static void narrow(guint which)
{
    switch (which) {
    case 0:
        (void) sim_u8(256);
        break;
    case 1:
        (void) sim_u8(-1);
        break;
    case 2:
        (void) sim_u16((uint64_t) 65538);
        break;
    case 3:
        (void) sim_u32((int64_t) 1 << 32);
        break;
    case 4:
        (void) sim_i16(32768U);
        break;
    case 5:
        (void) sim_i16(UINT64_C(1) << 40);
        break;
    case 6:
        (void) sim_u32(4294967296.0);
        break;
    case 7:
        (void) sim_u8((double) NAN);
        break;
    default:
        _exit(0);
    }
}

/* What a process that narrows says; returns its exit code. */
static int said_of(guint which, char *text, gsize size)
{
    int ends[2];
    int status = 0;

    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void) dup2(ends[1], STDERR_FILENO);
        narrow(which);
        _exit(77);
    }
    (void) close(ends[1]);
    const ssize_t length = read(ends[0], text, size - 1);
    (void) close(ends[0]);
    assert_true(length >= 0);
    text[length] = '\0';
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void what_does_not_fit_ends_the_program(void **state)
{
    static const char *const lines[] = {
        "gridloom: narrow: 256 does not fit; allowed: 0 to 255\n",
        "gridloom: narrow: -1 does not fit; allowed: 0 to 255\n",
        "gridloom: narrow: 65538 does not fit; allowed: 0 to 65535\n",
        "gridloom: narrow: 4294967296 does not fit; allowed: 0 to 4294967295\n",
        "gridloom: narrow: 32768 does not fit; allowed: -32768 to 32767\n",
        "gridloom: narrow: 1099511627776 does not fit; allowed: -32768 to 32767\n",
        "gridloom: narrow: 4294967296 does not fit; allowed: 0 to 4294967295\n",
        "gridloom: narrow: nan does not fit; allowed: 0 to 255\n",
    };

    (void) state;

    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        char text[200];

        assert_int_equal(said_of(i, text, sizeof text), 2);
        assert_string_equal(text, lines[i]);
    }
}

static void end_otherwise(void)
{
    _exit(5);
}

static void something_is_done_before_the_end(void **state)
{
    char text[200];

    (void) state;

    sim_ending_set(end_otherwise);
    assert_int_equal(said_of(0, text, sizeof text), 5);
    sim_ending_set(NULL);
    assert_int_equal(said_of(0, text, sizeof text), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_keeps_its_value),
        cmocka_unit_test(reals_lose_their_fraction),
        cmocka_unit_test(what_does_not_fit_ends_the_program),
        cmocka_unit_test(something_is_done_before_the_end),
    };

    return cmocka_run_group_tests_name("sim.narrow", tests, NULL, NULL);
}
