/* A search for designs for other programs: JSON, and a table of all designs. */
#include <math.h>

#include "tools/gridloom/model/codesign/codesign.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"

#define PERCENT 100.0
#define GIGA    1e9

JsonObject *model_codesign_design_json(const GpuDesign *design)
{
    return RECORD(VALUE("multiprocessors", design->multiprocessors),
                  VALUE("vector_units", design->vector_units),
                  VALUE("shared_kb", design->shared_kilobytes),
                  VALUE("mm2", design->mm2));
}

/* With parts of its area, and its rate. */
static JsonObject *rated_json(const ModelCodesign *self,
                              const GpuCodesignClass *class,
                              guint design,
                              double rate)
{
    const GpuDesign *at = gpu_codesign_design(class->sweep, design);
    JsonObject *object = model_codesign_design_json(at);
    double vector_units;
    double shared;

    gpu_codesign_shares(&self->question, at, &vector_units, &shared);
    RECORD_ADD(object, VALUE("vector_units_percent", vector_units),
               VALUE("shared_percent", shared), VALUE("points_per_second", rate));
    return object;
}

static JsonObject *
choice_json(const ModelCodesign *self, const GpuCodesignClass *class, int design)
{
    return rated_json(self, class, (guint) design, class->rates[design]);
}

static JsonArray *tiles_json(const GpuCodesignClass *class, guint design, guint code)
{
    const GpuCodesignPlan *plan = gpu_codesign_plan(class->sweep);
    JsonArray *array = json_array_new();

    for (guint size = 0; size < plan->sizes.count; size++) {
        const GpuTile *tile = gpu_codesign_tile(class->sweep, design, code, size);

        json_array_add_object_element(
            array,
            RECORD(VALUE("size", plan->sizes.at[size].space),
                   VALUE("steps", plan->sizes.at[size].steps),
                   VALUE("tile", record_counts(tile->space, class->dimension)),
                   VALUE("tile_steps", tile->steps), VALUE("resident", tile->resident),
                   VALUE("seconds",
                         gpu_codesign_seconds(class->sweep, design, code, size))));
    }
    return array;
}

/* The best design of one stencil, beside that of the thesis. */
static JsonObject *
best_json(const ModelCodesign *self, const GpuCodesignClass *class, guint code)
{
    const guint best = (guint) class->code_bests[code];
    const double rate = gpu_codesign_code_rate(class->sweep, best, code);
    const guint place = class->first_code + code;
    const double flops = self->options->flops[place];
    const GpuCodesignPrinted *row =
        gpu_codesign_printed(self->options->codes[place].stencil->name);
    JsonObject *object = rated_json(self, class, best, rate);

    RECORD_ADD(object, VALUE("gflops", flops > 0 ? flops * rate / GIGA : NAN));
    if (row != NULL) {
        JsonObject *printed = model_codesign_design_json(&row->design);

        RECORD_ADD(
            printed, VALUE("gflops", row->gflops),
            VALUE("percent_of_best",
                  PERCENT * gpu_codesign_class_rate(class, &row->design, code) / rate));
        RECORD_ADD(object, VALUE("printed", printed));
    }
    RECORD_ADD(object, VALUE("tiles", tiles_json(class, best, code)));
    return object;
}

static JsonObject *gains_json(const ModelCodesign *self, const GpuCodesignClass *class)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < G_N_ELEMENTS(class->gains); i++) {
        const GpuCodesignGain *gain = &class->gains[i];
        JsonObject *member = RECORD(
            VALUE("mm2", gain->mm2), VALUE("points_per_second", gain->rate),
            VALUE("percent", gain->percent), VALUE("printed_percent", gain->printed));

        if (gain->design >= 0) {
            RECORD_ADD(member, VALUE("design", choice_json(self, class, gain->design)));
        }
        json_object_set_object_member(object, gain->name, member);
    }
    return object;
}

static JsonArray *shared_json(const GpuCodesignClass *class)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < class->shared_count; i++) {
        const GpuCodesignShared *shared = &class->shared[i];

        json_array_add_object_element(
            array, RECORD(VALUE("shared_kb", shared->kilobytes),
                          VALUE("percent_of_best",
                                shared->design < 0 ? NAN : PERCENT * shared->part)));
    }
    return array;
}

static JsonObject *share_json(const GpuCodesignShare *share)
{
    return RECORD(VALUE("low", share->low), VALUE("middle", share->middle),
                  VALUE("high", share->high));
}

static JsonObject *times_json(const GpuTimeShares *shares)
{
    return RECORD(VALUE("useful", PERCENT * shares->useful),
                  VALUE("covering", PERCENT * shares->covering),
                  VALUE("idle_vector_units", PERCENT * shares->lanes),
                  VALUE("idle_multiprocessors", PERCENT * shares->rounds),
                  VALUE("memory", PERCENT * shares->memory),
                  VALUE("barriers", PERCENT * shares->barriers),
                  VALUE("launches", PERCENT * shares->launches));
}

static JsonObject *limit_json(const GpuLimit *limit)
{
    return RECORD(
        VALUE("allowed", limit->allowed), VALUE("use_percent", PERCENT * limit->use),
        VALUE("relaxed", limit->relaxed), VALUE("gain_percent", PERCENT * limit->gain));
}

