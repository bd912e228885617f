/* Options of `gridloom compare`. */
#include "tools/gridloom/compare/options.h"

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/options.h"
#include "traces/suite/formula.h"
#include "workloads/process.h"
#include "workloads/search.h"

typedef CompareOptions Options;

static void sweep_free(gpointer data)
{
    CompareSweep *self = data;

    g_free(self->name);
    g_strfreev(self->values);
    g_free(self);
}

static bool add_sweep(Options *self, const char *text, GError **error)
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

/* A varied parameter cannot be given as a word, too. */
static bool check_sweep(const Options *self, const CompareSweep *sweep, GError **error)
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

static bool read_sweeps(Options *self, char **texts, GError **error)
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

static bool check_quantity(Options *self, GError **error)
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
static bool read_over(Options *self, char **texts, GError **error)
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

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;
    g_autofree char *path = NULL;

    self->script = self->line[0];
    self->name = search_name(SEARCH_WORKLOAD, self->script);
    path = search_find_or_fail(SEARCH_WORKLOAD, "script", self->script, error);
    return path != NULL && check_quantity(self, error) &&
           compare_chips_read(self->chips, option_text(texts, "chips"), error) &&
           compare_chips_deal(self->chips, self->line + 1, false, error) &&
           compare_chips_deal(self->chips, option_list(texts, "set"), true, error) &&
           read_sweeps(self, option_list(texts, "over"), error) &&
           read_over(self, option_list(texts, "beside"), error);
}

static void init(gpointer options)
{
    Options *self = options;

    self->chips = compare_chips_new();
    self->sweeps = g_ptr_array_new_with_free_func(sweep_free);
}

static void clear(gpointer options)
{
    Options *self = options;

    g_free(self->name);
    g_ptr_array_unref(self->chips);
    g_ptr_array_unref(self->sweeps);
}

static const Option rows[] = {
    {"chips", "A,B", "chips to run on, names or files", OPTION_OTHER(TEXT),
     .names = OPTION_NAMES_CHIPS},
    {"over", OPTION_VALUES, "vary a parameter; may be repeated", OPTION_OTHER(TEXTS)},
    {"beside", "RUN",
     "put a run that is over beside them: a result, a trace, a folder of --out, or one "
     "of traces/gpu by its name, or by the GPU's (h200) for the same problem; may be "
     "repeated",
     OPTION_OTHER(TEXTS)},
    {"quantity", "FORMULA",
     "formula of a result's numbers to compare and draw, less is better "
     "(default: " COMPARE_QUANTITY ")",
     OPTION_TEXT(quantity)},
    {"in", "NAME=FILE.npy", "an array for an input of the script; may be repeated",
     OPTION_TEXTS(inputs)},
    {"out", "DIR",
     "write everything there: DIR/CHIP of each run as run --out does, and report.html, "
     "compare.json, compare.csv, compare.svg of all",
     OPTION_TEXT(out)},
    {"csv", "FILE", "write the table; - is standard output", OPTION_TEXT(csv)},
    {"svg", "FILE", "draw bars, or with --over a curve for each chip", OPTION_SVG(svg),
     .letter = 'o'},
    {"json", "FILE", "write the result as JSON; - is standard output",
     OPTION_TEXT(json)},
    {"set", "[CHIP:]SECTION.KEY=VALUE",
     "change a number of all chips, or of one; may be repeated", OPTION_OTHER(TEXTS)},
    {"model", NULL,
     "put a closed form beside each run, from numbers of the chip file: what it says, "
     "of which parts, and what the simulation has beyond it",
     OPTION_FLAG(has_models)},
    {"timing-only", NULL, "move and check no data; same cycles",
     OPTION_FLAG(is_timing_only)},
    {"threads", "N", "of each run: changes speed, never results (default: 1)",
     OPTION_SMALL(threads, 1, CMD_RUN_THREADS_MAXIMUM)},
    {"limit-seconds", "N", "stop a run after this much real time",
     OPTION_DURATION(limit_seconds)},
    {"seed", "N", "start of the script's random numbers (default: 1)",
     OPTION_COUNT(seed, 0, G_MAXINT64)},
    {"quiet", NULL, "no progress line and no table", OPTION_FLAG(is_quiet),
     .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(line), .names = OPTION_NAMES_WORKLOADS},
    {0},
};

const Command cmd_compare = {
    .name = "compare",
    .words = "SCRIPT --chips A,B [[CHIP:]name=value ...]",
    .purpose = "one problem on several chips",
    .missing = "no script; 'gridloom workloads' lists them",
    .help = "compare",
    .tables = {{rows, 0}},
    COMMAND_OPTIONS(Options, .case_count = 1, .threads = 1, .seed = 1),
    .init = init,
    .check = check,
    .clear = clear,
    .run = compare_run,
};

char *compare_options_folder(const Options *self, guint chip, guint case_index)
{
    const CompareChip *on = g_ptr_array_index(self->chips, chip);
    g_autofree char *name = self->case_count > 1
                                ? g_strdup_printf("%s-%u", on->name, case_index + 1)
                                : g_strdup(on->name);

    return g_build_filename(self->out, name, NULL);
}

char **compare_options_run(const Options *self, guint chip, guint case_index)
{
    const CompareChip *on = g_ptr_array_index(self->chips, chip);
    g_autofree char *folder =
        self->out != NULL ? compare_options_folder(self, chip, case_index) : NULL;
    GPtrArray *words = g_ptr_array_new();

    g_ptr_array_add(words, g_strdup(self->script));
    for (guint i = 0; i < on->words->len; i++) {
        wl_words_option(words, NULL, g_ptr_array_index(on->words, i));
    }
    for (guint i = 0; i < self->sweeps->len; i++) {
        const CompareSweep *sweep = g_ptr_array_index(self->sweeps, i);

        g_ptr_array_add(words,
                        g_strconcat(sweep->name, "=", sweep->values[case_index], NULL));
    }
    wl_words_option(words, "--chip", on->given);
    wl_words_each(words, "--in", self->inputs);
    wl_words_option(words, "--out", folder);
    wl_words_count(words, "--threads", self->threads);
    wl_words_count(words, "--seed", self->seed);
    for (guint i = 0; i < on->overrides->len; i++) {
        wl_words_option(words, "--set", g_ptr_array_index(on->overrides, i));
    }
    wl_words_option(words, "--limit-seconds", self->limit_seconds);
    wl_words_option(words, NULL, self->is_timing_only ? "--timing-only" : NULL);
    return wl_words_end(words);
}
