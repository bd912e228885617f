/* One tile, or the best of all: the terms of the equations, losses, rules, and k. */
#include <math.h>
#include <stdio.h>

#include "arch/model/tiling/study.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/schedule/schedule.h"
#include "tools/gridloom/model/time/time.h"
#include "tools/gridloom/plot/file.h"
#include "traces/file/quantity.h"
#include "traces/picture/plot_list.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"

#define MICRO   1e-6
#define PERCENT 100.0

enum {
    SHOWN = 10,    /* of a shortlist */
    LISTED = 1000, /* of it in JSON; tables hold all */
};

typedef struct {
    const ModelTimeOptions *options;
    GpuTilingStudy study;
    bool has_check;
    GpuScheduleProof check;
} Tiles;

static guint dimension_of(const Tiles *self)
{
    return self->study.space.problem.dimension;
}

static JsonObject *parameters(gconstpointer data)
{
    const Tiles *self = data;
    JsonObject *object = model_time_asked_json(self->options);

    RECORD_ADD(object, VALUE("tile", self->study.has_search
                                         ? NULL
                                         : model_time_tile_json(&self->study.tile,
                                                                dimension_of(self))));
    return object;
}

/* All terms, in the order of the equations. */
static void add_time(JsonObject *object, const GpuTilingTime *time)
{
    RECORD_ADD(object, VALUE("seconds", time->seconds),
               VALUE("ideal_seconds", time->ideal_seconds),
               VALUE("wavefronts", time->wavefronts), VALUE("pitch", time->pitch),
               VALUE("tiles_per_wavefront", time->tiles), VALUE("rounds", time->rounds),
               VALUE("strips", time->strips), VALUE("moved_words", time->moved_words),
               VALUE("tile_bytes", time->tile_bytes),
               VALUE("tile_points", time->points), VALUE("passes", time->passes),
               VALUE("move_seconds", time->move_seconds),
               VALUE("compute_seconds", time->compute_seconds),
               VALUE("tile_seconds", time->tile_seconds));
}

static JsonObject *losses_json(const GpuTilingLosses *losses)
{
    return RECORD(VALUE("steps", losses->steps), VALUE("tiles", losses->tiles),
                  VALUE("strips", losses->strips), VALUE("passes", losses->passes),
                  VALUE("barrier_seconds", losses->barrier_seconds),
                  VALUE("move_seconds", losses->move_seconds),
                  VALUE("launch_seconds", losses->launch_seconds));
}

static double overhead(const GpuTilingStudy *study, GpuTilingForm form)
{
    return gpu_tiling_overhead(&study->space.problem, &study->tile,
                               &study->space.machine, form);
}

static JsonObject *rules_json(const GpuTilingStudy *study, guint dimension)
{
    JsonObject *object = json_object_new();

    for (guint rule = 0; rule < GPU_TILE_RULES; rule++) {
        RECORD_ADD(object,
                   VALUE(gpu_tile_rule_name((GpuTileRule) rule),
                         study->has_rule[rule]
                             ? model_time_choice_json(&study->rules[rule], &dimension)
                             : NULL));
    }
    return object;
}

static void add_search(JsonObject *object, const GpuTilingStudy *study, guint dimension)
{
    const GpuTileSearch *search = &study->search;
    JsonArray *shortlist = json_array_new();
    JsonObject *other = model_time_choice_json(&study->other, &dimension);

    for (guint i = 0; i < MIN(search->shortlist->len, LISTED); i++) {
        json_array_add_object_element(
            shortlist,
            model_time_choice_json(&g_array_index(search->shortlist, GpuTileChoice, i),
                                   &dimension));
    }
    RECORD_ADD(other, VALUE("seconds_in_this_form", study->other_seconds));
    RECORD_ADD(
        object, VALUE("tiles", search->tiles), VALUE("candidates", search->candidates),
        VALUE("shortlist_count", search->shortlist->len), VALUE("shortlist", shortlist),
        VALUE("best", model_time_choice_json(&search->best, &dimension)),
        VALUE("worst", model_time_choice_json(&search->worst, &dimension)),
        VALUE("optimum_of_other_form", other),
        VALUE("rules", rules_json(study, dimension)));
}

