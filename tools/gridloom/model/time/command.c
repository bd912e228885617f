/* gridloom model time: how long a tiled stencil takes on a GPU, and which tile. */
#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/time/time.h"

int model_time_run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const ModelTimeOptions *options = data;

    switch (options->mode) {
    case MODEL_TIME_SURFACE:
        return model_time_surface(options, start);
    case MODEL_TIME_CAMPAIGN:
        return model_time_campaign(options, start);
    case MODEL_TIME_MEASURED:
        return model_time_measured(options, start);
    case MODEL_TIME_TILE:
    case MODEL_TIME_SEARCH:
        break;
    }
    return model_time_tiles(options, start);
}
