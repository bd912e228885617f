/* gridloom tune: finds windows that give most for least. */
#include <errno.h>

#include <glib/gstdio.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_files.h"
#include "tools/gridloom/tune/result.h"
#include "tools/gridloom/watchdog.h"
#include "traces/file/output.h"
#include "traces/table/table_csv.h"

enum {
    FOLDER_MODE = 0777,
};

typedef enum {
    FILE_JSON,
    FILE_CSV,
    FILE_SVG,
    FILE_COUNT,
} File;

static const char *const names[FILE_COUNT] = {"tune.json", "tune.csv", "tune.svg"};

/* Can all files of the options be written? Asked before anything runs. */
static bool check_files(const TuneOptions *options, GError **error)
{
    const OptionFile files[FILE_COUNT] = {
        {"--json", options->json}, {"--csv", options->csv}, {"-o", options->svg}};

    if (!option_files_differ(files, G_N_ELEMENTS(files), error)) {
        return false;
    }
    for (gsize i = 0; i < FILE_COUNT; i++) {
        if (files[i].path != NULL && !trace_output_check(files[i].path, error)) {
            return false;
        }
    }
    if (options->out != NULL && g_mkdir_with_parents(options->out, FOLDER_MODE) != 0) {
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "--out %s: %s",
                    options->out, g_strerror(errno));
        return false;
    }
    for (gsize i = 0; options->out != NULL && i < FILE_COUNT; i++) {
        g_autofree char *path = g_build_filename(options->out, names[i], NULL);

        if (!trace_output_check(path, error)) {
            return false;
        }
    }
    return true;
}

static bool
write_file(const TuneStudy *self, File kind, const char *path, GError **error)
{
    g_autoptr(TraceTable) table = NULL;
    g_autofree char *text = NULL;

    if (path == NULL) {
        return true;
    }
    if (kind == FILE_CSV) {
        table = tune_to_table(self);
        return trace_table_write_csv(table, path, error);
    }
    text = kind == FILE_JSON ? tune_to_json(self) : tune_to_svg(self);
    return trace_output_write(path, text, error);
}

/* What standard output has no room for goes to standard error. */
static void complain_of_runs(const TuneStudy *self)
{
    for (guint i = 0; i < self->groups->len; i++) {
        const TuneGroup *group = tune_study_group(self, i);
        const char *colon = *group->word != '\0' ? ": " : "";

        if (group->run.why != NULL) {
            (void) complain("%s%s%s with data: %s", group->word, colon,
                            wl_tune_group_chosen(&group->windows)->name,
                            group->run.why);
        }
        if (wl_tune_group_count(&group->windows, WL_TUNE_FAILED) > 0) {
            g_autoptr(GArray) reasons = wl_tune_reasons(&group->windows);
            const char *why = "";

            for (guint k = reasons->len; k-- > 0;) {
                const WlTuneReason *reason = &g_array_index(reasons, WlTuneReason, k);

                why = reason->status == WL_TUNE_FAILED ? reason->example : why;
            }
            (void) complain("%s%s%u windows failed: %s", group->word, colon,
                            wl_tune_group_count(&group->windows, WL_TUNE_FAILED), why);
        }
    }
}

/* Prints and writes what the options ask for. */
static bool report(const TuneStudy *self, GError **error)
{
    const TuneOptions *options = self->plan->options;
    const char *const paths[FILE_COUNT] = {options->json, options->csv, options->svg};
    bool is_printed = !options->is_quiet;

    for (gsize i = 0; i < FILE_COUNT; i++) {
        is_printed = is_printed && !trace_output_is_stdout(paths[i]);
    }
    if (is_printed) {
        tune_print(self);
    }
    complain_of_runs(self);
    for (gsize i = 0; i < FILE_COUNT; i++) {
        g_autofree char *path = options->out != NULL
                                    ? g_build_filename(options->out, names[i], NULL)
                                    : NULL;

        if (!write_file(self, (File) i, paths[i], error) ||
            !write_file(self, (File) i, path, error)) {
            return false;
        }
    }
    return true;
}

int tune_run(gpointer data)
{
    const TuneOptions *options = data;
    g_auto(TunePlan) plan = {0};
    g_auto(TuneStudy) study = {0};
    g_autoptr(Watchdog) watchdog = NULL;
    g_autoptr(GError) error = NULL;

    if (!tune_plan_make(&plan, options, &error) || !check_files(options, &error)) {
        return complain_of(error);
    }
    watchdog_block_signals();
    watchdog = watchdog_new(0);
    if (!tune_study_do(&study, &plan, watchdog, &error)) {
        return watchdog_complain(watchdog, error);
    }
    return report(&study, &error) ? tune_study_code(&study) : complain_of(error);
}
