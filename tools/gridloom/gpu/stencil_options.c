/* Reads what a stencil is, where it runs, and what is to be told of it. */
#include <string.h>

#include "arch/model/stencil/mma.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/gpu/stencil.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "traces/file/output.h"
#include "workloads/chip_file.h"

typedef CmdGpuStencilOptions Options;

/* Limits of what a user may say. */
#define LEAST_EFFICIENCY 1e-6
#define MOST_EFFICIENCY  1.0

enum {
    FLAT_SIZE = 10240, /* sides of the paper's grids: two dimensions, and three */
    DEEP_SIZE = 1024,
    FLAT_DIMENSIONS = 2,
};

static const char *const shapes[] = {[GPU_BOX] = "box", [GPU_STAR] = "star", NULL};
static const char *const types[] = {
    [GPU_DOUBLE] = "double", [GPU_FLOAT] = "float", [GPU_HALF] = "half", NULL};
static const char *const stars[] = {"fused", "boxed", NULL};

static const char *const sweep_names[] = {[GPU_SWEEP_NONE] = NULL,
                                          [GPU_SWEEP_FUSION] = "fusion",
                                          [GPU_SWEEP_RADIUS] = "radius"};

const char *cmd_gpu_stencil_options_sweep_name(const CmdGpuStencilOptions *self)
{
    return sweep_names[self->sweep];
}

/* A clock up to the GPU's own. */
static bool read_clock(Options *self, const char *text, GError **error)
{
    const double most = gpu_clock_hz(self->gpu);
    double number = 0;

    if (text == NULL) {
        return true;
    }
    if (!option_is_number(text, &number) || !(number >= 1) || !(number <= most)) {
        g_autofree char *allowed = g_strdup_printf("a number, 1 to %.10g", most);

        return option_refuse("--clock-hz", text, allowed, error);
    }
    self->setting.clock_hz = number;
    return true;
}

static bool load_gpu(Options *self, const OptionTexts *texts, GError **error)
{
    self->gpu = wl_chip_load_gpu(option_text(texts, "gpu"), error);
    return self->gpu != NULL &&
           (!self->is_published || gpu_use_published(self->gpu, error)) &&
           wl_chip_override(self->gpu, option_list(texts, "set"), error);
}

static void take_programs(Options *self)
{
    for (guint i = 0; i < GPU_COMPARISON_PROGRAMS; i++) {
        self->programs[i] = *gpu_implementation_at(i);
    }
    g_assert(gpu_implementation_at(GPU_COMPARISON_PROGRAMS) == NULL);
}

typedef enum {
    ON_CUDA = 1,
    ON_TENSOR = 2,
    ON_ANY = ON_CUDA | ON_TENSOR,
} Side;

static bool is_on(const GpuImplementation *program, Side side)
{
    return (side & (program->unit == GPU_CUDA_CORES ? ON_CUDA : ON_TENSOR)) != 0;
}

/* The program of the first `length` bytes of `name` on this side. */
static bool find_program(
    const Options *self, const char *name, gsize length, Side side, guint *place)
{
    for (guint i = 0; i < GPU_COMPARISON_PROGRAMS; i++) {
        if (is_on(&self->programs[i], side) &&
            strlen(self->programs[i].name) == length &&
            strncmp(self->programs[i].name, name, length) == 0) {
            *place = i;
            return true;
        }
    }
    return false;
}

/* "a, b, c" */
static char *program_names(const Options *self, Side side)
{
    GString *names = g_string_new(NULL);

    for (guint i = 0; i < GPU_COMPARISON_PROGRAMS; i++) {
        if (is_on(&self->programs[i], side)) {
            g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "",
                                   self->programs[i].name);
        }
    }
    return g_string_free(names, FALSE);
}

static bool read_program(const Options *self,
                         const char *text,
                         const char *option,
                         Side side,
                         guint *place,
                         GError **error)
{
    g_autofree char *names = program_names(self, side);
    g_autofree char *allowed =
        g_strdup_printf("%s, on %s cores", names, side == ON_CUDA ? "CUDA" : "tensor");

    return find_program(self, text, strlen(text), side, place) ||
           option_refuse(option, text, allowed, error);
}

