/* Reads figures, runs what they need, and puts ours beside what was printed. */
#include "tools/gridloom/roofline/figure.h"

#include <math.h>
#include <string.h>

#include "arch/gpu.h"
#include "arch/roof.h"
#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/process.h"
#include "tools/gridloom/search.h"
#include "traces/file/json_member.h"
#include "traces/file/json_text.h"
#include "traces/suite/member.h"

/* A figure's file, and what is read from it. */
typedef struct {
    TraceRooflineSet *set;
    GKeyFile *file;
    const char *path;
    char **words;       /* results that were given; NULL: none */
    GHashTable *loaded; /* of JsonObject by the group of their machine */
    guint taken;        /* of words */
} Figure;

static char *text_of(const Figure *self, const char *group, const char *key)
{
    g_autofree char *text = g_key_file_get_string(self->file, group, key, NULL);

    return text != NULL ? g_strdup(g_strstrip(text)) : NULL;
}

/* NULL where there is none. */
static char **list_of(const Figure *self, const char *group, const char *key)
{
    g_autofree char *text = text_of(self, group, key);

    return text != NULL ? g_strsplit(text, ";", -1) : NULL;
}

static bool
refuse(const Figure *self, const char *group, const char *what, GError **error)
{
    return option_fail(error, "%s: [%s] %s", self->path, group, what);
}

/* A formula of the members of the machine's result. */
static bool number_of(const Figure *self,
                      const char *group,
                      const char *formula,
                      double *value,
                      GError **error)
{
    JsonObject *result = g_hash_table_lookup(self->loaded, group);
    g_autoptr(JsonObject) none = json_object_new();

    if (!result_number(result != NULL ? result : none, formula, value, error)) {
        g_prefix_error(error, "%s: [%s] ", self->path, group);
        return false;
    }
    return true;
}

static TraceRun *
read_given(const Figure *self, const char *name, const char *workload, GError **error)
{
    g_autoptr(TraceRun) run = trace_run_read(name, error);

    if (run != NULL &&
        !g_str_equal(trace_json_string(run->result, "workload", ""), workload)) {
        (void) option_fail(error, "%s: a run of '%s', %s needs one of '%s'", name,
                           trace_json_string(run->result, "workload", ""), self->path,
                           workload);
        return NULL;
    }
    return g_steal_pointer(&run);
}

/* Were as many results given as the figure has runs, or none? */
static bool check_words(const Figure *self, char *const *groups, GError **error)
{
    const guint given = self->words != NULL ? g_strv_length(self->words) : 0;
    guint needed = 0;

    for (char *const *group = groups; *group != NULL; group++) {
        needed += g_key_file_has_key(self->file, *group, "run", NULL) ? 1 : 0;
    }
    return given == 0 || given == needed ||
           option_fail(error, "%s: %u results of runs for it, %u or none are needed",
                       self->path, given, needed);
}

/* Does what `run` says, or reads the result that was given for it. */
static TraceRun *do_run(Figure *self, const char *line, GError **error)
{
    g_auto(GStrv) words = g_strsplit(line, " ", -1);

    if (self->words != NULL) {
        return read_given(self, self->words[self->taken++], words[0], error);
    }
    g_auto(CmdRunProcess) run = cmd_run_process_do("run", (const char *const *) words);

    if (run.result == NULL || run.why != NULL) {
        (void) option_fail(error, "gridloom run %s: %s", line,
                           run.why != NULL ? run.why : "no result");
        return NULL;
    }
    g_autofree char *text = trace_json_text(run.result, false);

    return trace_run_new(line, text, NULL, error);
}

/* The result of a machine, if it has one: of a run, or of a GPU by name. */
static bool
load_result(Figure *self, const char *group, TraceRun **loaded, GError **error)
{
    g_autofree char *run = text_of(self, group, "run");
    g_autofree char *result = text_of(self, group, "result");

    if (run != NULL) {
        *loaded = do_run(self, run, error);
    } else if (result != NULL) {
        g_autofree char *path =
            search_find_or_fail(SEARCH_MEASURED, "result", result, error);

        *loaded = path != NULL ? trace_run_read(path, error) : NULL;
    } else {
        return true;
    }
    if (*loaded == NULL) {
        return false;
    }
    g_hash_table_insert(self->loaded, g_strdup(group),
                        json_object_ref((*loaded)->result));
    return true;
}

/* Rates of the roofs of a chip file, for so many cores, by second or cycle. */
static GArray *
load_roofs(const Figure *self, const char *group, const char *chip, GError **error)
{
    g_autoptr(ArchParams) params = chip_numbers_load(chip, error);
    g_autofree char *cores_text = text_of(self, group, "cores");
    double cores = 1;
    double factor = 1;
    GArray *roofs;

    if (params == NULL ||
        (cores_text != NULL && !number_of(self, group, cores_text, &cores, error)) ||
        (g_key_file_get_boolean(self->file, group, "published", NULL) &&
         !gpu_use_published(params, error))) {
        return NULL;
    }
    if (self->set->scale == TRACE_ROOFLINE_CYCLE) {
        factor = 1 / (double) arch_params_uint(params, "chip.clock_hz");
    }
    roofs = arch_roofs(params, cores);
    for (guint i = 0; i < roofs->len; i++) {
        g_array_index(roofs, ArchRoof, i).value *= factor;
    }
    return roofs;
}

