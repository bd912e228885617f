/* What boards compute: the same wherever grids are, border kept; and which jobs they
 * refuse. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/number/half.h"
#include "tests/arch/nero/rig.h"

enum {
    NX = 37,
    NY = 29,
    NZ = 11,
    POINTS = NX * NY * NZ,
    BORDER = 2,
    FIELDS = 5,
};

/* A grid as memory has it, and as numbers. */
typedef struct {
    uint8_t bytes[POINTS * sizeof(float)];
    float numbers[POINTS];
} Grid;

static guint number_bytes(ArchNeroFormat format)
{
    return arch_nero_format_bytes(format);
}

static void put(Grid *grid, ArchNeroFormat format, guint index, float number)
{
    const uint16_t half = arch_half_from_double(number);

    if (format == ARCH_NERO_FP32) {
        memcpy(grid->bytes + index * sizeof number, &number, sizeof number);
    } else {
        memcpy(grid->bytes + index * sizeof half, &half, sizeof half);
    }
    grid->numbers[index] = format == ARCH_NERO_FP32 ? number : arch_half_to_float(half);
}

static float number_at(const Grid *grid, ArchNeroFormat format, guint index)
{
    uint16_t half;
    float number;

    if (format == ARCH_NERO_FP32) {
        memcpy(&number, grid->bytes + index * sizeof number, sizeof number);
        return number;
    }
    memcpy(&half, grid->bytes + index * sizeof half, sizeof half);
    return arch_half_to_float(half);
}

static void fill(Grid *grid, ArchNeroFormat format, guint seed)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);

    for (guint i = 0; i < POINTS; i++) {
        put(grid, format, i, (float) g_rand_int_range(random, 0, 1024) / 1024);
    }
}

/* The interior at once, without windows; the caller frees it. */
static float *expect(const NeroRig *rig, Grid *fields, ArchNeroFormat format)
{
    const ArchNeroPlan *plan = arch_nero_design_plan(arch_nero_design(rig->nero));
    const guint width = NX - 2 * BORDER;
    const guint height = NY - 2 * BORDER;
    const ArchNeroExtent extent = {
        .nx = width, .ny = height, .nz = NZ, .grid_depth = NZ};
    g_autofree float *between = g_new0(float, (gsize) 2 * width * height * NZ);
    ArchNeroBox boxes[FIELDS + 2];
    float *out = g_new0(float, POINTS);
    const ArchNeroBox result = {
        .origin = out, .row = width, .plane = (gsize) width * height};

    for (guint i = 0; i < plan->fields; i++) {
        boxes[i] =
            (ArchNeroBox){.origin = fields[i].numbers + BORDER + (gsize) BORDER * NX,
                          .row = NX,
                          .plane = (gsize) NX * NY};
    }
    for (guint i = 0; i < 2; i++) {
        boxes[plan->fields + i] =
            (ArchNeroBox){.origin = between + (gsize) i * width * height * NZ,
                          .row = width,
                          .plane = (gsize) width * height};
    }
    if (plan->sweep_count == 2) {
        arch_nero_datapath_compute(plan->sweeps[0], format, &extent, boxes,
                                   boxes + plan->fields);
    }
    arch_nero_datapath_compute(plan->sweeps[plan->sweep_count - 1], format, &extent,
                               boxes, &result);
    return out;
}

static void run_from(NeroRig *rig,
                     ArchNeroHome home,
                     ArchNeroFormat format,
                     const Grid *fields,
                     Grid *out)
{
    const guint count = arch_nero_design_plan(arch_nero_design(rig->nero))->fields;
    const gsize bytes = (gsize) POINTS * number_bytes(format);
    uint64_t inputs[FIELDS];
    uint64_t output;
    const uint8_t *host_inputs[FIELDS];
    uint8_t *host_output = out->bytes;
    const ArchNeroJob job = {.nx = NX,
                             .ny = NY,
                             .nz = NZ,
                             .border = BORDER,
                             .home = home,
                             .is_functional = true,
                             .rounds = 2,
                             .inputs = inputs,
                             .outputs = &output,
                             .host_inputs = host_inputs,
                             .host_outputs = &host_output};

    for (guint i = 0; i < count; i++) {
        assert_true(arch_dram_allocate(rig->dram, bytes, 64, &inputs[i], NULL));
        assert_true(
            arch_dram_write(rig->dram, inputs[i], fields[i].bytes, bytes, NULL));
        host_inputs[i] = fields[i].bytes;
    }
    assert_true(arch_dram_allocate(rig->dram, bytes, 64, &output, NULL));
    assert_true(arch_dram_write(rig->dram, output, out->bytes, bytes, NULL));
    (void) nero_rig_run(rig, job);
    if (home == ARCH_NERO_BOARD) {
        assert_true(arch_dram_read(rig->dram, output, out->bytes, bytes, NULL));
    }
}

