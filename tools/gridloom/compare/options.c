/* Options of `gridloom compare`. */
#include "tools/gridloom/compare/options.h"

#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/options.h"
#include "tools/gridloom/run/words.h"
#include "tools/gridloom/search.h"
#include "traces/suite/formula.h"

static const char *const description =
    "Runs the script on each chip, each run a process of its own, and puts side by\n"
    "side time, energy where it is modelled, how near the run came to the roofs of\n"
    "the chip, and what limits it.\n\n"
    "Words go to every run; CHIP:name=value to the runs on that chip, in place of a\n"
    "common one of the same name. --set takes CHIP: in the same way. --over repeats\n"
    "all runs with each of its values; several of them go along together.\n\n"
    "Percent of a roof: what the counters of the run say over the time in which\n"
    "programs ran, by what the cores or PEs they ran on can do at most ('roofs' of a\n"
    "run's result names the keys of the chip file). What limits: the fullest roof,\n"
    "from 50 % on; else the busiest part, from 50 % on; else latency. Where starting\n"
    "programs took longer than they ran, that comes first. Times faster is the\n"
    "quantity on the first chip by that on this one.\n\n"
    "Not all scripts measure the start of programs: dot products and PCG in several\n"
    "kernels on Wormhole do, as they are published, stencils and wafers do not.\n"
    "'without start' is an iteration without it on every chip, and --quantity\n"
    "metrics.device_seconds/iterations compares by that.\n\n"
    "--model: closed forms of stencil25 on wafers, dot and stencil7 on Wormhole, by\n"
    "pencil and paper. They leave all waiting out, no simulation uses them, and none\n"
    "is fitted: what a run takes longer is what contention, dependency and starting\n"
    "cost, and is named as far as the run's counters tell.\n\n"
    "Exit code: the worst of the runs. A run that fails has a row that says so, and\n"
    "its own line on standard error.\n\n"
    "  gridloom compare pcg --chips wormhole_n300,wse2 nx=64 ny=32 nz=16 "
    "wse2:dtype=mixed\n"
    "  gridloom compare pcg --chips wormhole_n300,wse2 --over nx=64,128,256 nz=16 -o "
    "sizes.svg\n"
    "  gridloom compare dot --chips wormhole_n300,wse2 nx=64 ny=16 nz=8 "
    "--quantity metrics.device_seconds\n"
    "  gridloom compare stencil25 --chips wse2 --over nz=100,200,400 --model -o "
    "formula.svg\n";

/* What is read as text first. */
typedef struct {
    char *chips;
    char *threads;
    char *seed;
    char **sets;
    char **sweeps;
    char **besides;
    char **words;
} Texts;

