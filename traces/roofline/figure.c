/* Reads figures, makes their runs, and puts our values beside the printed ones. */
#include "traces/roofline/figure.h"

#include <math.h>
#include <stdarg.h>

#include "traces/error.h"
#include "traces/file/json_member.h"
#include "traces/suite/member.h"

/* A figure's file, and the machine that is read from it. */
typedef struct {
    TraceRooflineSet *set;
    const TraceFigureSources *sources;
    GKeyFile *file;
    const char *path;
    char **words;      /* results that were given; NULL: none */
    guint taken;       /* of words */
    const char *group; /* of the file: the machine's */
    TraceRun *loaded;  /* its result; NULL: none */
} Figure;

G_GNUC_PRINTF(2, 3)
static bool fail(GError **error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_propagate_error(
        error, g_error_new_valist(TRACE_ERROR, TRACE_ERROR_READ, format, arguments));
    va_end(arguments);
    return false;
}

static bool refuse(const Figure *self, const char *what, GError **error)
{
    return fail(error, "%s: [%s] %s", self->path, self->group, what);
}

static char *text_of(const Figure *self, const char *key)
{
    char *text = g_key_file_get_string(self->file, self->group, key, NULL);

    return text != NULL ? g_strstrip(text) : NULL;
}

/* NULL where there is none. */
static char **list_of(const Figure *self, const char *key)
{
    g_autofree char *text = text_of(self, key);

    return text != NULL ? g_strsplit(text, ";", -1) : NULL;
}

/* The item of a list; NULL where there is none. The caller frees it. */
static char *item_of(const Figure *self, const char *key, guint index)
{
    g_auto(GStrv) items = list_of(self, key);

    return items != NULL && index < g_strv_length(items)
               ? g_strdup(g_strstrip(items[index]))
               : NULL;
}

static bool is_published(const Figure *self)
{
    return g_key_file_get_boolean(self->file, self->group, "published", NULL);
}

/* A formula of the members of the machine's result. */
static bool
number_of(const Figure *self, const char *formula, double *value, GError **error)
{
    g_autoptr(JsonObject) none = json_object_new();

    if (!result_number(self->loaded != NULL ? self->loaded->result : none, formula,
                       value, error)) {
        g_prefix_error(error, "%s: [%s] ", self->path, self->group);
        return false;
    }
    return true;
}

