/* gridloom model energy: what a tiled program costs in joules. */
#include "tools/gridloom/model/energy/energy.h"

int model_energy_run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const ModelEnergyOptions *options = data;

    switch (options->task) {
    case MODEL_ENERGY_TILE:
        return model_energy_tile(options, start);
    case MODEL_ENERGY_SEARCH:
        return model_energy_search(options, start);
    case MODEL_ENERGY_REGRESS:
    case MODEL_ENERGY_REGRESS_SYNTHETIC:
        return model_energy_regress(options, start);
    case MODEL_ENERGY_CHOOSE:
        return model_energy_choose(options, start);
    case MODEL_ENERGY_EXTRACT:
        break;
    }
    return model_energy_extract(options, start);
}
