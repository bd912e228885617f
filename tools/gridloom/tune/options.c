/* Options of `gridloom tune`. */
#include "tools/gridloom/tune/options.h"

#include "tools/gridloom/compare/chip.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/options.h"
#include "tools/gridloom/search.h"
#include "tools/gridloom/tune/window.h"

#define OBJECTIVE "performance,resources"

enum {
    LIMIT_RUNS = 1000,
    LIMIT_RUNS_MOST = 1000 * 1000,
};

static const double within_usual = 2;
static const double within_most = 100;

static const char *const description =
    "Runs a script with many windows, without data, each run a process of its own, "
    "and\n"
    "says which windows are worth having: the front of two objectives, one chosen\n"
    "window, and what hand-picked ones lose against it. The size of a window along x\n"
    "is the script's word window_x, that of the grid its word nx; likewise y and z.\n\n"
    "Objectives: performance (metrics.gflops, most), resources\n"
    "(metrics.resource_percent, least), bram, uram, dsp, ff, lut\n"
    "(metrics.resources.BRAM and so on, least), energy (metrics.gflops_per_watt, "
    "most),\n"
    "seconds (least), or max:FORMULA, min:FORMULA of numbers of a result.\n\n"
    "All windows are run where there are at most --limit-runs of them for each value\n"
    "of --by. Otherwise it is an elitist search with that many runs: a quarter of\n"
    "them, 16 at least, at random, then generations of 16, each window of which is "
    "one\n"
    "of the front so far with another size along one axis, half of the time the next\n"
    "one. The same seed gives the same windows, whatever --jobs is. Output and JSON\n"
    "say which it was.\n\n"
    "A window that script or chip refuse (it does not fit into a memory) is counted,\n"
    "with the reason. The chosen window is the one of the front with the best second\n"
    "objective among those within --within percent of the best first one, of equals\n"
    "the one that was first, which has the smaller x where all windows are run. It is\n"
    "run once more with data, and checked. A window that is not on the front is so\n"
    "many percent from it as both its numbers, or one alone, had to be better for "
    "none\n"
    "to beat it.\n\n"
    "Exit code: 1 where no window runs, 4 where a check fails, that of the run where\n"
    "one ends otherwise.\n\n"
    "  gridloom tune vadvc --chip nero_ad9h7 --window x,y --objective "
    "performance,resources pes=1 --by dtype=fp32,fp16 --mark fp32:64x2x64 -o "
    "vadvc.svg\n"
    "  gridloom tune hdiff --chip nero_ad9h7 --window x,y,z pes=1 --sizes divisors "
    "--hand 32x32x64\n";

/* What is read as text first. */
typedef struct {
    char *window;
    char *objective;
    char *by;
    char *hand;
    char *marks;
    char *sizes;
    char *limit_runs;
    char *seed;
    char *jobs;
    char *within;
    char **words;
} Texts;

