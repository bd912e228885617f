/* Makes closed forms for tests. */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/compare/estimate.h"
#include "workloads/chip_file.h"

#define NEAR 1e-6

static inline ArchParams *load(const char *chip, const char *override)
{
    g_autoptr(GError) error = NULL;
    ArchParams *params = wl_chip_load(chip, &error);

    if (params == NULL ||
        (override != NULL && !arch_params_override(params, override, &error))) {
        fail_msg("%s: %s", chip, error->message);
    }
    return params;
}

static inline JsonNode *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    JsonNode *node = json_from_string(text, &error);

    if (node == NULL) {
        fail_msg("%s: %s", text, error->message);
    }
    return node;
}

/* `override` of the chip's numbers may be NULL. */
static inline Estimate *
form(const char *workload, const char *chip, const char *override, const char *text)
{
    g_autoptr(ArchParams) params = load(chip, override);
    g_autoptr(JsonNode) parameters = parse(text);
    g_autoptr(GError) error = NULL;
    Estimate *estimate =
        estimate_new(params, workload, json_node_get_object(parameters), &error);

    if (estimate == NULL) {
        fail_msg("%s %s: %s", workload, text, error->message);
    }
    return estimate;
}

static inline void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < NEAR * fmax(1, fabs(expected)))) {
        fail_msg("%.9g, expected %.9g", value, expected);
    }
}

/* Parameters of which most runs here are. */
#define COLUMN "\"nx\": 20, \"ny\": 20, \"directions\": \"ewns\", "
#define CORES  "\"rows\": 7, \"cols\": 8, \"tiles\": 64"
