/* gridloom model time: how long a tiled stencil takes on a GPU, and which tile. */
#include "tools/gridloom/command.h"

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/time/time.h"

int cmd_model_time(int argc, char **argv)
{
    const gint64 start = g_get_monotonic_time();
    g_auto(ModelTimeOptions) options = {0};
    g_autoptr(GError) error = NULL;

    if (!model_time_options_parse(&options, argc, argv, &error)) {
        return complain_of(error);
    }
    switch (options.mode) {
    case MODEL_TIME_SURFACE:
        return model_time_surface(&options, start);
    case MODEL_TIME_CAMPAIGN:
        return model_time_campaign(&options, start);
    case MODEL_TIME_MEASURED:
        return model_time_measured(&options, start);
    case MODEL_TIME_TILE:
    case MODEL_TIME_SEARCH:
        break;
    }
    return model_time_tiles(&options, start);
}
