/* A search for designs for other programs: JSON, and a table of all designs. */
#include <math.h>

#include "tools/gridloom/model/codesign/energy.h"
#include "traces/file/json_member.h"

#define PERCENT 100.0
#define GIGA    1e9

static JsonObject *design_object(const ModelCodesign *self, const GpuDesign *design)
{
    JsonObject *object = json_object_new();
    double vector_units;
    double shared;

    model_codesign_shares(self, design, &vector_units, &shared);
    json_object_set_int_member(object, "multiprocessors", design->multiprocessors);
    json_object_set_int_member(object, "vector_units", design->vector_units);
    json_object_set_int_member(object, "shared_kb", design->shared_kilobytes);
    json_object_set_double_member(object, "mm2", design->mm2);
    json_object_set_double_member(object, "vector_units_percent", vector_units);
    json_object_set_double_member(object, "shared_percent", shared);
    return object;
}

/* With its rate over all stencils. */
static JsonObject *
choice_object(const ModelCodesign *self, const ModelCodesignClass *class, int design)
{
    JsonObject *object =
        design_object(self, gpu_codesign_design(class->sweep, (guint) design));

    json_object_set_double_member(object, "points_per_second", class->rates[design]);
    return object;
}

static JsonObject *printed_object(const ModelCodesign *self,
                                  const ModelCodesignClass *class,
                                  const ModelCodesignRow *row,
                                  guint code)
{
    JsonObject *object = json_object_new();
    const int best = class->code_bests[code];

    json_object_set_int_member(object, "multiprocessors", row->design.multiprocessors);
    json_object_set_int_member(object, "vector_units", row->design.vector_units);
    json_object_set_int_member(object, "shared_kb", row->design.shared_kilobytes);
    json_object_set_double_member(object, "mm2", row->design.mm2);
    json_object_set_double_member(object, "gflops", row->gflops);
    json_object_set_double_member(
        object, "percent_of_best",
        PERCENT * model_codesign_rate_of(self, class, &row->design, code) /
            gpu_codesign_code_rate(class->sweep, (guint) best, code));
    return object;
}

static JsonArray *tiles_array(const ModelCodesignClass *class, guint design, guint code)
{
    const GpuCodesignPlan *plan = gpu_codesign_plan(class->sweep);
    JsonArray *array = json_array_new();

    for (guint size = 0; size < plan->sizes.count; size++) {
        const GpuTile *tile = gpu_codesign_tile(class->sweep, design, code, size);
        JsonObject *object = json_object_new();

        json_object_set_int_member(object, "size", (gint64) plan->sizes.at[size].space);
        json_object_set_int_member(object, "steps",
                                   (gint64) plan->sizes.at[size].steps);
        trace_json_set_counts(object, "tile", tile->space, class->dimension);
        json_object_set_int_member(object, "tile_steps", (gint64) tile->steps);
        json_object_set_int_member(object, "resident", tile->resident);
        json_object_set_double_member(
            object, "seconds", gpu_codesign_seconds(class->sweep, design, code, size));
        json_array_add_object_element(array, object);
    }
    return array;
}

/* The best design of one stencil, beside that of the thesis. */
static JsonObject *
best_object(const ModelCodesign *self, const ModelCodesignClass *class, guint code)
{
    const guint best = (guint) class->code_bests[code];
    const double rate = gpu_codesign_code_rate(class->sweep, best, code);
    const guint place = class->first_code + code;
    const double flops = self->options->flops[place];
    const ModelCodesignRow *row =
        model_codesign_printed(self->options->codes[place].stencil->name);
    JsonObject *object = design_object(self, gpu_codesign_design(class->sweep, best));

    json_object_set_double_member(object, "points_per_second", rate);
    json_object_set_double_member(object, "gflops",
                                  flops > 0 ? flops * rate / GIGA : NAN);
    if (row != NULL) {
        json_object_set_object_member(object, "printed",
                                      printed_object(self, class, row, code));
    }
    json_object_set_array_member(object, "tiles", tiles_array(class, best, code));
    return object;
}

static JsonObject *gains_object(const ModelCodesign *self,
                                const ModelCodesignClass *class)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < G_N_ELEMENTS(class->gains); i++) {
        const ModelCodesignGain *gain = &class->gains[i];
        JsonObject *member = json_object_new();

        json_object_set_double_member(member, "mm2", gain->mm2);
        json_object_set_double_member(member, "points_per_second", gain->rate);
        json_object_set_double_member(member, "percent", gain->percent);
        json_object_set_double_member(member, "printed_percent", gain->printed);
        if (gain->design >= 0) {
            json_object_set_object_member(member, "design",
                                          choice_object(self, class, gain->design));
        }
        json_object_set_object_member(object, gain->name, member);
    }
    return object;
}

