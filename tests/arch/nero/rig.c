/* A board with a design. */
#include "tests/arch/nero/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/arch/nero/kernels.h"
#include "tests/arch/shipped.h"

enum {
    DRAM_BYTES = 1 << 26,
};

void nero_rig_open(NeroRig *self, const char *chip, const char *const *changes)
{
    self->params = shipped_params_with(chip, changes);
    self->engine = sim_engine_new(sim_engine_config_default());
    self->dram = arch_dram_new(DRAM_BYTES);
    self->nero = arch_nero_new(self->engine, self->params, self->dram);
}

void nero_rig_close(NeroRig *self)
{
    arch_nero_free(self->nero);
    for (guint i = 0; i < ARCH_NERO_SWEEPS; i++) {
        arch_nero_datapath_free(self->sweeps[i]);
    }
    arch_dram_free(self->dram);
    sim_engine_free(self->engine);
    arch_params_free(self->params);
}

void nero_rig_load(NeroRig *self, const ArchNeroPlan *plan, guint depth)
{
    ArchNeroPlan whole = *plan;
    g_autoptr(GError) error = NULL;
    ArchNeroDesign *design;

    whole.name = "test";
    whole.sweep_count = self->sweeps[1] != NULL ? 2 : 1;
    whole.fields = arch_nero_datapath_field_count(self->sweeps[0]);
    whole.sweeps[0] = self->sweeps[0];
    whole.sweeps[1] = self->sweeps[1];
    design = arch_nero_design_new(self->params, &whole, depth, &error);
    if (design == NULL) {
        fail_msg("%s", error->message);
    }
    arch_nero_load(self->nero, design);
}

void nero_rig_add_one(NeroRig *self)
{
    ArchNeroDatapath *path = arch_nero_datapath_new("add", ARCH_NERO_UPWARDS, 1);
    const ArchNeroValue operands[] = {
        arch_nero_datapath_field(path, 0, (ArchNeroTap){0}),
        arch_nero_datapath_constant(path, 1),
    };

    (void) arch_nero_datapath_result(
        path, arch_nero_datapath_apply(path, ARCH_NERO_ADD, operands));
    self->sweeps[0] = path;
}

void nero_rig_hdiff(NeroRig *self)
{
    self->sweeps[0] = hdiff_datapath(true);
}

void nero_rig_vadvc(NeroRig *self)
{
    self->sweeps[0] = vadvc_forward();
    self->sweeps[1] = vadvc_backward();
}

static void note_end(gpointer data, SimTime when)
{
    NeroRig *self = data;

    self->ended = when;
    self->ends++;
}

SimTime nero_rig_run(NeroRig *self, ArchNeroJob job)
{
    const SimTime since = sim_engine_now(self->engine);
    g_autoptr(GError) error = NULL;

    job.ended = note_end;
    job.data = self;
    self->ends = 0;
    if (!arch_nero_start(self->nero, &job, &error) ||
        !sim_engine_run(self->engine, SIM_TIME_NEVER, &error)) {
        fail_msg("%s", error->message);
    }
    assert_int_equal(self->ends, 1);
    return self->ended - since;
}

SimTime nero_rig_time(NeroRig *self, guint nx, guint ny, guint nz)
{
    return nero_rig_run(self, (ArchNeroJob){.nx = nx, .ny = ny, .nz = nz, .rounds = 1});
}

uint64_t nero_rig_part(const NeroRig *self, const char *part, const char *reason)
{
    g_autoptr(GArray) parts = arch_nero_parts(self->nero);
    uint64_t cycles = 0;

    for (guint i = 0; i < parts->len; i++) {
        const ArchNeroPart *row = &g_array_index(parts, ArchNeroPart, i);

        if (g_str_equal(row->part, part) && g_str_equal(row->reason, reason)) {
            cycles += row->cycles;
        }
    }
    return cycles;
}
