/* Options of `gridloom tune`. */
#include "tools/gridloom/tune/options.h"

#include "tools/gridloom/commands.h"
#include "tools/gridloom/compare/chip.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/options.h"
#include "workloads/search.h"
#include "workloads/tune_words.h"

typedef TuneOptions Options;

#define OBJECTIVE "performance,resources"

static const char *const sizes[] = {[WL_TUNE_POWERS] = "powers",
                                    [WL_TUNE_DIVISORS] = "divisors",
                                    [WL_TUNE_ALL] = "all",
                                    NULL};

static bool read_by(Options *self, const char *text, GError **error)
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

/* Words of the script that are varied cannot be given, too. */
static bool check_word(const Options *self, const char *word, GError **error)
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

static bool check_words(const Options *self, GError **error)
{
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

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;
    const char *window = option_text(texts, "window");
    const char *hand = option_text(texts, "hand");
    const char *marks = option_text(texts, "mark");
    g_autofree char *path = NULL;

    if (window == NULL) {
        return option_fail(error, "tune: no axes, give some with --window x,y or "
                                  "--window x,y,z");
    }
    self->script = self->line[0];
    self->words = self->line + 1;
    self->name = search_name(SEARCH_WORKLOAD, self->script);
    self->hand = hand != NULL ? g_strsplit(hand, ",", -1) : NULL;
    self->marks = marks != NULL ? g_strsplit(marks, ",", -1) : NULL;
    if (self->jobs == 0) {
        self->jobs = MIN(g_get_num_processors(), CMD_RUN_JOBS_MAXIMUM);
    }
    path = search_find_or_fail(SEARCH_WORKLOAD, "script", self->script, error);
    return path != NULL &&
           (wl_tune_axes_parse(window, &self->axes) ||
            option_refuse("--window", window, WL_TUNE_AXES_ALLOWED, error)) &&
           tune_goals_parse(self->goals, option_text_or(texts, "objective", OBJECTIVE),
                            error) &&
           read_by(self, option_text(texts, "by"), error) && check_words(self, error);
}

static void clear(gpointer options)
{
    Options *self = options;

    g_free(self->name);
    tune_goals_clear(self->goals);
    g_free(self->by);
    g_strfreev(self->by_values);
    g_strfreev(self->hand);
    g_strfreev(self->marks);
}

static const Option rows[] = {
    {"window", "x,y[,z]", "axes along which windows differ", OPTION_OTHER(TEXT)},
    {"objective", "A,B", "what they are tuned for (default: " OBJECTIVE ")",
     OPTION_OTHER(TEXT)},
    {"chip", "NAME", "chip to run on, name or file (default: the script's usual one)",
     OPTION_TEXT(chip), .names = OPTION_NAMES_CHIPS},
    {"set", "SECTION.KEY=VALUE", "change a number of the chip; may be repeated",
     OPTION_TEXTS(overrides)},
    {"by", OPTION_VALUES, "tune for each of these values of a word",
     OPTION_OTHER(TEXT)},
    {"sizes", "powers|divisors|all",
     "sizes to try along an axis: powers of two up to the grid and the grid itself, "
     "divisors of the grid, or all (default: powers)",
     OPTION_WORD(sizes, sizes)},
    {"hand", "WINDOW,...",
     "hand-picked windows to compare with; empty for none (default: 8, 16, 32 and 64 "
     "along all tuned axes)",
     OPTION_OTHER(TEXT)},
    {"mark", "[VALUE:]WINDOW,...",
     "windows of which to tell how far from the front they are, all or for one value "
     "of --by",
     OPTION_OTHER(TEXT)},
    {"within", "P",
     "how near to the best first objective the chosen window is, in percent (default: "
     "2)",
     OPTION_REAL(within_percent, 0, 100, "a number of percent, 0..100")},
    {"limit-runs", "N", "windows to run for each value of --by (default: 1000)",
     OPTION_SMALL(limit_runs, 1, 1000000)},
    {"limit-seconds", "N", "stop a run after this much real time; it has failed then",
     OPTION_DURATION(limit_seconds)},
    {"seed", "N", "start of the random numbers of search and script (default: 1)",
     OPTION_COUNT(seed, 0, G_MAXINT64)},
    {"jobs", "N", "runs at a time (default: one for each processor)",
     OPTION_SMALL(jobs, 1, CMD_RUN_JOBS_MAXIMUM), .letter = 'j'},
    {"json", "FILE", "write the result as JSON; - is standard output",
     OPTION_TEXT(json)},
    {"csv", "FILE", "write all windows; - is standard output", OPTION_TEXT(csv)},
    {"svg", "FILE.svg",
     "draw all windows and the front, a panel for each value of --by", OPTION_SVG(svg),
     .letter = 'o'},
    {"out", "DIR",
     "write everything there: tune.json, tune.csv, tune.svg, and what run --out writes "
     "of the chosen window, in a folder for each value of --by",
     OPTION_TEXT(out)},
    {"quiet", NULL, "no progress line and no table", OPTION_FLAG(is_quiet),
     .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(line), .names = OPTION_NAMES_WORKLOADS},
    {0},
};

const Command cmd_tune = {
    .name = "tune",
    .words = "SCRIPT --window x,y[,z] [name=value ...]",
    .purpose = "find the best window of a grid",
    .missing = "no script; 'gridloom workloads' lists them",
    .help = "tune",
    .tables = {{rows, 0}},
    COMMAND_OPTIONS(Options, .limit_runs = 1000, .seed = 1, .within_percent = 2),
    .check = check,
    .clear = clear,
    .run = tune_run,
};