static JsonObject *metrics(gconstpointer data)
{
    const Tiles *self = data;
    const GpuTilingStudy *study = &self->study;
    const GpuTilingTime *time = gpu_tiling_study_time(study);
    const guint dimension = dimension_of(self);
    JsonObject *object = json_object_new();
    JsonObject *forms[GPU_TILING_FORMS];

    for (guint form = 0; form < GPU_TILING_FORMS; form++) {
        forms[form] = json_object_new();
        add_time(forms[form], &study->times[form]);
    }
    add_time(object, time);
    RECORD_ADD(
        object, VALUE("exact_wavefronts", study->exact_wavefronts),
        VALUE("scheduled_rounds", study->scheduled_rounds),
        VALUE("scheduled_seconds",
              study->scheduled_rounds > 0 ? study->scheduled_seconds : NAN),
        VALUE("tile", model_time_tile_json(&study->tile, dimension)),
        VALUE("overhead_seconds", time->seconds - time->ideal_seconds),
        VALUE("overhead_printed_seconds", overhead(study, GPU_TILING_AS_PRINTED)),
        VALUE("overhead_derived_seconds", overhead(study, GPU_TILING_CORRECTED)),
        VALUE("losses", losses_json(&study->losses)),
        VALUE("corrected", forms[GPU_TILING_CORRECTED]),
        VALUE("as_printed", forms[GPU_TILING_AS_PRINTED]),
        VALUE("residents",
              record_list(study->residents, model_time_choice_json, &dimension)));
    if (self->has_check) {
        RECORD_ADD(object, VALUE("schedule", model_schedule_check_json(&self->check)));
    }
    if (study->has_search) {
        add_search(object, study, dimension);
    }
    return object;
}

/* The shortlist, or the tile with every k. */
static char *csv(gconstpointer data)
{
    const Tiles *self = data;
    const GpuTilingStudy *study = &self->study;
    const GArray *choices =
        study->has_search ? study->search.shortlist : study->residents;
    GString *text =
        g_string_new("tile,tile_steps,resident,tile_bytes,seconds,corrected_seconds,"
                     "as_printed_seconds\n");

    for (guint i = 0; i < choices->len; i++) {
        const GpuTileChoice *choice = &g_array_index(choices, GpuTileChoice, i);
        g_autofree char *sizes = quantity_sizes(choice->tile.space, dimension_of(self));

        trace_number_text_add(
            text, "-",
            "%s,%" G_GUINT64_FORMAT ",%u,%" G_GUINT64_FORMAT ",%.15g,%.15g,%.15g\n",
            sizes, choice->tile.steps, choice->tile.resident,
            gpu_tile_bytes(&choice->tile, dimension_of(self)), choice->seconds,
            gpu_tiling_seconds(&study->space, &choice->tile, GPU_TILING_CORRECTED),
            gpu_tiling_seconds(&study->space, &choice->tile, GPU_TILING_AS_PRINTED));
    }
    return g_string_free(text, FALSE);
}

static void add_residents(TracePlotList *plot, const GArray *choices)
{
    for (guint i = 0; i < choices->len; i++) {
        const GpuTileChoice *choice = &g_array_index(choices, GpuTileChoice, i);

        trace_plot_list_add(plot, choice->tile.resident, choice->seconds);
    }
}

