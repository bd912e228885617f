/* A schedule of tiles as a picture, and what was seen on the way through it: tiles in
 * time and the first dimension of space, numbered by wavefront, and beside it the
 * strips of a tile through the second, or what a tile of one dimension reads and
 * writes. */
#pragma once

#include <json-glib/json-glib.h>

#include "arch/model/schedule/proof.h"

/* The first tiles of a problem, as many as can be told apart: an SVG, which the caller
 * frees. Fails as gpu_schedule_new(), and with ARCH_ERROR_INVALID where a tile is too
 * large to be drawn row by row. */
char *model_schedule_to_svg(const GpuTilingProblem *problem,
                            const GpuTile *tile,
                            const GpuScheduleSetting *setting,
                            GError **error);

/* Lines for people, without a last line end; the caller frees them. */
char *model_schedule_check_text(const GpuScheduleProof *self);

/* The same as members. */
JsonObject *model_schedule_check_json(const GpuScheduleProof *self);
