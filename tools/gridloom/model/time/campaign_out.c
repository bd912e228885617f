/* Writes a campaign: text, JSON, a table, bars as in Figure A.7. */
#include <stdio.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/model/time/campaign.h"
#include "tools/gridloom/model/time/text.h"
#include "tools/gridloom/number_text.h"
#include "tools/gridloom/quantity.h"
#include "traces/picture/bars.h"

#define PERCENT 100.0

static const ModelTimeExperiment *at(const ModelTimeCampaign *self, guint place)
{
    return &g_array_index(self->experiments, ModelTimeExperiment, place);
}

/* The mean rate of `count` experiments from `first` on. */
static double
mean_rate(const ModelTimeCampaign *self, guint first, guint count, ModelTimePick pick)
{
    double sum = 0;

    for (guint i = first; i < first + count; i++) {
        sum += model_time_experiment_rate(at(self, i), pick);
    }
    return sum / count;
}

static guint mean_shortlist(const ModelTimeCampaign *self, guint first, guint count)
{
    guint64 sum = 0;

    for (guint i = first; i < first + count; i++) {
        sum += at(self, i)->shortlist_count;
    }
    return (guint) (sum / count);
}

JsonObject *model_time_campaign_parameters(gconstpointer campaign)
{
    const ModelTimeCampaign *self = campaign;
    JsonObject *object = json_object_new();

    json_object_set_string_member(
        object, "stencil",
        self->options->stencil == NULL ? "all" : self->options->stencil->name);
    json_object_set_boolean_member(object, "as_printed",
                                   self->options->space.form == GPU_TILING_AS_PRINTED);
    json_object_set_double_member(object, "within_percent",
                                  PERCENT * self->options->within);
    return object;
}

/* "densest" for programs, as titles are but without spaces. */
static const char *pick_name(ModelTimePick pick)
{
    switch (pick) {
    case MODEL_TIME_BEST:
        return "best";
    case MODEL_TIME_OTHER:
        return "other_form";
    case MODEL_TIME_RULES:
    case MODEL_TIME_PICKS:
    default:
        return gpu_tile_rule_name((GpuTileRule) (pick - MODEL_TIME_RULES));
    }
}

static JsonObject *experiment_json(const ModelTimeExperiment *experiment)
{
    const guint dimension = experiment->problem.dimension;
    g_autofree char *size = quantity_sizes(experiment->problem.space, dimension);
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "gpu", experiment->gpu);
    json_object_set_string_member(object, "stencil", experiment->stencil->name);
    json_object_set_string_member(object, "size", size);
    json_object_set_int_member(object, "steps", (gint64) experiment->problem.steps);
    json_object_set_double_member(object, "ideal_seconds", experiment->ideal_seconds);
    json_object_set_int_member(object, "candidates", (gint64) experiment->candidates);
    json_object_set_int_member(object, "shortlist_count", experiment->shortlist_count);
    for (guint pick = 0; pick < MODEL_TIME_PICKS; pick++) {
        if (experiment->picks[pick].tile.resident > 0) {
            json_object_set_object_member(
                object, pick_name((ModelTimePick) pick),
                model_time_choice_json(&experiment->picks[pick], dimension));
        } else {
            json_object_set_null_member(object, pick_name((ModelTimePick) pick));
        }
    }
    return object;
}

static JsonArray *groups_json(const ModelTimeCampaign *self)
{
    JsonArray *array = json_array_new();
    guint count;

    for (guint i = 0; i < self->experiments->len; i += count) {
        JsonObject *object = json_object_new();

        count = model_time_campaign_group(self, i);
        json_object_set_string_member(object, "gpu", at(self, i)->gpu);
        json_object_set_string_member(object, "stencil", at(self, i)->stencil->name);
        json_object_set_int_member(object, "experiments", count);
        for (guint pick = 0; pick < MODEL_TIME_PICKS; pick++) {
            g_autofree char *name = g_strdup_printf("%s_gpoints_per_second",
                                                    pick_name((ModelTimePick) pick));

            json_object_set_double_member(
                object, name, mean_rate(self, i, count, (ModelTimePick) pick));
        }
        json_array_add_object_element(array, object);
    }
    return array;
}

JsonObject *model_time_campaign_metrics(gconstpointer campaign)
{
    const ModelTimeCampaign *self = campaign;
    JsonObject *object = json_object_new();
    JsonArray *experiments = json_array_new();
    guint counts[GPU_TILING_DIMENSIONS + 1] = {0};

    for (guint i = 0; i < self->experiments->len; i++) {
        counts[at(self, i)->problem.dimension]++;
        json_array_add_object_element(experiments, experiment_json(at(self, i)));
    }
    json_object_set_int_member(object, "experiments_2d", counts[2]);
    json_object_set_int_member(object, "experiments_3d", counts[3]);
    json_object_set_array_member(object, "groups", groups_json(self));
    json_object_set_array_member(object, "experiments", experiments);
    return object;
}

