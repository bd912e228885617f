/* A study of tiles as a page of text: the terms in the order of the equations. */
#include <stdio.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/model/time/study.h"
#include "tools/gridloom/model/time/text.h"
#include "tools/gridloom/number_text.h"
#include "tools/gridloom/quantity.h"

#define MICRO   1e-6
#define PERCENT 100.0

enum {
    SHOWN = 10, /* of a shortlist */
    COLUMNS = 5,
};

/* A row of the table of terms. */
typedef struct {
    const char *symbol;
    const char *words;
    const char *equation;
    const char *format;
    double values[MODEL_TIME_FORMS];
} Term;

static void add_term(Grid *grid, const Term *term)
{
    CmdNumberText corrected;
    CmdNumberText printed;

    grid_add(grid, (const char *[COLUMNS]){
                       term->symbol, term->words, term->equation,
                       cmd_number_text(corrected, term->format,
                                       term->values[GPU_TILING_CORRECTED]),
                       cmd_number_text(printed, term->format,
                                       term->values[GPU_TILING_AS_PRINTED])});
}

#define COUNT(member)                                                                  \
    "%.0f",                                                                            \
    {                                                                                  \
        (double) times[0].member, (double) times[1].member                             \
    }
#define MICROSECONDS(member)                                                           \
    "%.4f",                                                                            \
    {                                                                                  \
        times[0].member / MICRO, times[1].member / MICRO                               \
    }
#define SECONDS(member)                                                                \
    "%.6g",                                                                            \
    {                                                                                  \
        times[0].member, times[1].member                                               \
    }

static void print_terms(const ModelTimeStudy *self)
{
    /* Which equation of one, two and three dimensions. */
    static const char *const equations[][GPU_TILING_DIMENSIONS] = {
        {"A.6", "A.6", "A.23"},  {"-", "A.17", "A.24"},    {"A.8", "A.14", "A.25"},
        {"-", "A.20", "-"},      {"A.27", "A.27", "A.27"}, {"A.10", "A.16", "A.28"},
        {"A.9", "A.15", "A.26"}, {"A.13", "A.17", "A.30"}, {"A.7", "A.18", "A.31"},
    };
    const guint at = self->options->space.problem.dimension - 1;
    const GpuTilingTime *times = self->times;
    const Term terms[] = {
        {"N_w", "wavefronts, 2 ceil(T / t_T)", "A.3", COUNT(wavefronts)},
        {"pitch", "points from hexagon to hexagon", at == 2 ? "A.23" : "A.5",
         COUNT(pitch)},
        {"w", "tiles of a wavefront, ceil(S1 / pitch)", equations[0][at], COUNT(tiles)},
        {"", "rounds, ceil(ceil(w / k) / n_SM)", "A.2", COUNT(rounds)},
        {"N", "strips of a tile through other sides", equations[1][at], COUNT(strips)},
        {"m_io", "words that a tile moves", equations[2][at], COUNT(moved_words)},
        {"M_tile", "bytes of a tile in shared memory", equations[3][at],
         COUNT(tile_bytes)},
        {"V_tile", "points of a tile", equations[4][at], COUNT(points)},
        {"", "passes of the vector units over it", equations[5][at], COUNT(passes)},
        {"m'", "moving a tile, us", equations[6][at], MICROSECONDS(move_seconds)},
        {"c", "computing a tile, us", equations[5][at], MICROSECONDS(compute_seconds)},
        {"T_tile", "k tiles through all strips, us", equations[7][at],
         MICROSECONDS(tile_seconds)},
        {"T_alg", "all of it, s", equations[8][at], SECONDS(seconds)},
        {"T_ideal", "if no vector unit ever waited, s", "8.3", SECONDS(ideal_seconds)},
    };
    g_autoptr(Grid) grid = grid_new(COLUMNS);

    grid_add(grid, (const char *[COLUMNS]){"TERM", "WHAT", "EQUATION", "CORRECTED",
                                           "AS PRINTED"});
    for (gsize i = 0; i < G_N_ELEMENTS(terms); i++) {
        add_term(grid, &terms[i]);
    }
    grid_print(grid, stdout, 2);
    printf("  With its last term, which the thesis drops, A.3 has %" G_GUINT64_FORMAT
           " wavefronts.\n",
           self->exact_wavefronts);
    if (self->scheduled_rounds > 0) {
        CmdNumberText seconds;

        printf("  The schedule itself has %" G_GUINT64_FORMAT
               " rounds, not %" G_GUINT64_FORMAT ": every other wavefront has a\n"
               "  tile more at the rim. If those took as long as whole ones, %s s.\n",
               self->scheduled_rounds,
               self->times[0].wavefronts * self->times[0].rounds,
               cmd_number_text(seconds, "%.6g", self->scheduled_seconds));
    }
    printf("\n");
}