/* Time over the tiles that share a multiprocessor. */
static char *svg(gconstpointer data)
{
    const Tiles *self = data;
    const GpuTilingStudy *study = &self->study;
    const GpuTilingProblem *problem = &study->space.problem;
    const GpuTilingForm form = study->space.form;
    const GpuTileChoice *last =
        &g_array_index(study->residents, GpuTileChoice, study->residents->len - 1);
    g_autofree char *size = quantity_sizes(problem->space, problem->dimension);
    g_autofree char *tile = model_time_tile_name(&study->tile, problem->dimension);
    g_autofree char *title =
        g_strdup_printf("%s, %s points, %" G_GUINT64_FORMAT " steps on %s",
                        self->options->stencil->title, size, problem->steps,
                        arch_params_name(self->options->gpu));
    g_autofree char *note = g_strdup_printf(
        study->has_search ? "The best tile of each k; of all: %s" : "Of one tile: %s",
        tile);
    const double ideal = study->times[0].ideal_seconds;
    g_autoptr(TracePlotList) plot = trace_plot_list_new();

    trace_plot_list_series(plot, TRACE_PLOT_BOTH, "T_alg, %s",
                           model_time_form_name(form));
    add_residents(plot, study->residents);
    trace_plot_list_series(plot, TRACE_PLOT_BOTH, "T_alg, %s",
                           model_time_form_name(gpu_tiling_other_form(form)));
    add_residents(plot, study->others);
    trace_plot_list_series(plot, TRACE_PLOT_LINE, "T_ideal");
    trace_plot_list_add(plot, 1, ideal);
    trace_plot_list_add(plot, last->tile.resident, ideal);
    return trace_plot_list_draw(plot,
                                &(TracePlot){
                                    .title = title,
                                    .x = "k, tiles that share a multiprocessor",
                                    .y = "time, s",
                                    .note = note,
                                },
                                trace_plot_to_svg);
}

/* A row of the table of terms: its equations in one, two and three dimensions. */
#define TERM(symbol, words, one, two, three, format, member, unit)                     \
    grid_printf(grid, "%s|%s|%s|" format "|" format, symbol, words,                    \
                ((const char *const[]){one, two, three})[at],                          \
                (double) times[0].member / (unit), (double) times[1].member / (unit))

static void print_terms(const GpuTilingStudy *study)
{
    const guint at = study->space.problem.dimension - 1;
    const GpuTilingTime *times = study->times;
    g_autoptr(Grid) grid = grid_with("TERM|WHAT|EQUATION|CORRECTED|AS PRINTED");

    TERM("N_w", "wavefronts, 2 ceil(T / t_T)", "A.3", "A.3", "A.3", "%.0f", wavefronts,
         1);
    TERM("pitch", "points from hexagon to hexagon", "A.5", "A.5", "A.23", "%.0f", pitch,
         1);
    TERM("w", "tiles of a wavefront, ceil(S1 / pitch)", "A.6", "A.6", "A.23", "%.0f",
         tiles, 1);
    TERM("", "rounds, ceil(ceil(w / k) / n_SM)", "A.2", "A.2", "A.2", "%.0f", rounds,
         1);
    TERM("N", "strips of a tile through other sides", "-", "A.17", "A.24", "%.0f",
         strips, 1);
    TERM("m_io", "words that a tile moves", "A.8", "A.14", "A.25", "%.0f", moved_words,
         1);
    TERM("M_tile", "bytes of a tile in shared memory", "-", "A.20", "-", "%.0f",
         tile_bytes, 1);
    TERM("V_tile", "points of a tile", "A.27", "A.27", "A.27", "%.0f", points, 1);
    TERM("", "passes of the vector units over it", "A.10", "A.16", "A.28", "%.0f",
         passes, 1);
    TERM("m'", "moving a tile, us", "A.9", "A.15", "A.26", "%.4f", move_seconds, MICRO);
    TERM("c", "computing a tile, us", "A.10", "A.16", "A.28", "%.4f", compute_seconds,
         MICRO);
    TERM("T_tile", "k tiles through all strips, us", "A.13", "A.17", "A.30", "%.4f",
         tile_seconds, MICRO);
    TERM("T_alg", "all of it, s", "A.7", "A.18", "A.31", "%.6g", seconds, 1);
    TERM("T_ideal", "if no vector unit ever waited, s", "8.3", "8.3", "8.3", "%.6g",
         ideal_seconds, 1);
    grid_print(grid, stdout, 2);
}

