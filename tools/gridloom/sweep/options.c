/* The command line of `gridloom sweep`. */
#include "tools/gridloom/sweep/options.h"

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_files.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/search.h"

typedef CmdSweepOptions Options;

enum {
    JOBS_MAXIMUM = 1024,
};

/* Where the results go unless the user says: here, under the name of the file. */
static char *database_of(const char *file)
{
    g_autofree char *name = search_name(SEARCH_WORKLOAD, file);

    return g_strconcat(name, ".sqlite", NULL);
}

/* A table must not take the place of the database or of the sweep itself. */
static bool check_files(const CmdSweepOptions *self, GError **error)
{
    const OptionFile files[] = {{"FILE", self->file},   {"--db", self->database},
                                {"-o", self->output},   {"--csv", self->csv},
                                {"--html", self->html}, {"--json", self->json}};

    return option_files_differ(files, G_N_ELEMENTS(files), error);
}

static bool
check(gpointer options, const OptionTexts *texts G_GNUC_UNUSED, GError **error)
{
    Options *self = options;

    if (self->words == NULL) {
        return option_fail(error, "sweep: no file; expected a Lua file that returns { "
                                  "script = ..., axes = ..., ... }");
    }
    if (!option_no_words(self->words + 1, "sweep FILE", error)) {
        return false;
    }
    self->file = self->words[0];
    if (self->database == NULL) {
        self->database = database_of(self->file);
    }
    if (*self->database == '\0') {
        return option_fail(error, "--db: the name is empty, give a file");
    }
    return check_files(self, error);
}

static const Option rows[] = {
    {"jobs", 'j', "N",
     "runs at a time, under mpirun on each rank (default: one for each processor; "
     "under mpirun 1)",
     OPTION_SMALL(Options, jobs, 1, JOBS_MAXIMUM)},
    {"db", 0, "FILE.sqlite",
     "database of the results (default: FILE with .sqlite for .lua, in this folder)",
     OPTION_TEXT(Options, database)},
    {"dry-run", 0, NULL, "check everything and show the first runs, run nothing",
     OPTION_FLAG(Options, is_dry_run)},
    {"yes", 'y', NULL, "do more than 100000 runs, too",
     OPTION_FLAG(Options, is_agreed)},
    {"retry-failed", 0, NULL, "do runs again that failed",
     OPTION_FLAG(Options, is_retrying)},
    {"limit-seconds", 0, "N",
     "stop a run after this much real time; it has failed then",
     OPTION_DURATION(Options, limit_seconds)},
    {"plot", 0, "X", "draw along this column; in letters where there is no -o",
     OPTION_TEXT(Options, plot)},
    {"by", 0, "Y", "a curve for each value of this column", OPTION_TEXT(Options, by)},
    {"y", 0, "METRIC", "what is drawn (default: the first that is recorded)",
     OPTION_TEXT(Options, y)},
    {"output", 'o', "FILE.svg|FILE.png", "write the picture",
     OPTION_TEXT(Options, output)},
    {"pareto", 0, "A,B",
     "the front of two columns, of which less is better; more of -A or max:A",
     OPTION_TEXT(Options, pareto)},
    {"csv", 0, "FILE", "write the table; - is standard output",
     OPTION_TEXT(Options, csv)},
    {"html", 0, "FILE",
     "write a page with table, scatter plot and parallel coordinates",
     OPTION_TEXT(Options, html)},
    {"out", 0, "FOLDER", "write table, page, and all pictures that the file lists",
     OPTION_TEXT(Options, out)},
    {"json", 0, "FILE", "write what came of it as JSON; - is standard output",
     OPTION_TEXT(Options, json)},
    {"quiet", 'q', NULL, "no progress line and no summary",
     OPTION_FLAG(Options, is_quiet)},
    {OPTION_WORDS, 0, NULL, NULL, OPTION_TEXTS(Options, words)},
    {0},
};

const Command cmd_sweep = {
    .name = "sweep",
    .words = "FILE",
    .purpose = "many runs: axes, combinations, one database",
    .help = "sweep",
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .check = check,
    .run = cmd_sweep_run,
    .fail = cmd_sweep_fail,
};