static void print_losses(const ModelTimeStudy *self)
{
    const ModelTimeLosses *losses = &self->losses;
    const GpuTileSpace *space = &self->options->space;
    const GpuTilingTime *time = model_time_study_time(self);
    CmdNumberText numbers[8];
    const double printed = gpu_tiling_overhead(&space->problem, &self->tile,
                                               &space->machine, GPU_TILING_AS_PRINTED);
    const double derived = gpu_tiling_overhead(&space->problem, &self->tile,
                                               &space->machine, GPU_TILING_CORRECTED);

    printf("From T_ideal to T_alg, %s\n", model_time_form_name(space->form));
    printf("  whole wavefronts x %s, whole rounds of tiles x %s, whole strips x %s, "
           "whole passes x %s\n",
           cmd_number_text(numbers[0], "%.4f", losses->steps),
           cmd_number_text(numbers[1], "%.4f", losses->tiles),
           cmd_number_text(numbers[2], "%.4f", losses->strips),
           cmd_number_text(numbers[3], "%.4f", losses->passes));
    printf("  barriers + %s s, transfers that nothing hides + %s s, launches + %s s\n",
           cmd_number_text(numbers[0], "%.6g", losses->barrier_seconds),
           cmd_number_text(numbers[1], "%.6g", losses->move_seconds),
           cmd_number_text(numbers[2], "%.6g", losses->launch_seconds));
    if (losses->tiles < 1) {
        printf("  Less than 1: tiles this far apart leave points out.\n");
    }
    printf("  T_overhead (8.4) %s s; by 8.5 %s s, with the factor that it lacks "
           "(S2 / (t_S2 n_SM)) %s s\n\n",
           cmd_number_text(numbers[0], "%.6g", time->seconds - time->ideal_seconds),
           cmd_number_text(numbers[1], "%.6g", printed),
           cmd_number_text(numbers[2], "%.6g", derived));
}

/* A row of a table of tiles. */
static void add_choice(Grid *grid,
                       const ModelTimeStudy *self,
                       const char *name,
                       const GpuTileChoice *choice)
{
    const guint dimension = self->options->space.problem.dimension;
    g_autofree char *sizes = quantity_sizes(choice->tile.space, dimension);
    CmdNumberText numbers[5];

    grid_add(grid,
             (const char *[]){
                 name, sizes,
                 cmd_number_text(numbers[0], "%.0f", (double) choice->tile.steps),
                 cmd_number_text(numbers[1], "%.0f", choice->tile.resident),
                 cmd_number_text(numbers[2], "%.0f",
                                 (double) gpu_tile_bytes(&choice->tile, dimension)),
                 cmd_number_text(numbers[3], "%.6g", choice->seconds),
                 cmd_number_text(numbers[4], "%.4f",
                                 choice->seconds /
                                     model_time_study_time(self)->ideal_seconds)});
}

