/* Collects runs and roofs. */
#include "traces/roofline/set.h"

#include <math.h>

#include "traces/file/json_member.h"
#include "traces/file/quantity.h"
#include "traces/reading/used.h"
#include "traces/roofline/bound.h"
#include "traces/roofline/part.h"
#include "traces/roofline/problem.h"

enum {
    LETTERS = 26,
    DIGITS = 4,
};

static void free_run(gpointer data)
{
    trace_roofline_run_free(data);
}

void trace_roofline_set_init(TraceRooflineSet *self)
{
    *self = (TraceRooflineSet){
        .files = trace_runs_new(),
        .runs = g_ptr_array_new_with_free_func(free_run),
        .notes = g_ptr_array_new_with_free_func(g_free),
        .warnings = g_ptr_array_new_with_free_func(g_free),
        .level = TRACE_ROOFLINE_ALL_LEVELS,
    };
}

void trace_roofline_set_clear(TraceRooflineSet *self)
{
    g_clear_pointer(&self->files, g_ptr_array_unref);
    g_clear_pointer(&self->runs, g_ptr_array_unref);
    g_clear_pointer(&self->notes, g_ptr_array_unref);
    g_clear_pointer(&self->warnings, g_ptr_array_unref);
    g_clear_pointer(&self->title, g_free);
}

guint trace_roofline_set_count(const TraceRooflineSet *self)
{
    return self->runs->len;
}

guint trace_roofline_set_run_count(const TraceRooflineSet *self)
{
    guint count = 0;

    while (count < self->runs->len &&
           *trace_roofline_set_run(self, count)->workload != '\0') {
        count++;
    }
    return count;
}

const TraceRooflineRun *trace_roofline_set_run(const TraceRooflineSet *self,
                                               guint index)
{
    return g_ptr_array_index(self->runs, index);
}

bool trace_roofline_set_add(TraceRooflineSet *self, TraceRun *file, GError **error)
{
    g_autoptr(TraceRun) taken = file;
    TraceRooflineRun *run = trace_roofline_run_read(file->name, file->result, error);

    if (run == NULL) {
        return false;
    }
    g_autoptr(TraceMachine) machine =
        self->find_machine != NULL ? self->find_machine(run->chip, self->is_published)
                                   : NULL;

    if (machine != NULL) {
        run->is_quoted = self->is_published;
        trace_machine_give(machine, run, trace_json_object(file->result, "counters"));
    }
    g_ptr_array_add(self->files, g_steal_pointer(&taken));
    g_ptr_array_insert(self->runs, (int) self->files->len - 1, run);
    return true;
}

static bool is_on(const TraceRun *file, const char *chip)
{
    return g_str_equal(trace_json_string(file->result, "chip", ""), chip);
}

/* The best fit of the results measured on a chip. */
static TraceProblemFit
best_fit(const GPtrArray *measured, JsonObject *run, const char *chip)
{
    TraceProblemFit best = TRACE_PROBLEM_FIT_NOT_AT_ALL;

    for (guint i = 0; i < measured->len; i++) {
        const TraceRun *file = g_ptr_array_index(measured, i);

        if (is_on(file, chip)) {
            best = MIN(best, trace_problem_fit(run, file->result));
        }
    }
    return best;
}

/* Was it given already, by whatever name? */
static bool has_file(const TraceRooflineSet *self, JsonObject *result)
{
    for (guint i = 0; i < self->files->len; i++) {
        const TraceRun *file = g_ptr_array_index(self->files, i);

        if (json_object_equal(file->result, result)) {
            return true;
        }
    }
    return false;
}

/* Adds the results measured on the chip that fit the run best; returns how well. The
 * set takes copies, so that they fit others, too. */
static TraceProblemFit add_results(TraceRooflineSet *self,
                                   const GPtrArray *measured,
                                   JsonObject *run,
                                   const char *chip)
{
    const TraceProblemFit best = best_fit(measured, run, chip);

    for (guint i = 0; best < TRACE_PROBLEM_FIT_NOT_AT_ALL && i < measured->len; i++) {
        const TraceRun *file = g_ptr_array_index(measured, i);

        if (is_on(file, chip) && trace_problem_fit(run, file->result) == best &&
            !has_file(self, file->result)) {
            TraceRun *copy = g_new(TraceRun, 1);

            *copy = (TraceRun){.name = g_strdup(file->name),
                               .result = json_object_ref(file->result),
                               .is_whole = file->is_whole};
            (void) trace_roofline_set_add(self, copy, NULL);
        }
    }
    return best;
}

