/* Refuses plans that no board can hold, with one line each. */
#include "arch/error.h"
#include "arch/nero/design.h"
#include "sim/narrow.h"

enum {
    MOST_POINTS = 65536, /* of a window, in one direction */
    MOST_PARTITION = 4096,
    MOST_CARRIES = 64,
};

static bool G_GNUC_PRINTF(3, 4)
    refuse(const ArchNeroPlan *plan, GError **error, const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list values;

    va_start(values, format);
    text = g_strdup_vprintf(format, values);
    va_end(values);
    return arch_refuse(error, "design %s: %s", plan->name, text);
}

static bool
check_counts(const ArchParams *params, const ArchNeroPlan *plan, GError **error)
{
    const guint ports = sim_u32(arch_params_uint(params, "memory.port_count"));

    if (plan->pes == 0) {
        return refuse(plan, error, "it has no PE, at least 1");
    }
    if (plan->pes > ports) {
        return refuse(plan, error,
                      "%u PEs, but %s has %u memory ports, one for each PE", plan->pes,
                      arch_params_name(params), ports);
    }
    if (plan->windows_ahead < 1 || plan->windows_ahead > 2) {
        return refuse(plan, error, "%u window buffers, a PE has 1 or 2",
                      plan->windows_ahead);
    }
    if (plan->partition > MOST_PARTITION) {
        return refuse(plan, error, "arrays are partitioned by %u, at most %d",
                      plan->partition, MOST_PARTITION);
    }
    if (plan->sweep_count < 1 || plan->sweep_count > ARCH_NERO_SWEEPS) {
        return refuse(plan, error, "%u sweeps, a PE has 1 or %d", plan->sweep_count,
                      ARCH_NERO_SWEEPS);
    }
    return plan->fields != 0 || refuse(plan, error, "no field comes in, at least 1");
}

static bool check_window(const ArchNeroPlan *plan, GError **error)
{
    const guint x = plan->window_x;
    const guint y = plan->window_y;
    const guint z = plan->window_z;

    if (x == 0 || y == 0 || z == 0) {
        return refuse(plan, error, "window %ux%ux%u is empty", x, y, z);
    }
    return MAX(MAX(x, y), z) <= MOST_POINTS ||
           refuse(plan, error, "window %ux%ux%u, at most %d points in a direction", x,
                  y, z, MOST_POINTS);
}

static bool
check_lanes(const ArchParams *params, const ArchNeroPlan *plan, GError **error)
{
    const uint64_t word = arch_params_uint(params, "stream.word_bits");
    const uint64_t bits = 8 * (uint64_t) arch_nero_format_bytes(plan->format);

    return (plan->lanes != 0 && plan->lanes * bits <= word) ||
           refuse(plan, error, "%u lanes of %u bit, 1..%u fit into a stream of %u bit",
                  plan->lanes, sim_u32(bits), sim_u32(word / bits), sim_u32(word));
}

/* The buffer between sweeps has the window's points and no others. */
static bool check_between(const ArchNeroPlan *plan, guint depth, GError **error)
{
    const ArchNeroDatapath *second = plan->sweeps[1];

    for (guint f = plan->fields; f < arch_nero_datapath_field_count(second); f++) {
        const ArchNeroReach reach = arch_nero_datapath_field_reach(second, f);

        if (reach.x_before + reach.x_after + reach.y_before + reach.y_after > 0) {
            return refuse(plan, error,
                          "sweep %s takes result %u of the one before at other points "
                          "of the plane; the buffer between them has no margin",
                          arch_nero_datapath_name(second), f - plan->fields);
        }
        if (reach.z_before + reach.z_after > 0 && plan->window_z != depth) {
            return refuse(plan, error,
                          "sweep %s takes result %u of the one before from other "
                          "planes; the window is %u planes high, the grid %u",
                          arch_nero_datapath_name(second), f - plan->fields,
                          plan->window_z, depth);
        }
    }
    return true;
}

static bool
check_sweep(const ArchNeroPlan *plan, guint sweep, guint depth, GError **error)
{
    const ArchNeroDatapath *path = plan->sweeps[sweep];
    guint fields = plan->fields;
    guint carries = 0;

    if (!arch_nero_datapath_check(path, error)) {
        g_prefix_error(error, "design %s: sweep ", plan->name);
        return false;
    }
    if (sweep > 0) {
        fields += arch_nero_datapath_result_count(plan->sweeps[0]);
    }
    if (arch_nero_datapath_field_count(path) != fields) {
        return refuse(plan, error, "sweep %s takes %u fields, the design has %u for it",
                      arch_nero_datapath_name(path),
                      arch_nero_datapath_field_count(path), fields);
    }
    carries = arch_nero_datapath_work(path).carries;
    if (carries > MOST_CARRIES) {
        return refuse(plan, error, "sweep %s carries %u values, at most %d",
                      arch_nero_datapath_name(path), carries, MOST_CARRIES);
    }
    if (carries > 0 && plan->window_z != depth) {
        return refuse(plan, error,
                      "sweep %s carries values from plane to plane, so that windows "
                      "are as high as the grid: %u planes, not %u",
                      arch_nero_datapath_name(path), depth, plan->window_z);
    }
    return true;
}

bool nero_design_check(const ArchParams *params,
                       const ArchNeroPlan *plan,
                       guint depth,
                       GError **error)
{
    if (!check_counts(params, plan, error) || !check_window(plan, error) ||
        !check_lanes(params, plan, error)) {
        return false;
    }
    for (guint sweep = 0; sweep < plan->sweep_count; sweep++) {
        if (!check_sweep(plan, sweep, depth, error)) {
            return false;
        }
    }
    return plan->sweep_count == 1 || check_between(plan, depth, error);
}
