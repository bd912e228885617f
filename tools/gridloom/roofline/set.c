/* Collects runs and roofs. */
#include "tools/gridloom/roofline/set.h"

#include <math.h>
#include <string.h>

#include "arch/gpu.h"
#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/quantity.h"
#include "tools/gridloom/roofline/machine.h"
#include "tools/gridloom/run/input.h"
#include "tools/gridloom/search.h"
#include "traces/file/json_member.h"

#define SAME 0.02

enum {
    LETTERS = 26,
    DIGITS = 4,
};

static void free_run(gpointer data)
{
    trace_roofline_run_free(data);
}

void cmd_roofline_set_init(CmdRooflineSet *self)
{
    *self = (CmdRooflineSet){
        .files = trace_runs_new(),
        .runs = g_ptr_array_new_with_free_func(free_run),
        .notes = g_ptr_array_new_with_free_func(g_free),
        .level = CMD_ROOFLINE_ALL_LEVELS,
    };
}

void cmd_roofline_set_clear(CmdRooflineSet *self)
{
    g_clear_pointer(&self->files, g_ptr_array_unref);
    g_clear_pointer(&self->runs, g_ptr_array_unref);
    g_clear_pointer(&self->notes, g_ptr_array_unref);
    g_clear_pointer(&self->title, g_free);
}

guint cmd_roofline_set_count(const CmdRooflineSet *self)
{
    return self->runs->len;
}

guint cmd_roofline_set_run_count(const CmdRooflineSet *self)
{
    guint count = 0;

    while (count < self->runs->len &&
           *cmd_roofline_set_run(self, count)->workload != '\0') {
        count++;
    }
    return count;
}

const TraceRooflineRun *cmd_roofline_set_run(const CmdRooflineSet *self, guint index)
{
    return g_ptr_array_index(self->runs, index);
}

bool cmd_roofline_set_is_same(double first, double second)
{
    return fabs(first / second - 1) < SAME;
}

bool cmd_roofline_set_add(CmdRooflineSet *self, TraceRun *file, GError **error)
{
    g_autoptr(TraceRun) taken = file;
    TraceRooflineRun *run = trace_roofline_run_read(file->name, file->result, error);

    if (run == NULL) {
        return false;
    }
    g_autoptr(ArchParams) machine =
        cmd_roofline_machine_load(run->chip, self->is_published);

    if (machine != NULL) {
        run->is_quoted = self->is_published;
        cmd_roofline_machine_give(machine, run,
                                  trace_json_object(file->result, "counters"));
    }
    g_ptr_array_add(self->files, g_steal_pointer(&taken));
    g_ptr_array_insert(self->runs, (int) self->files->len - 1, run);
    return true;
}

bool cmd_roofline_set_read(CmdRooflineSet *self, const char *name, GError **error)
{
    g_autofree char *found = g_file_test(name, G_FILE_TEST_EXISTS)
                                 ? NULL
                                 : search_find(SEARCH_MEASURED, name);
    TraceRun *file = trace_run_read(found != NULL ? found : name, error);

    if (file == NULL || !cmd_roofline_set_add(self, file, error)) {
        return false;
    }
    cmd_run_input_warn(file);
    return true;
}

static bool is_same_size(JsonObject *a, JsonObject *b)
{
    static const char *const sizes[] = {"nx", "ny", "nz"};
    JsonObject *own = trace_json_object(a, "parameters");
    JsonObject *other = trace_json_object(b, "parameters");

    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        /* Whole numbers, or missing in both. */
        if (fabs(trace_json_number(own, sizes[i], 0) -
                 trace_json_number(other, sizes[i], 0)) > 0) {
            return false;
        }
    }
    return true;
}

/* One of the first runs has its workload, and with `is_exact` its size. */
static bool
is_wanted(const CmdRooflineSet *self, guint count, JsonObject *result, bool is_exact)
{
    const char *workload = trace_json_string(result, "workload", "");

    for (guint i = 0; i < count; i++) {
        const TraceRun *file = g_ptr_array_index(self->files, i);

        if (g_str_equal(trace_json_string(file->result, "workload", ""), workload) &&
            (!is_exact || is_same_size(file->result, result))) {
            return true;
        }
    }
    return false;
}

/* Was it given already, by whatever name? */
static bool has_file(const CmdRooflineSet *self, JsonObject *result)
{
    for (guint i = 0; i < self->files->len; i++) {
        const TraceRun *file = g_ptr_array_index(self->files, i);

        if (json_object_equal(file->result, result)) {
            return true;
        }
    }
    return false;
}

