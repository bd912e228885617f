/* Writes what a model says as text, JSON, tables and pictures. */
#include "tools/gridloom/model/output.h"

#include <math.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "traces/file/output.h"

typedef ModelOutput Options;

const Option model_output_rows[] = {
    {"output", "FILE.svg|.png|.csv", "draw a picture or write a table; may be repeated",
     OPTION_TEXTS(files), .letter = 'o'},
    {"json", "FILE", "write the result as JSON; - is standard output",
     OPTION_TEXT(json)},
    {"quiet", NULL, "no text", OPTION_FLAG(is_quiet), .letter = 'q'},
    {0},
};

static bool is_table(const char *path)
{
    return g_str_has_suffix(path, ".csv");
}

bool model_output_check_beside(const ModelOutput *self,
                               const TraceNamedFile *others,
                               gsize count,
                               GError **error)
{
    g_autoptr(GArray) files = g_array_new(FALSE, FALSE, sizeof(TraceNamedFile));
    const TraceNamedFile json = {"--json", self->json};

    g_array_append_val(files, json);
    for (char **path = self->files; path != NULL && *path != NULL; path++) {
        const TraceNamedFile file = {"-o", *path};

        g_array_append_val(files, file);
        if (!is_table(*path) && !cmd_plot_file_is_picture(*path)) {
            return option_refuse("-o", *path, "a name with .svg, .png or .csv", error);
        }
        if (!(is_table(*path) ? trace_output_check(*path, error)
                              : cmd_plot_file_check(*path, error))) {
            return false;
        }
    }
    if (count > 0) {
        g_array_append_vals(files, others, (guint) count);
    }
    return (self->json == NULL || trace_output_check(self->json, error)) &&
           trace_named_files_differ((const TraceNamedFile *) (const void *) files->data,
                                    files->len, error);
}

bool model_output_check(const ModelOutput *self, GError **error)
{
    return model_output_check_beside(self, NULL, 0, error);
}

static bool write_file(const ModelPage *page, const char *path, GError **error)
{
    g_autofree char *text = NULL;

    if (is_table(path)) {
        text = page->csv(page->study);
        return trace_output_write(path, text, error);
    }
    if (page->svg == NULL) {
        return option_fail(
            error, "%s: there is no picture of this, ask for a table: .csv", path);
    }
    text = page->svg(page->study);
    return cmd_plot_file_write(path, text, CMD_PLOT_FILE_SHARP, error);
}

/* A model that draws nothing has none; then it is 1, as everywhere. */
static uint64_t seed_of(JsonObject *parameters)
{
    return (uint64_t) json_object_get_int_member_with_default(parameters, "seed", 1);
}

static char *to_json(const ModelPage *page, gint64 start)
{
    JsonObject *parameters = page->parameters(page->study);
    JsonObject *metrics = page->metrics(page->study);
    const double seconds =
        json_object_get_double_member_with_default(metrics, "seconds", 0);
    const char *status = page->is_wrong ? "fail" : "pass";
    const char *unchecked =
        page->unchecked == NULL ? "a model, not a simulation" : page->unchecked;

    return envelope_to_json(
        (TraceResult){
            .workload = page->name,
            .seed = seed_of(parameters),
            .parameters = parameters,
            .seconds = isfinite(seconds) ? seconds : 0, /* NaN: not known */
            .metrics = metrics,
            .check_status = page->reference == NULL ? NULL : status,
            .reference = page->reference == NULL ? unchecked : page->reference,
            .roofs = page->roofs,
            .roof_count = page->roof_count,
            .chip_parameters =
                page->chip == NULL ? NULL : envelope_numbers(page->chip, false),
            .wall_seconds = envelope_seconds(start),
        },
        page->chip);
}

static bool
write_all(const ModelOutput *self, const ModelPage *page, gint64 start, GError **error)
{
    for (char **path = self->files; path != NULL && *path != NULL; path++) {
        if (!write_file(page, *path, error)) {
            return false;
        }
    }
    if (self->json != NULL) {
        g_autofree char *json = to_json(page, start);

        return trace_output_write(self->json, json, error);
    }
    return true;
}

int model_output_write(const ModelOutput *self, const ModelPage *page, gint64 start)
{
    g_autoptr(GError) error = NULL;

    if (!write_all(self, page, start, &error)) {
        return complain_of(error);
    }
    if (!self->is_quiet && !trace_output_is_stdout(self->json) &&
        !trace_output_has_stdout(self->files)) {
        page->print(page->study);
    }
    if (page->is_wrong) {
        (void) complain("%s: the check failed: %s", page->name, page->reference);
        return EXIT_CHECK;
    }
    return EXIT_DONE;
}