static JsonObject *bottleneck_json(const ModelCodesign *self,
                                   const GpuCodesignClass *class)
{
    const GpuDesign *design = gpu_codesign_design(class->sweep, (guint) class->best);
    const double budget = self->options->at.high;
    JsonObject *area = RECORD(VALUE("allowed", budget),
                              VALUE("use_percent", PERCENT * design->mm2 / budget),
                              VALUE("relaxed", budget + class->more_mm2),
                              VALUE("gain_percent", PERCENT * class->area_gain));
    JsonObject *object =
        RECORD(VALUE("time_percent", times_json(&class->bottleneck.shares)),
               VALUE("area", area));

    for (GpuLimitKind kind = 0; kind < GPU_LIMITS; kind++) {
        json_object_set_object_member(object, gpu_limit_name(kind),
                                      limit_json(&class->bottleneck.limits[kind]));
    }
    return object;
}

static void
add_class(const ModelCodesign *self, const GpuCodesignClass *class, JsonObject *object)
{
    const guint count = class->front->len;
    JsonArray *front = json_array_new();
    JsonObject *energy = model_codesign_energy_json(self, class);

    for (guint i = 0; i < count; i++) {
        json_array_add_object_element(
            front,
            choice_json(self, class, (int) g_array_index(class->front, guint, i)));
    }
    RECORD_ADD(
        object, VALUE("front", front), VALUE("front_count", count),
        VALUE("front_share", (double) count / (double) self->question.designs->len),
        VALUE("optimum", choice_json(self, class, class->best)),
        VALUE("improvement", gains_json(self, class)),
        VALUE("shared", shared_json(class)),
        VALUE("front_vector_units_percent", share_json(&class->vector_share)),
        VALUE("front_shared_percent", share_json(&class->shared_share)),
        VALUE("bottleneck", bottleneck_json(self, class)));
    if (energy != NULL) {
        RECORD_ADD(object, VALUE("energy", energy));
    }
}

JsonObject *model_codesign_metrics(gconstpointer study)
{
    const ModelCodesign *self = study;
    JsonObject *best = json_object_new();
    JsonObject *object = RECORD(VALUE("designs", self->question.designs->len),
                                VALUE("designs_from_48_kb", self->from_48_kilobytes));

    for (guint i = 0; i < self->class_count; i++) {
        const GpuCodesignClass *class = &self->classes[i];
        const GpuCodesignPlan *plan = gpu_codesign_plan(class->sweep);
        JsonObject *member = json_object_new();

        for (guint code = 0; code < plan->code_count; code++) {
            json_object_set_object_member(best, plan->codes[code].stencil->name,
                                          best_json(self, class, code));
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

static JsonArray *range_json(const GpuAreaRange *range)
{
    return record_reals((const double[]){range->low, range->high}, 2, 1);
}

JsonObject *model_codesign_parameters(gconstpointer study)
{
    const ModelCodesignOptions *options = ((const ModelCodesign *) study)->options;
    const GpuCodesignRules *rules = &options->rules;
    JsonObject *object;
    JsonObject *weights = json_object_new();
    JsonArray *sizes = json_array_new(); /* none: the thesis's */

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
    object =
        RECORD(VALUE("weights", weights), VALUE("area", range_json(&options->area)),
               VALUE("at", range_json(&options->at)), VALUE("sizes", sizes),
               VALUE("bandwidth",
                     rules->bandwidth == GPU_BANDWIDTH_SCALED ? "scaled" : "fixed"),
               VALUE("tile_memory", rules->block == GPU_BLOCK_HALF ? "half" : "fixed"));
    if (options->has_energy) {
        RECORD_ADD(object, VALUE("energy",
                                 options->prices.static_mm2 > 0 ? "scaled" : "fixed"));
    }
    RECORD_ADD(object,
               VALUE("as_printed", (bool) (rules->form == GPU_TILING_AS_PRINTED)));
    return object;
}

static bool is_on_front(const GpuCodesignClass *class, guint design, guint *next)
{
    if (*next < class->front->len &&
        g_array_index(class->front, guint, *next) == design) {
        (*next)++;
        return true;
    }
    return false;
}

static void
add_rows(const ModelCodesign *self, const GpuCodesignClass *class, GString *text)
{
    const guint codes = gpu_codesign_plan(class->sweep)->code_count;
    guint next = 0;

    for (guint i = 0; i < self->question.designs->len; i++) {
        const GpuDesign *design = gpu_codesign_design(class->sweep, i);
        double vector_units;
        double shared;

        gpu_codesign_shares(&self->question, design, &vector_units, &shared);
        trace_number_text_add(text, "", "%s,%u,%u,%u,%.4f,%.3f,%.3f,%.8g,%s",
                              class->title, design->multiprocessors,
                              design->vector_units, design->shared_kilobytes,
                              design->mm2, vector_units, shared, class->rates[i],
                              is_on_front(class, i, &next) ? "yes" : "no");
        for (guint code = 0; code < self->options->code_count; code++) {
            const bool is_own =
                code >= class->first_code && code < class->first_code + codes;

            trace_number_text_add(
                text, "", ",%.8g",
                is_own
                    ? gpu_codesign_code_rate(class->sweep, i, code - class->first_code)
                    : NAN);
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