static bool is_border(guint x, guint y)
{
    return x < BORDER || x >= NX - BORDER || y < BORDER || y >= NY - BORDER;
}

static void
assert_grid(const Grid *out, const Grid *kept, ArchNeroFormat format, const float *want)
{
    for (guint i = 0; i < POINTS; i++) {
        const guint x = i % NX;
        const guint y = i / NX % NY;
        const guint z = i / NX / NY;
        const gsize at =
            x - BORDER +
            (gsize) (NX - 2 * BORDER) * (y - BORDER + (gsize) (NY - 2 * BORDER) * z);
        const float expected = is_border(x, y) ? kept->numbers[i] : want[at];

        if (number_at(out, format, i) != expected) {
            fail_msg("point %u, %u, %u: %g, not %g", x, y, z,
                     (double) number_at(out, format, i), (double) expected);
        }
    }
}

/* Windows that do not divide the grid, from all homes. */
static void
check_homes(void (*sweeps)(NeroRig *), ArchNeroFormat format, guint window_z)
{
    g_autofree Grid *fields = g_new0(Grid, FIELDS);
    g_autofree Grid *kept = g_new0(Grid, 1);

    for (guint i = 0; i < FIELDS; i++) {
        fill(&fields[i], format, i + 1);
    }
    fill(kept, format, FIELDS + 1);
    for (guint home = ARCH_NERO_BOARD; home <= ARCH_NERO_ON_CHIP; home++) {
        g_auto(NeroRig) rig = {0};
        g_autofree Grid *out = g_new(Grid, 1);
        const ArchNeroPlan plan = {.pes = 3,
                                   .format = format,
                                   .window_x = 8,
                                   .window_y = 6,
                                   .window_z = window_z};

        *out = *kept;
        nero_rig_open(&rig, "nero_ad9h7", NULL);
        sweeps(&rig);
        nero_rig_load(&rig, &plan, NZ);

        g_autofree float *want = expect(&rig, fields, format);

        run_from(&rig, (ArchNeroHome) home, format, fields, out);
        assert_grid(out, kept, format, want);
    }
}

static void hdiff_is_the_same_from_every_home(void **state)
{
    (void) state;
    check_homes(nero_rig_hdiff, ARCH_NERO_FP32, 4);
    check_homes(nero_rig_hdiff, ARCH_NERO_FP16, 4);
}

static void vadvc_is_the_same_from_every_home(void **state)
{
    (void) state;
    check_homes(nero_rig_vadvc, ARCH_NERO_FP32, NZ);
    check_homes(nero_rig_vadvc, ARCH_NERO_FP16, NZ);
}

/* Which one a host's processor makes differs. */
static void check_nan(ArchNeroFormat format)
{
    g_autofree Grid *fields = g_new0(Grid, FIELDS);
    g_autofree Grid *out = g_new0(Grid, 1);
    g_auto(NeroRig) rig = {0};
    const ArchNeroPlan plan = {
        .pes = 3, .format = format, .window_x = 8, .window_y = 6, .window_z = 4};
    const guint middle = NX * (NY / 2) + NX / 2;

    for (guint i = 0; i < POINTS; i++) {
        put(&fields[0], format, i, INFINITY);
    }
    nero_rig_open(&rig, "nero_ad9h7", NULL);
    nero_rig_hdiff(&rig);
    nero_rig_load(&rig, &plan, NZ);
    run_from(&rig, ARCH_NERO_BOARD, format, fields, out);
    if (format == ARCH_NERO_FP32) {
        uint32_t bits = 0;

        memcpy(&bits, out->bytes + middle * sizeof bits, sizeof bits);
        assert_int_equal(bits, 0x7fc00000);
    } else {
        uint16_t bits = 0;

        memcpy(&bits, out->bytes + middle * sizeof bits, sizeof bits);
        assert_int_equal(bits, 0x7e00);
    }
}

static void there_is_one_nan(void **state)
{
    (void) state;
    check_nan(ARCH_NERO_FP32);
    check_nan(ARCH_NERO_FP16);
}