static bool read_programs(Options *self, const OptionTexts *texts, GError **error)
{
    const char *usual = self->stencil.type == GPU_DOUBLE ? "convstencil" : "spider";

    return read_program(self, option_text_or(texts, "baseline", "ebisu"), "--baseline",
                        ON_CUDA, &self->baseline, error) &&
           read_program(self, option_text_or(texts, "with", usual), "--with", ON_TENSOR,
                        &self->with, error);
}

static bool read_efficiency(Options *self, const char *text, GError **error)
{
    const gsize length = strcspn(text, "=");
    double value = 0;
    guint place;

    if (text[length] != '=' || !find_program(self, text, length, ON_ANY, &place) ||
        !option_is_number(text + length + 1, &value) || !(value >= LEAST_EFFICIENCY) ||
        !(value <= MOST_EFFICIENCY)) {
        g_autofree char *names = program_names(self, ON_ANY);
        g_autofree char *allowed =
            g_strdup_printf("NAME=NUMBER, %g to %g, for one of %s", LEAST_EFFICIENCY,
                            MOST_EFFICIENCY, names);

        return option_refuse("--efficiency", text, allowed, error);
    }
    self->programs[place].efficiency = value;
    self->programs[place].source = "--efficiency";
    return true;
}

/* The program on tensor cores must have the shape. */
static bool read_mma(Options *self, GError **error)
{
    const bool is_sparse = self->programs[self->with].unit == GPU_SPARSE_TENSOR_CORES;
    const GpuType type = self->stencil.type;

    if (self->mma != NULL && g_str_equal(self->mma, "auto")) {
        g_clear_pointer(&self->mma, g_free);
    }
    if (self->mma == NULL || gpu_mma_find(self->mma, type, is_sparse) != NULL) {
        return true;
    }
    g_autofree char *names = gpu_mma_names(type, is_sparse);
    g_autofree char *allowed = g_strdup_printf(
        "auto%s%s for %s of %s", *names != '\0' ? ", " : "", names,
        gpu_unit_title(self->programs[self->with].unit), gpu_type_name(type));

    return option_refuse("--mma", self->mma, allowed, error);
}

static bool read_sweep(Options *self, const char *text, GError **error)
{
    g_auto(GStrv) halves = g_strsplit(text != NULL ? text : "", "=", 2);
    guint limits[2] = {0};

    if (text == NULL) {
        return true;
    }
    for (guint i = GPU_SWEEP_FUSION; i <= GPU_SWEEP_RADIUS; i++) {
        const guint most =
            i == GPU_SWEEP_FUSION ? GPU_STENCIL_FUSION : GPU_STENCIL_RADIUS;

        if (halves[0] != NULL && halves[1] != NULL &&
            g_str_equal(halves[0], sweep_names[i]) &&
            option_is_pair(halves[1], ":", limits) && limits[0] >= 1 &&
            limits[1] >= limits[0] && limits[1] <= most) {
            self->sweep = (GpuSweep) i;
            self->sweep_from = limits[0];
            self->sweep_to = limits[1];
            return true;
        }
    }
    return option_refuse("--sweep", text, "fusion=FROM:TO or radius=FROM:TO in 1..1024",
                         error);
}

/* The reach of one pass must lie inside the grid. */
static bool check_reach(const Options *self, GError **error)
{
    const guint radius =
        self->sweep == GPU_SWEEP_RADIUS ? self->sweep_to : self->stencil.radius;
    const guint fusion =
        self->sweep == GPU_SWEEP_FUSION ? self->sweep_to : self->stencil.fusion;
    const uint64_t reach = (uint64_t) radius * fusion;

    return reach <= self->size ||
           option_fail(error,
                       "--size = %" G_GUINT64_FORMAT ", but radius %u in %u fused "
                       "step%s reaches %" G_GUINT64_FORMAT " points",
                       self->size, radius, fusion, fusion == 1 ? "" : "s", reach);
}

static bool check_outputs(const Options *self, GError **error)
{
    for (char **path = self->outputs; path != NULL && *path != NULL; path++) {
        if (!(g_str_has_suffix(*path, ".csv") ? trace_output_check(*path, error)
                                              : cmd_plot_file_check(*path, error))) {
            return false;
        }
    }
    return self->json == NULL || trace_output_check(self->json, error);
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    take_programs(self);
    for (char **text = option_list(texts, "efficiency"); text != NULL && *text != NULL;
         text++) {
        if (!read_efficiency(self, *text, error)) {
            return false;
        }
    }
    if (self->size == 0) {
        self->size = self->stencil.dimension <= FLAT_DIMENSIONS ? FLAT_SIZE : DEEP_SIZE;
    }
    self->setting.is_boxed = option_choice(texts, "star", 0) == 1;
    if (!read_programs(self, texts, error) || !read_mma(self, error) ||
        !read_sweep(self, option_text(texts, "sweep"), error) ||
        !check_reach(self, error) || !load_gpu(self, texts, error)) {
        return false;
    }
    self->setting.gpu = self->gpu;
    return read_clock(self, option_text(texts, "clock-hz"), error) &&
           check_outputs(self, error);
}

