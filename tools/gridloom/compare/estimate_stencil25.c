/* What a time step of the 25-point stencil takes on a wafer, by pencil and paper.
 *
 * A PE issues one vector step a cycle, whatever it is for: so its streams, its
 * arithmetic and the loading of descriptors add up. A bank conflict stops it. That it
 * has to wait for the wavelets of eight neighbours in each direction, which wait for
 * others, is left out. */
#include <math.h>
#include <string.h>

#include "tools/gridloom/compare/estimate.h"
#include "traces/file/json_member.h"

enum {
    REACH = 4,           /* cells to either side */
    SENDERS = REACH + 1, /* whose streams come from a direction, the PE's own too */
    ALONG_Z = 2 * REACH, /* fused products and sums of a cell */
    CONTROLS = 2,        /* wavelets after each stream */
    PULSE = 17,          /* numbers of the source */
    VARIABLES = 9,       /* of a PE */
    WORD = 4,            /* bytes */
    LINE = 4,            /* words to which arrays are aligned */
    SYNCHRONOUS = ALONG_Z + 2, /* operations of a step with nothing beside them: the sum
                                * set to 0, those along z, the difference */
    BLOCK_OPERATIONS = 4, /* of a block and direction: a receive, a send, controls */
};

typedef struct {
    const ArchParams *chip;
    double layers;
    double block;
    double blocks;
    double directions; /* into which columns are sent */
    double senders;    /* streams that come in, of the PE that gets most */
    double reach;      /* hops of the streams that go furthest */
} Step;

static double rounded(double words)
{
    return ceil(words / LINE) * LINE;
}

/* Bytes of both levels, the sums, products, coefficients and variables. */
static double bytes_of(const Step *step, double block)
{
    const double cells = ceil(step->layers / block) * block;
    const double products = step->directions * SENDERS;

    return WORD * (2 * rounded(cells + 2 * REACH) + rounded(cells) +
                   rounded(products * block) + products + PULSE + VARIABLES);
}

/* The largest block of which a column has a whole number, nearly, and that fits. */
static double largest_block(const Step *step)
{
    const double room = estimate_key(step->chip, "memory.capacity_bytes") -
                        estimate_key(step->chip, "memory.code_reserved_bytes");

    if (bytes_of(step, 1) > room) {
        return 0;
    }
    /* One of one cell fits: at the latest that many blocks. */
    for (guint blocks = 1;; blocks++) {
        const double block = fmax(1, ceil(step->layers / blocks));

        if (bytes_of(step, block) <= room) {
            return block;
        }
    }
}

/* Of `extent` PEs in a row, the streams of the one that gets most: its own in each of
 * the directions, and those of its neighbours. */
static double senders_along(double extent, const char *letters, char there, char back)
{
    const double ways =
        (strchr(letters, there) != NULL) + (strchr(letters, back) != NULL);

    return ways + fmin(ways * REACH, ways > 0 ? extent - 1 : 0);
}

static bool
take(Step *step, const ArchParams *chip, JsonObject *parameters, GError **error)
{
    const char *letters = trace_json_string(parameters, "directions", "ewns");
    const char *block = trace_json_string(parameters, "block", "auto");
    double columns;
    double rows;

    *step = (Step){.chip = chip, .directions = (double) strlen(letters)};
    if (!estimate_count(parameters, "nx", &columns, error) ||
        !estimate_count(parameters, "ny", &rows, error) ||
        !estimate_count(parameters, "nz", &step->layers, error)) {
        return false;
    }
    step->reach = fmin(REACH, fmax(columns, rows) - 1);
    step->senders = senders_along(columns, letters, 'e', 'w') +
                    senders_along(rows, letters, 's', 'n');
    step->block =
        g_str_equal(block, "auto") ? largest_block(step) : g_ascii_strtod(block, NULL);
    if (!(step->block >= 1 && step->block <= step->layers)) {
        return estimate_refuse(error, "no closed form of blocks of %s cells", block);
    }
    step->blocks = ceil(step->layers / step->block);
    return true;
}

