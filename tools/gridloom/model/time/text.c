/* Texts of the model of time. */
#include "tools/gridloom/model/time/text.h"

#include <stdio.h>

#include "tools/gridloom/number_text.h"
#include "tools/gridloom/quantity.h"
#include "traces/file/json_member.h"

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
    JsonObject *object = json_object_new();

    trace_json_set_counts(object, "space", tile->space, dimension);
    json_object_set_int_member(object, "steps", (gint64) tile->steps);
    json_object_set_int_member(object, "resident", tile->resident);
    return object;
}

JsonObject *model_time_choice_json(const GpuTileChoice *choice, guint dimension)
{
    JsonObject *object = model_time_tile_json(&choice->tile, dimension);

    json_object_set_double_member(object, "seconds", choice->seconds);
    json_object_set_int_member(object, "tile_bytes",
                               (gint64) gpu_tile_bytes(&choice->tile, dimension));
    return object;
}

JsonObject *model_time_asked_json(const ModelTimeOptions *options)
{
    const GpuTileSpace *space = &options->space;
    const guint dimension = space->problem.dimension;
    JsonObject *object = json_object_new();
    g_autofree char *size = quantity_sizes(space->problem.space, dimension);
    g_autofree char *box = quantity_sizes(space->box.space, dimension);

    json_object_set_string_member(object, "stencil", options->stencil->name);
    json_object_set_string_member(object, "size", size);
    json_object_set_int_member(object, "steps", (gint64) space->problem.steps);
    json_object_set_double_member(object, "point_seconds",
                                  space->problem.point_seconds);
    json_object_set_boolean_member(object, "as_printed",
                                   space->form == GPU_TILING_AS_PRINTED);
    json_object_set_string_member(object, "most_tile", box);
    json_object_set_int_member(object, "most_tile_steps", (gint64) space->box.steps);
    json_object_set_double_member(object, "within_percent", PERCENT * options->within);
    return object;
}

void model_time_print_head(const ModelTimeOptions *options, const char *what)
{
    const GpuTilingMachine *machine = &options->space.machine;
    const GpuTilingProblem *problem = &options->space.problem;
    g_autofree char *size = quantity_sizes(problem->space, problem->dimension);
    CmdNumberText word;
    CmdNumberText barrier;
    CmdNumberText launch;
    CmdNumberText point;

    printf("model time on %s: %s (formulas, nothing runs)\n",
           arch_params_name(options->gpu), what);
    printf("  GPU       %s\n", arch_params_summary(options->gpu));
    printf("  machine   n_SM %u of n_V %u vector units; M_SM %" G_GUINT64_FORMAT
           " bytes, %" G_GUINT64_FORMAT " for a block, %u blocks\n",
           machine->multiprocessors, machine->vector_units, machine->shared_bytes,
           machine->block_shared_bytes, machine->blocks);
    printf("            L %s ps a word, tau_sync %s ns, T_sync %s ns\n",
           cmd_number_text(word, "%.5g", machine->word_seconds / PICO),
           cmd_number_text(barrier, "%.5g", machine->barrier_seconds / NANO),
           cmd_number_text(launch, "%.5g", machine->launch_seconds / NANO));
    printf("  stencil   %s, %s points, %" G_GUINT64_FORMAT " steps, C_iter %s ns\n",
           options->stencil->title, size, problem->steps,
           cmd_number_text(point, "%.5g", problem->point_seconds / NANO));
}
