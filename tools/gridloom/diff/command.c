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
    g_autoptr(DiffTolerances) tolerances =
        diff_tolerances_read((const char *const *) self->tolerances, error);

    (void) texts;
    return tolerances != NULL &&
           (g_strv_length(self->words) == 2 ||
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

/* One of the two. */
typedef struct {
    TraceRun *run;      /* without its trace, of which two may be too large */
    DiffNumbers *trace; /* the numbers of its trace; NULL: there is none */
} Side;

static void side_clear(Side *self)
{
    g_clear_pointer(&self->run, trace_run_free);
    g_clear_pointer(&self->trace, diff_numbers_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Side, side_clear)

static bool read_side(
    Side *self, Progress *progress, const Options *options, guint index, GError **error)
{
    const char *path = options->words[index];
    g_autofree char *what = g_strdup_printf("reading %s", path);
    const TraceWatch watch = {.tell = progress_share, .data = progress};

    progress_begin(progress, index + 1, 2, what);
    self->run = trace_run_read_watched(path, &watch, error);
    if (self->run == NULL || !check_whole(self->run, error)) {
        return false;
    }
    if (self->run->timeline != NULL) {
        self->trace = diff_numbers_new();
        diff_numbers_add_trace(self->trace, self->run->timeline,
                               options->by == BY_PLACE);
        g_clear_pointer(&self->run->timeline, trace_timeline_free);
    }
    return true;
}

static DiffNumbers *numbers_of(const Side *side, bool has_traces)
{
    DiffNumbers *numbers = diff_numbers_new();

    diff_numbers_add_result(numbers, side->run->result);
    if (has_traces) {
        diff_numbers_add(numbers, side->trace);
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
static int compare(const Options *options, const Side *a, const Side *b, GError **error)
{
    const bool has_traces = a->trace != NULL && b->trace != NULL;
    const bool has_one = a->trace != NULL || b->trace != NULL;
    g_autoptr(DiffTolerances) tolerances =
        diff_tolerances_read((const char *const *) options->tolerances, error);

    if (tolerances == NULL) {
        return EXIT_INPUT;
    }
    g_autoptr(DiffNumbers) own = numbers_of(a, has_traces);
    g_autoptr(DiffNumbers) other = numbers_of(b, has_traces);
    g_autoptr(GArray) unlike = diff_unlike(a->run->result, b->run->result);
    g_autoptr(GArray) differences = diff_differences(own, other, tolerances);
    const DiffText text = {
        .a = a->run->name,
        .b = b->run->name,
        .workload = trace_json_string(a->run->result, "workload", "nothing"),
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
    g_auto(Side) a = {0};
    g_auto(Side) b = {0};
    const bool is_read = read_side(&a, progress, options, 0, &error) &&
                         read_side(&b, progress, options, 1, &error);

    g_clear_pointer(&progress, progress_free);
    if (!is_read || !cmd_run_input_check_alike(a.run, b.run, &error)) {
        return complain_of(error);
    }
    const int code = compare(options, &a, &b, &error);

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
