/* Looks for the result that fits a run best. */
#include "tools/gridloom/compare/match.h"

#include <math.h>
#include <stdbool.h>

#include "tools/gridloom/run/input.h"
#include "traces/file/json_member.h"
#include "traces/roofline/problem.h"

static double iterations_of(JsonObject *result)
{
    return trace_json_number(result, "iterations", 1);
}

static bool has_iterations(JsonObject *result, JsonObject *run)
{
    return fabs(iterations_of(result) - iterations_of(run)) <= 0;
}

static double seconds_of(JsonObject *result)
{
    return trace_json_number(result, "seconds_per_iteration", INFINITY);
}

/* Both fit the size. */
static bool is_better(JsonObject *result, JsonObject *other, JsonObject *run)
{
    const TraceProblemFit fit = trace_problem_fit(run, result);
    const TraceProblemFit best = trace_problem_fit(run, other);
    const bool is_as_long = has_iterations(result, run);

    if (fit != best) {
        return fit < best;
    }
    if (is_as_long != has_iterations(other, run)) {
        return is_as_long;
    }
    return seconds_of(result) < seconds_of(other);
}

TraceRun *compare_match(const char *machine, JsonObject *run, char **why)
{
    g_autoptr(GPtrArray) measured = cmd_run_input_measured();
    guint best = measured->len;

    for (guint i = 0; i < measured->len; i++) {
        JsonObject *result = ((TraceRun *) g_ptr_array_index(measured, i))->result;

        if (g_str_equal(trace_json_string(result, "chip", ""), machine) &&
            trace_problem_fit(run, result) <= TRACE_PROBLEM_FIT_SIZE &&
            (best == measured->len ||
             is_better(result, ((TraceRun *) g_ptr_array_index(measured, best))->result,
                       run))) {
            best = i;
        }
    }
    if (best == measured->len) {
        g_autofree char *size = trace_problem_size(run);

        *why = g_strdup_printf(
            "traces/gpu has no result for %s of %s in %s; tools/gpu/measure --like "
            "measures it, and 'gridloom roofline --gpu %s' shows its bound",
            trace_json_string(run, "workload", "this"), size, trace_problem_format(run),
            machine);
        return NULL;
    }
    return g_ptr_array_steal_index(measured, best);
}
