/* The tile of the least time, and those close to it. */
#include "arch/model/tiling/search.h"

#include "arch/error.h"

typedef struct {
    GpuTileSearch *search;
    const GpuTileSpace *space;
    double within;
    double limit; /* of the shortlist, by the best so far */
} Finder;

static void note_resident(GArray *residents, const GpuTileChoice *choice)
{
    const guint place = choice->tile.resident - 1;

    if (place >= residents->len) {
        g_array_set_size(residents, place + 1); /* of k = 0: nothing was found yet */
    }
    GpuTileChoice *best = &g_array_index(residents, GpuTileChoice, place);

    if (best->tile.resident == 0 || choice->seconds < best->seconds) {
        *best = *choice;
    }
}

static void note(Finder *self, const GpuTileChoice *choice)
{
    GpuTileSearch *search = self->search;

    search->candidates++;
    if (search->candidates == 1 || choice->seconds < search->best.seconds) {
        search->best = *choice;
        self->limit = choice->seconds * (1 + self->within);
    }
    if (search->candidates == 1 || choice->seconds > search->worst.seconds) {
        search->worst = *choice;
    }
    if (choice->seconds <= self->limit) {
        g_array_append_val(search->shortlist, *choice);
    }
    note_resident(search->residents, choice);
}

static bool ask(const GpuTile *tile, const GpuTileShape *shape, gpointer data)
{
    Finder *self = data;
    const GpuTileSpace *space = self->space;
    GpuTileChoice choice = {.tile = *tile};

    for (guint k = 1; k <= tile->resident; k++) {
        GpuTilingTime time;

        choice.tile.resident = k;
        gpu_tiling_time_of(&space->problem, &choice.tile, shape, &space->machine,
                           space->form, &time);
        choice.seconds = time.seconds;
        note(self, &choice);
    }
    self->search->tiles++;
    return self->search->candidates <= GPU_TILE_MOST;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* By time; then as they were visited. */
static int compare(gconstpointer first, gconstpointer second)
{
    const GpuTileChoice *a = first;
    const GpuTileChoice *b = second;
    int order = (a->seconds > b->seconds) - (a->seconds < b->seconds);

    if (order == 0) {
        order = compare_numbers(a->tile.steps, b->tile.steps);
    }
    for (guint i = 0; order == 0 && i < GPU_TILING_DIMENSIONS; i++) {
        order = compare_numbers(a->tile.space[i], b->tile.space[i]);
    }
    return order != 0 ? order : compare_numbers(a->tile.resident, b->tile.resident);
}

/* While the best was not known yet, more were kept. */
static void drop_far(GArray *shortlist, double limit)
{
    guint kept = 0;

    g_array_sort(shortlist, compare);
    while (kept < shortlist->len &&
           g_array_index(shortlist, GpuTileChoice, kept).seconds <= limit) {
        kept++;
    }
    g_array_set_size(shortlist, kept);
}

static void drop_empty(GArray *residents)
{
    for (guint i = residents->len; i > 0; i--) {
        if (g_array_index(residents, GpuTileChoice, i - 1).tile.resident == 0) {
            g_array_remove_index(residents, i - 1);
        }
    }
}

void gpu_tile_search_clear(GpuTileSearch *self)
{
    g_clear_pointer(&self->shortlist, g_array_unref);
    g_clear_pointer(&self->residents, g_array_unref);
}

static bool
check_count(const GpuTileSearch *self, const GpuTileSpace *space, GError **error)
{
    if (self->candidates == 0) {
        return arch_refuse(
            error,
            "no tile keeps the constraints: the box holds none, or the smallest "
            "takes more than the %" G_GUINT64_FORMAT " bytes of a block",
            space->machine.block_shared_bytes);
    }
    return self->candidates <= GPU_TILE_MOST ||
           arch_refuse(
               error,
               "more than %d tiles keep the constraints: a smaller box is needed",
               GPU_TILE_MOST);
}

bool gpu_tile_search(GpuTileSearch *self,
                     const GpuTileSpace *space,
                     double within,
                     GError **error)
{
    Finder finder = {.search = self, .space = space, .within = within};

    *self = (GpuTileSearch){
        .shortlist = g_array_new(FALSE, FALSE, sizeof(GpuTileChoice)),
        .residents = g_array_new(FALSE, TRUE, sizeof(GpuTileChoice)),
    };
    gpu_tile_visit(space, ask, &finder);
    if (!check_count(self, space, error)) {
        gpu_tile_search_clear(self);
        return false;
    }
    drop_far(self->shortlist, finder.limit);
    drop_empty(self->residents);
    return true;
}
