/* Options of `gridloom validate`. */
#include "tools/gridloom/validate/options.h"

#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/options.h"
#include "tools/gridloom/search.h"

enum {
    JOBS_MAXIMUM = 256,
    JOBS_DEFAULT_MAXIMUM = 16,
};

static const char *const definitions =
    "Runs the cases of published figures and compares. Calibrated rows are those that\n"
    "parameters of the model were fitted to; all others are predictions. A row "
    "without\n"
    "a tolerance is shown and not judged. Exit code 4: a row left its tolerance, or "
    "its\n"
    "run failed.\n\n"
    "Some rows of wafers run on a slice and say so; --full runs the whole grids.\n\n"
    "  gridloom validate wormhole --quick\n";

void validate_options_clear(ValidateOptions *self)
{
    g_strfreev(self->suites);
    g_free(self->data);
    g_free(self->json);
    g_free(self->html);
    g_free(self->output);
}

/* -o says by its ending what it is. */
static bool sort_outputs(ValidateOptions *self, GError **error)
{
    if (self->output == NULL || !g_str_has_suffix(self->output, ".html")) {
        return true;
    }
    if (self->html != NULL) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                    "--html %s, -o %s: at most one page is written", self->html,
                    self->output);
        return false;
    }
    self->html = g_steal_pointer(&self->output);
    return true;
}

static bool
check(ValidateOptions *self, const char *threads, const char *jobs, GError **error)
{
    if (self->is_quick && self->is_full) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                    "--quick and --full: at most one of them is allowed");
        return false;
    }
    if (!sort_outputs(self, error)) {
        return false;
    }
    const char *data = g_getenv("GRIDLOOM_DATA");

    if (self->data == NULL && data != NULL && *data != '\0') {
        self->data = g_strdup(data);
    }
    if (self->data != NULL && !g_file_test(self->data, G_FILE_TEST_IS_DIR)) {
        return option_refuse("--data", self->data, "a folder of measurements", error);
    }
    self->threads = 1;
    self->jobs = self->is_full ? 1 : MIN(g_get_num_processors(), JOBS_DEFAULT_MAXIMUM);
    return option_small(threads, "--threads", 1, CMD_RUN_THREADS_MAXIMUM,
                        &self->threads, error) &&
           option_small(jobs, "--jobs", 1, JOBS_MAXIMUM, &self->jobs, error);
}

bool validate_options_parse(ValidateOptions *self,
                            int argc,
                            char **argv,
                            GError **error)
{
    g_autofree char *threads = NULL;
    g_autofree char *jobs = NULL;
    const GOptionEntry entries[] = {
        {"quick", 0, 0, G_OPTION_ARG_NONE, &self->is_quick,
         "leave out the rows whose runs are long", NULL},
        {"full", 0, 0, G_OPTION_ARG_NONE, &self->is_full,
         "run whole cases where a slice of them would do", NULL},
        {"threads", 0, 0, G_OPTION_ARG_FILENAME, &threads,
         "of each run: changes speed, never results (default: 1)", "N"},
        {"jobs", 'j', 0, G_OPTION_ARG_FILENAME, &jobs,
         "runs at a time (default: one for each processor; with --full 1, since whole "
         "wafers need memory)",
         "N"},
        {"data", 0, 0, G_OPTION_ARG_FILENAME, &self->data,
         "folder of measurements, for suites that are made of them (default: "
         "$GRIDLOOM_DATA, or none)",
         "DIR"},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->json,
         "write the result as JSON; - is standard output", "FILE"},
        {"html", 0, 0, G_OPTION_ARG_FILENAME, &self->html,
         "write a page with a scatter plot and all rows", "FILE"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &self->output,
         "write the page, or the plot alone", "FILE.html|.svg|.png"},
        {"rows", 0, 0, G_OPTION_ARG_NONE, &self->has_rows,
         "print every row of measurements, not only means and those that failed", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet,
         "no progress line and no result table", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->suites, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autofree char *names = search_names_text(SEARCH_SUITE);
    g_autofree char *description = g_strdup_printf(
        "Suites: %s. Without one, all of them.\n%s", names, definitions);
    g_autoptr(GOptionContext) context =
        g_option_context_new("[SUITE|FILE.csv ...] - published against simulated");

    g_set_prgname("gridloom validate");
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    return g_option_context_parse(context, &argc, &argv, error) &&
           check(self, threads, jobs, error);
}