/* Adds what traces/gpu has of the chip; how much that is. */
static guint
add_results(CmdRooflineSet *self, const char *chip, guint given, bool is_exact)
{
    g_autoptr(GPtrArray) names = search_names(SEARCH_MEASURED);
    guint count = 0;

    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path =
            search_find(SEARCH_MEASURED, g_ptr_array_index(names, i));
        g_autoptr(TraceRun) file = path != NULL ? trace_run_read(path, NULL) : NULL;

        if (file == NULL ||
            !g_str_equal(trace_json_string(file->result, "chip", ""), chip) ||
            !is_wanted(self, given, file->result, is_exact)) {
            continue;
        }
        count++;
        if (!has_file(self, file->result)) {
            (void) cmd_roofline_set_add(self, g_steal_pointer(&file), NULL);
        }
    }
    return count;
}

static void add_machine(CmdRooflineSet *self, const ArchParams *params, guint given)
{
    TraceRooflineRun *machine =
        trace_roofline_run_new("", arch_params_name(params), TRACE_ROOFLINE_SIMULATED);
    machine->is_quoted = self->is_published;
    machine->watts_from = g_strdup("not known");
    cmd_roofline_machine_give(params, machine, NULL);
    /* The same problem where it was measured, else the same workload. */
    if (add_results(self, machine->chip, given, true) == 0 &&
        add_results(self, machine->chip, given, false) == 0) {
        g_ptr_array_add(self->notes,
                        g_strdup_printf("%s: traces/gpu has no result of these "
                                        "workloads, only its roofs are shown",
                                        machine->chip));
    }
    g_ptr_array_add(self->runs, machine);
}

static bool add_gpu(CmdRooflineSet *self, const char *name, guint given, GError **error)
{
    g_autoptr(ArchParams) params = cmd_roofline_machine_load(name, self->is_published);

    if (params == NULL || !gpu_is(params)) {
        g_autofree char *known = chip_numbers_gpu_names();

        return option_fail(error, "--gpu %s: no such GPU; known are %s", name, known);
    }
    add_machine(self, params, given);
    return true;
}

static bool
add_beside(CmdRooflineSet *self, const char *name, guint given, GError **error)
{
    g_autoptr(ArchParams) params = cmd_roofline_machine_load(name, self->is_published);

    if (params == NULL) {
        g_autofree char *known = chip_numbers_roof_names();

        return option_fail(error, "--beside %s: no such GPU or processor; known are %s",
                           name, known);
    }
    add_machine(self, params, given);
    return true;
}

/* Adds each of the names; no name is one that is empty. */
static bool add_each(CmdRooflineSet *self,
                     const char *names,
                     bool (*add)(CmdRooflineSet *, const char *, guint, GError **),
                     GError **error)
{
    g_auto(GStrv) words = g_strsplit(names, ",", -1);
    const guint given = self->files->len;

    for (char **word = words; *word != NULL; word++) {
        if (!add(self, g_strstrip(*word), given, error)) {
            return false;
        }
    }
    return words[0] != NULL || add(self, "", given, error);
}

bool cmd_roofline_set_add_gpus(CmdRooflineSet *self, const char *names, GError **error)
{
    return add_each(self, names, add_gpu, error);
}

bool cmd_roofline_set_add_beside(CmdRooflineSet *self,
                                 const char *names,
                                 GError **error)
{
    return add_each(self, names, add_beside, error);
}

