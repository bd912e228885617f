/* Reads what a stencil is, where it runs, and what is to be told of it. */
#include "tools/gridloom/gpu/stencil_options.h"

#include <string.h>

#include "arch/model/stencil/mma.h"
#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "traces/file/output.h"

/* Limits of what a user may say; chip files have the same of bandwidths. */
#define MOST_BANDWIDTH   1e15
#define LEAST_SPARSITY   1e-6
#define LEAST_EFFICIENCY 1e-6
#define MOST_EFFICIENCY  1e3

enum {
    FLAT_SIZE = 10240, /* sides of the paper's grids: two dimensions, and three */
    DEEP_SIZE = 1024,
    FLAT_DIMENSIONS = 2,
};

static const char *const description =
    "The enhanced roofline of Gu et al., \"Do We Need Tensor Cores for Stencil\n"
    "Computations?\". A stencil of K points does 2K operations for each of its t "
    "fused\n"
    "steps and moves a number of D bytes in and one out: I = t K / D operations per\n"
    "byte on CUDA cores. Tensor cores do alpha / S as much: alpha = K(t) / (t K), "
    "since\n"
    "fused steps are one stencil of K(t) points, and S is what is not zero of its\n"
    "matrices. A unit of peak P reaches min(P, B I), of which S / alpha is useful.\n\n"
    "Programs: ebisu, drstencil, cudnn (one step in a pass) on CUDA cores; "
    "convstencil\n"
    "(flattens, S = 1/2) and spider-dense (splits into lines, S = (2R+1)/(4R+4) of "
    "the\n"
    "fused radius R) on tensor cores, spider on sparse ones. Efficiencies are what "
    "the\n"
    "paper's measurements are of the model's rates; they stand beside them and change\n"
    "none. So does what the matrices cost in whole instructions, with their "
    "padding.\n\n"
    "  gridloom gpu stencil --shape box --dim 2 --radius 1 --fusion 3 --dtype double\n"
    "  gridloom gpu stencil --dtype float --sweep fusion=1:8 -o sweep.svg\n"
    "  gridloom gpu stencil --sweep fusion=1:8 --clock-hz 765e6\n";

static const char *const sweep_names[] = {[CMD_GPU_SWEEP_NONE] = NULL,
                                          [CMD_GPU_SWEEP_FUSION] = "fusion",
                                          [CMD_GPU_SWEEP_RADIUS] = "radius"};

/* What is read as text first. */
typedef struct {
    char *shape;
    char *dimension;
    char *radius;
    char *fusion;
    char *type;
    char *gpu;
    char *baseline;
    char *with;
    char *size;
    char *sparsity;
    char *star;
    char *clock;
    char *bandwidth;
    char *sweep;
    char **efficiencies;
    char **overrides;
    char **words;
} Texts;

