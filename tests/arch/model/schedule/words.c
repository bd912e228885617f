/* Counts what strips of a tile read, write and keep. */
#include "tests/arch/model/schedule/words.h"

#include "arch/model/schedule/points.h"

enum {
    COPIES = 2, /* of a box in shared memory: the step before, and this one */
};

/* Where the points of a strip and their neighbours lie. */
typedef struct {
    int64_t least[GPU_TILING_DIMENSIONS];
    int64_t most[GPU_TILING_DIMENSIONS];
} Box;

typedef struct {
    GpuSchedulePoints points;
    const GpuDependence *needs;
    guint need_count;
    uint8_t *is_own;  /* of the tile; steps -1 .. T */
    uint8_t *is_read; /* has been read already */
    GArray *strips;   /* GpuStripWords */
    GArray *boxes;    /* Box, of strips */
} Count;

static void mark_own(const GpuScheduleSpan *span, gpointer data)
{
    Count *self = data;

    for (uint64_t i = 0; i < span->count; i++) {
        const GpuSchedulePoint point = gpu_schedule_point_of(&self->points, span, i);

        self->is_own[gpu_schedule_points_index(&self->points, &point)] = 1;
    }
}

/* Of this point: values from outside that the tile does not have yet. */
static uint64_t count_read(Count *self, const GpuSchedulePoint *point)
{
    uint64_t count = 0;

    for (guint i = 0; i < self->need_count; i++) {
        const GpuSchedulePoint wanted =
            gpu_schedule_point_before(point, &self->needs[i]);

        if (!gpu_schedule_points_in_space(&self->points, &wanted)) {
            continue;
        }
        const gsize index = gpu_schedule_points_index(&self->points, &wanted);

        if (!self->is_own[index] && !self->is_read[index]) {
            self->is_read[index] = 1;
            count++;
        }
    }
    return count;
}

/* Of the last step all is wanted, by whoever asked for the whole. */
static bool is_wanted_outside(const Count *self, const GpuSchedulePoint *point)
{
    if (point->step == self->points.steps - 1) {
        return true;
    }
    for (guint i = 0; i < self->need_count; i++) {
        const GpuDependence *need = &self->needs[i];
        const GpuDependence back = {
            -need->step, {-need->space[0], -need->space[1], -need->space[2]}};
        const GpuSchedulePoint wanting = gpu_schedule_point_before(point, &back);

        if (gpu_schedule_points_have(&self->points, &wanting) &&
            !self->is_own[gpu_schedule_points_index(&self->points, &wanting)]) {
            return true;
        }
    }
    return false;
}

static void widen(Box *box, const GpuSchedulePoint *point, bool is_first)
{
    for (guint axis = 0; axis < GPU_TILING_DIMENSIONS; axis++) {
        const int64_t place = point->place[axis];

        box->least[axis] = is_first ? place : MIN(box->least[axis], place);
        box->most[axis] = is_first ? place : MAX(box->most[axis], place);
    }
}

static void count_span(const GpuScheduleSpan *span, gpointer data)
{
    Count *self = data;

    if (span->strip >= self->strips->len) {
        g_array_set_size(self->strips, (guint) span->strip + 1);
        g_array_set_size(self->boxes, (guint) span->strip + 1);
    }
    GpuStripWords *words = &g_array_index(self->strips, GpuStripWords, span->strip);
    Box *box = &g_array_index(self->boxes, Box, span->strip);

    for (uint64_t i = 0; i < span->count; i++) {
        const GpuSchedulePoint point = gpu_schedule_point_of(&self->points, span, i);

        widen(box, &point, words->points == 0);
        words->points++;
        words->read += count_read(self, &point);
        words->written += is_wanted_outside(self, &point) ? 1 : 0;
    }
}

static uint64_t box_words(const Box *box, guint dimension)
{
    uint64_t words = COPIES;

    for (guint axis = 0; axis < dimension; axis++) {
        words *= (uint64_t) (box->most[axis] - box->least[axis] + 1 + 2);
    }
    return words;
}

static void
count_tile(Count *self, const GpuSchedule *schedule, uint64_t wavefront, uint64_t tile)
{
    gpu_schedule_visit_tile(schedule, wavefront, tile, mark_own, self);
    gpu_schedule_visit_tile(schedule, wavefront, tile, count_span, self);
    for (guint i = 0; i < self->strips->len; i++) {
        g_array_index(self->strips, GpuStripWords, i).shared =
            box_words(&g_array_index(self->boxes, Box, i), self->points.dimension);
    }
}

GArray *gpu_schedule_tile_words(const GpuSchedule *self,
                                const GpuDependence *needs,
                                guint need_count,
                                uint64_t wavefront,
                                uint64_t tile,
                                GError **error)
{
    Count count = {.needs = needs, .need_count = need_count};

    if (!gpu_schedule_points(self, &count.points, error)) {
        return NULL;
    }
    const gsize layer = count.points.count / (gsize) count.points.steps;
    g_autofree uint8_t *is_own = g_new0(uint8_t, count.points.count + 2 * layer);
    g_autofree uint8_t *is_read = g_new0(uint8_t, count.points.count + 2 * layer);
    g_autoptr(GArray) strips = g_array_new(FALSE, TRUE, sizeof(GpuStripWords));
    g_autoptr(GArray) boxes = g_array_new(FALSE, TRUE, sizeof(Box));

    count.is_own = is_own;
    count.is_read = is_read;
    count.strips = strips;
    count.boxes = boxes;
    count_tile(&count, self, wavefront, tile);
    return g_steal_pointer(&strips);
}
