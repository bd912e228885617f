/* Computes rooflines: bounds, intensities and distances. */
#include "traces/roofline/roofline.h"

#include <math.h>
#include <string.h>

#include "traces/error.h"
#include "traces/file/json_member.h"

#define PERCENT 100.0
#define LEAST   1e-9
#define MOST    1e30

double trace_roofline_attainable(const TraceRoofline *self, double intensity)
{
    g_return_val_if_fail(self->peak > 0 && self->bandwidth > 0, NAN);
    g_return_val_if_fail(intensity >= 0, NAN);
    return fmin(self->peak, intensity * self->bandwidth);
}

double trace_roofline_ridge(const TraceRoofline *self)
{
    g_return_val_if_fail(self->peak > 0 && self->bandwidth > 0, NAN);
    return self->peak / self->bandwidth;
}

const char *trace_roofline_origin_name(TraceRooflineOrigin origin)
{
    static const char *const names[] = {
        [TRACE_ROOFLINE_SIMULATED] = "simulated",
        [TRACE_ROOFLINE_MEASURED] = "measured",
        [TRACE_ROOFLINE_PUBLISHED] = "published",
        [TRACE_ROOFLINE_BOUND] = "bound",
    };

    return names[origin];
}

const char *trace_roofline_level_name(TraceRooflineLevel level)
{
    static const char *const names[] = {
        [TRACE_ROOFLINE_SRAM] = "sram",         [TRACE_ROOFLINE_NOC] = "noc",
        [TRACE_ROOFLINE_RECEIVED] = "received", [TRACE_ROOFLINE_L2] = "l2",
        [TRACE_ROOFLINE_DRAM] = "dram",         [TRACE_ROOFLINE_OTHER] = "other",
    };

    return names[level];
}

/* The text before a comma names the place; the text after it says how the roof is
 * known. */
TraceRooflineLevel trace_roofline_level_of(const char *roof)
{
    static const struct {
        const char *name;
        TraceRooflineLevel level;
    } places[] = {
        {"L1", TRACE_ROOFLINE_SRAM},
        {"SRAM", TRACE_ROOFLINE_SRAM},
        {"L1/shared", TRACE_ROOFLINE_SRAM},
        {"unpack", TRACE_ROOFLINE_SRAM},
        {"pack", TRACE_ROOFLINE_SRAM},
        {"copy into Dst", TRACE_ROOFLINE_SRAM},
        {"NoC links", TRACE_ROOFLINE_NOC},
        {"fabric links", TRACE_ROOFLINE_NOC},
        {"NoC into cores", TRACE_ROOFLINE_RECEIVED},
        {"ramps into PEs", TRACE_ROOFLINE_RECEIVED},
        {"L2", TRACE_ROOFLINE_L2},
        {"DRAM", TRACE_ROOFLINE_DRAM},
    };
    const gsize length = strcspn(roof, ",");

    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        if (strlen(places[i].name) == length &&
            strncmp(places[i].name, roof, length) == 0) {
            return places[i].level;
        }
    }
    return TRACE_ROOFLINE_OTHER;
}

static void roof_clear(gpointer data)
{
    TraceRooflineRoof *self = data;

    g_free(self->name);
    g_free(self->source);
}

TraceRooflineRun *trace_roofline_run_new(const char *workload,
                                         const char *chip,
                                         TraceRooflineOrigin origin)
{
    TraceRooflineRun *self = g_new0(TraceRooflineRun, 1);

    self->workload = g_strdup(workload);
    self->chip = g_strdup(chip);
    self->origin = origin;
    self->roofs = g_array_new(FALSE, FALSE, sizeof(TraceRooflineRoof));
    g_array_set_clear_func(self->roofs, roof_clear);
    return self;
}

void trace_roofline_run_free(TraceRooflineRun *self)
{
    if (self != NULL) {
        g_free(self->workload);
        g_free(self->chip);
        g_free(self->watts_from);
        g_free(self->key);
        g_array_unref(self->roofs);
        g_free(self);
    }
}

/* Rates and watts beyond these are mistakes, and no axis has room for them. */
static bool is_sane(double number)
{
    return number >= LEAST && number <= MOST;
}

void trace_roofline_run_add(TraceRooflineRun *self, const TraceRooflineRoof *roof)
{
    TraceRooflineRoof *own;

    if (!is_sane(roof->value)) {
        return;
    }
    g_array_append_vals(self->roofs, roof, 1);
    own = &g_array_index(self->roofs, TraceRooflineRoof, self->roofs->len - 1);
    if (!is_sane(roof->achieved) && (roof->achieved < 0 || roof->achieved > 0)) {
        own->achieved = NAN;
    }
    own->name = g_strdup(roof->name);
    own->source = g_strdup(roof->source);
}

void trace_roofline_run_set_board(TraceRooflineRun *self,
                                  double watts,
                                  const char *from)
{
    if (!is_sane(watts)) {
        return;
    }
    self->board_watts = watts;
    if (!(self->watts > 0)) {
        self->watts = watts;
        g_free(self->watts_from);
        self->watts_from = g_strdup(from);
    }
}

const TraceRooflineRoof *trace_roofline_run_roof(const TraceRooflineRun *self,
                                                 guint index)
{
    return &g_array_index(self->roofs, TraceRooflineRoof, index);
}

double trace_roofline_roof_percent(const TraceRooflineRoof *self)
{
    return PERCENT * self->achieved / self->value;
}