static void add_streams(Estimate *self, const Step *step)
{
    const double cells = step->blocks * step->block;
    const double sent = step->directions * (cells + step->blocks * CONTROLS);
    const double received = step->senders * cells;

    estimate_add(self, ESTIMATE_COMMUNICATION, "streams", sent + received,
                 "memory.capacity_bytes memory.code_reserved_bytes",
                 "%.0f blocks of %.0f cells: each cell sent in %.0f directions and "
                 "received, multiplied, from %.0f senders, %d control wavelets after a "
                 "stream; one issue slot a wavelet",
                 step->blocks, step->block, step->directions, step->senders, CONTROLS);
    estimate_add(
        self, ESTIMATE_COMMUNICATION, "ramp",
        received * estimate_key(step->chip, "ramp.transfer_cycles_per_wavelet"),
        "ramp.transfer_cycles_per_wavelet", "%.0f wavelets from the router", received);
    estimate_put_beside(self);
    estimate_add(
        self, ESTIMATE_COMMUNICATION, "links",
        step->reach *
            (cells * estimate_key(step->chip, "fabric.link_cycles_per_wavelet") +
             estimate_key(step->chip, "fabric.hop_cycles")),
        "fabric.link_cycles_per_wavelet fabric.hop_cycles",
        "a link carries the streams of %.0f PEs, the last of them %.0f hops far",
        step->reach, step->reach);
    estimate_put_beside(self);
}

static void add_arithmetic(Estimate *self, const Step *step)
{
    const double add = estimate_key(step->chip, "dsd.f32_add_elements_per_cycle");
    const double fmac = estimate_key(step->chip, "dsd.f32_fmac_elements_per_cycle");
    const double mov = estimate_key(step->chip, "dsd.f32_mov_elements_per_cycle");
    const double cells = step->blocks * step->block;
    const double sums = step->directions * SENDERS;

    estimate_add(
        self, ESTIMATE_COMPUTE, "arithmetic",
        cells * sums / add + step->layers * (ALONG_Z / fmac + 1 / add + 1 / mov),
        "dsd.f32_add_elements_per_cycle "
        "dsd.f32_fmac_elements_per_cycle "
        "dsd.f32_mov_elements_per_cycle",
        "a cell: %.0f sums at %g a cycle, %d fused along z at %g, a difference "
        "at %g, a 0 at %g",
        sums, add, ALONG_Z, fmac, add, mov);
}

static double period_of(const ArchParams *chip, bool is_wide)
{
    const double period = estimate_key(chip, "memory.operand_period_bytes");
    const double banks = estimate_key(chip, "memory.bank_count") *
                         estimate_key(chip, "memory.bank_word_bytes");

    return is_wide ? fmax(period, fmin(2 * period, banks)) : period;
}

/* The class of banks in which a source begins that is so many words into its array. */
static double bank_class(const ArchParams *chip, bool is_wide, double words)
{
    return floor(fmod(words * WORD, period_of(chip, is_wide)) / WORD);
}

/* Cycles that an element costs more, of sources that begin there, at so many elements a
 * cycle. */
static double conflict(const ArchParams *chip, double rate, double a, double b)
{
    const bool is_wide = rate > 1;
    const double apart = bank_class(chip, is_wide, a) - bank_class(chip, is_wide, b);

    /* Where arrays do not begin with a period, nobody knows which sources collide. */
    if (apart < 0 || apart > 0 || fmod(LINE * WORD, period_of(chip, is_wide)) > 0) {
        return 0;
    }
    return (is_wide ? estimate_key(chip, "memory.wide_conflict_cycles_per_step")
                    : estimate_key(chip, "memory.conflict_factor") - 1) /
           rate;
}