static void texts_clear(Texts *self)
{
    g_free(self->chips);
    g_free(self->threads);
    g_free(self->seed);
    g_strfreev(self->sets);
    g_strfreev(self->sweeps);
    g_strfreev(self->besides);
    g_strfreev(self->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

static void sweep_free(gpointer data)
{
    CompareSweep *self = data;

    g_free(self->name);
    g_strfreev(self->values);
    g_free(self);
}

void compare_options_clear(CompareOptions *self)
{
    g_free(self->script);
    g_free(self->name);
    g_clear_pointer(&self->chips, g_ptr_array_unref);
    g_clear_pointer(&self->sweeps, g_ptr_array_unref);
    g_free(self->quantity);
    g_free(self->out);
    g_free(self->csv);
    g_free(self->svg);
    g_free(self->json);
    g_free(self->limit_seconds);
}

static bool add_sweep(CompareOptions *self, const char *text, GError **error)
{
    CompareSweep *sweep = g_new0(CompareSweep, 1);
    guint count;

    g_ptr_array_add(self->sweeps, sweep);
    if (!option_values(text, "--over", &sweep->name, &sweep->values, error)) {
        return false;
    }
    count = g_strv_length(sweep->values);
    if (self->sweeps->len > 1 && count != self->case_count) {
        return option_fail(
            error,
            "--over: %s has %u values, the one before it %u; they go along "
            "together",
            sweep->name, count, self->case_count);
    }
    self->case_count = count;
    for (guint i = 0; i + 1 < self->sweeps->len; i++) {
        if (g_str_equal(((CompareSweep *) self->sweeps->pdata[i])->name, sweep->name)) {
            return option_fail(error, "--over: %s is there twice", sweep->name);
        }
    }
    return true;
}

/* What is varied cannot be given, too. */
static bool
check_sweep(const CompareOptions *self, const CompareSweep *sweep, GError **error)
{
    for (guint i = 0; i < self->chips->len; i++) {
        const CompareChip *chip = g_ptr_array_index(self->chips, i);

        for (guint k = 0; k < chip->words->len; k++) {
            const char *word = g_ptr_array_index(chip->words, k);

            if (compare_words_are_alike(word, sweep->name)) {
                g_autofree char *shown = g_utf8_make_valid(word, -1);

                return option_fail(error, "'%s': --over varies %s", shown, sweep->name);
            }
        }
    }
    return true;
}

static bool read_sweeps(CompareOptions *self, char **texts, GError **error)
{
    for (char **text = texts; text != NULL && *text != NULL; text++) {
        if (!add_sweep(self, *text, error)) {
            return false;
        }
    }
    for (guint i = 0; i < self->sweeps->len; i++) {
        if (!check_sweep(self, g_ptr_array_index(self->sweeps, i), error)) {
            return false;
        }
    }
    return true;
}

static bool check_quantity(CompareOptions *self, GError **error)
{
    if (self->quantity == NULL) {
        self->quantity = g_strdup(COMPARE_QUANTITY);
    }
    if (!trace_formula_check(self->quantity, error)) {
        g_prefix_error(error, "--quantity: ");
        return false;
    }
    return true;
}

/* Runs that are over, behind the chips. */
static bool read_over(CompareOptions *self, char **texts, GError **error)
{
    if (texts != NULL && self->sweeps->len > 0) {
        return option_fail(error,
                           "--beside: a run that is over does not go with --over");
    }
    for (char **text = texts; text != NULL && *text != NULL; text++) {
        if (!compare_chips_add_over(self->chips, *text, self->name, error)) {
            return false;
        }
    }
    return true;
}

static bool take(CompareOptions *self, const Texts *texts, GError **error)
{
    double seconds = 0;
    g_autofree char *path = NULL;

    if (texts->words == NULL) {
        return option_fail(error,
                           "compare: no script; 'gridloom workloads' lists them");
    }
    self->script = g_strdup(texts->words[0]);
    self->name = search_name(SEARCH_WORKLOAD, self->script);
    path = search_find_or_fail(SEARCH_WORKLOAD, "script", self->script, error);
    return path != NULL && check_quantity(self, error) &&
           option_svg(self->svg, "-o", error) &&
           option_small(texts->threads, "--threads", 1, CMD_RUN_THREADS_MAXIMUM,
                        &self->threads, error) &&
           option_count(texts->seed, "--seed", 0, G_MAXINT64, &self->seed, error) &&
           option_seconds(self->limit_seconds, "--limit-seconds", &seconds, error) &&
           compare_chips_read(self->chips, texts->chips, error) &&
           compare_chips_deal(self->chips, texts->words + 1, false, error) &&
           compare_chips_deal(self->chips, texts->sets, true, error) &&
           read_sweeps(self, texts->sweeps, error) &&
           read_over(self, texts->besides, error);
}

bool compare_options_parse(CompareOptions *self, int argc, char **argv, GError **error)
{
    g_auto(Texts) texts = {0};
    const GOptionEntry entries[] = {
        {"chips", 0, 0, G_OPTION_ARG_FILENAME, &texts.chips,
         "chips to run on, names or files", "A,B"},
        {"over", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.sweeps,
         "vary a parameter; may be repeated", OPTION_VALUES},
        {"beside", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.besides,
         "put a run that is over beside them: a result, a trace, a folder of --out, or "
         "one of traces/gpu by its name; may be repeated",
         "RUN"},
        {"quantity", 0, 0, G_OPTION_ARG_FILENAME, &self->quantity,
         "formula of a result's numbers to compare and draw, less is better "
         "(default: " COMPARE_QUANTITY ")",
         "FORMULA"},
        {"out", 0, 0, G_OPTION_ARG_FILENAME, &self->out,
         "write everything there: DIR/CHIP of each run as run --out does, and "
         "report.html, compare.json, compare.csv, compare.svg of all",
         "DIR"},
        {"csv", 0, 0, G_OPTION_ARG_FILENAME, &self->csv,
         "write the table; - is standard output", "FILE"},
        {"svg", 'o', 0, G_OPTION_ARG_FILENAME, &self->svg,
         "draw bars, or with --over a curve for each chip", "FILE"},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->json,
         "write the result as JSON; - is standard output", "FILE"},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.sets,
         "change a number of all chips, or of one; may be repeated",
         "[CHIP:]SECTION.KEY=VALUE"},
        {"model", 0, 0, G_OPTION_ARG_NONE, &self->has_models,
         "put a closed form beside each run, from numbers of the chip file: what it "
         "says, of which parts, and what the simulation has beyond it",
         NULL},
        {"timing-only", 0, 0, G_OPTION_ARG_NONE, &self->is_timing_only,
         "move and check no data; same cycles", NULL},
        {"threads", 0, 0, G_OPTION_ARG_FILENAME, &texts.threads,
         "of each run: changes speed, never results (default: 1)", "N"},
        {"limit-seconds", 0, 0, G_OPTION_ARG_FILENAME, &self->limit_seconds,
         "stop a run after this much real time", "N"},
        {"seed", 0, 0, G_OPTION_ARG_FILENAME, &texts.seed,
         "start of the script's random numbers (default: 1)", "N"},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet,
         "no progress line and no table", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context = g_option_context_new(
        "SCRIPT --chips A,B [[CHIP:]name=value ...] - one problem on several chips");

    *self = (CompareOptions){
        .chips = compare_chips_new(),
        .sweeps = g_ptr_array_new_with_free_func(sweep_free),
        .case_count = 1,
        .threads = 1,
        .seed = 1,
    };
    g_set_prgname("gridloom compare");
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    return g_option_context_parse(context, &argc, &argv, error) &&
           take(self, &texts, error);
}

char *compare_options_folder(const CompareOptions *self, guint chip, guint case_index)
{
    const CompareChip *on = g_ptr_array_index(self->chips, chip);
    g_autofree char *name = self->case_count > 1
                                ? g_strdup_printf("%s-%u", on->name, case_index + 1)
                                : g_strdup(on->name);

    return g_build_filename(self->out, name, NULL);
}

char **compare_options_run(const CompareOptions *self, guint chip, guint case_index)
{
    const CompareChip *on = g_ptr_array_index(self->chips, chip);
    GPtrArray *words = g_ptr_array_new();

    g_ptr_array_add(words, g_strdup(self->script));
    for (guint i = 0; i < on->words->len; i++) {
        g_ptr_array_add(words, g_strdup(g_ptr_array_index(on->words, i)));
    }
    for (guint i = 0; i < self->sweeps->len; i++) {
        const CompareSweep *sweep = g_ptr_array_index(self->sweeps, i);

        g_ptr_array_add(words,
                        g_strconcat(sweep->name, "=", sweep->values[case_index], NULL));
    }
    cmd_run_words_option(words, "--chip", on->given);
    if (self->out != NULL) {
        g_autofree char *folder = compare_options_folder(self, chip, case_index);

        cmd_run_words_option(words, "--out", folder);
    }
    cmd_run_words_count(words, "--threads", self->threads);
    cmd_run_words_count(words, "--seed", self->seed);
    for (guint i = 0; i < on->overrides->len; i++) {
        cmd_run_words_option(words, "--set", g_ptr_array_index(on->overrides, i));
    }
    cmd_run_words_option(words, "--limit-seconds", self->limit_seconds);
    if (self->is_timing_only) {
        g_ptr_array_add(words, g_strdup("--timing-only"));
    }
    return cmd_run_words_end(words);
}
