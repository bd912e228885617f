/* Finds the intensity of a problem and puts it below the roofs of a machine. */
#include "traces/roofline/bound.h"

#include "traces/file/json_member.h"
#include "traces/roofline/problem.h"

/* The highest roof for a counter; 0: none. */
static double roof_of(const TraceMachine *machine, const char *counter)
{
    double value = 0;

    for (guint i = 0; i < machine->roofs->len; i++) {
        const TraceMachineRoof *roof =
            &g_array_index(machine->roofs, TraceMachineRoof, i);

        if (g_strcmp0(roof->counter, counter) == 0) {
            value = MAX(value, roof->value);
        }
    }
    return value;
}

/* Operations per byte of DRAM for numbers of a format; 0 where it is not known. */
static double intensity_in(JsonObject *result, const char *format)
{
    JsonObject *counters = trace_json_object(result, "counters");
    const double bytes = trace_json_number(counters, "dram_bytes", 0);
    const double flops = trace_json_number(counters, "flops", 0);
    const double own = trace_problem_bytes(trace_problem_format(result));
    const double wanted = trace_problem_bytes(format);

    return bytes > 0 && own > 0 && wanted > 0 ? flops / bytes * own / wanted : 0;
}

/* The result with the most operations per byte; NULL: there is none. */
static const TraceRun *
find_best(const GPtrArray *measured, JsonObject *run, double *intensity)
{
    const char *workload = trace_json_string(run, "workload", "");
    const TraceRun *best = NULL;

    for (guint i = 0; i < measured->len; i++) {
        const TraceRun *file = g_ptr_array_index(measured, i);
        const double own = intensity_in(file->result, trace_problem_format(run));

        if (own > *intensity &&
            g_str_equal(trace_json_string(file->result, "workload", ""), workload)) {
            *intensity = own;
            best = file;
        }
    }
    return best;
}

/* Is it there for another run of the same problem? */
static bool has_note(const TraceRooflineSet *self, const char *text)
{
    for (guint i = 0; i < self->notes->len; i++) {
        if (g_str_equal(g_ptr_array_index(self->notes, i), text)) {
            return true;
        }
    }
    return false;
}

/* Behind all runs, before machines alone. */
static void add_run(TraceRooflineSet *self,
                    const TraceMachine *machine,
                    const char *workload,
                    const char *counter,
                    const TraceRoofline *roofs,
                    double intensity)
{
    TraceRooflineRun *bound =
        trace_roofline_run_new(workload, machine->chip, TRACE_ROOFLINE_BOUND);
    g_autoptr(JsonObject) counters = json_object_new();

    bound->rate = trace_roofline_attainable(roofs, intensity);
    bound->seconds = 1;
    bound->is_quoted = self->is_published;
    bound->watts_from = g_strdup("not known");
    json_object_set_double_member(counters, counter, bound->rate);
    json_object_set_double_member(counters, "dram_bytes", bound->rate / intensity);
    trace_machine_give(machine, bound, counters);
    g_ptr_array_insert(self->runs, (int) trace_roofline_set_run_count(self), bound);
}

void trace_roofline_bound_add(TraceRooflineSet *self,
                              const TraceMachine *machine,
                              JsonObject *run,
                              const GPtrArray *measured)
{
    const char *workload = trace_json_string(run, "workload", "");
    const char *format = trace_problem_format(run);
    const char *counter =
        trace_problem_bytes(format) > sizeof(float) ? "fp64_flops" : "fp32_flops";
    const TraceRoofline roofs = {.peak = roof_of(machine, counter),
                                 .bandwidth = roof_of(machine, "dram_bytes")};
    double intensity = 0;
    const TraceRun *like = find_best(measured, run, &intensity);

    if (like == NULL || !(roofs.peak > 0) || !(roofs.bandwidth > 0)) {
        return;
    }
    g_autofree char *size = trace_problem_size(run);
    g_autofree char *name = trace_run_short_name(like->name);
    g_autofree char *note = g_strdup_printf(
        "%s on %s, bound: %s in %s was not measured; from DRAM its roofs "
        "allow no more, with %.3g FLOP/B as in %s",
        workload, machine->chip, size, format, intensity, name);

    if (!has_note(self, note)) {
        add_run(self, machine, workload, counter, &roofs, intensity);
        g_ptr_array_add(self->notes, g_steal_pointer(&note));
    }
}