static void add_conflicts(Estimate *self, const Step *step)
{
    const ArchParams *chip = step->chip;
    const double add = estimate_key(chip, "dsd.f32_add_elements_per_cycle");
    const double fmac = estimate_key(chip, "dsd.f32_fmac_elements_per_cycle");
    double along_z = 0;
    double sums = 0;

    for (guint offset = 0; offset <= ALONG_Z; offset++) {
        along_z += offset == REACH ? 0 : step->layers * conflict(chip, fmac, 0, offset);
    }
    for (guint block = 0; block < (guint) step->blocks; block++) {
        for (guint row = 0; row < (guint) step->directions * SENDERS; row++) {
            /* The sums of one cell stay in one place: no source moves with them. */
            sums += step->block < 2
                        ? 0
                        : step->block * conflict(chip, add, block * step->block,
                                                 row * step->block);
        }
    }
    /* Of the sums and of the level before, which begins after its ghost cells. */
    const double difference = step->layers * conflict(chip, add, 0, REACH);

    estimate_add(
        self, ESTIMATE_MEMORY, "bank conflicts", along_z + sums + difference,
        "memory.operand_period_bytes memory.bank_count memory.bank_word_bytes "
        "memory.conflict_factor memory.wide_conflict_cycles_per_step",
        "cycles in which both sources of a step lie in the same banks: along z "
        "%.0f, sums of products %.0f, the difference %.0f",
        along_z, sums, difference);
}

static void add_set_up(Estimate *self, const Step *step)
{
    const double busy = estimate_key(step->chip, "dsd.setup_busy_cycles");
    const double latency = estimate_key(step->chip, "dsd.setup_latency_cycles");
    const double dispatch = estimate_key(step->chip, "task.dispatch_cycles");
    const double operations =
        SYNCHRONOUS + step->blocks * (BLOCK_OPERATIONS * step->directions + 1);

    estimate_add(self, ESTIMATE_SET_UP, "descriptors", operations * busy,
                 "dsd.setup_busy_cycles",
                 "%.0f vector operations, %.0f cycles each to load descriptors",
                 operations, busy);
    estimate_add(self, ESTIMATE_SET_UP, "first elements", SYNCHRONOUS * latency,
                 "dsd.setup_latency_cycles",
                 "%d operations with nothing beside them begin %.0f cycles later",
                 SYNCHRONOUS, latency);
    estimate_add(self, ESTIMATE_SET_UP, "tasks", dispatch, "task.dispatch_cycles",
                 "the task that begins a step, with nothing beside it");
}

static bool
estimate(Estimate *self, const ArchParams *chip, JsonObject *parameters, GError **error)
{
    static const char *const leaves_out[] = {
        "waiting for wavelets of neighbours, and for their routers to take one's own",
        "the first step, in which streams have to get going",
        "instructions between vector operations, and tasks that begin while others run",
        NULL,
    };
    Step step;

    self->leaves_out = leaves_out;
    if (!take(&step, chip, parameters, error)) {
        return false;
    }
    add_streams(self, &step);
    add_arithmetic(self, &step);
    add_conflicts(self, &step);
    add_set_up(self, &step);
    return true;
}

/* Of PEs with all neighbours, where there are any; else all is known of the mean PE
 * only, and the estimate is of the one that has most to do. */
static void explain(Estimate *self, JsonObject *result)
{
    JsonObject *metrics = trace_json_object(result, "metrics");
    JsonObject *shares = trace_json_object(result, "busy");
    const bool has_interior =
        isfinite(trace_json_number(metrics, "interior_busy_cycles_per_step", NAN));
    const double busy =
        trace_json_number(metrics, "interior_busy_cycles_per_step",
                          self->simulated * trace_json_number(shares, "busy", 0));
    const double memory = trace_json_number(
        metrics, "interior_memory_idle_cycles_per_step",
        self->simulated * trace_json_number(shares, "memory_idle", 0));
    const double steady =
        trace_json_number(metrics, "cycles_per_step_steady", self->simulated);

    estimate_measure(self, "busy", busy);
    estimate_measure(self, "memory idle", memory);
    estimate_measure(self, "other idle", self->simulated - busy - memory);
    estimate_differ(self, "a first step longer than the others",
                    fmax(0, self->simulated - steady));
    if (has_interior) {
        estimate_differ(self, "bank conflicts beyond the rule",
                        memory - estimate_sum(self, "bank conflicts"));
        estimate_differ(self, "instructions between vector operations",
                        busy - estimate_sum(self, "streams") -
                            estimate_sum(self, "arithmetic") -
                            estimate_sum(self, "descriptors"));
    }
    estimate_differ(self, "waiting for neighbours' wavelets and for room in routers",
                    estimate_unexplained(self));
}

const EstimateForm estimate_stencil25_form = {
    .workload = "stencil25",
    .family = "wse",
    .estimate = estimate,
    .explain = explain,
};
