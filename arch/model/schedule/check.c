/* Is a schedule sound? Each point keeps the wavefront and the tile that visited it. */
#include "arch/model/schedule/check.h"

#include "arch/model/schedule/points.h"
#include "sim/narrow.h"

/* Who visited a point. A problem that is small enough to be checked has fewer
 * wavefronts and tiles than 32 bits count. */
typedef struct {
    uint32_t wavefront; /* from 1; 0: nobody yet */
    uint32_t tile;
} Visit;

typedef struct {
    GpuSchedulePoints points;
    const GpuDependence *needs;
    guint need_count;
    Visit *visits; /* of steps -1 .. T */
    GpuScheduleReport report;
    uint64_t tile_strips; /* of the tile that is visited */
} Check;

static void look_at_need(Check *self,
                         const GpuScheduleSpan *span,
                         const GpuSchedulePoint *point,
                         const GpuDependence *need)
{
    const GpuSchedulePoint wanted = gpu_schedule_point_before(point, need);

    if (!gpu_schedule_points_have(&self->points, &wanted)) {
        return;
    }
    const Visit *visit =
        &self->visits[gpu_schedule_points_index(&self->points, &wanted)];

    if (visit->wavefront == 0) {
        self->report.early++;
    } else if (visit->wavefront == span->wavefront + 1 && visit->tile != span->tile) {
        self->report.crossing++;
    }
}

static void look_at_span(const GpuScheduleSpan *span, gpointer data)
{
    Check *self = data;

    self->tile_strips = span->strip + 1;
    for (uint64_t i = 0; i < span->count; i++) {
        const GpuSchedulePoint point = gpu_schedule_point_of(&self->points, span, i);
        Visit *visit = &self->visits[gpu_schedule_points_index(&self->points, &point)];

        for (guint need = 0; need < self->need_count; need++) {
            look_at_need(self, span, &point, &self->needs[need]);
        }
        if (visit->wavefront != 0) {
            self->report.repeated++;
        } else {
            self->report.missing--;
        }
        *visit = (Visit){sim_u32(span->wavefront) + 1, sim_u32(span->tile)};
    }
}

static void
look_at_wavefront(Check *self, const GpuSchedule *schedule, uint64_t wavefront)
{
    const uint64_t tiles = gpu_schedule_tiles(schedule, wavefront);
    GpuScheduleReport *report = &self->report;

    for (uint64_t tile = 0; tile < tiles; tile++) {
        self->tile_strips = 0;
        gpu_schedule_visit_tile(schedule, wavefront, tile, look_at_span, self);
        report->strips += self->tile_strips;
        report->longest = MAX(report->longest, self->tile_strips);
    }
    report->tiles += tiles;
    report->widest = MAX(report->widest, tiles);
    report->empty_wavefronts += tiles == 0 ? 1 : 0;
}

bool gpu_schedule_check(const GpuSchedule *self,
                        const GpuDependence *needs,
                        guint need_count,
                        GpuScheduleReport *report,
                        GError **error)
{
    Check check = {.needs = needs, .need_count = need_count};

    if (!gpu_schedule_points(self, &check.points, error)) {
        return false;
    }
    const gsize layer = check.points.count / (gsize) check.points.steps;
    g_autofree Visit *visits = g_new0(Visit, check.points.count + 2 * layer);

    check.visits = visits;
    check.report = (GpuScheduleReport){
        .points = check.points.count,
        .missing = check.points.count,
        .wavefronts = gpu_schedule_wavefronts(self),
    };
    for (uint64_t wavefront = 0; wavefront < check.report.wavefronts; wavefront++) {
        look_at_wavefront(&check, self, wavefront);
    }
    *report = check.report;
    return true;
}

bool gpu_schedule_report_is_sound(const GpuScheduleReport *self)
{
    return self->missing == 0 && self->repeated == 0 && self->early == 0 &&
           self->crossing == 0;
}