bool cmd_roofline_set_per_watt(CmdRooflineSet *self, GError **error)
{
    bool is_any = false;
    bool is_split = false;

    self->scale = CMD_ROOFLINE_WATT;
    for (guint i = 0; i < self->runs->len; i++) {
        TraceRooflineRun *run = g_ptr_array_index(self->runs, i);
        g_autofree char *name = cmd_roofline_set_name(self, i);

        if (run->watts > 0) {
            g_autofree char *watts = quantity_scaled_to(run->watts, DIGITS);

            g_ptr_array_add(self->notes, g_strdup_printf("%s: %sW, %s", name, watts,
                                                         run->watts_from));
            is_any = is_any || run->rate > 0;
            is_split = is_split || (run->board_watts > 0 &&
                                    fabs(run->board_watts / run->watts - 1) > SAME);
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
    return is_any || option_fail(error, "--per-watt: of no run is the power known");
}

/* What the result of a file has to say of itself; NULL where it is simulated. */
static const char *note_of(const CmdRooflineSet *self, guint index)
{
    const TraceRun *file = g_ptr_array_index(self->files, index);
    JsonObject *metrics = trace_json_object(file->result, "metrics");

    return cmd_roofline_set_run(self, index)->origin == TRACE_ROOFLINE_SIMULATED
               ? NULL
               : trace_json_string(metrics, "note", NULL);
}

/* "C, D: " of the runs from this one on that have its note. */
static GString *letters_of(const CmdRooflineSet *self, guint index)
{
    GString *letters = g_string_new(NULL);

    for (guint i = index; i < self->files->len; i++) {
        if (g_strcmp0(note_of(self, i), note_of(self, index)) == 0) {
            g_autofree char *letter = cmd_roofline_set_letter(self, i);

            g_string_append_printf(letters, "%s%s", letters->len > 0 ? ", " : "",
                                   letter);
        }
    }
    return letters;
}

static bool is_told(const CmdRooflineSet *self, guint index)
{
    for (guint i = 0; i < index; i++) {
        if (g_strcmp0(note_of(self, i), note_of(self, index)) == 0) {
            return true;
        }
    }
    return false;
}

void cmd_roofline_set_tell(CmdRooflineSet *self)
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

bool cmd_roofline_set_shows(const CmdRooflineSet *self, const TraceRooflineRoof *roof)
{
    return roof->is_peak || self->level == CMD_ROOFLINE_ALL_LEVELS ||
           self->level == (int) trace_roofline_level_of(roof->name);
}

bool cmd_roofline_set_has_point(const CmdRooflineSet *self,
                                const TraceRooflineRun *run,
                                const TraceRooflineRoof *roof)
{
    return cmd_roofline_set_shows(self, roof) && trace_roofline_run_uses(run, roof);
}

char *cmd_roofline_set_letter(const CmdRooflineSet *self, guint index)
{
    if (*cmd_roofline_set_run(self, index)->workload == '\0') {
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

char *cmd_roofline_set_detail(const CmdRooflineSet *self, guint index)
{
    const TraceRooflineRun *run = cmd_roofline_set_run(self, index);
    const char *origin = trace_roofline_origin_name(run->origin);
    guint alike = 0;

    for (guint i = 0; i < self->runs->len; i++) {
        alike += is_alike(run, cmd_roofline_set_run(self, i)) ? 1 : 0;
    }
    if (alike == 1 || index >= self->files->len) {
        return g_strdup(origin);
    }
    const TraceRun *file = g_ptr_array_index(self->files, index);
    g_autofree char *name = cmd_run_input_name(file->name);

    return g_strdup_printf("%s, %s", origin, name);
}

char *cmd_roofline_set_name(const CmdRooflineSet *self, guint index)
{
    const TraceRooflineRun *run = cmd_roofline_set_run(self, index);
    g_autofree char *detail = cmd_roofline_set_detail(self, index);

    return *run->workload != '\0'
               ? g_strdup_printf("%s on %s, %s", run->workload,
                                 *run->chip != '\0' ? run->chip : "an unknown chip",
                                 detail)
               : g_strdup(run->chip);
}

static const char *const per[] = {
    [CMD_ROOFLINE_SECOND] = "/s",
    [CMD_ROOFLINE_WATT] = "/s/W",
    [CMD_ROOFLINE_CYCLE] = "/cycle",
};

double cmd_roofline_set_done(const CmdRooflineSet *self,
                             const TraceRooflineRun *run,
                             double rate)
{
    return self->scale == CMD_ROOFLINE_WATT ? rate / run->watts : rate;
}

double cmd_roofline_set_roof(const CmdRooflineSet *self,
                             const TraceRooflineRun *run,
                             const TraceRooflineRoof *roof)
{
    const double watts = run->board_watts > 0 ? run->board_watts : run->watts;

    return self->scale == CMD_ROOFLINE_WATT ? roof->value / watts : roof->value;
}

char *cmd_roofline_set_words(const CmdRooflineSet *self, double rate, bool is_peak)
{
    g_autofree char *scaled = quantity_scaled_to(rate, DIGITS);

    return g_strdup_printf("%s%s%s", scaled, is_peak ? "FLOP" : "B", per[self->scale]);
}
