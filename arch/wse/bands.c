/* Cuts a wafer into strips and bands. */
#include "arch/wse/bands.h"

enum {
    BORDER_STRIPS = 2, /* of a band, at each border */
    FEWEST_ROWS = 2 * BORDER_STRIPS,
    MOST_STRIPS = 48, /* of a band */
};

WseBands wse_bands_cut(guint rows, guint most, guint thread_count)
{
    const guint wanted = MIN(MIN(most, WSE_MOST_BANDS), thread_count);
    const guint bands = MIN(wanted, rows / FEWEST_ROWS);

    if (bands <= 1) {
        return (WseBands){.strip_count = 1, .strip_rows = rows, .band_count = 1};
    }
    const guint strips = bands * MOST_STRIPS;
    const guint strip_rows = (rows + strips - 1) / strips;

    return (WseBands){
        .strip_count = (rows + strip_rows - 1) / strip_rows,
        .strip_rows = strip_rows,
        .band_count = bands,
    };
}

WseStrips wse_bands_all(const WseBands *self, guint band)
{
    return (WseStrips){.first = self->strip_count * band / self->band_count,
                       .end = self->strip_count * (band + 1) / self->band_count};
}

WseStrips wse_bands_middle(const WseBands *self, guint band)
{
    WseStrips strips = wse_bands_all(self, band);

    strips.first += band == 0 ? 0 : BORDER_STRIPS;
    strips.end -= band + 1 == self->band_count ? 0 : BORDER_STRIPS;
    return strips;
}
