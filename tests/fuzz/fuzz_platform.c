/* Fuzzes system files with any bytes: what is taken has ways that lead somewhere, and
 * is written as XML that is taken again. */
#include "sim/error.h"
#include "sim/platform.h"
#include "sim/platform/paths.h"
#include "tests/fuzz/fuzz.h"

enum {
    HOSTS_LOOKED_AT = 16,
};

static void check_ways(const SimPlatform *platform)
{
    const guint hosts = MIN(sim_platform_host_count(platform), HOSTS_LOOKED_AT);

    g_assert_nonnull(sim_platform_main_host(platform));
    for (guint i = 0; i < hosts * hosts; i++) {
        const char *from = sim_platform_host(platform, i / hosts)->name;
        const char *to = sim_platform_host(platform, i % hosts)->name;
        SimPlatformWay way = {0};

        for (guint j = 0; sim_platform_way(platform, from, to, &way) && j < way.count;
             j++) {
            g_assert_nonnull(sim_platform_link(platform, way.links[j])->kind);
        }
    }
}

static SimPlatform *load(const uint8_t *data, size_t size)
{
    g_auto(FuzzFile) file = fuzz_file_new(data, size);
    GError *error = NULL;
    SimPlatform *platform = sim_platform_load(file.path, &error);

    if (platform == NULL) {
        fuzz_check_error(error, SIM_ERROR);
    }
    return platform;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(SimPlatform) platform = load(data, size);

    if (platform != NULL) {
        g_autofree char *text = sim_platform_text(platform);

        check_ways(platform);
        g_assert_nonnull(text);
    }
    return 0;
}
