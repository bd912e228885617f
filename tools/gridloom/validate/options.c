/* Options of `gridloom validate`. */
#include "tools/gridloom/validate/options.h"

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/options.h"
#include "workloads/search.h"

typedef ValidateOptions Options;

enum {
    JOBS_DEFAULT_MAXIMUM = 16,
};

/* -o says by its ending what it is. */
static bool sort_outputs(Options *self, GError **error)
{
    if (self->output == NULL || !g_str_has_suffix(self->output, ".html")) {
        return true;
    }
    if (self->html != NULL) {
        return option_fail(error, "--html %s, -o %s: at most one page is written",
                           self->html, self->output);
    }
    self->html = g_steal_pointer(&self->output);
    return true;
}

static bool
check(gpointer options, const OptionTexts *texts G_GNUC_UNUSED, GError **error)
{
    Options *self = options;
    const char *data = g_getenv("GRIDLOOM_DATA");

    if (self->is_quick && self->is_full) {
        return option_fail(error, "--quick and --full: at most one of them is allowed");
    }
    if (!sort_outputs(self, error)) {
        return false;
    }
    if (self->data == NULL && data != NULL && *data != '\0') {
        self->data = g_strdup(data);
    }
    if (self->data != NULL && !g_file_test(self->data, G_FILE_TEST_IS_DIR)) {
        return option_refuse("--data", self->data, "a folder of measurements", error);
    }
    if (self->jobs == 0) {
        self->jobs =
            self->is_full ? 1 : MIN(g_get_num_processors(), JOBS_DEFAULT_MAXIMUM);
    }
    return true;
}

static char *describe(void)
{
    g_autofree char *names = search_names_text(SEARCH_SUITE);

    return g_strdup_printf("Suites: %s. Without one, all of them.\n", names);
}

static const Option rows[] = {
    {"quick", NULL, "leave out the rows whose runs are long", OPTION_FLAG(is_quick)},
    {"full", NULL, "run whole cases where a slice of them would do",
     OPTION_FLAG(is_full)},
    {"threads", "N", "of each run: changes speed, never results (default: 1)",
     OPTION_SMALL(threads, 1, CMD_RUN_THREADS_MAXIMUM)},
    {"jobs", "N",
     "runs at a time (default: one for each processor; with --full 1, since whole "
     "wafers need memory)",
     OPTION_SMALL(jobs, 1, CMD_RUN_JOBS_MAXIMUM), .letter = 'j'},
    {"data", "DIR",
     "folder of measurements, for suites that are made of them (default: "
     "$GRIDLOOM_DATA, or none)",
     OPTION_TEXT(data)},
    {"json", "FILE", "write the result as JSON; - is standard output",
     OPTION_TEXT(json)},
    {"html", "FILE", "write a page with a scatter plot and all rows",
     OPTION_TEXT(html)},
    {"output", "FILE.html|.svg|.png", "write the page, or the plot alone",
     OPTION_TEXT(output), .letter = 'o'},
    {"rows", NULL,
     "print every row of measurements, not only means and those that failed",
     OPTION_FLAG(has_rows)},
    {"quiet", NULL, "no progress line and no result table", OPTION_FLAG(is_quiet),
     .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(suites), .names = OPTION_NAMES_SUITES},
    {0},
};

const Command cmd_validate = {
    .name = "validate",
    .words = "[SUITE|FILE.csv ...]",
    .purpose = "published against simulated",
    .describe = describe,
    .help = "validate",
    .tables = {{rows, 0}},
    COMMAND_OPTIONS(Options, .threads = 1),
    .check = check,
    .run = validate_run,
};