static void read_roofs(TraceRooflineRun *self, JsonArray *roofs)
{
    for (guint i = 0; i < trace_json_count(roofs); i++) {
        JsonObject *roof = trace_json_item(roofs, i);
        const char *unit = trace_json_string(roof, "unit", "");
        const TraceRooflineRoof read = {
            .name = (char *) trace_json_string(roof, "name", ""),
            .source = (char *) trace_json_string(roof, "source", ""),
            .is_peak = g_str_equal(unit, "FLOP per second"),
            .value = trace_json_number(roof, "value", 0),
            .achieved = trace_json_number(roof, "achieved", NAN),
        };

        /* Links of the host play no part in programs. */
        if ((read.is_peak || g_str_equal(unit, "bytes per second")) &&
            (isfinite(read.achieved) || read.is_peak ||
             trace_roofline_level_of(read.name) != TRACE_ROOFLINE_OTHER)) {
            trace_roofline_run_add(self, &read);
        }
    }
}

/* A number of the chip as the result's ledger has it; 0 where it has none. */
static double chip_number(JsonObject *result, const char *section, const char *key)
{
    const char *text = trace_json_chip_number(
        trace_json_array(result, "chip_parameters"), section, key);

    return text != NULL ? g_ascii_strtod(text, NULL) : 0;
}

static void read_watts(TraceRooflineRun *self, JsonObject *result)
{
    JsonObject *metrics = trace_json_object(result, "metrics");
    const double joules = trace_json_number(result, "energy_joules", 0);
    const double board = chip_number(result, "power", "board_watts");
    const double limit = chip_number(result, "chip", "tdp_watts");
    const double chips = fmax(1, chip_number(result, "chip", "asic_count"));

    self->watts_from = g_strdup("not known");
    if (board > 0) {
        trace_roofline_run_set_board(self, board,
                                     "power.board_watts, the board at most");
    } else if (limit > 0) {
        trace_roofline_run_set_board(
            self, limit / chips,
            chips > 1
                ? "chip.tdp_watts over chip.asic_count, its share of the board, at most"
                : "chip.tdp_watts, the board at most");
    }
    /* Chips whose parts are told apart have idled while the host launched, too. */
    const double seconds = trace_json_array(metrics, "energy_parts") != NULL
                               ? trace_json_number(result, "seconds", 0)
                               : self->seconds;

    if (is_sane(joules / seconds)) {
        self->watts = joules / seconds;
        g_free(self->watts_from);
        self->watts_from = g_strdup("the run's energy over its time");
    }
}

static TraceRooflineOrigin origin_of(JsonObject *metrics)
{
    if (trace_json_bool(metrics, "published")) {
        return TRACE_ROOFLINE_PUBLISHED;
    }
    return trace_json_bool(metrics, "measured") ? TRACE_ROOFLINE_MEASURED
                                                : TRACE_ROOFLINE_SIMULATED;
}

static gpointer refuse(const char *name, const char *what, GError **error)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ, "%s: %s", name, what);
    return NULL;
}

TraceRooflineRun *
trace_roofline_run_read(const char *name, JsonObject *result, GError **error)
{
    JsonObject *counters = trace_json_object(result, "counters");
    JsonObject *metrics = trace_json_object(result, "metrics");
    const TraceRooflineOrigin origin = origin_of(metrics);
    const double whole = trace_json_number(result, "seconds", 0);
    const double device = trace_json_number(metrics, "device_seconds", 0);
    const double flops = trace_json_number(counters, "flops", 0);
    /* Measured values refer to `seconds`, simulated ones to the time of all
     * programs. */
    const double seconds =
        origin == TRACE_ROOFLINE_SIMULATED && device > 0 ? device : whole;
    TraceRooflineRun *self;

    if (counters == NULL) {
        return refuse(name, "no counters in it, so there is no point of a roofline",
                      error);
    }
    if (!(flops > 0)) {
        return refuse(name, "it computed nothing (counters.flops is 0 or missing)",
                      error);
    }
    if (!(seconds > 0)) {
        return refuse(name, "it took no time (seconds is 0 or missing)", error);
    }
    if (!is_sane(flops / seconds)) {
        return refuse(name, "its operations a second are out of any range", error);
    }
    self = trace_roofline_run_new(trace_json_string(result, "workload", name),
                                  trace_json_string(result, "chip", ""), origin);
    self->rate = flops / seconds;
    self->seconds = seconds;
    read_roofs(self, trace_json_array(result, "roofs"));
    read_watts(self, result);
    return self;
}

const TraceRooflineRoof *trace_roofline_run_bound(const TraceRooflineRun *self)
{
    const TraceRooflineRoof *fullest = NULL;
    double most = 0;

    for (guint i = 0; i < self->roofs->len; i++) {
        const TraceRooflineRoof *roof = trace_roofline_run_roof(self, i);
        const double use = roof->achieved / roof->value;

        if (use > most) {
            most = use;
            fullest = roof;
        }
    }
    return fullest;
}

double trace_roofline_run_attainable(const TraceRooflineRun *self)
{
    const TraceRooflineRoof *bound = trace_roofline_run_bound(self);

    return bound != NULL ? self->rate * bound->value / bound->achieved : NAN;
}

double trace_roofline_run_peak(const TraceRooflineRun *self)
{
    double used = 0;
    double all = 0;

    for (guint i = 0; i < self->roofs->len; i++) {
        const TraceRooflineRoof *roof = trace_roofline_run_roof(self, i);

        if (roof->is_peak) {
            all = fmax(all, roof->value);
            used = roof->achieved > 0 ? fmax(used, roof->value) : used;
        }
    }
    return used > 0 ? used : all;
}

bool trace_roofline_run_uses(const TraceRooflineRun *self,
                             const TraceRooflineRoof *roof)
{
    return !roof->is_peak && self->rate > 0 && roof->achieved > 0;
}

double trace_roofline_run_intensity(const TraceRooflineRun *self,
                                    const TraceRooflineRoof *roof)
{
    return self->rate / roof->achieved;
}