void trace_roofline_set_add_machine(TraceRooflineSet *self,
                                    const TraceMachine *machine,
                                    const GPtrArray *measured,
                                    guint given)
{
    TraceRooflineRun *run =
        trace_roofline_run_new("", machine->chip, TRACE_ROOFLINE_SIMULATED);
    TraceProblemFit best = TRACE_PROBLEM_FIT_NOT_AT_ALL;

    run->is_quoted = self->is_published;
    run->watts_from = g_strdup("not known");
    trace_machine_give(machine, run, NULL);
    for (guint i = 0; i < given; i++) {
        JsonObject *result = ((TraceRun *) g_ptr_array_index(self->files, i))->result;
        const TraceProblemFit fit = add_results(self, measured, result, run->chip);

        best = MIN(best, fit);
        if (fit != TRACE_PROBLEM_FIT_EXACT) {
            trace_roofline_bound_add(self, machine, result, measured);
        }
    }
    if (best == TRACE_PROBLEM_FIT_NOT_AT_ALL) {
        g_ptr_array_add(self->notes,
                        g_strdup_printf("%s: traces/gpu has no result of these "
                                        "workloads, only its roofs are shown",
                                        run->chip));
    }
    g_ptr_array_add(self->runs, run);
}

bool trace_roofline_set_per_watt(TraceRooflineSet *self)
{
    bool is_any = false;
    bool is_split = false;

    self->scale = TRACE_ROOFLINE_WATT;
    for (guint i = 0; i < self->runs->len; i++) {
        TraceRooflineRun *run = g_ptr_array_index(self->runs, i);
        g_autofree char *name = trace_roofline_set_name(self, i);

        if (run->watts > 0) {
            g_autofree char *watts = quantity_scaled_to(run->watts, DIGITS);

            g_ptr_array_add(self->notes, g_strdup_printf("%s: %sW, %s", name, watts,
                                                         run->watts_from));
            is_any = is_any || run->rate > 0;
            is_split =
                is_split || (run->board_watts > 0 &&
                             !trace_machine_is_same(run->board_watts, run->watts));
        } else {
            g_ptr_array_add(self->notes,
                            g_strdup_printf("%s: its power is not known, it is "
                                            "left out",
                                            name));
            run->rate = 0;
            g_array_set_size(run->roofs, 0);
        }
    }
    if (is_split) {
        g_ptr_array_add(self->notes,
                        g_strdup("percents are of rates, not of rates per watt: runs "
                                 "have their own power, roofs that of the board"));
    }
    return is_any;
}

/* The note of a file's result; NULL if it is simulated. */
static const char *note_of(const TraceRooflineSet *self, guint index)
{
    const TraceRun *file = g_ptr_array_index(self->files, index);
    JsonObject *metrics = trace_json_object(file->result, "metrics");

    return trace_roofline_set_run(self, index)->origin == TRACE_ROOFLINE_SIMULATED
               ? NULL
               : trace_json_string(metrics, "note", NULL);
}

/* "C, D: " of the runs from this one on that have its note. */
static GString *letters_of(const TraceRooflineSet *self, guint index)
{
    GString *letters = g_string_new(NULL);

    for (guint i = index; i < self->files->len; i++) {
        if (g_strcmp0(note_of(self, i), note_of(self, index)) == 0) {
            g_autofree char *letter = trace_roofline_set_letter(self, i);

            g_string_append_printf(letters, "%s%s", letters->len > 0 ? ", " : "",
                                   letter);
        }
    }
    return letters;
}

static bool is_told(const TraceRooflineSet *self, guint index)
{
    for (guint i = 0; i < index; i++) {
        if (g_strcmp0(note_of(self, i), note_of(self, index)) == 0) {
            return true;
        }
    }
    return false;
}

void trace_roofline_set_tell(TraceRooflineSet *self)
{
    for (guint i = 0; i < self->files->len; i++) {
        const char *note = note_of(self, i);

        if (note != NULL && !is_told(self, i)) {
            GString *text = letters_of(self, i);

            g_string_append_printf(text, ": %s", note);
            g_ptr_array_add(self->notes, g_string_free(text, FALSE));
        }
    }
}

bool trace_roofline_set_shows(const TraceRooflineSet *self,
                              const TraceRooflineRoof *roof)
{
    return roof->is_peak || self->level == TRACE_ROOFLINE_ALL_LEVELS ||
           self->level == (int) trace_roofline_level_of(roof->name);
}

static double use_of(const TraceRooflineRoof *roof)
{
    return roof->achieved > 0 ? roof->achieved / roof->value : 0;
}

static bool is_dram(const TraceRooflineRoof *roof)
{
    return trace_roofline_level_of(roof->name) == TRACE_ROOFLINE_DRAM;
}