static void print_schedule(const GpuTilingStudy *study)
{
    printf("  With its last term, which the thesis drops, A.3 has %" G_GUINT64_FORMAT
           " wavefronts.\n",
           study->exact_wavefronts);
    if (study->scheduled_rounds > 0) {
        trace_number_text_print(
            "  The schedule itself has %" G_GUINT64_FORMAT
            " rounds, not %" G_GUINT64_FORMAT ": every other wavefront has a\n"
            "  tile more at the rim. If those took as long as whole ones, %.6g s.\n",
            study->scheduled_rounds,
            study->times[0].wavefronts * study->times[0].rounds,
            study->scheduled_seconds);
    }
    printf("\n");
}

static void print_losses(const GpuTilingStudy *study)
{
    const GpuTilingLosses *losses = &study->losses;
    const GpuTilingTime *time = gpu_tiling_study_time(study);

    trace_number_text_print(
        "From T_ideal to T_alg, %s\n"
        "  whole wavefronts x %.4f, whole rounds of tiles x %.4f, whole strips x "
        "%.4f, whole passes x %.4f\n"
        "  barriers + %.6g s, transfers that nothing hides + %.6g s, launches + %.6g "
        "s\n",
        model_time_form_name(study->space.form), losses->steps, losses->tiles,
        losses->strips, losses->passes, losses->barrier_seconds, losses->move_seconds,
        losses->launch_seconds);
    if (losses->tiles < 1) {
        printf("  Less than 1: tiles this far apart leave points out.\n");
    }
    trace_number_text_print(
        "  T_overhead (8.4) %.6g s; by 8.5 %.6g s, with the factor that it lacks "
        "(S2 / (t_S2 n_SM)) %.6g s\n\n",
        time->seconds - time->ideal_seconds, overhead(study, GPU_TILING_AS_PRINTED),
        overhead(study, GPU_TILING_CORRECTED));
}

/* A row of a table of tiles. */
static void add_choice(Grid *grid,
                       const GpuTilingStudy *study,
                       const char *name,
                       const GpuTileChoice *choice)
{
    const guint dimension = study->space.problem.dimension;
    g_autofree char *sizes = quantity_sizes(choice->tile.space, dimension);

    grid_printf(grid, "%s|%s|%" G_GUINT64_FORMAT "|%u|%" G_GUINT64_FORMAT "|%.6g|%.4f",
                name, sizes, choice->tile.steps, choice->tile.resident,
                gpu_tile_bytes(&choice->tile, dimension), choice->seconds,
                choice->seconds / gpu_tiling_study_time(study)->ideal_seconds);
}

static Grid *choices_grid(const char *name)
{
    g_autofree char *headings =
        g_strconcat(name, "|TILE|T_T|K|BYTES|SECONDS|/ IDEAL", NULL);

    return grid_with(headings);
}

static void print_shortlist(const GpuTilingStudy *study, double percent)
{
    const GArray *shortlist = study->search.shortlist;
    g_autofree char *within = quantity_percent(percent);
    g_autoptr(Grid) grid = choices_grid("RANK");

    printf("%u of them within %s of the best, the shortlist\n", shortlist->len, within);
    for (guint i = 0; i < MIN(shortlist->len, SHOWN); i++) {
        g_autofree char *rank = g_strdup_printf("%u", i + 1);

        add_choice(grid, study, rank, &g_array_index(shortlist, GpuTileChoice, i));
    }
    add_choice(grid, study, "worst", &study->search.worst);
    grid_print(grid, stdout, 2);
    printf("\n");
}

static void print_rules(const GpuTilingStudy *study)
{
    static const char *const titles[] = {[GPU_TILE_DENSEST] =
                                             "most points a moved word",
                                         [GPU_TILE_LARGEST] = "most shared memory",
                                         [GPU_TILE_WIDEST] = "most t_S1 + t_T/2 (8.5)"};
    const bool is_corrected = study->space.form == GPU_TILING_CORRECTED;
    const GpuTileChoice other = {study->other.tile, study->other_seconds};
    g_autoptr(Grid) grid = choices_grid("RULE");

    printf("Tiles by rules, and what the %s model says of them\n",
           is_corrected ? "corrected" : "printed");
    add_choice(grid, study, "least T_alg", &study->search.best);
    add_choice(grid, study,
               is_corrected ? "least T_alg as printed" : "least T_alg corrected",
               &other);
    for (guint rule = 0; rule < GPU_TILE_RULES; rule++) {
        if (study->has_rule[rule]) {
            add_choice(grid, study, titles[rule], &study->rules[rule]);
        }
    }
    grid_print(grid, stdout, 2);
    trace_number_text_print("  The %s equations say %.6g s of their own optimum.\n\n",
                            is_corrected ? "printed" : "corrected",
                            study->other.seconds);
}

