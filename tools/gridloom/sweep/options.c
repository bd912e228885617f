/* The command line of `gridloom sweep`. */
#include "tools/gridloom/sweep/options.h"

#include <string.h>

#include "tools/gridloom/option_files.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/search.h"

enum {
    JOBS_MAXIMUM = 1024,
};

static const char *const description =
    "Does every run that the file asks for and keeps what it records in a database,\n"
    "a row for each run. What is there already is not run again: started once more,\n"
    "a sweep goes on where it was stopped or killed, and pictures are drawn of what "
    "is\n"
    "there. Under mpirun, ranks share the runs, each with --jobs of them at a time.\n"
    "Exit code 4: a run failed; 3: a run was lost (its process was killed).\n\n"
    "  gridloom sweep FILE.lua --dry-run\n"
    "  gridloom sweep FILE.lua --plot tiles --by system -o tiles.svg\n"
    "  mpirun -n 4 gridloom sweep FILE.lua\n";

void cmd_sweep_options_clear(CmdSweepOptions *self)
{
    g_free(self->file);
    g_free(self->database);
    g_free(self->limit_seconds);
    g_free(self->json);
    g_free(self->plot);
    g_free(self->by);
    g_free(self->y);
    g_free(self->output);
    g_free(self->pareto);
    g_free(self->csv);
    g_free(self->html);
    g_free(self->out);
}

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

static bool check(CmdSweepOptions *self, char **words, const char *jobs, GError **error)
{
    double seconds = 0;

    if (words == NULL) {
        return option_fail(error, "sweep: no file; expected a Lua file that returns { "
                                  "script = ..., axes = ..., ... }");
    }
    if (!option_no_words(words + 1, "sweep FILE", error)) {
        return false;
    }
    self->file = g_strdup(words[0]);
    if (self->database == NULL) {
        self->database = database_of(self->file);
    }
    if (*self->database == '\0') {
        return option_fail(error, "--db: the name is empty, give a file");
    }
    return check_files(self, error) &&
           option_small(jobs, "--jobs", 1, JOBS_MAXIMUM, &self->jobs, error) &&
           option_seconds(self->limit_seconds, "--limit-seconds", &seconds, error);
}

bool cmd_sweep_options_parse(CmdSweepOptions *self,
                             int argc,
                             char **argv,
                             GError **error)
{
    g_autofree char *jobs = NULL;
    g_auto(GStrv) words = NULL;
    /* Type FILENAME is the bytes as they came, whatever the locale. */
    const GOptionEntry entries[] = {
        {"jobs", 'j', 0, G_OPTION_ARG_FILENAME, &jobs,
         "runs at a time, under mpirun on each rank (default: one for each processor; "
         "under mpirun 1)",
         "N"},
        {"db", 0, 0, G_OPTION_ARG_FILENAME, &self->database,
         "database of the results (default: FILE with .sqlite for .lua, in this "
         "folder)",
         "FILE.sqlite"},
        {"dry-run", 0, 0, G_OPTION_ARG_NONE, &self->is_dry_run,
         "check everything and show the first runs, run nothing", NULL},
        {"yes", 'y', 0, G_OPTION_ARG_NONE, &self->is_agreed,
         "do more than 100000 runs, too", NULL},
        {"retry-failed", 0, 0, G_OPTION_ARG_NONE, &self->is_retrying,
         "do runs again that failed", NULL},
        {"limit-seconds", 0, 0, G_OPTION_ARG_FILENAME, &self->limit_seconds,
         "stop a run after this much real time; it has failed then", "N"},
        {"plot", 0, 0, G_OPTION_ARG_FILENAME, &self->plot,
         "draw along this column; in letters where there is no -o", "X"},
        {"by", 0, 0, G_OPTION_ARG_FILENAME, &self->by,
         "a curve for each value of this column", "Y"},
        {"y", 0, 0, G_OPTION_ARG_FILENAME, &self->y,
         "what is drawn (default: the first that is recorded)", "METRIC"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &self->output, "write the picture",
         "FILE.svg|FILE.png"},
        {"pareto", 0, 0, G_OPTION_ARG_FILENAME, &self->pareto,
         "the front of two columns, of which less is better; more of -A or max:A",
         "A,B"},
        {"csv", 0, 0, G_OPTION_ARG_FILENAME, &self->csv,
         "write the table; - is standard output", "FILE"},
        {"html", 0, 0, G_OPTION_ARG_FILENAME, &self->html,
         "write a page with table, scatter plot and parallel coordinates", "FILE"},
        {"out", 0, 0, G_OPTION_ARG_FILENAME, &self->out,
         "write table, page, and all pictures that the file lists", "FOLDER"},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->json,
         "write what came of it as JSON; - is standard output", "FILE"},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet,
         "no progress line and no summary", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words, NULL, NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("FILE - many runs: axes, combinations, one database");

    *self = (CmdSweepOptions){0};
    g_set_prgname("gridloom sweep");
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    return g_option_context_parse(context, &argc, &argv, error) &&
           check(self, words, jobs, error);
}
