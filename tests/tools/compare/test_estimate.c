/* Closed forms of workloads: worked by hand from the chip files, and what they refuse.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "tests/tools/compare/estimate_form.h"
#include "tools/gridloom/compare/estimate.h"

static const EstimatePart *find(const Estimate *estimate, const char *name)
{
    for (guint i = 0; i < estimate->parts->len; i++) {
        if (g_str_equal(estimate_part(estimate, i)->name, name)) {
            return estimate_part(estimate, i);
        }
    }
    fail_msg("no part %s", name);
    return NULL;
}

static void assert_part(const Estimate *estimate, const char *name, double cycles)
{
    assert_near(find(estimate, name)->cycles, cycles);
}

/* 43 issue slots a cell, as Jacquelin et al. 2022 Table IV counts them; 27 operations.
 */
static void a_step_of_one_block_is_worked_by_hand(void **state G_GNUC_UNUSED)
{
    g_autoptr(Estimate) step =
        form("stencil25", "wse2", NULL, "{" COLUMN "\"nz\": 100, \"block\": \"auto\"}");

    assert_part(step, "streams", 4 * (100 + 2) + 20 * 100);
    assert_part(step, "arithmetic", 100 * (20 / 2. + 8 + 0.5 + 0.5));
    assert_part(step, "bank conflicts", 4 * 100 + 20 * 50 * 0.6 + 30);
    assert_part(step, "descriptors", 27 * 28);
    assert_part(step, "first elements", 10 * 6);
    assert_part(step, "tasks", 10);
    assert_part(step, "ramp", 2000);
    assert_part(step, "links", 4 * (100 + 1));
    assert_true(find(step, "ramp")->is_beside);
    assert_near(step->cycles, 6164);
    assert_near(step->seconds, 6164 / 0.85e9);
    assert_string_equal(estimate_largest(step)->name, "streams");
}

/* 1000 cells are three blocks of 334, of which half of the rows collide. */
static void a_step_of_three_blocks_is_worked_by_hand(void **state G_GNUC_UNUSED)
{
    g_autoptr(Estimate) step = form("stencil25", "wse2", NULL,
                                    "{" COLUMN "\"nz\": 1000, \"block\": \"auto\"}");
    g_autoptr(Estimate) given =
        form("stencil25", "wse2", NULL, "{" COLUMN "\"nz\": 1000, \"block\": \"334\"}");

    assert_part(step, "streams", 4 * (1002 + 6) + 20 * 1002);
    assert_part(step, "arithmetic", 1002 * 10 + 1000 * 9);
    assert_part(step, "bank conflicts", 4000 + 3 * 10 * 167 * 0.6 + 300);
    assert_part(step, "descriptors", (10 + 3 * 17) * 28);
    assert_near(step->cycles, 52176);
    assert_near(given->cycles, step->cycles);
}

static void small_fabrics_have_fewer_streams(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *size;
        double senders;
    } cases[] = {
        {"\"nx\": 1, \"ny\": 1, \"directions\": \"ewns\"", 4},
        {"\"nx\": 4, \"ny\": 6, \"directions\": \"ewns\"", 2 + 3 + 2 + 5},
        {"\"nx\": 9, \"ny\": 900, \"directions\": \"ewns\"", 20},
        {"\"nx\": 9, \"ny\": 9, \"directions\": \"e\"", 5},
        {"\"nx\": 3, \"ny\": 9, \"directions\": \"ens\"", 3 + 10},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("{%s, \"nz\": 8, \"block\": \"8\"}", cases[i].size);
        g_autoptr(Estimate) step = form("stencil25", "wse2", NULL, text);

        assert_part(step, "ramp", 8 * cases[i].senders);
    }
}

/* The rule is of places of sources, whatever the chip's numbers are. */
static void conflicts_follow_the_rule(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *override;
        guint layers;
        double cycles;
    } cases[] = {
        {"memory.conflict_factor=3", 100, 800 + 600 + 30},
        {"memory.wide_conflict_cycles_per_step=0", 100, 400},
        {"memory.bank_count=4", 102, 408 + 20 * 51 * 0.6 + 30.6},
        {"dsd.f32_add_elements_per_cycle=1", 100, 400 + 2000 + 100},
        {"dsd.f32_fmac_elements_per_cycle=2", 100, 2 * 100 * 0.3 + 600 + 30},
        {"memory.capacity_bytes=49152", 101, 404 + 5 * 101 * 0.3 + 30.3},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "{" COLUMN "\"nz\": %u, \"block\": \"auto\"}", cases[i].layers);
        g_autoptr(Estimate) step = form("stencil25", "wse2", cases[i].override, text);

        assert_part(step, "bank conflicts", cases[i].cycles);
    }
}