static bool find_roof(const GArray *roofs, const char *name, TraceRooflineRoof *found)
{
    for (guint i = 0; i < roofs->len; i++) {
        const ArchRoof *roof = &g_array_index(roofs, ArchRoof, i);

        if (g_str_equal(roof->name, name)) {
            found->value = roof->value;
            found->is_peak = g_str_equal(roof->unit, "FLOP per second");
            found->source = (char *) roof->source;
            return true;
        }
    }
    return false;
}

/* The item of a list; NULL where there is none. The caller frees it. */
static char *
item_of(const Figure *self, const char *group, const char *key, guint index)
{
    g_auto(GStrv) items = list_of(self, group, key);

    return items != NULL && index < g_strv_length(items)
               ? g_strdup(g_strstrip(items[index]))
               : NULL;
}

/* How high the roof is: as the chip's file says, or as the figure does. */
static bool read_value(const Figure *self,
                       const char *group,
                       guint index,
                       const GArray *of_chip,
                       TraceRooflineRoof *roof,
                       GError **error)
{
    g_autofree char *value = item_of(self, group, "values", index);
    g_autofree char *kind = item_of(self, group, "kinds", index);

    if (of_chip != NULL) {
        return find_roof(of_chip, roof->name, roof) ||
               refuse(self, group, "roofs: its chip has none of that name", error);
    }
    if (value == NULL || kind == NULL) {
        return refuse(self, group, "values and kinds: one for each of roofs", error);
    }
    roof->is_peak = g_str_equal(kind, "peak");
    if (!roof->is_peak && !g_str_equal(kind, "memory")) {
        return refuse(self, group, "kinds: peak and memory are allowed", error);
    }
    return number_of(self, group, value, &roof->value, error) &&
           (roof->value > 0 ||
            refuse(self, group, "values: above 0 is allowed", error));
}

/* What the run got of it: all its operations (used), or what its intensity says. */
static bool read_achieved(const Figure *self,
                          const TraceRooflineRun *machine,
                          guint index,
                          TraceRooflineRoof *roof,
                          GError **error)
{
    g_autofree char *text = item_of(self, machine->key, "intensities", index);
    double intensity;

    roof->achieved = NAN;
    if (text == NULL || g_str_equal(text, "-")) {
        return true;
    }
    if (g_str_equal(text, "used")) {
        roof->achieved = machine->rate;
        return roof->is_peak ||
               refuse(self, machine->key, "intensities: only a peak is used", error);
    }
    if (!number_of(self, machine->key, text, &intensity, error)) {
        return false;
    }
    roof->achieved = machine->rate / intensity;
    return intensity > 0 ||
           refuse(self, machine->key, "intensities: above 0 is allowed", error);
}

/* The roof at `index` of the lists. */
static bool add_roof(const Figure *self,
                     TraceRooflineRun *machine,
                     guint index,
                     const GArray *of_chip,
                     GError **error)
{
    g_autofree char *name = item_of(self, machine->key, "roofs", index);
    g_autofree char *source = text_of(self, machine->key, "source");
    TraceRooflineRoof roof = {.name = name, .source = source};

    if (!read_value(self, machine->key, index, of_chip, &roof, error) ||
        !read_achieved(self, machine, index, &roof, error)) {
        return false;
    }
    trace_roofline_run_add(machine, &roof);
    return true;
}

static bool fill_machine(const Figure *self, TraceRooflineRun *machine, GError **error)
{
    const char *group = machine->key;
    g_autofree char *chip_file = text_of(self, group, "chip_file");
    g_autofree char *rate = text_of(self, group, "rate");
    g_auto(GStrv) names = list_of(self, group, "roofs");
    g_autoptr(GArray) of_chip = NULL;

    if (rate != NULL && !number_of(self, group, rate, &machine->rate, error)) {
        return false;
    }
    machine->is_quoted = chip_file == NULL ||
                         g_key_file_get_boolean(self->file, group, "published", NULL);
    if (chip_file != NULL) {
        of_chip = load_roofs(self, group, chip_file, error);
        if (of_chip == NULL) {
            return false;
        }
    }
    if (names == NULL) {
        return refuse(self, group, "roofs: missing", error);
    }
    for (guint i = 0; names[i] != NULL; i++) {
        if (!add_roof(self, machine, i, of_chip, error)) {
            return false;
        }
    }
    return true;
}

static TraceRooflineOrigin origin_of(const Figure *self, const char *group)
{
    g_autofree char *text = text_of(self, group, "origin");

    for (guint i = TRACE_ROOFLINE_SIMULATED; i <= TRACE_ROOFLINE_PUBLISHED; i++) {
        if (g_strcmp0(text, trace_roofline_origin_name((TraceRooflineOrigin) i)) == 0) {
            return (TraceRooflineOrigin) i;
        }
    }
    return TRACE_ROOFLINE_SIMULATED;
}

