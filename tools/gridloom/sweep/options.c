/* The command line of `gridloom sweep`. */
#include "tools/gridloom/sweep/options.h"

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/named_files.h"
#include "workloads/search.h"

typedef CmdSweepOptions Options;

/* Where the results go unless the user says: here, under the name of the file. */
static char *database_of(const char *file)
{
    g_autofree char *name = search_name(SEARCH_WORKLOAD, file);

    return g_strconcat(name, ".sqlite", NULL);
}

/* A table must not take the place of the database or of the sweep itself. */
static bool check_files(const CmdSweepOptions *self, GError **error)
{
    const TraceNamedFile files[] = {{"FILE", self->file},   {"--db", self->database},
                                    {"-o", self->output},   {"--csv", self->csv},
                                    {"--html", self->html}, {"--json", self->json}};

    return trace_named_files_differ(files, G_N_ELEMENTS(files), error);
}

static bool
check(gpointer options, const OptionTexts *texts G_GNUC_UNUSED, GError **error)
{
    Options *self = options;

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
    {"jobs", "N",
     "runs at a time, under mpirun on each rank (default: one for each processor; "
     "under mpirun 1)",
     OPTION_SMALL(jobs, 1, 1024), .letter = 'j'},
    {"db", "FILE.sqlite",
     "database of the results (default: FILE with .sqlite for .lua, in this folder)",
     OPTION_TEXT(database)},
    {"dry-run", NULL, "check everything and show the first runs, run nothing",
     OPTION_FLAG(is_dry_run)},
    {"yes", NULL, "do more than 100000 runs, too", OPTION_FLAG(is_agreed),
     .letter = 'y'},
    {"retry-failed", NULL, "do runs again that failed", OPTION_FLAG(is_retrying)},
    {"limit-seconds", "N", "stop a run after this much real time; it has failed then",
     OPTION_DURATION(limit_seconds)},
    {"plot", "X", "draw along this column; in letters where there is no -o",
     OPTION_TEXT(plot)},
    {"by", "Y", "a curve for each value of this column", OPTION_TEXT(by)},
    {"y", "METRIC", "what is drawn (default: the first that is recorded)",
     OPTION_TEXT(y)},
    {"output", "FILE.svg|FILE.png", "write the picture", OPTION_TEXT(output),
     .letter = 'o'},
    {"pareto", "A,B",
     "the front of two columns, of which less is better; more of -A or max:A",
     OPTION_TEXT(pareto)},
    {"csv", "FILE", "write the table; - is standard output", OPTION_TEXT(csv)},
    {"html", "FILE", "write a page with table, scatter plot and parallel coordinates",
     OPTION_TEXT(html)},
    {"out", "FOLDER", "write table, page, and all pictures that the file lists",
     OPTION_TEXT(out)},
    {"json", "FILE", "write what came of it as JSON; - is standard output",
     OPTION_TEXT(json)},
    {"quiet", NULL, "no progress line and no summary", OPTION_FLAG(is_quiet),
     .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words)},
    {0},
};

const Command cmd_sweep = {
    .name = "sweep",
    .words = "FILE",
    .purpose = "many runs: axes, combinations, one database",
    .missing =
        "no file; expected a Lua file that returns { script = ..., axes = ..., ... }",
    .help = "sweep",
    .most_words = 1,
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .check = check,
    .run = cmd_sweep_run,
    .fail = cmd_sweep_fail,
};