static void a_dot_product_is_worked_by_hand(void **state G_GNUC_UNUSED)
{
    /* A poll, a mailbox, the configuration, a semaphore. */
    static const double hand_over = 8 + 12 * 1.4 + 32 * 1.15 + 3;
    static const double ask = 12 * 1.4; /* before the first operand is there */
    static const double vectors = 32 * 6 + 4 * 5 + 22;
    static const double tail = 4 + 3 + 9 + 66 + 4 + 6;
    /* Write, one flit and a header, both ends twice, acknowledgement; semaphore; page.
     */
    static const double message =
        22 + 6 + 2 * 1.0225 + 20 + 6 + 22 + 6 + 10 + 9 + 21 + 6;
    g_autoptr(Estimate) dot = form("dot", "wormhole_n300", NULL,
                                   "{" CORES ", \"dtype\": \"fp32\", \"granularity\": "
                                   "\"scalar\", \"routing\": \"naive\"}");

    assert_part(dot, "launch", 30000);
    assert_part(dot, "start of kernels", 1.4 * (300 + 2 * 18));
    assert_part(dot, "tiles from L1", 128 * 136);
    assert_part(dot, "hand-overs", 128 * hand_over);
    assert_part(dot, "products and sums", 64 * 2 * vectors);
    assert_part(dot, "sum of a tile", tail + hand_over - ask + 136 + 1500 + 22 + tail);
    assert_part(dot, "sums up the tree",
                13 * (2 * (hand_over + 136) - ask + vectors + tail));
    assert_part(dot, "messages up the tree",
                7 * (message + 10 * 9) + 6 * (message + 12 * 9));
    assert_part(dot, "total to all cores", 22 + 6 + 5 + 5 + 13 * 9);
    assert_near(dot->cycles, 100347.785);
}

static void
granularity_unit_and_routing_change_a_dot_product(void **state G_GNUC_UNUSED)
{
    static const double bf16_tail = 4 + 3 + 9 + 34 + 4 + 6;
    static const double set_up = 6 + 4 + 1.15 * (26 + 52);
    g_autoptr(Estimate) scalar =
        form("dot", "wormhole_n300", NULL, "{" CORES ", \"granularity\": \"scalar\"}");
    g_autoptr(Estimate) tile =
        form("dot", "wormhole_n300", NULL, "{" CORES ", \"granularity\": \"tile\"}");
    g_autoptr(Estimate) fpu =
        form("dot", "wormhole_n300", NULL, "{" CORES ", \"dtype\": \"bf16\"}");
    g_autoptr(Estimate) sfpu = form("dot", "wormhole_n300", NULL,
                                    "{" CORES ", \"dtype\": \"bf16\", \"unit\": "
                                    "\"sfpu\"}");
    g_autoptr(Estimate) center =
        form("dot", "wormhole_n300", NULL, "{" CORES ", \"routing\": \"center\"}");
    g_autoptr(Estimate) direct =
        form("dot", "wormhole_n300", NULL, "{" CORES ", \"routing\": \"direct\"}");
    g_autoptr(Estimate) one =
        form("dot", "wormhole_n300", NULL, "{\"rows\": 1, \"cols\": 1, \"tiles\": 1}");

    /* 4096 bytes are 127 flits more than 32, in each of 13 messages. */
    assert_near(tile->cycles - scalar->cycles, 13 * 127 * 1.0225);
    assert_part(fpu, "tiles from L1", 127 * 62);
    assert_part(fpu, "hand-overs", 127 * set_up);
    assert_part(fpu, "sums up the tree", 13 * (set_up + 62 + 5 + bf16_tail));
    assert_part(sfpu, "products and sums", 64 * (32 * 18 + 42 + 32 * 6 + 42));
    assert_true(find(sfpu, "tiles from L1")->is_beside);
    assert_near(find(center, "sums up the tree")->cycles * 13,
                find(scalar, "sums up the tree")->cycles * 7);
    assert_near(find(direct, "sums up the tree")->cycles * 13,
                find(scalar, "sums up the tree")->cycles * 55);
    assert_part(one, "sums up the tree", 0);
    assert_string_equal(estimate_part(one, one->parts->len - 1)->name,
                        "sums up the tree");
}