static void print_residents(const GpuTilingStudy *study)
{
    g_autoptr(Grid) grid = choices_grid("SHARING");

    printf("%s\n", study->has_search ? "The best tile for each k, tiles that share a "
                                       "multiprocessor"
                                     : "This tile for each k that fits");
    for (guint i = 0; i < study->residents->len; i++) {
        const GpuTileChoice *choice =
            &g_array_index(study->residents, GpuTileChoice, i);

        add_choice(grid, study, choice->tile.resident == 1 ? "alone" : "", choice);
    }
    grid_print(grid, stdout, 2);
}

static void print(gconstpointer data)
{
    const Tiles *self = data;
    const GpuTilingStudy *study = &self->study;
    const GpuTileBox *box = &study->space.box;
    g_autofree char *tile = model_time_tile_name(&study->tile, dimension_of(self));

    model_time_print_head(self->options);
    printf("  tile      %s", tile);
    if (study->has_search) {
        g_autofree char *candidates = quantity_count(study->search.candidates);
        g_autofree char *sizes = quantity_sizes(box->space, dimension_of(self));

        printf(": the best of %s candidates up to %s and %" G_GUINT64_FORMAT " steps",
               candidates, sizes, box->steps);
    }
    printf("\n\n");
    print_terms(study);
    print_schedule(study);
    print_losses(study);
    if (study->has_search) {
        print_shortlist(study, PERCENT * self->options->within);
        print_rules(study);
    }
    print_residents(study);
    if (self->has_check) {
        g_autofree char *check = model_schedule_check_text(&self->check);

        printf("\n%s\n", check);
    }
}

/* Goes through the schedule and draws it, before anything is written. Tiles that
 * exchange halos have one step each, of which the model has no time. */
static bool follow_schedule(Tiles *self, GError **error)
{
    const ModelTimeOptions *options = self->options;
    const GpuTilingProblem *problem = &options->space.problem;
    const GpuScheduleSetting setting = {.shape = options->shape,
                                        .form = options->space.form};
    GpuTile tile = self->study.tile;

    tile.steps = options->shape == GPU_SCHEDULE_HALO ? 1 : tile.steps;
    self->has_check = options->is_checked;
    if (self->has_check &&
        !gpu_schedule_prove(problem, &tile, &setting, &self->check, error)) {
        return false;
    }
    if (options->schedule == NULL) {
        return true;
    }
    g_autofree char *picture = model_schedule_to_svg(problem, &tile, &setting, error);

    return picture != NULL &&
           cmd_plot_file_write(options->schedule, picture, CMD_PLOT_FILE_SHARP, error);
}

int model_time_tiles(const ModelTimeOptions *options, gint64 start)
{
    Tiles tiles = {.options = options};
    ModelPage page = MODEL_PAGE("model time", options->gpu, &tiles);
    g_autoptr(GError) error = NULL;
    int code;

    if (gpu_tiling_study_init(&tiles.study, &options->space,
                              options->mode == MODEL_TIME_SEARCH ? NULL
                                                                 : &options->tile,
                              options->within, &error) &&
        follow_schedule(&tiles, &error)) {
        page.reference = tiles.has_check ? "the schedule, point by point" : NULL;
        page.is_wrong = tiles.has_check && !gpu_schedule_proof_is_passed(&tiles.check);
        code = model_output_write(&options->output, &page, start);
    } else {
        code = complain_of(error);
    }
    gpu_tiling_study_clear(&tiles.study);
    return code;
}
