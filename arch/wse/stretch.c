/* Fits the stretch factors of phases on a slice. */
#include <math.h>

#include "arch/error.h"
#include "arch/family.h"
#include "arch/wse/cover.h"
#include "arch/wse/fabric.h"
#include "arch/wse_profile.h"
#include "sim/narrow.h"

enum {
    ONE = WSE_FACTOR_ONE,
    MOST_ROUNDS = 8,
    MOST_STEPS = 8,
    WIDE_STEPS = 31,
};

#define TOLERANCE 0.01   /* of the slice, allowed */
#define CLOSE     0.0005 /* no better factor is looked for */
#define SMALLEST  0.5    /* of factors: tasks wait for streams, but not for wavelets */
#define LARGEST   8.0
#define STEP      0.01 /* between factors, in a search */
#define WIDE_STEP 0.05 /* in one over all factors */

/* What one run of the slice came to. */
typedef struct {
    double cycles;  /* of an iteration */
    GArray *phases; /* of ArchWsePhase */
    uint64_t pe_cycles;
} Measured;

static void measured_clear(Measured *self)
{
    g_clear_pointer(&self->phases, g_array_unref);
}

static void measured_set(Measured *self, const Measured *other)
{
    measured_clear(self);
    *self = *other;
    (void) g_array_ref(self->phases);
}

static bool is_wanted(gpointer data, SimTime now, uint64_t events)
{
    const ArchWseSlice *slice = data;

    (void) now;
    (void) events;
    return slice->is_wanted == NULL || slice->is_wanted(slice->data);
}

/* Of an iteration after the first, where there are several. */
static double cycles_of(const ArchWse *wse)
{
    g_autoptr(GArray) ends = arch_wse_iterations(wse);

    if (ends->len < 2) {
        return (double) arch_wse_profile(wse).cycles;
    }
    const ArchWseIteration *first = &g_array_index(ends, ArchWseIteration, 0);
    const ArchWseIteration *last =
        &g_array_index(ends, ArchWseIteration, ends->len - 1);

    return (last->mean - first->mean) / (double) (ends->len - 1);
}

/* The slice in one grain, put together once: it starts as often as it is asked to. */
typedef struct {
    SimEngine *engine;
    ArchWse *wse;
} Bench;

