/* Fuzzes routing and pattern files with any bytes: they are refused, or their routes,
 * trees and matrices are those that the checks of arch/ let pass. */
#include "tests/fuzz/fuzz.h"
#include "workloads/error.h"
#include "workloads/routing.h"

enum {
    WIDTH = 3,
    HEIGHT = 2,
};

static const WlSandboxConfig config = {
    .memory_bytes = 16 << 20, .steps = 20000, .seed = 1};

static void check_error(GError *error)
{
    g_assert_nonnull(error);
    g_assert_true(g_utf8_validate(error->message, -1, NULL));
    g_error_free(error);
}

static void try_routes(const char *path, ArchNocTopology topology)
{
    GError *error = NULL;
    g_autoptr(ArchNocRoutes) routes =
        wl_routing_load(path, &config, topology, WIDTH, HEIGHT, &error);

    if (routes == NULL) {
        check_error(error);
    }
}

static void try_trees(const char *path, ArchNocTreeUse use)
{
    GError *error = NULL;
    g_autoptr(ArchNocTrees) trees =
        wl_routing_load_trees(path, &config,
                              &(WlRoutingTrees){.topology = ARCH_NOC_MESH,
                                                .width = WIDTH,
                                                .height = HEIGHT,
                                                .root = ARCH_NOC_ALL_ROOTS,
                                                .use = use},
                              &error);

    if (trees == NULL) {
        check_error(error);
    }
}

static void try_pattern(const char *path)
{
    GError *error = NULL;
    g_autoptr(ArchNocMatrix) matrix =
        wl_routing_load_pattern(path, &config, ARCH_NOC_MESH, WIDTH, HEIGHT, &error);

    if (matrix == NULL) {
        check_error(error);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_auto(FuzzFile) file = fuzz_file_new(data, size);

    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    try_routes(file.path, ARCH_NOC_MESH);
    try_routes(file.path, ARCH_NOC_TORUS);
    try_trees(file.path, ARCH_NOC_DOWNWARD);
    try_trees(file.path, ARCH_NOC_UPWARD);
    try_pattern(file.path);
    return 0;
}