static Grid *choices_grid(const char *name)
{
    Grid *grid = grid_new(7);

    grid_add(grid,
             (const char *[]){name, "TILE", "T_T", "K", "BYTES", "SECONDS", "/ IDEAL"});
    return grid;
}

static void print_shortlist(const ModelTimeStudy *self)
{
    const GArray *shortlist = self->search.shortlist;
    g_autofree char *within = quantity_percent(PERCENT * self->options->within);
    g_autoptr(Grid) grid = choices_grid("RANK");

    printf("%u of them within %s of the best, the shortlist\n", shortlist->len, within);
    for (guint i = 0; i < MIN(shortlist->len, SHOWN); i++) {
        g_autofree char *rank = g_strdup_printf("%u", i + 1);

        add_choice(grid, self, rank, &g_array_index(shortlist, GpuTileChoice, i));
    }
    add_choice(grid, self, "worst", &self->search.worst);
    grid_print(grid, stdout, 2);
    printf("\n");
}

static void print_rules(const ModelTimeStudy *self)
{
    const GpuTilingForm form = self->options->space.form;
    const GpuTileChoice other = {self->other.tile, self->other_seconds};
    CmdNumberText seconds;
    g_autoptr(Grid) grid = choices_grid("RULE");

    printf("Tiles by rules, and what the %s model says of them\n",
           form == GPU_TILING_CORRECTED ? "corrected" : "printed");
    add_choice(grid, self, "least T_alg", &self->search.best);
    add_choice(grid, self,
               form == GPU_TILING_CORRECTED ? "least T_alg as printed"
                                            : "least T_alg corrected",
               &other);
    for (guint rule = 0; rule < GPU_TILE_RULES; rule++) {
        static const char *const titles[] = {
            [GPU_TILE_DENSEST] = "most points a moved word",
            [GPU_TILE_LARGEST] = "most shared memory",
            [GPU_TILE_WIDEST] = "most t_S1 + t_T/2 (8.5)"};

        if (self->has_rule[rule]) {
            add_choice(grid, self, titles[rule], &self->rules[rule]);
        }
    }
    grid_print(grid, stdout, 2);
    printf("  The %s equations say %s s of their own optimum.\n\n",
           form == GPU_TILING_CORRECTED ? "printed" : "corrected",
           cmd_number_text(seconds, "%.6g", self->other.seconds));
}

static void print_residents(const ModelTimeStudy *self)
{
    g_autoptr(Grid) grid = choices_grid("SHARING");

    printf("%s\n", self->has_search ? "The best tile for each k, tiles that share a "
                                      "multiprocessor"
                                    : "This tile for each k that fits");
    for (guint i = 0; i < self->residents->len; i++) {
        const GpuTileChoice *choice = &g_array_index(self->residents, GpuTileChoice, i);

        add_choice(grid, self, choice->tile.resident == 1 ? "alone" : "", choice);
    }
    grid_print(grid, stdout, 2);
}

void model_time_study_print(gconstpointer study)
{
    const ModelTimeStudy *self = study;
    const guint dimension = self->options->space.problem.dimension;
    g_autofree char *tile = model_time_tile_name(&self->tile, dimension);

    model_time_print_head(self->options,
                          model_time_form_name(self->options->space.form));
    if (self->has_search) {
        g_autofree char *candidates = quantity_count(self->search.candidates);
        g_autofree char *box =
            quantity_sizes(self->options->space.box.space, dimension);

        printf(
            "  tile      %s: the best of %s candidates up to %s and %" G_GUINT64_FORMAT
            " steps\n\n",
            tile, candidates, box, self->options->space.box.steps);
    } else {
        printf("  tile      %s\n\n", tile);
    }
    print_terms(self);
    print_losses(self);
    if (self->has_search) {
        print_shortlist(self);
        print_rules(self);
    }
    print_residents(self);
    if (self->has_check) {
        g_autofree char *check = model_schedule_check_text(&self->check);

        printf("\n%s\n", check);
    }
}