static bool add_machine(Figure *self, const char *group, GError **error)
{
    g_autofree char *label = text_of(self, group, "label");
    g_autofree char *chip = text_of(self, group, "chip");
    g_autoptr(TraceRooflineRun) machine =
        trace_roofline_run_new(label != NULL ? label : group,
                               chip != NULL ? chip : group, origin_of(self, group));
    TraceRun *loaded = NULL;

    machine->key = g_strdup(group);
    machine->seconds = 1;
    machine->watts_from = g_strdup("not known");
    if (!load_result(self, group, &loaded, error)) {
        return false;
    }
    if (loaded != NULL) {
        g_ptr_array_add(self->set->files, loaded);
    }
    if (!fill_machine(self, machine, error)) {
        return false;
    }
    g_ptr_array_insert(self->set->runs,
                       loaded != NULL ? (int) self->set->files->len - 1 : -1,
                       g_steal_pointer(&machine));
    return true;
}

static bool read_groups(Figure *self, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(self->file, NULL);
    g_auto(GStrv) notes = list_of(self, "figure", "notes");
    g_autofree char *per = text_of(self, "figure", "per");

    if (!check_words(self, groups, error)) {
        return false;
    }
    self->set->title = text_of(self, "figure", "title");
    self->set->scale =
        g_strcmp0(per, "cycle") == 0 ? TRACE_ROOFLINE_CYCLE : TRACE_ROOFLINE_SECOND;
    for (char **group = groups; *group != NULL; group++) {
        if (!g_str_equal(*group, "figure") && !add_machine(self, *group, error)) {
            return false;
        }
    }
    if (self->set->runs->len == 0) {
        return refuse(self, "figure", "no machine in it", error);
    }
    for (char **note = notes; note != NULL && *note != NULL; note++) {
        g_ptr_array_add(self->set->notes, g_strdup(g_strstrip(*note)));
    }
    return true;
}

bool cmd_roofline_figure_read(TraceRooflineSet *set,
                              const char *name,
                              char **words,
                              GError **error)
{
    g_autofree char *path = search_find_or_fail(SEARCH_ROOFLINE, "figure", name, error);
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GHashTable) loaded = g_hash_table_new_full(
        g_str_hash, g_str_equal, g_free, (GDestroyNotify) json_object_unref);
    g_autoptr(GError) cause = NULL;
    Figure self = {
        .set = set, .file = file, .path = path, .words = words, .loaded = loaded};

    if (path == NULL) {
        return false;
    }
    if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &cause)) {
        return option_fail(error, "%s: %s", path, cause->message);
    }
    return read_groups(&self, error);
}

/* "ramps into PEs" is ramps_into_pes; the caller frees it. */
static char *word_of(const char *name)
{
    char *word = g_ascii_strdown(name, -1);

    return g_strcanon(word, "abcdefghijklmnopqrstuvwxyz0123456789", '_');
}

static JsonObject *machine_json(const TraceRooflineRun *run)
{
    JsonObject *object = json_object_new();
    const TraceRooflineRoof *bound = trace_roofline_run_bound(run);
    const double peak = trace_roofline_run_peak(run);
    JsonObject *roofs = json_object_new();

    json_object_set_double_member(object, "rate", run->rate);
    json_object_set_double_member(object, "peak", peak);
    json_object_set_double_member(object, "attainable",
                                  trace_roofline_run_attainable(run));
    if (bound != NULL) {
        json_object_set_string_member(object, "bound", bound->name);
        json_object_set_string_member(object, "bound_kind",
                                      bound->is_peak ? "compute" : "memory");
        json_object_set_double_member(object, "percent",
                                      trace_roofline_roof_percent(bound));
    }
    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *roof = trace_roofline_run_roof(run, i);
        const TraceRoofline line = {.peak = peak, .bandwidth = roof->value};
        g_autofree char *word = word_of(roof->name);
        JsonObject *own = json_object_new();

        json_object_set_double_member(own, "value", roof->value);
        if (trace_roofline_run_uses(run, roof)) {
            const double intensity = trace_roofline_run_intensity(run, roof);

            json_object_set_double_member(own, "intensity", intensity);
            json_object_set_double_member(
                own, "attainable",
                peak > 0 ? trace_roofline_attainable(&line, intensity) : NAN);
        }
        json_object_set_object_member(roofs, word, own);
    }
    json_object_set_object_member(object, "roofs", roofs);
    return object;
}

void cmd_roofline_figure_add_json(const TraceRooflineSet *set, JsonObject *metrics)
{
    for (guint i = 0; i < trace_roofline_set_count(set); i++) {
        const TraceRooflineRun *run = trace_roofline_set_run(set, i);

        if (run->key != NULL) {
            json_object_set_object_member(metrics, run->key, machine_json(run));
        }
    }
}