static void clear(gpointer options)
{
    Options *self = options;

    g_clear_pointer(&self->gpu, arch_params_free);
}

static const Option rows[] = {
    {"shape", "NAME", "box or star (default: box)", OPTION_WORD(stencil.shape, shapes)},
    {"dim", "N", "dimensions (default: 2)",
     OPTION_SMALL(stencil.dimension, 1, GPU_STENCIL_DIMENSIONS)},
    {"radius", "N", "points to each side (default: 1)",
     OPTION_SMALL(stencil.radius, 1, GPU_STENCIL_RADIUS)},
    {"fusion", "N", "time steps in one pass over memory (default: 1)",
     OPTION_SMALL(stencil.fusion, 1, GPU_STENCIL_FUSION)},
    {"dtype", "NAME", "double, float (TF32 on tensor cores) or half (default: double)",
     OPTION_WORD(stencil.type, types)},
    {"gpu", "NAME|FILE", "GPU to model (default: " WL_CHIP_GPU ")", OPTION_OTHER(TEXT),
     .names = OPTION_NAMES_CHIPS},
    {"baseline", "NAME", "program on CUDA cores (default: ebisu)", OPTION_OTHER(TEXT)},
    {"with", "NAME",
     "program on tensor cores (default: convstencil for double, else spider)",
     OPTION_OTHER(TEXT)},
    {"size", "N", "points along a side of the grid (default: 10240; from 3D on 1024)",
     OPTION_COUNT(size, 1, G_MAXINT32)},
    {"efficiency", "NAME=X",
     "part of the model's rate that a program reaches; may be repeated",
     OPTION_OTHER(TEXTS)},
    {"sparsity", "X", "S on tensor cores (default: what the program's scheme has)",
     OPTION_REAL(setting.sparsity, 1e-6, 1, "a number, 1e-06 to 1")},
    {"mma", "auto|m8n8k4|...",
     "instructions of tensor cores whose padding is told (default: auto)",
     OPTION_TEXT(mma)},
    {"star", "fused|boxed",
     "what fused stars cost on tensor cores: the points they reach, or all of the box "
     "around them (default: fused)",
     OPTION_CHOICE(stars)},
    {"clock-hz", "X", "clock while profiling, which lowers peaks (default: boost)",
     OPTION_OTHER(TEXT)},
    {"bandwidth", "X", "of DRAM, bytes per second (default: the GPU's)",
     OPTION_REAL(setting.bandwidth, 1, 1e15, "a number, 1 to 1e+15")},
    {"sweep", "fusion|radius=FROM:TO", "vary the fusion depth or the radius",
     OPTION_OTHER(TEXT)},
    {"published", NULL, "numbers that papers print instead of the GPU's",
     OPTION_FLAG(is_published)},
    {"set", "SECTION.KEY=VALUE", "change a number of the GPU; may be repeated",
     OPTION_OTHER(TEXTS)},
    {"output", "FILE.svg|.png|.csv",
     "draw the roofline or write a table; may be repeated", OPTION_TEXTS(outputs),
     .letter = 'o'},
    {"json", "FILE", "write the result as JSON; - is standard output",
     OPTION_TEXT(json)},
    {"quiet", NULL, "no text", OPTION_FLAG(is_quiet), .letter = 'q'},
    {0},
};

const Command cmd_gpu_stencil = {
    .name = "gpu stencil",
    .purpose = "is a stencil faster on tensor cores or without?",
    .help = "gpu-stencil",
    .tables = {{rows, 0}},
    COMMAND_OPTIONS(
        Options, .stencil = {.dimension = FLAT_DIMENSIONS, .radius = 1, .fusion = 1}),
    .check = check,
    .clear = clear,
    .run = cmd_gpu_stencil_run,
};