static void a_product_with_the_laplacian_is_worked_by_hand(void **state G_GNUC_UNUSED)
{
    g_autoptr(Estimate) bf16 = form("stencil7", "wormhole_n300", NULL,
                                    "{" CORES ", \"dtype\": \"bf16\", \"halo\": "
                                    "\"on\", \"zero_fill\": \"on\"}");
    g_autoptr(Estimate) fp32 =
        form("stencil7", "wormhole_n300", NULL, "{" CORES ", \"dtype\": \"fp32\"}");
    g_autoptr(Estimate) column =
        form("stencil7", "wormhole_n300", NULL,
             "{\"rows\": 7, \"cols\": 1, \"tiles\": 64, \"dtype\": \"bf16\", \"halo\": "
             "\"on\", \"zero_fill\": \"on\"}");

    /* 13 operations on two tiles and 7 on one; above and below two each are missing. */
    assert_part(bf16, "tiles from L1", (13 * 64 - 4) * 62 + 7 * 64 * 38);
    assert_part(bf16, "unpackers set up",
                828 * (10 + 1.15 * (26 + 52)) + 448 * (10 + 1.15 * (28 + 34)));
    assert_part(bf16, "start of kernels", 300 * 1.15);
    assert_part(bf16, "FPU", 446 * 37 + (382 + 448) * 13);
    assert_part(bf16, "tiles into L1", (828 + 448) * (9 + 34));
    assert_part(bf16, "halos", 64 * (10 * 22 + 4 * 22 + 12 * 9));
    assert_part(bf16, "zeros beyond the grid", 64 * 5 * 8 * 5.17);
    assert_near(bf16->cycles, 68360 + 118974 + 345);
    /* A core of a single column has an edge more. */
    assert_part(column, "zeros beyond the grid", 64 * 6 * 8 * 5.17);

    assert_part(fp32, "tiles from L1", (26 * 64 - 6) * 136);
    assert_part(fp32, "hand-overs", 1658 * 64.6);
    assert_part(fp32, "SFPU", 446 * (32 * 5 + 42) + 382 * (32 * 6 + 42));
    assert_part(fp32, "transposing", 3 * 64 * 150);
    assert_near(fp32->cycles, 541294.8);
}

static void what_goes_on_beside_counts_where_it_is_longer(void **state G_GNUC_UNUSED)
{
    static const char *const text = "{\"rows\": 7, \"cols\": 8, \"tiles\": 8, "
                                    "\"halo\": \"on\"}";
    g_autoptr(Estimate) slow =
        form("stencil7", "wormhole_n300", "noc.hop_cycles=900", text);
    g_autoptr(Estimate) off =
        form("stencil7", "wormhole_n300", "noc.hop_cycles=900",
             "{\"rows\": 7, \"cols\": 8, \"tiles\": 8, \"halo\": \"off\"}");

    assert_near(slow->cycles, 8 * (14 * 22 + 12 * 900));
    assert_string_equal(estimate_largest(slow)->name, "halos");
    assert_true(off->cycles < slow->cycles);
    assert_string_equal(estimate_largest(off)->name, "unpackers set up");
}

/* 100 x 20 numbers are 2 x 2 cores, the tiles of which are masked. */
static void sizes_are_those_of_the_grid_too(void **state G_GNUC_UNUSED)
{
    g_autoptr(Estimate) grid =
        form("stencil7", "wormhole_n300", NULL, "{\"nx\": 100, \"ny\": 20, \"nz\": 5}");
    g_autoptr(Estimate) cores =
        form("stencil7", "wormhole_n300", NULL, "{\"nx\": 128, \"ny\": 32, \"nz\": 5}");
    g_autoptr(Estimate) same = form("stencil7", "wormhole_n300", NULL,
                                    "{\"rows\": 2, \"cols\": 2, \"tiles\": 5}");

    assert_near(cores->cycles, same->cycles);
    assert_near(grid->cycles - cores->cycles, 5 * (62 + 99.7));
}