static JsonArray *shared_array(const ModelCodesignClass *class)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < class->shared_count; i++) {
        JsonObject *object = json_object_new();

        json_object_set_int_member(object, "shared_kb", class->shared[i].kilobytes);
        json_object_set_double_member(
            object, "percent_of_best",
            class->shared[i].design < 0 ? NAN : PERCENT * class->shared[i].part);
        json_array_add_object_element(array, object);
    }
    return array;
}

static JsonObject *share_object(const ModelCodesignShare *share)
{
    JsonObject *object = json_object_new();

    json_object_set_double_member(object, "low", share->low);
    json_object_set_double_member(object, "middle", share->middle);
    json_object_set_double_member(object, "high", share->high);
    return object;
}

static JsonObject *times_object(const GpuTimeShares *shares)
{
    JsonObject *object = json_object_new();

    json_object_set_double_member(object, "useful", PERCENT * shares->useful);
    json_object_set_double_member(object, "covering", PERCENT * shares->covering);
    json_object_set_double_member(object, "idle_vector_units", PERCENT * shares->lanes);
    json_object_set_double_member(object, "idle_multiprocessors",
                                  PERCENT * shares->rounds);
    json_object_set_double_member(object, "memory", PERCENT * shares->memory);
    json_object_set_double_member(object, "barriers", PERCENT * shares->barriers);
    json_object_set_double_member(object, "launches", PERCENT * shares->launches);
    return object;
}

static JsonObject *bottleneck_object(const ModelCodesign *self,
                                     const ModelCodesignClass *class)
{
    const GpuDesign *design = gpu_codesign_design(class->sweep, (guint) class->best);
    const double budget = self->options->at.high;
    JsonObject *object = json_object_new();
    JsonObject *area = json_object_new();

    json_object_set_object_member(object, "time_percent",
                                  times_object(&class->bottleneck.shares));
    json_object_set_double_member(area, "allowed", budget);
    json_object_set_double_member(area, "use_percent", PERCENT * design->mm2 / budget);
    json_object_set_double_member(area, "relaxed", budget + class->more_mm2);
    json_object_set_double_member(area, "gain_percent", PERCENT * class->area_gain);
    json_object_set_object_member(object, "area", area);
    for (GpuLimitKind kind = 0; kind < GPU_LIMITS; kind++) {
        const GpuLimit *limit = &class->bottleneck.limits[kind];
        JsonObject *member = json_object_new();

        json_object_set_double_member(member, "allowed", limit->allowed);
        json_object_set_double_member(member, "use_percent", PERCENT * limit->use);
        json_object_set_double_member(member, "relaxed", limit->relaxed);
        json_object_set_double_member(member, "gain_percent", PERCENT * limit->gain);
        json_object_set_object_member(object, gpu_limit_name(kind), member);
    }
    return object;
}

static void add_class(const ModelCodesign *self,
                      const ModelCodesignClass *class,
                      JsonObject *object)
{
    JsonArray *front = json_array_new();

    for (guint i = 0; i < class->front->len; i++) {
        json_array_add_object_element(
            front,
            choice_object(self, class, (int) g_array_index(class->front, guint, i)));
    }
    json_object_set_array_member(object, "front", front);
    json_object_set_int_member(object, "front_count", class->front->len);
    json_object_set_double_member(object, "front_share",
                                  (double) class->front->len /
                                      (double) self->designs->len);
    json_object_set_object_member(object, "optimum",
                                  choice_object(self, class, class->best));
    json_object_set_object_member(object, "improvement", gains_object(self, class));
    json_object_set_array_member(object, "shared", shared_array(class));
    json_object_set_object_member(object, "front_vector_units_percent",
                                  share_object(&class->vector_share));
    json_object_set_object_member(object, "front_shared_percent",
                                  share_object(&class->shared_share));
    json_object_set_object_member(object, "bottleneck", bottleneck_object(self, class));
    JsonObject *energy = model_codesign_energy_json(self, class);

    if (energy != NULL) {
        json_object_set_object_member(object, "energy", energy);
    }
}