/* Does `roof` bind the run more than `other`, of the same kind, does? */
static bool is_nearer(const TraceRooflineRun *run,
                      const TraceRooflineRoof *roof,
                      const TraceRooflineRoof *other)
{
    if (use_of(roof) > 0 || use_of(other) > 0) {
        return use_of(roof) > use_of(other);
    }
    if (!roof->is_peak) {
        return is_dram(roof) && !is_dram(other);
    }
    return other->value < run->rate
               ? roof->value > other->value
               : roof->value >= run->rate && roof->value < other->value;
}

bool trace_roofline_set_matters(const TraceRooflineSet *self,
                                const TraceRooflineRun *run,
                                const TraceRooflineRoof *roof)
{
    if (self->is_every_roof || run->key != NULL) {
        return trace_roofline_set_shows(self, roof);
    }
    const TraceRooflineRoof *nearest = NULL;

    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *other = trace_roofline_run_roof(run, i);

        if (other->is_peak == roof->is_peak && trace_roofline_set_shows(self, other) &&
            (nearest == NULL || is_nearer(run, other, nearest))) {
            nearest = other;
        }
    }
    return roof == nearest;
}

bool trace_roofline_set_has_point(const TraceRooflineSet *self,
                                  const TraceRooflineRun *run,
                                  const TraceRooflineRoof *roof)
{
    return trace_roofline_set_shows(self, roof) && trace_roofline_run_uses(run, roof);
}

char *trace_roofline_set_letter(const TraceRooflineSet *self, guint index)
{
    if (*trace_roofline_set_run(self, index)->workload == '\0') {
        return g_strdup("");
    }
    GString *letters = g_string_new(NULL);

    for (guint rest = index + 1; rest > 0; rest = (rest - 1) / LETTERS) {
        g_string_prepend_c(letters, (char) ('A' + (rest - 1) % LETTERS));
    }
    return g_string_free(letters, FALSE);
}

static bool is_alike(const TraceRooflineRun *first, const TraceRooflineRun *second)
{
    return g_str_equal(first->workload, second->workload) &&
           g_str_equal(first->chip, second->chip) && first->origin == second->origin;
}

char *trace_roofline_set_detail(const TraceRooflineSet *self, guint index)
{
    const TraceRooflineRun *run = trace_roofline_set_run(self, index);
    const char *origin = trace_roofline_origin_name(run->origin);
    guint alike = 0;

    for (guint i = 0; i < self->runs->len; i++) {
        alike += is_alike(run, trace_roofline_set_run(self, i)) ? 1 : 0;
    }
    if (index >= self->files->len) {
        return g_strdup(origin);
    }
    const TraceRun *file = g_ptr_array_index(self->files, index);
    g_autofree char *name = trace_run_short_name(file->name);
    g_autofree char *used = trace_used_suffix(file->result);
    g_autofree char *part = trace_part_suffix(file->result);

    return alike == 1 ? g_strconcat(origin, used, part, NULL)
                      : g_strdup_printf("%s, %s%s%s", origin, name, used, part);
}

char *trace_roofline_set_name(const TraceRooflineSet *self, guint index)
{
    const TraceRooflineRun *run = trace_roofline_set_run(self, index);
    g_autofree char *detail = trace_roofline_set_detail(self, index);

    return *run->workload != '\0'
               ? g_strdup_printf("%s on %s, %s", run->workload,
                                 *run->chip != '\0' ? run->chip : "an unknown chip",
                                 detail)
               : g_strdup(run->chip);
}

static const char *const per[] = {
    [TRACE_ROOFLINE_SECOND] = "/s",
    [TRACE_ROOFLINE_WATT] = "/s/W",
    [TRACE_ROOFLINE_CYCLE] = "/cycle",
};

double trace_roofline_set_done(const TraceRooflineSet *self,
                               const TraceRooflineRun *run,
                               double rate)
{
    return self->scale == TRACE_ROOFLINE_WATT ? rate / run->watts : rate;
}

double trace_roofline_set_roof(const TraceRooflineSet *self,
                               const TraceRooflineRun *run,
                               const TraceRooflineRoof *roof)
{
    const double watts = run->board_watts > 0 ? run->board_watts : run->watts;

    return self->scale == TRACE_ROOFLINE_WATT ? roof->value / watts : roof->value;
}

char *trace_roofline_set_words(const TraceRooflineSet *self, double rate, bool is_peak)
{
    g_autofree char *scaled = quantity_scaled_to(rate, DIGITS);

    return g_strdup_printf("%s%s%s", scaled, is_peak ? "FLOP" : "B", per[self->scale]);
}