static void texts_clear(Texts *self)
{
    g_free(self->shape);
    g_free(self->dimension);
    g_free(self->radius);
    g_free(self->fusion);
    g_free(self->type);
    g_free(self->gpu);
    g_free(self->baseline);
    g_free(self->with);
    g_free(self->size);
    g_free(self->sparsity);
    g_free(self->star);
    g_free(self->clock);
    g_free(self->bandwidth);
    g_free(self->sweep);
    g_strfreev(self->efficiencies);
    g_strfreev(self->overrides);
    g_strfreev(self->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

void cmd_gpu_stencil_options_clear(CmdGpuStencilOptions *self)
{
    g_clear_pointer(&self->gpu, arch_params_free);
    g_strfreev(self->outputs);
    g_free(self->mma);
    g_free(self->json);
}

const char *cmd_gpu_stencil_options_sweep_name(const CmdGpuStencilOptions *self)
{
    return sweep_names[self->sweep];
}

static bool read_stencil(GpuStencil *self, const Texts *texts, GError **error)
{
    const char *const shapes[] = {gpu_shape_name(GPU_BOX), gpu_shape_name(GPU_STAR),
                                  NULL};
    const char *const types[] = {gpu_type_name(GPU_DOUBLE), gpu_type_name(GPU_FLOAT),
                                 gpu_type_name(GPU_HALF), NULL};
    guint shape = GPU_BOX;
    guint type = GPU_DOUBLE;

    *self = (GpuStencil){.dimension = FLAT_DIMENSIONS, .radius = 1, .fusion = 1};
    if (!option_word(texts->shape, "--shape", shapes, &shape, error) ||
        !option_word(texts->type, "--dtype", types, &type, error)) {
        return false;
    }
    self->shape = (GpuStencilShape) shape;
    self->type = (GpuType) type;
    return option_small(texts->dimension, "--dim", 1, GPU_STENCIL_DIMENSIONS,
                        &self->dimension, error) &&
           option_small(texts->radius, "--radius", 1, GPU_STENCIL_RADIUS, &self->radius,
                        error) &&
           option_small(texts->fusion, "--fusion", 1, GPU_STENCIL_FUSION, &self->fusion,
                        error);
}

/* A number within limits, which keep what is computed with it finite and above 0. */
static bool read_number(const char *text,
                        const char *option,
                        const double limits[2],
                        double *value,
                        GError **error)
{
    double number = 0;

    if (text == NULL) {
        return true;
    }
    if (!option_is_number(text, &number) || !(number >= limits[0]) ||
        !(number <= limits[1])) {
        g_autofree char *allowed =
            g_strdup_printf("a number, %.10g to %.10g", limits[0], limits[1]);

        return option_refuse(option, text, allowed, error);
    }
    *value = number;
    return true;
}

static bool read_setting(CmdGpuStencilOptions *self, const Texts *texts, GError **error)
{
    static const char *const stars[] = {"fused", "boxed", NULL};
    const double clocks[] = {1, gpu_clock_hz(self->gpu)};
    const double bandwidths[] = {1, MOST_BANDWIDTH};
    const double sparsities[] = {LEAST_SPARSITY, 1};
    GpuStencilSetting *setting = &self->setting;
    guint star = 0;

    setting->gpu = self->gpu;
    if (!option_word(texts->star, "--star", stars, &star, error)) {
        return false;
    }
    setting->is_boxed = star == 1;
    return read_number(texts->clock, "--clock-hz", clocks, &setting->clock_hz, error) &&
           read_number(texts->bandwidth, "--bandwidth", bandwidths, &setting->bandwidth,
                       error) &&
           read_number(texts->sparsity, "--sparsity", sparsities, &setting->sparsity,
                       error);
}

static bool load_gpu(CmdGpuStencilOptions *self, const Texts *texts, GError **error)
{
    self->gpu = chip_numbers_load_gpu(texts->gpu, error);
    return self->gpu != NULL &&
           (!self->is_published || gpu_use_published(self->gpu, error)) &&
           chip_numbers_override(self->gpu, texts->overrides, error);
}

static void take_programs(CmdGpuStencilOptions *self)
{
    for (guint i = 0; i < CMD_GPU_STENCIL_PROGRAMS; i++) {
        self->programs[i] = *gpu_implementation_at(i);
    }
    g_assert(gpu_implementation_at(CMD_GPU_STENCIL_PROGRAMS) == NULL);
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
static bool find_program(const CmdGpuStencilOptions *self,
                         const char *name,
                         gsize length,
                         Side side,
                         guint *place)
{
    for (guint i = 0; i < CMD_GPU_STENCIL_PROGRAMS; i++) {
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
static char *program_names(const CmdGpuStencilOptions *self, Side side)
{
    GString *names = g_string_new(NULL);

    for (guint i = 0; i < CMD_GPU_STENCIL_PROGRAMS; i++) {
        if (is_on(&self->programs[i], side)) {
            g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "",
                                   self->programs[i].name);
        }
    }
    return g_string_free(names, FALSE);
}

static bool read_program(const CmdGpuStencilOptions *self,
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

static bool
read_programs(CmdGpuStencilOptions *self, const Texts *texts, GError **error)
{
    const char *usual = self->stencil.type == GPU_DOUBLE ? "convstencil" : "spider";

    return read_program(self, texts->baseline != NULL ? texts->baseline : "ebisu",
                        "--baseline", ON_CUDA, &self->baseline, error) &&
           read_program(self, texts->with != NULL ? texts->with : usual, "--with",
                        ON_TENSOR, &self->with, error);
}

static bool
read_efficiency(CmdGpuStencilOptions *self, const char *text, GError **error)
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
static bool read_mma(CmdGpuStencilOptions *self, GError **error)
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

static bool read_sweep(CmdGpuStencilOptions *self, const char *text, GError **error)
{
    g_auto(GStrv) halves = g_strsplit(text != NULL ? text : "", "=", 2);
    guint limits[2] = {0};

    if (text == NULL) {
        return true;
    }
    for (guint i = CMD_GPU_SWEEP_FUSION; i <= CMD_GPU_SWEEP_RADIUS; i++) {
        const guint most =
            i == CMD_GPU_SWEEP_FUSION ? GPU_STENCIL_FUSION : GPU_STENCIL_RADIUS;

        if (halves[0] != NULL && halves[1] != NULL &&
            g_str_equal(halves[0], sweep_names[i]) &&
            option_is_pair(halves[1], ":", limits) && limits[0] >= 1 &&
            limits[1] >= limits[0] && limits[1] <= most) {
            self->sweep = (CmdGpuSweep) i;
            self->sweep_from = limits[0];
            self->sweep_to = limits[1];
            return true;
        }
    }
    return option_refuse("--sweep", text, "fusion=FROM:TO or radius=FROM:TO in 1..1024",
                         error);
}

/* What one pass reaches must be inside the grid. */
static bool check_reach(const CmdGpuStencilOptions *self, GError **error)
{
    const guint radius =
        self->sweep == CMD_GPU_SWEEP_RADIUS ? self->sweep_to : self->stencil.radius;
    const guint fusion =
        self->sweep == CMD_GPU_SWEEP_FUSION ? self->sweep_to : self->stencil.fusion;
    const uint64_t reach = (uint64_t) radius * fusion;

    return reach <= self->size ||
           option_fail(error,
                       "--size = %" G_GUINT64_FORMAT ", but radius %u in %u fused "
                       "step%s reaches %" G_GUINT64_FORMAT " points",
                       self->size, radius, fusion, fusion == 1 ? "" : "s", reach);
}

static bool check_outputs(const CmdGpuStencilOptions *self, GError **error)
{
    for (char **path = self->outputs; path != NULL && *path != NULL; path++) {
        if (!(g_str_has_suffix(*path, ".csv") ? trace_output_check(*path, error)
                                              : cmd_plot_file_check(*path, error))) {
            return false;
        }
    }
    return self->json == NULL || trace_output_check(self->json, error);
}

static bool take(CmdGpuStencilOptions *self, const Texts *texts, GError **error)
{
    take_programs(self);
    if (!option_no_words(texts->words, "gpu stencil", error) ||
        !read_stencil(&self->stencil, texts, error)) {
        return false;
    }
    self->size = self->stencil.dimension <= FLAT_DIMENSIONS ? FLAT_SIZE : DEEP_SIZE;
    for (char **text = texts->efficiencies; text != NULL && *text != NULL; text++) {
        if (!read_efficiency(self, *text, error)) {
            return false;
        }
    }
    return read_programs(self, texts, error) && read_mma(self, error) &&
           option_count(texts->size, "--size", 1, G_MAXINT32, &self->size, error) &&
           read_sweep(self, texts->sweep, error) && check_reach(self, error) &&
           load_gpu(self, texts, error) && read_setting(self, texts, error) &&
           check_outputs(self, error);
}

bool cmd_gpu_stencil_options_parse(CmdGpuStencilOptions *self,
                                   int argc,
                                   char **argv,
                                   GError **error)
{
    g_auto(Texts) texts = {0};
    const GOptionEntry entries[] = {
        {"shape", 0, 0, G_OPTION_ARG_FILENAME, &texts.shape,
         "box or star (default: box)", "NAME"},
        {"dim", 0, 0, G_OPTION_ARG_FILENAME, &texts.dimension,
         "dimensions (default: 2)", "N"},
        {"radius", 0, 0, G_OPTION_ARG_FILENAME, &texts.radius,
         "points to each side (default: 1)", "N"},
        {"fusion", 0, 0, G_OPTION_ARG_FILENAME, &texts.fusion,
         "time steps in one pass over memory (default: 1)", "N"},
        {"dtype", 0, 0, G_OPTION_ARG_FILENAME, &texts.type,
         "double, float (TF32 on tensor cores) or half (default: double)", "NAME"},
        {"gpu", 0, 0, G_OPTION_ARG_FILENAME, &texts.gpu,
         "GPU to model (default: " CHIP_NUMBERS_GPU ")", "NAME|FILE"},
        {"baseline", 0, 0, G_OPTION_ARG_FILENAME, &texts.baseline,
         "program on CUDA cores (default: ebisu)", "NAME"},
        {"with", 0, 0, G_OPTION_ARG_FILENAME, &texts.with,
         "program on tensor cores (default: convstencil for double, else spider)",
         "NAME"},
        {"size", 0, 0, G_OPTION_ARG_FILENAME, &texts.size,
         "points along a side of the grid (default: 10240; from 3D on 1024)", "N"},
        {"efficiency", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.efficiencies,
         "part of the model's rate that a program reaches; may be repeated", "NAME=X"},
        {"sparsity", 0, 0, G_OPTION_ARG_FILENAME, &texts.sparsity,
         "S on tensor cores (default: what the program's scheme has)", "X"},
        {"mma", 0, 0, G_OPTION_ARG_FILENAME, &self->mma,
         "instructions of tensor cores whose padding is told (default: auto)",
         "auto|m8n8k4|..."},
        {"star", 0, 0, G_OPTION_ARG_FILENAME, &texts.star,
         "what fused stars cost on tensor cores: the points they reach, or all of "
         "the box around them (default: fused)",
         "fused|boxed"},
        {"clock-hz", 0, 0, G_OPTION_ARG_FILENAME, &texts.clock,
         "clock while profiling, which lowers peaks (default: boost)", "X"},
        {"bandwidth", 0, 0, G_OPTION_ARG_FILENAME, &texts.bandwidth,
         "of DRAM, bytes per second (default: the GPU's)", "X"},
        {"sweep", 0, 0, G_OPTION_ARG_FILENAME, &texts.sweep,
         "vary the fusion depth or the radius", "fusion|radius=FROM:TO"},
        {"published", 0, 0, G_OPTION_ARG_NONE, &self->is_published,
         "numbers that papers print instead of the GPU's", NULL},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.overrides,
         "change a number of the GPU; may be repeated", "SECTION.KEY=VALUE"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &self->outputs,
         "draw the roofline or write a table; may be repeated", "FILE.svg|.png|.csv"},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->json,
         "write the result as JSON; - is standard output", "FILE"},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet, "no text", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("- is a stencil faster on tensor cores or without?");

    *self = (CmdGpuStencilOptions){0};
    g_set_prgname("gridloom gpu stencil");
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    return g_option_context_parse(context, &argc, &argv, error) &&
           take(self, &texts, error);
}