JsonObject *model_codesign_metrics(gconstpointer study)
{
    const ModelCodesign *self = study;
    JsonObject *object = json_object_new();
    JsonObject *best = json_object_new();

    json_object_set_int_member(object, "designs", self->designs->len);
    json_object_set_int_member(object, "designs_from_48_kb", self->from_48_kilobytes);
    for (guint i = 0; i < self->class_count; i++) {
        const ModelCodesignClass *class = &self->classes[i];
        const GpuCodesignPlan *plan = gpu_codesign_plan(class->sweep);
        JsonObject *member = json_object_new();

        for (guint code = 0; code < plan->code_count; code++) {
            json_object_set_object_member(best, plan->codes[code].stencil->name,
                                          best_object(self, class, code));
        }
        add_class(self, class, member);
        json_object_set_object_member(object, class->name, member);
    }
    json_object_set_object_member(object, "best", best);
    if (self->class_count == 1) { /* which one is meant is clear */
        add_class(self, &self->classes[0], object);
    }
    return object;
}

static JsonArray *range_array(const GpuAreaRange *range)
{
    JsonArray *array = json_array_new();

    json_array_add_double_element(array, range->low);
    json_array_add_double_element(array, range->high);
    return array;
}

JsonObject *model_codesign_parameters(gconstpointer study)
{
    const ModelCodesignOptions *options = ((const ModelCodesign *) study)->options;
    const GpuCodesignRules *rules = &options->rules;
    JsonObject *object = json_object_new();
    JsonObject *weights = json_object_new();
    JsonArray *sizes = json_array_new();

    for (guint i = 0; i < options->code_count; i++) {
        json_object_set_double_member(weights, options->codes[i].stencil->name,
                                      options->codes[i].weight);
    }
    for (guint i = 0; i < options->sizes.count; i++) {
        g_autofree char *size =
            g_strdup_printf("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                            options->sizes.at[i].space, options->sizes.at[i].steps);

        json_array_add_string_element(sizes, size);
    }
    json_object_set_object_member(object, "weights", weights);
    json_object_set_array_member(object, "area", range_array(&options->area));
    json_object_set_array_member(object, "at", range_array(&options->at));
    json_object_set_array_member(object, "sizes", sizes); /* none: the thesis's */
    json_object_set_string_member(object, "bandwidth",
                                  rules->bandwidth == GPU_BANDWIDTH_SCALED ? "scaled"
                                                                           : "fixed");
    json_object_set_string_member(object, "tile_memory",
                                  rules->block == GPU_BLOCK_HALF ? "half" : "fixed");
    if (options->has_energy) {
        json_object_set_string_member(
            object, "energy", options->prices.static_mm2 > 0 ? "scaled" : "fixed");
    }
    json_object_set_boolean_member(object, "as_printed",
                                   rules->form == GPU_TILING_AS_PRINTED);
    return object;
}

static void add_cell(GString *text, const char *format, double value)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append_printf(text, ",%s",
                           g_ascii_formatd(number, sizeof number, format, value));
}

static bool is_on_front(const ModelCodesignClass *class, guint design, guint *next)
{
    if (*next < class->front->len &&
        g_array_index(class->front, guint, *next) == design) {
        (*next)++;
        return true;
    }
    return false;
}

static void
add_rows(const ModelCodesign *self, const ModelCodesignClass *class, GString *text)
{
    const guint codes = gpu_codesign_plan(class->sweep)->code_count;
    guint next = 0;

    for (guint i = 0; i < self->designs->len; i++) {
        const GpuDesign *design = gpu_codesign_design(class->sweep, i);
        double vector_units;
        double shared;

        model_codesign_shares(self, design, &vector_units, &shared);
        g_string_append_printf(text, "%s,%u,%u,%u", class->title,
                               design->multiprocessors, design->vector_units,
                               design->shared_kilobytes);
        add_cell(text, "%.4f", design->mm2);
        add_cell(text, "%.3f", vector_units);
        add_cell(text, "%.3f", shared);
        add_cell(text, "%.8g", class->rates[i]);
        g_string_append(text, is_on_front(class, i, &next) ? ",yes" : ",no");
        for (guint code = 0; code < self->options->code_count; code++) {
            if (code >= class->first_code && code < class->first_code + codes) {
                add_cell(
                    text, "%.8g",
                    gpu_codesign_code_rate(class->sweep, i, code - class->first_code));
            } else {
                g_string_append_c(text, ',');
            }
        }
        g_string_append_c(text, '\n');
    }
}

char *model_codesign_csv(gconstpointer study)
{
    const ModelCodesign *self = study;
    GString *text = g_string_new(
        "class,multiprocessors,vector_units,shared_kb,mm2,vector_units_percent,"
        "shared_percent,points_per_second,front");

    for (guint i = 0; i < self->options->code_count; i++) {
        g_string_append_printf(text, ",%s_points_per_second",
                               self->options->codes[i].stencil->name);
    }
    g_string_append_c(text, '\n');
    for (guint i = 0; i < self->class_count; i++) {
        add_rows(self, &self->classes[i], text);
    }
    return g_string_free(text, FALSE);
}
