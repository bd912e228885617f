/* A study of tiles as JSON, and as a table. */
#include <math.h>

#include "tools/gridloom/model/time/study.h"
#include "tools/gridloom/model/time/text.h"
#include "tools/gridloom/number_text.h"
#include "tools/gridloom/quantity.h"

enum {
    LISTED = 1000
};

JsonObject *model_time_study_parameters(gconstpointer study)
{
    const ModelTimeStudy *self = study;
    const ModelTimeOptions *options = self->options;
    JsonObject *object = model_time_asked_json(options);

    if (options->mode == MODEL_TIME_TILE) {
        json_object_set_object_member(
            object, "tile",
            model_time_tile_json(&options->tile, options->space.problem.dimension));
    } else {
        json_object_set_null_member(object, "tile");
    }
    return object;
}

/* All terms, in the order of the equations. */
static void add_time(JsonObject *object, const GpuTilingTime *time)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {
        {"wavefronts", time->wavefronts},
        {"pitch", time->pitch},
        {"tiles_per_wavefront", time->tiles},
        {"rounds", time->rounds},
        {"strips", time->strips},
        {"moved_words", time->moved_words},
        {"tile_bytes", time->tile_bytes},
        {"tile_points", time->points},
        {"passes", time->passes},
    };

    json_object_set_double_member(object, "seconds", time->seconds);
    json_object_set_double_member(object, "ideal_seconds", time->ideal_seconds);
    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
        json_object_set_int_member(object, counts[i].name, (gint64) counts[i].value);
    }
    json_object_set_double_member(object, "move_seconds", time->move_seconds);
    json_object_set_double_member(object, "compute_seconds", time->compute_seconds);
    json_object_set_double_member(object, "tile_seconds", time->tile_seconds);
}

/* The first of them, as many as a reader of JSON wants; tables hold all. */
static JsonArray *choices_json(const GArray *choices, guint dimension)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < MIN(choices->len, LISTED); i++) {
        json_array_add_object_element(
            array, model_time_choice_json(&g_array_index(choices, GpuTileChoice, i),
                                          dimension));
    }
    return array;
}

static JsonObject *losses_json(const ModelTimeLosses *losses)
{
    JsonObject *object = json_object_new();

    json_object_set_double_member(object, "steps", losses->steps);
    json_object_set_double_member(object, "tiles", losses->tiles);
    json_object_set_double_member(object, "strips", losses->strips);
    json_object_set_double_member(object, "passes", losses->passes);
    json_object_set_double_member(object, "barrier_seconds", losses->barrier_seconds);
    json_object_set_double_member(object, "move_seconds", losses->move_seconds);
    json_object_set_double_member(object, "launch_seconds", losses->launch_seconds);
    return object;
}

static void add_overhead(JsonObject *object, const ModelTimeStudy *self)
{
    const GpuTileSpace *space = &self->options->space;
    const GpuTilingTime *time = model_time_study_time(self);

    json_object_set_double_member(object, "overhead_seconds",
                                  time->seconds - time->ideal_seconds);
    json_object_set_double_member(object, "overhead_printed_seconds",
                                  gpu_tiling_overhead(&space->problem, &self->tile,
                                                      &space->machine,
                                                      GPU_TILING_AS_PRINTED));
    json_object_set_double_member(object, "overhead_derived_seconds",
                                  gpu_tiling_overhead(&space->problem, &self->tile,
                                                      &space->machine,
                                                      GPU_TILING_CORRECTED));
}

static JsonObject *rules_json(const ModelTimeStudy *self, guint dimension)
{
    JsonObject *object = json_object_new();

    for (guint rule = 0; rule < GPU_TILE_RULES; rule++) {
        const char *name = gpu_tile_rule_name((GpuTileRule) rule);

        if (self->has_rule[rule]) {
            json_object_set_object_member(
                object, name, model_time_choice_json(&self->rules[rule], dimension));
        } else {
            json_object_set_null_member(object, name);
        }
    }
    return object;
}

