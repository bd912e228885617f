/* A schedule of tiles as a picture, and the proof that it is valid. The picture shows
 * tiles in time and the first dimension of space, numbered by wavefront. Beside it are
 * the strips of a tile through the second dimension or, in one dimension, the points
 * that a tile reads and writes. */
#pragma once

#include <json-glib/json-glib.h>

#include "arch/model/schedule/proof.h"

/* Draws the first tiles of a problem, as many as can be told apart: an SVG, which the
 * caller frees. Fails as gpu_schedule_new(), and with ARCH_ERROR_INVALID if a tile is
 * too large to be drawn row by row. */
char *model_schedule_to_svg(const GpuTilingProblem *problem,
                            const GpuTile *tile,
                            const GpuScheduleSetting *setting,
                            GError **error);

/* The proof as lines of text, without a final line end; the caller frees them. */
char *model_schedule_check_text(const GpuScheduleProof *self);

/* The same as a JSON object. */
JsonObject *model_schedule_check_json(const GpuScheduleProof *self);
