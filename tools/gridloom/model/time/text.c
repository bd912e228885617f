/* The options of the model of time, and code that its pages share. */
#include "arch/error.h"
#include "tools/gridloom/model/time/time.h"
#include "traces/file/quantity.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"
#include "workloads/chip_file.h"

#define PERCENT 100.0
#define PICO    1e-12
#define NANO    1e-9

char *model_time_tile_name(const GpuTile *tile, guint dimension)
{
    g_autofree char *sizes = quantity_sizes(tile->space, dimension);

    return g_strdup_printf("%s, %" G_GUINT64_FORMAT " steps, k %u", sizes, tile->steps,
                           tile->resident);
}

const char *model_time_form_name(GpuTilingForm form)
{
    return form == GPU_TILING_CORRECTED ? "corrected" : "as printed";
}

JsonObject *model_time_tile_json(const GpuTile *tile, guint dimension)
{
    return RECORD(VALUE("space", record_counts(tile->space, dimension)),
                  VALUE("steps", tile->steps), VALUE("resident", tile->resident));
}

JsonObject *model_time_choice_json(gconstpointer choice, gconstpointer dimension)
{
    const GpuTileChoice *self = choice;
    const guint sides = *(const guint *) dimension;
    JsonObject *object = model_time_tile_json(&self->tile, sides);

    RECORD_ADD(object, VALUE("seconds", self->seconds),
               VALUE("tile_bytes", gpu_tile_bytes(&self->tile, sides)));
    return object;
}

JsonObject *model_time_asked_json(const ModelTimeOptions *options)
{
    const GpuTileSpace *space = &options->space;
    const guint dimension = space->problem.dimension;
    g_autofree char *size = quantity_sizes(space->problem.space, dimension);
    g_autofree char *box = quantity_sizes(space->box.space, dimension);

    return RECORD(VALUE("stencil", options->stencil->name), VALUE("size", size),
                  VALUE("steps", space->problem.steps),
                  VALUE("point_seconds", space->problem.point_seconds),
                  VALUE("as_printed", (bool) (space->form == GPU_TILING_AS_PRINTED)),
                  VALUE("most_tile", box), VALUE("most_tile_steps", space->box.steps),
                  VALUE("within_percent", PERCENT * options->within));
}

void model_time_print_head(const ModelTimeOptions *options)
{
    const GpuTilingMachine *machine = &options->space.machine;
    const GpuTilingProblem *problem = &options->space.problem;
    g_autofree char *size = quantity_sizes(problem->space, problem->dimension);

    trace_number_text_print(
        "model time on %s: %s (formulas, nothing runs)\n"
        "  GPU       %s\n"
        "  machine   n_SM %u of n_V %u vector units; M_SM %" G_GUINT64_FORMAT
        " bytes, %" G_GUINT64_FORMAT " for a block, %u blocks\n"
        "            L %.5g ps a word, tau_sync %.5g ns, T_sync %.5g ns\n"
        "  stencil   %s, %s points, %" G_GUINT64_FORMAT " steps, C_iter %.5g ns\n",
        arch_params_name(options->gpu), model_time_form_name(options->space.form),
        arch_params_summary(options->gpu), machine->multiprocessors,
        machine->vector_units, machine->shared_bytes, machine->block_shared_bytes,
        machine->blocks, machine->word_seconds / PICO, machine->barrier_seconds / NANO,
        machine->launch_seconds / NANO, options->stencil->title, size, problem->steps,
        problem->point_seconds / NANO);
}

ArchParams *model_time_gpu(const char *name, char **overrides, GError **error)
{
    g_autoptr(ArchParams) gpu = wl_chip_load_gpu(name, error);

    return gpu != NULL && wl_chip_override(gpu, overrides, error)
               ? g_steal_pointer(&gpu)
               : NULL;
}

bool model_time_space_of(GpuTileSpace *space,
                         const ArchParams *gpu,
                         const GpuTilingStencil *stencil,
                         double point_seconds,
                         GError **error)
{
    if (!gpu_tiling_machine(gpu, &space->machine, error)) {
        return false;
    }
    space->problem.dimension = stencil->dimension;
    space->problem.point_seconds = point_seconds;
    if (!(point_seconds > 0) && stencil->key != NULL) {
        space->problem.point_seconds = arch_params_real(gpu, stencil->key);
    }
    if (!(space->problem.point_seconds >= MODEL_TIME_LEAST)) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED,
                    "%s: nobody has measured how long a point takes on %s; "
                    "--point-seconds says it",
                    stencil->name, arch_params_name(gpu));
        return false;
    }
    return true;
}
