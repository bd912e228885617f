/* gridloom diff: what differs between two runs that are over. */
#include <stdbool.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/diff/text.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/input.h"
#include "traces/file/json_member.h"
#include "traces/file/output.h"

typedef enum {
    BY_UNIT,
    BY_PLACE,
} By;

static const char *const groups[] = {"unit", "place", NULL};

typedef struct {
    char **words; /* A and B */
    char **tolerances;
    char *json;
    guint by;
    bool is_everything;
    bool is_quiet;
} Options;

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    const Options *self = options;

    (void) texts;
    return (g_strv_length(self->words) == 2 ||
            option_fail(error, "diff: one run is not enough, give A and B")) &&
           (self->json == NULL ||
            (trace_output_check(self->json, error) &&
             trace_output_check_apart(self->json, self->words, error)));
}

/* Numbers of a trace that has no end are of a part of its run. */
static bool check_whole(const TraceRun *run, GError **error)
{
    const char *warning = run->timeline != NULL ? run->timeline->warning : NULL;

    if (run->is_whole) {
        cmd_run_input_warn(run);
        return true;
    }
    return warning != NULL
               ? option_fail(error, "%s", warning)
               : option_fail(error, "%s: there is no result in it", run->name);
}

static TraceRun *
read_run(Progress *progress, const Options *options, guint index, GError **error)
{
    const char *path = options->words[index];
    g_autofree char *what = g_strdup_printf("reading %s", path);
    const TraceWatch watch = {.tell = progress_share, .data = progress};

    progress_begin(progress, index + 1, 2, what);
    g_autoptr(TraceRun) run = trace_run_read_watched(path, &watch, error);

    return run != NULL && check_whole(run, error) ? g_steal_pointer(&run) : NULL;
}

static bool check_alike(const TraceRun *a, const TraceRun *b, GError **error)
{
    const char *own = trace_json_string(a->result, "workload", "nothing");
    const char *other = trace_json_string(b->result, "workload", "nothing");

    return g_str_equal(own, other) ||
           option_fail(error,
                       "%s is a run of %s and %s of %s: only runs of one "
                       "workload can be compared",
                       a->name, own, b->name, other);
}

static DiffNumbers *numbers_of(const TraceRun *run, bool has_traces, By by)
{
    DiffNumbers *numbers = diff_numbers_new();

    diff_numbers_add_result(numbers, run->result);
    if (has_traces) {
        diff_numbers_add_trace(numbers, run->timeline, by == BY_PLACE);
    }
    return numbers;
}

static bool check_used(const DiffTolerances *tolerances, GError **error)
{
    const char *unused = diff_tolerances_unused(tolerances);

    return unused == NULL ||
           option_fail(error, "--tolerance %s: neither run has a number of this name",
                       unused);
}

static bool write_json(const Options *options, const DiffText *text, GError **error)
{
    JsonObject *parameters = json_object_new();
    const guint above = diff_differences_above(text->differences);

    if (options->json == NULL) {
        json_object_unref(parameters);
        return true;
    }
    trace_json_set_text(parameters, "a", text->a);
    trace_json_set_text(parameters, "b", text->b);
    trace_json_set_text(parameters, "workload", text->workload);
    g_autofree char *json =
        envelope_to_json((TraceResult){.workload = "diff",
                                       .chip = "",
                                       .parameters = parameters,
                                       .metrics = diff_text_to_json(text),
                                       .check_status = above > 0 ? "fail" : "pass",
                                       .reference = "A, within tolerances"},
                         NULL);

    return trace_output_write(options->json, json, error);
}

/* Both runs are read and are of one workload. */
static int
compare(const Options *options, const TraceRun *a, const TraceRun *b, GError **error)
{
    const bool has_traces = a->timeline != NULL && b->timeline != NULL;
    const bool has_one = a->timeline != NULL || b->timeline != NULL;
    g_autoptr(DiffTolerances) tolerances =
        diff_tolerances_read((const char *const *) options->tolerances, error);

    if (tolerances == NULL) {
        return EXIT_INPUT;
    }
    g_autoptr(DiffNumbers) own = numbers_of(a, has_traces, options->by);
    g_autoptr(DiffNumbers) other = numbers_of(b, has_traces, options->by);
    g_autoptr(GArray) unlike = diff_unlike(a->result, b->result);
    g_autoptr(GArray) differences = diff_differences(own, other, tolerances);
    const DiffText text = {
        .a = a->name,
        .b = b->name,
        .workload = trace_json_string(a->result, "workload", "nothing"),
        .note = has_one && !has_traces ? "traces, only one of the runs has one" : NULL,
        .unlike = unlike,
        .differences = differences,
        .count = diff_numbers_count(own)};

    if (!check_used(tolerances, error) || !write_json(options, &text, error)) {
        return EXIT_INPUT;
    }
    if (!options->is_quiet && !trace_output_is_stdout(options->json)) {
        diff_text_print(&text, options->is_everything);
    }
    return diff_differences_above(differences) > 0 ? EXIT_CHECK : EXIT_DONE;
}

static int run(gpointer data)
{
    const Options *options = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(Progress) progress = progress_new("diff", !options->is_quiet);
    g_autoptr(TraceRun) a = read_run(progress, options, 0, &error);
    g_autoptr(TraceRun) b = a != NULL ? read_run(progress, options, 1, &error) : NULL;

    g_clear_pointer(&progress, progress_free);
    if (b == NULL || !check_alike(a, b, &error)) {
        return complain_of(error);
    }
    const int code = compare(options, a, b, &error);

    return error != NULL ? complain_of(error) : code;
}

static const Option rows[] = {
    {"tolerance", "VALUE|NAME=VALUE",
     "how much numbers may differ, as part of A: 0.01, 1%, inf; of NAME, as cycles, "
     "busy or zones.*; may be given several times (default: 0)",
     OPTION_TEXTS(tolerances)},
    {"by", "unit|place",
     "numbers of traces: of each kind of unit, or of each place (default: unit)",
     OPTION_WORD(by, groups)},
    {"all", NULL, "also show differences within their tolerance",
     OPTION_FLAG(is_everything)},
    {"json", "FILE", "write numbers as JSON; - is standard output", OPTION_TEXT(json)},
    {"quiet", NULL, "say nothing; the exit code tells", OPTION_FLAG(is_quiet),
     .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words)},
    {0},
};

const Command cmd_diff = {
    .name = "diff",
    .words = "A B",
    .purpose = "what differs between two runs",
    .missing = "no runs, give two: traces, files result.json or folders of --out",
    .most_words = 2,
    .help = "diff",
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .check = check,
    .run = run,
};
