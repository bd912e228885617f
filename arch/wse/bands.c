/* Cuts a wafer into strips and bands. */
#include "arch/wse/bands.h"

enum {
    BORDER_STRIPS = 2, /* of a band, at each border */
    STRIPS = 2 * BORDER_STRIPS + 1,
    FEWEST_ROWS = STRIPS,
};

WseBands wse_bands_cut(guint rows, guint most, guint thread_count)
{
    const guint wanted = MIN(MIN(most, WSE_MOST_BANDS), thread_count);
    const guint bands = CLAMP(wanted, 1, MAX(rows / FEWEST_ROWS, 1));

    /* The first and the last band have one border. */
    return (WseBands){.rows = rows,
                      .strip_count = bands * STRIPS - 2 * BORDER_STRIPS,
                      .band_count = bands};
}

static guint first_row(const WseBands *self, guint band)
{
    return self->rows * band / self->band_count;
}

WseStrips wse_bands_all(const WseBands *self, guint band)
{
    const guint first = band == 0 ? 0 : band * STRIPS - BORDER_STRIPS;
    const guint end = (band + 1) * STRIPS - BORDER_STRIPS;

    return (WseStrips){.first = first, .end = MIN(end, self->strip_count)};
}

WseStrips wse_bands_middle(const WseBands *self, guint band)
{
    const guint middle = band * STRIPS;

    g_assert(middle < self->strip_count);
    return (WseStrips){.first = middle, .end = middle + 1};
}

guint wse_bands_strip(const WseBands *self, guint row)
{
    guint band = row * self->band_count / self->rows;

    while (first_row(self, band + 1) <= row) {
        band++;
    }
    const WseStrips all = wse_bands_all(self, band);
    const WseStrips middle = wse_bands_middle(self, band);
    const guint from_first = row - first_row(self, band);
    const guint from_last = first_row(self, band + 1) - 1 - row;

    if (from_first < middle.first - all.first) {
        return all.first + from_first;
    }
    return from_last < all.end - middle.end ? all.end - 1 - from_last : middle.first;
}