static void add_search(JsonObject *object, const ModelTimeStudy *self, guint dimension)
{
    const GpuTileSearch *search = &self->search;
    JsonObject *other = model_time_choice_json(&self->other, dimension);

    json_object_set_int_member(object, "tiles", (gint64) search->tiles);
    json_object_set_int_member(object, "candidates", (gint64) search->candidates);
    json_object_set_int_member(object, "shortlist_count", search->shortlist->len);
    json_object_set_array_member(object, "shortlist",
                                 choices_json(search->shortlist, dimension));
    json_object_set_object_member(object, "best",
                                  model_time_choice_json(&search->best, dimension));
    json_object_set_object_member(object, "worst",
                                  model_time_choice_json(&search->worst, dimension));
    json_object_set_double_member(other, "seconds_in_this_form", self->other_seconds);
    json_object_set_object_member(object, "optimum_of_other_form", other);
    json_object_set_object_member(object, "rules", rules_json(self, dimension));
}

JsonObject *model_time_study_metrics(gconstpointer study)
{
    const ModelTimeStudy *self = study;
    const guint dimension = self->options->space.problem.dimension;
    JsonObject *object = json_object_new();
    JsonObject *forms[MODEL_TIME_FORMS];

    add_time(object, model_time_study_time(self));
    json_object_set_int_member(object, "exact_wavefronts",
                               (gint64) self->exact_wavefronts);
    json_object_set_int_member(object, "scheduled_rounds",
                               (gint64) self->scheduled_rounds);
    json_object_set_double_member(object, "scheduled_seconds",
                                  self->scheduled_rounds > 0 ? self->scheduled_seconds
                                                             : NAN);
    json_object_set_object_member(object, "tile",
                                  model_time_tile_json(&self->tile, dimension));
    add_overhead(object, self);
    json_object_set_object_member(object, "losses", losses_json(&self->losses));
    for (guint form = 0; form < MODEL_TIME_FORMS; form++) {
        forms[form] = json_object_new();
        add_time(forms[form], &self->times[form]);
    }
    json_object_set_object_member(object, "corrected", forms[GPU_TILING_CORRECTED]);
    json_object_set_object_member(object, "as_printed", forms[GPU_TILING_AS_PRINTED]);
    json_object_set_array_member(object, "residents",
                                 choices_json(self->residents, dimension));
    if (self->has_check) {
        json_object_set_object_member(object, "schedule",
                                      model_schedule_check_json(&self->check));
    }
    if (self->has_search) {
        add_search(object, self, dimension);
    }
    return object;
}

/* The shortlist, or the tile with every k. */
char *model_time_study_csv(gconstpointer study)
{
    const ModelTimeStudy *self = study;
    const GpuTileSpace *space = &self->options->space;
    const guint dimension = space->problem.dimension;
    const GArray *choices = self->has_search ? self->search.shortlist : self->residents;
    GString *text =
        g_string_new("tile,tile_steps,resident,tile_bytes,seconds,corrected_seconds,"
                     "as_printed_seconds\n");

    for (guint i = 0; i < choices->len; i++) {
        const GpuTileChoice *choice = &g_array_index(choices, GpuTileChoice, i);
        g_autofree char *sizes = quantity_sizes(choice->tile.space, dimension);
        CmdNumberText number;

        g_string_append_printf(text,
                               "%s,%" G_GUINT64_FORMAT ",%u,%" G_GUINT64_FORMAT ",%s",
                               sizes, choice->tile.steps, choice->tile.resident,
                               gpu_tile_bytes(&choice->tile, dimension),
                               cmd_number_text(number, "%.15g", choice->seconds));
        for (guint form = 0; form < MODEL_TIME_FORMS; form++) {
            const double seconds =
                model_time_seconds(space, &choice->tile, (GpuTilingForm) form);

            g_string_append_printf(text, ",%s",
                                   cmd_number_text(number, "%.15g", seconds));
        }
        g_string_append_c(text, '\n');
    }
    return g_string_free(text, FALSE);
}
