/* Self-checks of a wafer: they pass while it works and find lost wavelets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/wse/fabric.h"
#include "arch/wse/region.h"
#include "sim/error.h"
#include "tests/arch/wse/run.h"

enum {
    COLOR = 5,
    COUNT = 40,
};

/* A PE sends to its neighbour. */
static void open_pair(WseRun *run, ArchWseGrain grain)
{
    const WseRunStep send = {WSE_RUN_SEND, COLOR, 2, .count = COUNT, .value = 1};
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, 2, .count = COUNT};
    const guint east = 1u << ARCH_WSE_EAST;
    const guint west = 1u << ARCH_WSE_WEST;
    const guint ramp = 1u << ARCH_WSE_RAMP;

    wse_run_open(run, 2, 1, NULL);
    wse_run_steps(run, wse_rig_one(0, 0), "sender", &send, 1);
    wse_run_steps(run, wse_rig_one(1, 0), "receiver", &receive, 1);
    wse_rig_set_route(run->layout, wse_rig_one(0, 0), COLOR, ramp, east);
    wse_rig_set_route(run->layout, wse_rig_one(1, 0), COLOR, west, ramp);
    run->options.grain = grain;
}

static void a_wafer_that_works_passes(void **state)
{
    (void) state;

    for (guint grain = 0; grain < 2; grain++) {
        WseRun run;

        open_pair(&run, (ArchWseGrain) grain);
        wse_run(&run);
        sim_engine_set_checking(run.engine, true);
        assert_true(sim_engine_run(run.engine, SIM_TIME_NEVER, NULL));
        wse_run_close(&run);
    }
}

static void lost_wavelets_are_found(void **state)
{
    WseRun run;
    g_autoptr(GError) error = NULL;
    uint32_t number = 0;

    (void) state;
    open_pair(&run, ARCH_WSE_GRAIN_WAVELET);
    wse_run(&run);
    sim_engine_set_checking(run.engine, true);
    wse_fabric_find(wse_fabric_of(run.wse), 0, 0, &number)->afloat += 3;

    assert_false(sim_engine_run(run.engine, SIM_TIME_NEVER, &error));
    assert_int_equal(error->code, SIM_ERROR_INVARIANT);
    assert_non_null(
        strstr(error->message, "pe[0,0] to pe[1,0]: 0 wavelets are there, not 3"));
    wse_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wafer_that_works_passes),
        cmocka_unit_test(lost_wavelets_are_found),
    };

    return cmocka_run_group_tests_name("arch.wse_check", tests, NULL, NULL);
}
