/* Cuts a wafer into strips and bands. */
#include "arch/wse/bands.h"

enum {
    BANDS_PER_THREAD = 4,
    LEAST_ROWS = 10,  /* of a band, where there are enough for all threads */
    FEWEST_ROWS = 4,  /* two borders' strips, and those that they reach */
    MOST_STRIPS = 48, /* of a band */
    MOST_DEPTH = 16,
    PARTS = 3, /* of a band's strips: a third to each border, one between them */
};

static guint bands_for(guint rows, guint most, guint thread_count)
{
    guint bands = MIN(most, BANDS_PER_THREAD * thread_count);

    if (bands > rows / LEAST_ROWS) {
        bands = MAX(rows / LEAST_ROWS, MIN(bands, thread_count));
    }
    if (bands > thread_count) {
        bands -= bands % thread_count;
    }
    return MAX(MIN(bands, rows / FEWEST_ROWS), 1);
}

WseBands wse_bands_cut(guint rows, guint most, guint thread_count)
{
    const guint bands = bands_for(rows, most, thread_count);

    if (bands == 1) {
        return (WseBands){
            .strip_count = 1, .strip_rows = rows, .band_count = 1, .depth = 1};
    }
    const guint wanted = bands * MOST_STRIPS;
    const guint strip_rows = (rows + wanted - 1) / wanted;
    const guint strips = (rows + strip_rows - 1) / strip_rows;

    return (WseBands){
        .strip_count = strips,
        .strip_rows = strip_rows,
        .band_count = bands,
        .depth = CLAMP(strips / bands / PARTS, 1, MOST_DEPTH),
    };
}

/* The first strip of a band; of the one after the last: the number of strips. */
static guint first_of(const WseBands *self, guint band)
{
    return self->strip_count * band / self->band_count;
}

WseStrips wse_bands_inside(const WseBands *self, guint band, uint32_t cycle)
{
    const guint above = band == 0 ? 0 : cycle + 1;
    const guint below = band + 1 == self->band_count ? 0 : cycle + 1;

    return (WseStrips){.first = first_of(self, band) + above,
                       .end = first_of(self, band + 1) - below};
}

WseStrips wse_bands_beside(const WseBands *self, guint border, uint32_t cycle)
{
    const guint middle = first_of(self, border + 1);

    return (WseStrips){.first = middle - 1 - cycle, .end = middle + 1 + cycle};
}
