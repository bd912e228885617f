/* What a tile of one dimension reads and writes, as a picture (Figure B.4). */
#pragma once

#include "arch/model/schedule/schedule.h"
#include "tools/gridloom/model/schedule/axes.h"
#include "tools/gridloom/model/schedule/tile.h"

void model_schedule_words_style(TraceSvg *svg);

/* The axes hold the tile and one place and one step around it. */
void model_schedule_words_draw(TraceSvg *svg,
                               const ModelScheduleAxes *axes,
                               const GpuSchedule *schedule,
                               const ModelScheduleTile *tile);