static void texts_clear(Texts *self)
{
    g_free(self->window);
    g_free(self->objective);
    g_free(self->by);
    g_free(self->hand);
    g_free(self->marks);
    g_free(self->sizes);
    g_free(self->limit_runs);
    g_free(self->seed);
    g_free(self->jobs);
    g_free(self->within);
    g_strfreev(self->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

void tune_options_clear(TuneOptions *self)
{
    g_free(self->script);
    g_free(self->name);
    g_strfreev(self->words);
    g_free(self->chip);
    g_strfreev(self->overrides);
    tune_goals_clear(self->goals);
    g_free(self->by);
    g_strfreev(self->by_values);
    g_strfreev(self->hand);
    g_strfreev(self->marks);
    g_free(self->limit_seconds);
    g_free(self->json);
    g_free(self->csv);
    g_free(self->svg);
    g_free(self->out);
}

static bool read_by(TuneOptions *self, const char *text, GError **error)
{
    if (text == NULL) {
        self->by_values = g_new0(char *, 2);
        self->by_values[0] = g_strdup("");
        return true;
    }
    if (!option_values(text, "--by", &self->by, &self->by_values, error)) {
        return false;
    }
    for (char **value = self->by_values; *value != NULL; value++) {
        if (**value == '\0') {
            return option_refuse("--by", text, OPTION_VALUES, error);
        }
        for (char **before = self->by_values; before < value; before++) {
            if (g_str_equal(*before, *value)) {
                return option_fail(error, "--by: %s is there twice", *value);
            }
        }
    }
    return true;
}

static bool read_within(TuneOptions *self, const char *text, GError **error)
{
    self->within_percent = within_usual;
    if (text == NULL) {
        return true;
    }
    if (!option_is_number(text, &self->within_percent) || self->within_percent < 0 ||
        self->within_percent > within_most) {
        return option_refuse("--within", text, "a number of percent, 0..100", error);
    }
    return true;
}

static bool read_sizes(TuneOptions *self, const char *text, GError **error)
{
    static const char *const names[] = {"powers", "divisors", "all", NULL};
    guint sizes = WL_TUNE_POWERS;

    if (!option_word(text, "--sizes", names, &sizes, error)) {
        return false;
    }
    self->sizes = (WlTuneSizes) sizes;
    return true;
}

/* A list, which may be empty; NULL where it was not given. */
static char **read_list(const char *text)
{
    return text != NULL ? g_strsplit(text, ",", -1) : NULL;
}

/* Words of the script that are varied cannot be given, too. */
static bool check_word(const TuneOptions *self, const char *word, GError **error)
{
    static const char *const windows[WL_TUNE_AXES] = {"window_x", "window_y",
                                                      "window_z"};
    const char *varies = NULL;
    const char *name = NULL;

    for (guint i = 0; i < WL_TUNE_AXES; i++) {
        if ((self->axes & 1U << i) != 0 && compare_words_are_alike(word, windows[i])) {
            varies = "--window";
            name = windows[i];
        }
    }
    if (self->by != NULL && compare_words_are_alike(word, self->by)) {
        varies = "--by";
        name = self->by;
    }
    if (varies != NULL) {
        g_autofree char *shown = g_utf8_make_valid(word, -1);

        return option_fail(error, "'%s': %s varies %s", shown, varies, name);
    }
    return true;
}

static bool read_words(TuneOptions *self, char **words, GError **error)
{
    self->words = g_strdupv(words + 1);
    if (self->by != NULL && g_str_has_prefix(self->by, "window_")) {
        return option_fail(error, "--by %s: windows are what --window varies",
                           self->by);
    }
    for (char **word = self->words; *word != NULL; word++) {
        if (!check_word(self, *word, error)) {
            return false;
        }
    }
    return true;
}

static bool take(TuneOptions *self, const Texts *texts, GError **error)
{
    g_autofree char *path = NULL;
    double seconds = 0;

    if (texts->words == NULL) {
        return option_fail(error, "tune: no script; 'gridloom workloads' lists them");
    }
    if (texts->window == NULL) {
        return option_fail(error, "tune: no axes, give some with --window x,y or "
                                  "--window x,y,z");
    }
    self->script = g_strdup(texts->words[0]);
    self->name = search_name(SEARCH_WORKLOAD, self->script);
    self->hand = read_list(texts->hand);
    self->marks = read_list(texts->marks);
    path = search_find_or_fail(SEARCH_WORKLOAD, "script", self->script, error);
    return path != NULL && tune_axes_parse(texts->window, &self->axes, error) &&
           tune_goals_parse(self->goals,
                            texts->objective != NULL ? texts->objective : OBJECTIVE,
                            error) &&
           read_by(self, texts->by, error) && read_words(self, texts->words, error) &&
           read_sizes(self, texts->sizes, error) &&
           read_within(self, texts->within, error) &&
           option_svg(self->svg, "-o", error) &&
           option_small(texts->limit_runs, "--limit-runs", 1, LIMIT_RUNS_MOST,
                        &self->limit_runs, error) &&
           option_count(texts->seed, "--seed", 0, G_MAXINT64, &self->seed, error) &&
           option_small(texts->jobs, "--jobs", 1, CMD_RUN_JOBS_MAXIMUM, &self->jobs,
                        error) &&
           option_seconds(self->limit_seconds, "--limit-seconds", &seconds, error);
}

bool tune_options_parse(TuneOptions *self, int argc, char **argv, GError **error)
{
    g_auto(Texts) texts = {0};
    /* Type FILENAME is the bytes as they came, whatever the locale. */
    const GOptionEntry entries[] = {
        {"window", 0, 0, G_OPTION_ARG_FILENAME, &texts.window,
         "axes along which windows differ", "x,y[,z]"},
        {"objective", 0, 0, G_OPTION_ARG_FILENAME, &texts.objective,
         "what they are tuned for (default: " OBJECTIVE ")", "A,B"},
        {"chip", 0, 0, G_OPTION_ARG_FILENAME, &self->chip,
         "chip to run on, name or file (default: the script's usual one)", "NAME"},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->overrides,
         "change a number of the chip; may be repeated", "SECTION.KEY=VALUE"},
        {"by", 0, 0, G_OPTION_ARG_FILENAME, &texts.by,
         "tune for each of these values of a word", OPTION_VALUES},
        {"sizes", 0, 0, G_OPTION_ARG_FILENAME, &texts.sizes,
         "sizes to try along an axis: powers of two up to the grid and the grid "
         "itself, divisors of the grid, or all (default: powers)",
         "powers|divisors|all"},
        {"hand", 0, 0, G_OPTION_ARG_FILENAME, &texts.hand,
         "hand-picked windows to compare with; empty for none (default: 8, 16, 32 and "
         "64 along all tuned axes)",
         "WINDOW,..."},
        {"mark", 0, 0, G_OPTION_ARG_FILENAME, &texts.marks,
         "windows of which to tell how far from the front they are, all or for one "
         "value of --by",
         "[VALUE:]WINDOW,..."},
        {"within", 0, 0, G_OPTION_ARG_FILENAME, &texts.within,
         "how near to the best first objective the chosen window is, in percent "
         "(default: 2)",
         "P"},
        {"limit-runs", 0, 0, G_OPTION_ARG_FILENAME, &texts.limit_runs,
         "windows to run for each value of --by (default: 1000)", "N"},
        {"limit-seconds", 0, 0, G_OPTION_ARG_FILENAME, &self->limit_seconds,
         "stop a run after this much real time; it has failed then", "N"},
        {"seed", 0, 0, G_OPTION_ARG_FILENAME, &texts.seed,
         "start of the random numbers of search and script (default: 1)", "N"},
        {"jobs", 'j', 0, G_OPTION_ARG_FILENAME, &texts.jobs,
         "runs at a time (default: one for each processor)", "N"},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->json,
         "write the result as JSON; - is standard output", "FILE"},
        {"csv", 0, 0, G_OPTION_ARG_FILENAME, &self->csv,
         "write all windows; - is standard output", "FILE"},
        {"svg", 'o', 0, G_OPTION_ARG_FILENAME, &self->svg,
         "draw all windows and the front, a panel for each value of --by", "FILE.svg"},
        {"out", 0, 0, G_OPTION_ARG_FILENAME, &self->out,
         "write everything there: tune.json, tune.csv, tune.svg, and what run --out "
         "writes of the chosen window, in a folder for each value of --by",
         "DIR"},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet,
         "no progress line and no table", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context = g_option_context_new(
        "SCRIPT --window x,y[,z] [name=value ...] - find the best window of a grid");

    *self = (TuneOptions){.limit_runs = LIMIT_RUNS,
                          .seed = 1,
                          .jobs = MIN(g_get_num_processors(), CMD_RUN_JOBS_MAXIMUM)};
    g_set_prgname("gridloom tune");
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    return g_option_context_parse(context, &argc, &argv, error) &&
           take(self, &texts, error);
}