char *model_time_campaign_csv(gconstpointer campaign)
{
    const ModelTimeCampaign *self = campaign;
    GString *text = g_string_new("gpu,stencil,size,steps,rule,tile,tile_steps,resident,"
                                 "seconds,ideal_seconds\n");

    for (guint i = 0; i < self->experiments->len; i++) {
        const ModelTimeExperiment *experiment = at(self, i);
        const guint dimension = experiment->problem.dimension;
        g_autofree char *size = quantity_sizes(experiment->problem.space, dimension);

        for (guint pick = 0; pick < MODEL_TIME_PICKS; pick++) {
            const GpuTileChoice *choice = &experiment->picks[pick];
            g_autofree char *tile = quantity_sizes(choice->tile.space, dimension);

            if (choice->tile.resident > 0) {
                CmdNumberText seconds;
                CmdNumberText ideal;

                g_string_append_printf(
                    text,
                    "%s,%s,%s,%" G_GUINT64_FORMAT ",%s,%s,%" G_GUINT64_FORMAT
                    ",%u,%s,%s\n",
                    experiment->gpu, experiment->stencil->name, size,
                    experiment->problem.steps, pick_name((ModelTimePick) pick), tile,
                    choice->tile.steps, choice->tile.resident,
                    cmd_number_text(seconds, "%.15g", choice->seconds),
                    cmd_number_text(ideal, "%.15g", experiment->ideal_seconds));
            }
        }
    }
    return g_string_free(text, FALSE);
}

/* A panel for each GPU and stencil, a bar for each rule. */
char *model_time_campaign_svg(gconstpointer campaign)
{
    const ModelTimeCampaign *self = campaign;
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autofree TraceBar *bars =
        g_new0(TraceBar, (gsize) self->experiments->len * MODEL_TIME_PICKS);
    g_autofree TraceBarPanel *panels = g_new0(TraceBarPanel, self->experiments->len);
    gsize panel_count = 0;
    guint count;
    g_autofree char *title =
        g_strdup_printf("1e9 points a second with tiles by rules, %s",
                        model_time_form_name(self->options->space.form));

    for (guint i = 0; i < self->experiments->len; i += count) {
        TraceBar *own = &bars[panel_count * MODEL_TIME_PICKS];
        char *heading =
            g_strdup_printf("%s on %s", at(self, i)->stencil->title, at(self, i)->gpu);

        count = model_time_campaign_group(self, i);
        g_ptr_array_add(texts, heading);
        for (guint pick = 0; pick < MODEL_TIME_PICKS; pick++) {
            const double rate = mean_rate(self, i, count, (ModelTimePick) pick);
            CmdNumberText number;
            char *text = g_strdup(cmd_number_text(number, "%.2f", rate));

            g_ptr_array_add(texts, text);
            own[pick] = (TraceBar){.label = model_time_pick_title(
                                       (ModelTimePick) pick, self->options->space.form),
                                   .text = text,
                                   .value = rate};
        }
        panels[panel_count++] = (TraceBarPanel){
            .title = heading, .bars = own, .bar_count = MODEL_TIME_PICKS};
    }
    return trace_bars_to_svg(
        &(TraceBars){.title = title, .panels = panels, .panel_count = panel_count});
}

static void
add_group(Grid *grid, const ModelTimeCampaign *self, guint first, guint count)
{
    CmdNumberText numbers[MODEL_TIME_PICKS + 2];
    const char *texts[MODEL_TIME_PICKS + 4] = {at(self, first)->gpu,
                                               at(self, first)->stencil->name};

    texts[2] = cmd_number_text(numbers[0], "%.0f", count);
    for (guint pick = 0; pick < MODEL_TIME_PICKS; pick++) {
        texts[3 + pick] =
            cmd_number_text(numbers[1 + pick], "%.2f",
                            mean_rate(self, first, count, (ModelTimePick) pick));
    }
    texts[MODEL_TIME_PICKS + 3] = cmd_number_text(numbers[MODEL_TIME_PICKS + 1], "%.0f",
                                                  mean_shortlist(self, first, count));
    grid_add(grid, texts);
}

void model_time_campaign_print(gconstpointer campaign)
{
    const ModelTimeCampaign *self = campaign;
    const bool is_corrected = self->options->space.form == GPU_TILING_CORRECTED;
    g_autoptr(Grid) grid = grid_new(MODEL_TIME_PICKS + 4);
    guint counts[GPU_TILING_DIMENSIONS + 1] = {0};
    guint count;

    for (guint i = 0; i < self->experiments->len; i++) {
        counts[at(self, i)->problem.dimension]++;
    }
    printf("model time: the experiments of the thesis, %s (formulas, nothing runs)\n",
           model_time_form_name(self->options->space.form));
    printf(
        "  %u in two dimensions, %u in three. Mean over problem sizes of 1e9 points a "
        "second\n"
        "  with the tile that each rule chooses: %s T_alg, the least T_alg %s,\n"
        "  most points a moved word (as HHC's authors advise), most shared memory, "
        "most\n"
        "  t_S1 + t_T/2; and tiles within %.0f %% of the best. Which 85 tiles the "
        "thesis\n"
        "  ran of each it does not print.\n\n",
        counts[2], counts[3], is_corrected ? "the least corrected" : "the least",
        is_corrected ? "as printed" : "of corrected equations",
        PERCENT * self->options->within);
    grid_add(grid, (const char *[]){"GPU", "STENCIL", "RUNS", "LEAST",
                                    is_corrected ? "AS PRINTED" : "CORRECTED",
                                    "DENSEST", "LARGEST", "WIDEST", "SHORTLIST"});
    for (guint i = 0; i < self->experiments->len; i += count) {
        count = model_time_campaign_group(self, i);
        add_group(grid, self, i, count);
    }
    grid_print(grid, stdout, 2);
}