static void open_hdiff(NeroRig *rig)
{
    nero_rig_open(rig, "nero_ad9h7", NULL);
    nero_rig_hdiff(rig);
    nero_rig_load(
        rig, &(ArchNeroPlan){.pes = 2, .window_x = 16, .window_y = 16, .window_z = 4},
        8);
}

static void refuse(NeroRig *rig, ArchNeroJob job, const char *what)
{
    g_autoptr(GError) error = NULL;

    assert_false(arch_nero_start(rig->nero, &job, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    if (strstr(error->message, what) == NULL) {
        fail_msg("%s", error->message);
    }
}

static void jobs_that_cannot_be_are_refused(void **state)
{
    (void) state;
    g_auto(NeroRig) rig = {0};
    uint64_t inside = 0;
    uint64_t over = 4096;
    uint64_t outside = 1 << 26;
    ArchNeroJob job = {.nx = 64, .ny = 64, .nz = 8, .border = 2, .rounds = 1};

    open_hdiff(&rig);
    job.is_stepped = true;
    job.next_input = 1;
    refuse(&rig, job, "time steps have one result, which becomes an input");
    job.home = ARCH_NERO_HOST;
    refuse(&rig, job, "time steps have their grids in the board's memory");
    job.home = ARCH_NERO_BOARD;
    job.is_stepped = false;
    job.border = 32;
    refuse(&rig, job, "grid of 64x64x8: nothing is left inside a border of 32 points");
    job.border = 2;
    job.nx = 0;
    refuse(&rig, job, "nothing is left");
    job.nx = 1 << 21;
    refuse(&rig, job, "at most 1048576 points along an axis");
    job.nx = 64;
    job.rounds = 0;
    refuse(&rig, job, "0 rounds, at least 1");
    job.nx = job.ny = job.nz = 1 << 20;
    job.rounds = 16;
    refuse(&rig, job, "more points in all rounds than 64 bits count");
    job.nx = job.ny = 64;
    job.nz = 8;
    job.rounds = 1;
    job.is_functional = true;
    job.inputs = &inside;
    job.outputs = &outside;
    refuse(&rig, job, "output 1: ");
    job.inputs = &outside;
    job.outputs = &inside;
    refuse(&rig, job, "input 1: ");
    job.inputs = &over;
    refuse(&rig, job, "output 1 lies over input 1");
    job.is_functional = false;
    job.home = ARCH_NERO_ON_CHIP;
    job.nx = 4096;
    job.ny = 4096;
    refuse(&rig, job, "2 of them are 1073741824 bytes, and the design leaves ");
    /* All of the device would do: 9.3 and 35.4 MB. So much of it cannot be filled. */
    job.nx = 256;
    job.ny = 256;
    job.nz = 80;
    refuse(&rig, job, "2 of them are 41943040 bytes, and the design leaves ");
}

static void carried_values_want_windows_as_high_as_the_grid(void **state)
{
    (void) state;
    g_auto(NeroRig) rig = {0};

    nero_rig_open(&rig, "nero_ad9h7", NULL);
    nero_rig_vadvc(&rig);
    nero_rig_load(
        &rig, &(ArchNeroPlan){.pes = 1, .window_x = 16, .window_y = 16, .window_z = 4},
        4);

    refuse(&rig, (ArchNeroJob){.nx = 64, .ny = 64, .nz = 8, .rounds = 1},
           "windows are 4 planes high");
}

static void a_board_wants_a_design(void **state)
{
    (void) state;
    g_auto(NeroRig) rig = {0};
    const ArchNeroJob job = {.nx = 64, .ny = 64, .nz = 8, .rounds = 1};

    nero_rig_open(&rig, "nero_ad9h7", NULL);
    refuse(&rig, job, "nero_ad9h7: no design is loaded");
    nero_rig_hdiff(&rig);
    nero_rig_load(
        &rig, &(ArchNeroPlan){.pes = 1, .window_x = 16, .window_y = 16, .window_z = 4},
        8);
    assert_true(arch_nero_start(rig.nero, &job, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hdiff_is_the_same_from_every_home),
        cmocka_unit_test(vadvc_is_the_same_from_every_home),
        cmocka_unit_test(there_is_one_nan),
        cmocka_unit_test(jobs_that_cannot_be_are_refused),
        cmocka_unit_test(carried_values_want_windows_as_high_as_the_grid),
        cmocka_unit_test(a_board_wants_a_design),
    };

    return cmocka_run_group_tests_name("arch.nero_numbers", tests, NULL, NULL);
}
