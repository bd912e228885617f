/* Jobs of boards: time steps, when numbers move, and the queue. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/arch/nero/rig.h"

enum {
    SIDE = 32,
    CUBE = SIDE * SIDE * 4,
};

typedef struct {
    NeroRig rig;
    uint64_t grids[2];
    float numbers[CUBE];
} Cube;

/* A board that adds 1, with a grid of 5 and one of 0. PEs get windows after 1200
 * cycles.
 */
static void cube_open(Cube *self)
{
    static const char *const numbers[] = {
        "link.latency_cycles=100", "control.host_cycles=1000",
        "control.register_cycles=0", "memory.refresh_interval_ns=0", NULL};

    nero_rig_open(&self->rig, "nero_ad9h7", numbers);
    nero_rig_add_one(&self->rig);
    nero_rig_load(
        &self->rig,
        &(ArchNeroPlan){.pes = 3, .window_x = 16, .window_y = 16, .window_z = 4}, 4);
    for (guint i = 0; i < 2; i++) {
        for (guint n = 0; n < CUBE; n++) {
            self->numbers[n] = i == 0 ? 5 : 0;
        }
        assert_true(arch_dram_allocate(self->rig.dram, sizeof self->numbers, 64,
                                       &self->grids[i], NULL));
        assert_true(arch_dram_write(self->rig.dram, self->grids[i], self->numbers,
                                    sizeof self->numbers, NULL));
    }
}

static ArchNeroJob cube_job(const Cube *self, guint rounds, bool is_stepped)
{
    return (ArchNeroJob){.nx = SIDE,
                         .ny = SIDE,
                         .nz = 4,
                         .is_functional = true,
                         .rounds = rounds,
                         .is_stepped = is_stepped,
                         .inputs = &self->grids[0],
                         .outputs = &self->grids[1]};
}

static void assert_all(Cube *self, guint grid, float number)
{
    assert_true(arch_dram_read(self->rig.dram, self->grids[grid], self->numbers,
                               sizeof self->numbers, NULL));
    for (guint n = 0; n < CUBE; n++) {
        assert_true(self->numbers[n] == number);
    }
}

/* 4 windows on 3 PEs: a round waits for the last window of the one before. */
static void time_steps_take_the_result_of_the_one_before(void **state)
{
    (void) state;
    SimTime cycles[2];

    for (guint i = 0; i < 2; i++) {
        g_autofree Cube *cube = g_new0(Cube, 1);

        cube_open(cube);
        cycles[i] = nero_rig_run(&cube->rig, cube_job(cube, 3, i == 1));
        assert_all(cube, 1, i == 1 ? 8 : 6);
        assert_all(cube, 0, i == 1 ? 7 : 5);
        nero_rig_close(&cube->rig);
    }
    assert_true(cycles[1] > cycles[0]);
}

static void overwrite(SimRegion *region, gpointer data)
{
    Cube *self = data;

    (void) region;
    memset(self->numbers, 0, sizeof self->numbers);
    assert_true(arch_dram_write(self->rig.dram, self->grids[0], self->numbers,
                                sizeof self->numbers, NULL));
}

/* Of each PE's first window the numbers have come at cycle 1400, and none is written;
 * those of the fourth have not. */
static void numbers_are_taken_when_a_window_comes(void **state)
{
    (void) state;
    g_autofree Cube *cube = g_new0(Cube, 1);
    guint sixes = 0;

    cube_open(cube);
    sim_region_at(sim_engine_region(cube->rig.engine, 0), 1400, sim_key(0, 0),
                  overwrite, cube);
    (void) nero_rig_run(&cube->rig, cube_job(cube, 1, false));
    assert_true(arch_dram_read(cube->rig.dram, cube->grids[1], cube->numbers,
                               sizeof cube->numbers, NULL));
    for (guint n = 0; n < CUBE; n++) {
        sixes += cube->numbers[n] == 6;
    }
    assert_int_equal(sixes, 3 * 16 * 16 * 4);
    nero_rig_close(&cube->rig);
}

static void count_end(gpointer data, SimTime when)
{
    SimTime *ends = data;

    ends[++ends[0]] = when;
}

/* The second takes the grid that the first has written. */
static void jobs_wait_in_a_queue(void **state)
{
    (void) state;
    g_autofree Cube *cube = g_new0(Cube, 1);
    SimTime ends[3] = {0};

    cube_open(cube);
    for (guint i = 0; i < 2; i++) {
        ArchNeroJob job = cube_job(cube, 1, false);
        uint64_t grids[2] = {cube->grids[i], cube->grids[1 - i]};

        job.inputs = &grids[0];
        job.outputs = &grids[1];
        job.ended = count_end;
        job.data = ends;
        assert_true(arch_nero_start(cube->rig.nero, &job, NULL));
    }
    assert_true(sim_engine_run(cube->rig.engine, SIM_TIME_NEVER, NULL));

    assert_int_equal(ends[0], 2);
    assert_in_range(ends[2], 2 * ends[1] - 300, 2 * ends[1] + 300);
    assert_all(cube, 1, 6);
    assert_all(cube, 0, 7);
    nero_rig_close(&cube->rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_steps_take_the_result_of_the_one_before),
        cmocka_unit_test(numbers_are_taken_when_a_window_comes),
        cmocka_unit_test(jobs_wait_in_a_queue),
    };

    return cmocka_run_group_tests_name("arch.nero_jobs", tests, NULL, NULL);
}