static TraceRun *
read_given(const Figure *self, const char *name, const char *line, GError **error)
{
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    g_autoptr(TraceRun) run = trace_run_read(name, error);
    const char *of =
        run != NULL ? trace_json_string(run->result, "workload", "") : words[0];

    if (!g_str_equal(of, words[0])) {
        (void) fail(error, "%s: a run of '%s', %s needs one of '%s'", name, of,
                    self->path, words[0]);
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
           fail(error, "%s: %u results of runs for it, %u or none are needed",
                self->path, given, needed);
}

/* The result of a machine, if it has one: of a run, or of a GPU by name. The set gets
 * it. */
static bool load_result(Figure *self, GError **error)
{
    g_autofree char *run = text_of(self, "run");
    g_autofree char *result = text_of(self, "result");

    self->loaded = NULL;
    if (run == NULL && result == NULL) {
        return true;
    }
    if (run != NULL && self->words != NULL) {
        self->loaded = read_given(self, self->words[self->taken++], run, error);
    } else {
        self->loaded = run != NULL ? self->sources->run(run, error)
                                   : self->sources->read(result, error);
    }
    if (self->loaded == NULL) {
        return false;
    }
    g_ptr_array_add(self->set->files, self->loaded);
    return true;
}

/* Loads the roofs of the chip's file, if the figure names it. */
static bool load_machine(const Figure *self, TraceMachine **machine, GError **error)
{
    g_autofree char *chip = text_of(self, "chip_file");
    g_autofree char *cores_text = text_of(self, "cores");
    double cores = 1;

    *machine = NULL;
    if (chip == NULL) {
        return true;
    }
    if (cores_text != NULL && !number_of(self, cores_text, &cores, error)) {
        return false;
    }
    *machine =
        self->sources->find_machine(chip, is_published(self), cores,
                                    self->set->scale == TRACE_ROOFLINE_CYCLE, error);
    return *machine != NULL;
}

static bool find_roof(const TraceMachine *machine, TraceRooflineRoof *found)
{
    for (guint i = 0; i < machine->roofs->len; i++) {
        const TraceMachineRoof *roof =
            &g_array_index(machine->roofs, TraceMachineRoof, i);

        if (g_str_equal(roof->name, found->name)) {
            found->value = roof->value;
            found->is_peak = roof->is_peak;
            found->source = (char *) roof->source;
            return true;
        }
    }
    return false;
}

/* How high the roof is: as the chip's file says, or as the figure does. */
static bool read_value(const Figure *self,
                       guint index,
                       const TraceMachine *of_chip,
                       TraceRooflineRoof *roof,
                       GError **error)
{
    g_autofree char *value = item_of(self, "values", index);
    g_autofree char *kind = item_of(self, "kinds", index);

    if (of_chip != NULL) {
        return find_roof(of_chip, roof) ||
               refuse(self, "roofs: its chip has none of that name", error);
    }
    if (value == NULL || kind == NULL) {
        return refuse(self, "values and kinds: one for each of roofs", error);
    }
    roof->is_peak = g_str_equal(kind, "peak");
    if (!roof->is_peak && !g_str_equal(kind, "memory")) {
        return refuse(self, "kinds: peak and memory are allowed", error);
    }
    return number_of(self, value, &roof->value, error) &&
           (roof->value > 0 || refuse(self, "values: above 0 is allowed", error));
}

/* The share of a roof that the run reached: all its operations (used), or by its
 * intensity. */
static bool read_achieved(const Figure *self,
                          guint index,
                          double rate,
                          TraceRooflineRoof *roof,
                          GError **error)
{
    g_autofree char *text = item_of(self, "intensities", index);
    double intensity;

    roof->achieved = NAN;
    if (text == NULL || g_str_equal(text, "-")) {
        return true;
    }
    if (g_str_equal(text, "used")) {
        roof->achieved = rate;
        return roof->is_peak || refuse(self, "intensities: only a peak is used", error);
    }
    if (!number_of(self, text, &intensity, error)) {
        return false;
    }
    roof->achieved = rate / intensity;
    return intensity > 0 || refuse(self, "intensities: above 0 is allowed", error);
}

static bool fill_machine(const Figure *self, TraceRooflineRun *machine, GError **error)
{
    g_autofree char *rate = text_of(self, "rate");
    g_autofree char *source = text_of(self, "source");
    g_auto(GStrv) names = list_of(self, "roofs");
    g_autoptr(TraceMachine) of_chip = NULL;

    if ((rate != NULL && !number_of(self, rate, &machine->rate, error)) ||
        !load_machine(self, &of_chip, error)) {
        return false;
    }
    if (machine->rate < 0) {
        return refuse(self, "rate: 0 or more is allowed", error);
    }
    machine->is_quoted = of_chip == NULL || is_published(self);
    if (names == NULL) {
        return refuse(self, "roofs: missing", error);
    }
    for (guint i = 0; names[i] != NULL; i++) {
        TraceRooflineRoof roof = {.name = g_strstrip(names[i]), .source = source};

        if (!read_value(self, i, of_chip, &roof, error) ||
            !read_achieved(self, i, machine->rate, &roof, error)) {
            return false;
        }
        trace_roofline_run_add(machine, &roof);
    }
    return true;
}

static TraceRooflineOrigin origin_of(const Figure *self)
{
    g_autofree char *text = text_of(self, "origin");

    for (guint i = TRACE_ROOFLINE_SIMULATED; i <= TRACE_ROOFLINE_PUBLISHED; i++) {
        if (g_strcmp0(text, trace_roofline_origin_name((TraceRooflineOrigin) i)) == 0) {
            return (TraceRooflineOrigin) i;
        }
    }
    return TRACE_ROOFLINE_SIMULATED;
}

static bool add_machine(Figure *self, GError **error)
{
    g_autofree char *label = text_of(self, "label");
    g_autofree char *chip = text_of(self, "chip");
    g_autoptr(TraceRooflineRun) machine =
        trace_roofline_run_new(label != NULL ? label : self->group,
                               chip != NULL ? chip : self->group, origin_of(self));

    machine->key = g_strdup(self->group);
    machine->seconds = 1;
    machine->watts_from = g_strdup("not known");
    if (!load_result(self, error) || !fill_machine(self, machine, error)) {
        return false;
    }
    g_ptr_array_insert(self->set->runs,
                       self->loaded != NULL ? (int) self->set->files->len - 1 : -1,
                       g_steal_pointer(&machine));
    return true;
}

static bool read_groups(Figure *self, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(self->file, NULL);
    g_auto(GStrv) notes = list_of(self, "notes");
    g_autofree char *per = text_of(self, "per");

    if (!check_words(self, groups, error)) {
        return false;
    }
    self->set->title = text_of(self, "title");
    self->set->scale =
        g_strcmp0(per, "cycle") == 0 ? TRACE_ROOFLINE_CYCLE : TRACE_ROOFLINE_SECOND;
    for (char **group = groups; *group != NULL; group++) {
        self->group = *group;
        if (!g_str_equal(*group, "figure") && !add_machine(self, error)) {
            return false;
        }
    }
    if (self->set->runs->len == 0) {
        return fail(error, "%s: [figure] no machine in it", self->path);
    }
    for (char **note = notes; note != NULL && *note != NULL; note++) {
        g_ptr_array_add(self->set->notes, g_strdup(g_strstrip(*note)));
    }
    return true;
}

bool trace_figure_read(TraceRooflineSet *set,
                       const char *path,
                       char **words,
                       const TraceFigureSources *sources,
                       GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) cause = NULL;
    Figure self = {.set = set,
                   .sources = sources,
                   .file = file,
                   .path = path,
                   .words = words,
                   .group = "figure"};

    if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &cause)) {
        return fail(error, "%s: %s", path, g_strdelimit(cause->message, "\r\n", ' '));
    }
    if (!read_groups(&self, error)) {
        if (error != NULL) {
            /* It quotes the file, whose lines may end with CR. */
            (void) g_strdelimit((*error)->message, "\r\n", ' ');
        }
        return false;
    }
    return true;
}
