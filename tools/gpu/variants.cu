/* Times variants one after the other. */
#include <cstdio>

#include "tools/gpu/energy.hpp"
#include "tools/gpu/timer.cuh"
#include "tools/gpu/variants.cuh"

namespace gpu
{

size_t time_variants(Result *result,
                     const std::vector<Variant> &variants,
                     const VariantTimes &times)
{
    Json seconds = Json::object();
    size_t best = 0;

    for (size_t i = 0; i < variants.size(); i++) {
        Timing timing = time_on_device(times.warmups, times.repeats, variants[i].body,
                                       times.stream);

        seconds.set(variants[i].name, timing.median());
        std::fprintf(stderr, "  %-44s %12.3f us\n", variants[i].name.c_str(),
                     1e6 * timing.median());
        if (i == 0 || timing.median() < result->timing.median()) {
            result->timing = timing;
            best = i;
        }
    }
    result->metrics.set("variant", variants[best].name);
    result->metrics.set("variants", seconds);
    if (times.energy_seconds > 0) {
        int calls = 1 + (int) (0.02 / result->timing.median());

        Energy energy = energy_of(
            times.energy_seconds,
            [&]() {
                for (int i = 0; i < calls; i++) {
                    variants[best].body(i);
                }
            },
            []() { GPU_TRY(cudaDeviceSynchronize()); });

        result->energy_joules = energy.joules / calls;
        result->clock_seen_hz = energy.clock_hz;
    }
    return best;
}

}  // namespace gpu