static void what_there_is_none_of_is_refused(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *workload;
        const char *chip;
        const char *text;
        const char *says;
    } cases[] = {
        {"pcg", "wse2", "{}",
         "no closed form of pcg on wse2; there is one of stencil25 on wse, dot on "
         "tensix, stencil7 on tensix"},
        {"dot", "wse2", "{}", "no closed form of dot on wse2"},
        {"stencil25", "wormhole_n300", "{}", "no closed form of stencil25 on wormhole"},
        {"stencil25", "wse2", "{}", "no closed form without a nx of at least 1"},
        {"stencil25", "wse2", "{" COLUMN "\"nz\": 8, \"block\": \"9\"}",
         "no closed form of blocks of 9 cells"},
        {"stencil25", "wse2", "{" COLUMN "\"nz\": 8, \"block\": \"nan\"}",
         "no closed form of blocks of nan cells"},
        {"stencil25", "wse2", "{" COLUMN "\"nz\": 20000, \"block\": \"auto\"}",
         "no closed form of blocks of auto cells"},
        {"stencil25", "wse2", "{" COLUMN "\"nz\": 8, \"chips\": 2}",
         "no closed form of stencil25 over several chips"},
        {"dot", "wormhole_n300", "{" CORES ", \"routing\": \"mine\"}",
         "no closed form of routing mine; there is one of naive, center, direct"},
        {"dot", "wormhole_n300", "{\"rows\": 0, \"cols\": 1, \"tiles\": 1}",
         "no closed form without a rows of at least 1"},
        {"stencil7", "wormhole_n300", "{\"nx\": 64, \"ny\": \"x\", \"nz\": 1}",
         "no closed form without a ny of at least 1"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(ArchParams) params = load(cases[i].chip, NULL);
        g_autoptr(JsonNode) parameters = parse(cases[i].text);
        g_autoptr(GError) error = NULL;

        assert_null(estimate_new(params, cases[i].workload,
                                 json_node_get_object(parameters), &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
        if (!g_str_has_prefix(error->message, cases[i].says)) {
            fail_msg("%s", error->message);
        }
    }
}

/* Whatever the parameters are, the parts are what they say. */
static void assert_sound(const Estimate *estimate, const ArchParams *params)
{
    double sum = 0;
    double longest = 0;

    for (guint i = 0; i < estimate->parts->len; i++) {
        const EstimatePart *part = estimate_part(estimate, i);

        assert_true(isfinite(part->cycles) && part->cycles >= 0);
        assert_true(strlen(part->formula) > 0);
        assert_non_null(part->keys[0]);
        for (char **key = part->keys; *key != NULL; key++) {
            if (!arch_params_has(params, *key)) {
                fail_msg("%s: no key %s", part->name, *key);
            }
        }
        sum += part->is_beside ? 0 : part->cycles;
        longest = part->is_beside ? fmax(longest, part->cycles) : longest;
    }
    assert_near(estimate->cycles, fmax(sum, longest));
    assert_non_null(estimate_largest(estimate));
    assert_non_null(estimate->leaves_out[0]);
}

static void any_size_has_sound_parts(void **state G_GNUC_UNUSED)
{
    enum {
        CASES = 60,
        SEED = 7,
    };
    static const char *const types[] = {"bf16", "fp32"};
    static const char *const routings[] = {"naive", "center", "direct"};
    static const char *const directions[] = {"e", "ns", "ewn", "ewns"};
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    g_autoptr(ArchParams) wafer = load("wse3", NULL);
    g_autoptr(ArchParams) cores = load("wormhole_n150", NULL);

    for (guint i = 0; i < CASES; i++) {
        const int a = g_rand_int_range(random, 1, 9);
        const int b = g_rand_int_range(random, 1, 9);
        const int depth = g_rand_int_range(random, 1, 200);
        g_autofree char *column = g_strdup_printf(
            "{\"nx\": %d, \"ny\": %d, \"nz\": %d, \"block\": \"%d\", \"directions\": "
            "\"%s\"}",
            a * b, b, depth, 1 + depth / 3,
            directions[g_rand_int_range(random, 0, G_N_ELEMENTS(directions))]);
        g_autofree char *tiles = g_strdup_printf(
            "{\"rows\": %d, \"cols\": %d, \"tiles\": %d, \"dtype\": \"%s\", "
            "\"routing\": \"%s\", \"iterations\": %d}",
            a, b, depth, types[i % G_N_ELEMENTS(types)],
            routings[i % G_N_ELEMENTS(routings)], b);
        g_autoptr(Estimate) step = form("stencil25", "wse3", NULL, column);
        g_autoptr(Estimate) dot = form("dot", "wormhole_n150", NULL, tiles);
        g_autoptr(Estimate) product = form("stencil7", "wormhole_n150", NULL, tiles);

        assert_sound(step, wafer);
        assert_sound(dot, cores);
        assert_sound(product, cores);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_of_one_block_is_worked_by_hand),
        cmocka_unit_test(a_step_of_three_blocks_is_worked_by_hand),
        cmocka_unit_test(small_fabrics_have_fewer_streams),
        cmocka_unit_test(conflicts_follow_the_rule),
        cmocka_unit_test(a_dot_product_is_worked_by_hand),
        cmocka_unit_test(granularity_unit_and_routing_change_a_dot_product),
        cmocka_unit_test(a_product_with_the_laplacian_is_worked_by_hand),
        cmocka_unit_test(what_goes_on_beside_counts_where_it_is_longer),
        cmocka_unit_test(sizes_are_those_of_the_grid_too),
        cmocka_unit_test(what_there_is_none_of_is_refused),
        cmocka_unit_test(any_size_has_sound_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