static void bench_clear(Bench *self)
{
    g_clear_pointer(&self->wse, arch_wse_free);
    g_clear_pointer(&self->engine, sim_engine_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Bench, bench_clear)

static bool bench_open(Bench *self,
                       const ArchParams *params,
                       const ArchWseSlice *slice,
                       ArchWseGrain grain,
                       GError **error)
{
    SimEngineConfig config = sim_engine_config_default();

    /* Streams have too little to do in a cycle to be worth sharing among threads. */
    if (grain == ARCH_WSE_GRAIN_WAVELET && slice->thread_count > 1) {
        config.thread_count = slice->thread_count;
        config.region_count = arch_family_wse.region_count(params, slice->thread_count);
        config.window_cycles = arch_family_wse.window_cycles(params);
    }
    self->engine = sim_engine_new(config);
    self->wse = arch_wse_new(self->engine, params);
    ArchWseLayout *layout = slice->build(slice->data, slice->columns, slice->rows,
                                         slice->iterations, error);

    sim_engine_set_monitor(self->engine, is_wanted, (gpointer) slice);
    if (layout != NULL && slice->whole != NULL &&
        !wse_slice_covers(layout, slice->whole, error)) {
        arch_wse_layout_free(layout);
        return false;
    }
    return layout != NULL &&
           arch_wse_load(self->wse, layout, &(ArchWseOptions){.grain = grain}, error);
}

/* With these factors, of ArchWseStretch; NULL for none. */
static bool bench_run(const Bench *self,
                      const GArray *stretches,
                      Measured *measured,
                      GError **error)
{
    if (stretches != NULL) {
        arch_wse_set_stretches(self->wse,
                               (const ArchWseStretch *) (gconstpointer) stretches->data,
                               stretches->len);
    }
    arch_wse_start(self->wse);
    if (!sim_engine_run(self->engine, SIM_TIME_NEVER, error)) {
        return false;
    }
    ArchWseProfile profile = arch_wse_profile(self->wse);

    measured_clear(measured);
    measured->cycles = cycles_of(self->wse);
    measured->phases = arch_wse_phases(self->wse);
    measured->pe_cycles = profile.pe_count * profile.cycles;
    return true;
}

static bool measure_exactly(const ArchParams *params,
                            const ArchWseSlice *slice,
                            Measured *measured,
                            GError **error)
{
    g_auto(Bench) bench = {0};

    return bench_open(&bench, params, slice, ARCH_WSE_GRAIN_WAVELET, error) &&
           bench_run(&bench, NULL, measured, error);
}

/* Phases in which a PE has more than one stream, with a factor of 1. */
static GArray *shared_phases(const Measured *exact)
{
    GArray *stretches = g_array_new(FALSE, FALSE, sizeof(ArchWseStretch));

    for (guint i = 0; i < exact->phases->len; i++) {
        const ArchWsePhase *phase = &g_array_index(exact->phases, ArchWsePhase, i);

        if (phase->streams > 1) {
            ArchWseStretch stretch = {.phase = phase->name, .factor = ONE};

            g_array_append_val(stretches, stretch);
        }
    }
    return stretches;
}

static double phase_cycles(const Measured *measured, const char *name)
{
    for (guint i = 0; i < measured->phases->len; i++) {
        const ArchWsePhase *phase = &g_array_index(measured->phases, ArchWsePhase, i);

        if (g_str_equal(phase->name, name)) {
            return phase->cycles;
        }
    }
    return 0;
}

/* What a phase's factor is judged by: the whole if it is the only one, else its own
 * time. */
static double judged(const Measured *measured, const GArray *stretches, guint index)
{
    const ArchWseStretch *stretch = &g_array_index(stretches, ArchWseStretch, index);

    return stretches->len == 1 ? measured->cycles
                               : phase_cycles(measured, stretch->phase);
}

static uint32_t fixed(double factor)
{
    return sim_u32(lround(CLAMP(factor, SMALLEST, LARGEST) * ONE));
}

/* A run of the slice in streams, and the factors with which it goes the same way. */
typedef struct {
    GArray *ranges; /* of WseFactor, by stretch */
    Measured measured;
} Trial;

static void trial_clear(gpointer data)
{
    Trial *self = data;

    measured_clear(&self->measured);
    g_array_unref(self->ranges);
}

typedef struct {
    Bench bench; /* in the grain of streams */
    Measured exact;
    Measured stream;
    GArray *stretches; /* of ArchWseStretch */
    GArray *trials;    /* of Trial */
} Fit;

static void fit_clear(Fit *self)
{
    bench_clear(&self->bench);
    measured_clear(&self->exact);
    measured_clear(&self->stream);
    g_clear_pointer(&self->stretches, g_array_unref);
    g_clear_pointer(&self->trials, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Fit, fit_clear)

static const ArchWseStretch *stretch_at(const Fit *self, guint index)
{
    return &g_array_index(self->stretches, ArchWseStretch, index);
}

static bool is_same(const Fit *self, const Trial *trial)
{
    for (guint i = 0; i < self->stretches->len; i++) {
        const WseFactor *range = &g_array_index(trial->ranges, WseFactor, i);
        const uint32_t factor = stretch_at(self, i)->factor;

        if (factor < range->least || factor > range->most) {
            return false;
        }
    }
    return true;
}

static void add_trial(Fit *self)
{
    const WseFabric *fabric = wse_fabric_of(self->bench.wse);
    Trial trial = {.ranges = g_array_new(FALSE, FALSE, sizeof(WseFactor))};

    for (guint i = 0; i < self->stretches->len; i++) {
        const ArchWseStretch *stretch = stretch_at(self, i);
        const WseFactor *factor = wse_fabric_factor(fabric, stretch->phase);
        const WseFactor range = factor != NULL ? *factor : wse_factor(stretch->factor);

        g_array_append_val(trial.ranges, range);
    }
    measured_set(&trial.measured, &self->stream);
    g_array_append_val(self->trials, trial);
}

/* The streams with the present factors. */
static bool run_streams(Fit *self, GError **error)
{
    for (guint i = 0; i < self->trials->len; i++) {
        const Trial *trial = &g_array_index(self->trials, Trial, i);

        if (is_same(self, trial)) {
            measured_set(&self->stream, &trial->measured);
            return true;
        }
    }
    if (!bench_run(&self->bench, self->stretches, &self->stream, error)) {
        return false;
    }
    add_trial(self);
    return true;
}

/* How far the streams are off with this factor of a phase, all others being kept. */
static bool
try_factor(Fit *self, guint index, uint32_t factor, double *off, GError **error)
{
    g_array_index(self->stretches, ArchWseStretch, index).factor = factor;
    if (!run_streams(self, error)) {
        return false;
    }
    *off = judged(&self->exact, self->stretches, index) -
           judged(&self->stream, self->stretches, index);
    return true;
}

typedef struct {
    uint32_t factor;
    double off;
} Guess;

static void keep_better(Guess *best, Guess guess)
{
    if (fabs(guess.off) < fabs(best->off)) {
        *best = guess;
    }
}

/* Around a factor: streams that wait for each other make steps, not slopes. */
static bool
search_near(Fit *self, guint index, double close, Guess *best, GError **error)
{
    uint32_t middle = best->factor;

    for (int i = 1; i <= MOST_STEPS && fabs(best->off) > close; i++) {
        for (int side = -1; side <= 1 && fabs(best->off) > close; side += 2) {
            Guess guess = {
                .factor = fixed((double) middle / ONE * (1 + side * i * STEP)),
            };

            if (!try_factor(self, index, guess.factor, &guess.off, error)) {
                return false;
            }
            keep_better(best, guess);
        }
    }
    return true;
}

/* Over all factors: short streams take whole cycles, and many factors are the same. */
static bool
search_widely(Fit *self, guint index, double allowed, Guess *best, GError **error)
{
    for (guint i = 0; i < WIDE_STEPS && fabs(best->off) > allowed; i++) {
        Guess guess = {.factor = fixed(SMALLEST + i * WIDE_STEP)};

        if (!try_factor(self, index, guess.factor, &guess.off, error)) {
            return false;
        }
        keep_better(best, guess);
    }
    return true;
}

/* Regula falsi on one factor, then a search near the best, then anywhere. */
static bool fit_phase(Fit *self, guint index, GError **error)
{
    const ArchWseStretch *stretch = stretch_at(self, index);
    double target = judged(&self->exact, self->stretches, index);
    double close = CLOSE * target;
    double slope = phase_cycles(&self->exact, stretch->phase) / 2;
    Guess guess = {
        .factor = stretch->factor,
        .off = target - judged(&self->stream, self->stretches, index),
    };
    Guess best = guess;

    for (guint i = 0; i < MOST_ROUNDS && fabs(guess.off) > close; i++) {
        Guess next = {.factor = fixed((double) guess.factor / ONE + guess.off / slope)};
        double moved = ((double) next.factor - guess.factor) / ONE;

        if (next.factor == guess.factor) {
            break;
        }
        if (!try_factor(self, index, next.factor, &next.off, error)) {
            return false;
        }
        double gained = guess.off - next.off;

        if (moved * gained > 0) {
            slope = gained / moved;
        }
        guess = next;
        keep_better(&best, guess);
    }
    if (!search_near(self, index, close, &best, error) ||
        !search_widely(self, index, TOLERANCE * target, &best, error)) {
        return false;
    }
    return stretch->factor == best.factor ||
           try_factor(self, index, best.factor, &best.off, error);
}

static double worst(const Measured *exact, const Measured *stream)
{
    return exact->cycles > 0 ? fabs(stream->cycles / exact->cycles - 1) : 0;
}

static bool fit(Fit *self, GError **error)
{
    guint rounds = self->stretches->len > 1 ? 3 : 1;

    if (!run_streams(self, error)) {
        return false;
    }
    for (guint round = 0; round < rounds; round++) {
        for (guint i = 0; i < self->stretches->len; i++) {
            if (!fit_phase(self, i, error)) {
                return false;
            }
        }
    }
    return true;
}

bool arch_wse_measure(const ArchParams *params,
                      const ArchWseSlice *slice,
                      ArchWseStretches *stretches,
                      GError **error)
{
    g_auto(Fit) fitted = {0};

    if (!measure_exactly(params, slice, &fitted.exact, error)) {
        return false;
    }
    fitted.stretches = shared_phases(&fitted.exact);
    fitted.trials = g_array_new(FALSE, FALSE, sizeof(Trial));
    g_array_set_clear_func(fitted.trials, trial_clear);
    if (!bench_open(&fitted.bench, params, slice, ARCH_WSE_GRAIN_STREAM, error) ||
        !fit(&fitted, error)) {
        return false;
    }
    *stretches = (ArchWseStretches){
        .exact_cycles = fitted.exact.cycles,
        .stream_cycles = fitted.stream.cycles,
        .error = worst(&fitted.exact, &fitted.stream),
        .pe_cycles = fitted.exact.pe_cycles,
        .trials = fitted.trials->len,
    };
    if (stretches->error > TOLERANCE) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                    "grain=stream: an exact slice of %ux%u PEs takes %.0f cycles an "
                    "iteration, streams take %.0f (%+.1f %%, allowed is 1 %%); use "
                    "grain=wavelet",
                    slice->columns, slice->rows, fitted.exact.cycles,
                    fitted.stream.cycles,
                    (fitted.stream.cycles / fitted.exact.cycles - 1) * 100);
        return false;
    }
    stretches->stretches = g_steal_pointer(&fitted.stretches);
    return true;
}

void arch_wse_stretches_clear(ArchWseStretches *stretches)
{
    g_clear_pointer(&stretches->stretches, g_array_unref);
}
