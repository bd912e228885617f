/* Works out how long the parts of a design take. */
#include "arch/nero/shape.h"

enum {
    COPIES = 2, /* one that is written, one that is read */
};

/* Points that a sweep visits in a plane: with those around that its stages need. */
static uint64_t visited_points(const ArchNeroPlan *plan, const ArchNeroDatapath *sweep)
{
    const ArchNeroReach margin = arch_nero_datapath_margin(sweep);

    return (uint64_t) (plan->window_x + margin.x_before + margin.x_after) *
           (plan->window_y + margin.y_before + margin.y_after);
}

/* Numbers of a point that are read from on-chip arrays and written to them. */
static uint64_t numbers_of_point(const ArchNeroDatapath *sweep)
{
    uint64_t numbers = arch_nero_datapath_result_count(sweep);

    for (guint i = 0; i < arch_nero_datapath_field_count(sweep); i++) {
        numbers += arch_nero_datapath_taps(sweep, i);
    }
    return numbers;
}

static NeroSweepShape sweep_shape(const ArchNeroDesign *design, guint sweep)
{
    const ArchNeroPlan *plan = arch_nero_design_plan(design);
    const ArchNeroDatapath *datapath = plan->sweeps[sweep];
    const ArchNeroReach reach = arch_nero_datapath_reach(datapath);
    const uint64_t points = visited_points(plan, datapath);
    const uint64_t groups = (points + plan->lanes - 1) / plan->lanes;

    return (NeroSweepShape){
        .plane_cycles = groups * arch_nero_design_interval(design, sweep),
        .plane_minimum = arch_nero_design_recurrence(design, sweep),
        .depth_cycles = arch_nero_design_depth(design, sweep),
        .planes_ahead = arch_nero_datapath_direction(datapath) == ARCH_NERO_UPWARDS
                            ? reach.z_after
                            : reach.z_before,
        .plane_flops = points * arch_nero_datapath_work(datapath).flops,
        .plane_sram_bytes =
            points * numbers_of_point(datapath) * arch_nero_format_bytes(plan->format),
    };
}

NeroShape nero_shape_of(const ArchNeroDesign *design)
{
    const ArchNeroPlan *plan = arch_nero_design_plan(design);
    const ArchNeroReach reach = arch_nero_design_reach(design);
    const ArchNeroDatapath *last = plan->sweeps[plan->sweep_count - 1];
    const uint64_t number_bytes = arch_nero_format_bytes(plan->format);
    NeroShape shape = {
        .format = plan->format,
        .pes = plan->pes,
        .sweep_count = plan->sweep_count,
        .window_copies = plan->windows_ahead,
        .between_copies = COPIES,
        .output_planes = COPIES,
        .planes = plan->window_z,
        .is_downwards =
            arch_nero_datapath_direction(plan->sweeps[0]) == ARCH_NERO_DOWNWARDS,
        .plane_in_bytes = (uint64_t) (plan->window_x + reach.x_before + reach.x_after) *
                          (plan->window_y + reach.y_before + reach.y_after) *
                          plan->fields * number_bytes,
        .plane_out_bytes = (uint64_t) plan->window_x * plan->window_y *
                           arch_nero_datapath_result_count(last) * number_bytes,
    };

    for (guint i = 0; i < plan->sweep_count; i++) {
        shape.sweeps[i] = sweep_shape(design, i);
    }
    return shape;
}
