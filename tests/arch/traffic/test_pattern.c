/* Tests of who sends to whom. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/error.h"
#include "arch/traffic/pattern.h"

enum {
    DRAWS = 64000,
};

typedef struct {
    ArchNocPatternKind kind;
    guint width;
    guint height;
    uint32_t source;
    uint32_t target;
} Row;

static void targets_are_those_worked_out_by_hand(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {ARCH_NOC_TRANSPOSE, 4, 4, 0, 0},    {ARCH_NOC_TRANSPOSE, 4, 4, 1, 4},
        {ARCH_NOC_TRANSPOSE, 4, 4, 7, 13},   {ARCH_NOC_TRANSPOSE, 1, 1, 0, 0},
        {ARCH_NOC_TORNADO, 8, 8, 0, 27},     /* 3 in x and 3 in y */
        {ARCH_NOC_TORNADO, 8, 8, 63, 18},    /* (7, 7) to (2, 2) */
        {ARCH_NOC_TORNADO, 5, 3, 0, 7},      /* 2 in x and 1 in y */
        {ARCH_NOC_TORNADO, 10, 12, 119, 43}, /* (9, 11) to (3, 4) */
        {ARCH_NOC_TORNADO, 1, 8, 6, 1},      {ARCH_NOC_TORNADO, 2, 2, 3, 3},
        {ARCH_NOC_NEIGHBOR, 8, 8, 0, 9},     {ARCH_NOC_NEIGHBOR, 8, 8, 7, 8},
        {ARCH_NOC_NEIGHBOR, 8, 8, 63, 0},    {ARCH_NOC_NEIGHBOR, 3, 2, 5, 0},
        {ARCH_NOC_NEIGHBOR, 1, 4, 3, 0},     {ARCH_NOC_BITCOMP, 8, 8, 0, 63},
        {ARCH_NOC_BITCOMP, 8, 8, 10, 53},    {ARCH_NOC_BITCOMP, 3, 2, 1, 4},
        {ARCH_NOC_SHUFFLE, 4, 4, 5, 10},     {ARCH_NOC_SHUFFLE, 4, 4, 8, 1},
        {ARCH_NOC_SHUFFLE, 4, 4, 15, 15},    {ARCH_NOC_SHUFFLE, 8, 4, 19, 7},
        {ARCH_NOC_SHUFFLE, 1, 1, 0, 0},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const ArchNocPattern pattern = {
            .kind = rows[i].kind, .width = rows[i].width, .height = rows[i].height};
        uint64_t random = 1;
        const uint32_t target =
            arch_noc_pattern_target(&pattern, rows[i].source, &random);

        if (target != rows[i].target) {
            fail_msg("%s on %ux%u: %u sends to %u, not %u",
                     arch_noc_pattern_names()[rows[i].kind], rows[i].width,
                     rows[i].height, rows[i].source, target, rows[i].target);
        }
        assert_int_equal(random, 1);
    }
}

/* How often each node of 64 is a target of node 5. */
static void count_targets(const ArchNocPattern *pattern, guint counts[64])
{
    uint64_t random = 7;

    for (guint i = 0; i < DRAWS; i++) {
        const uint32_t target = arch_noc_pattern_target(pattern, 5, &random);

        assert_in_range(target, 0, 63);
        counts[target]++;
    }
}

static void uniform_reaches_every_node_equally_often(void **state G_GNUC_UNUSED)
{
    const ArchNocPattern pattern = {.kind = ARCH_NOC_UNIFORM, .width = 8, .height = 8};
    guint counts[64] = {0};
    double chi_square = 0;

    count_targets(&pattern, counts);

    for (guint i = 0; i < 64; i++) {
        chi_square += pow(counts[i] - DRAWS / 64.0, 2) / (DRAWS / 64.0);
    }
    /* 63 degrees of freedom: mean 63, one in a thousand is above 103. */
    assert_true(chi_square > 30 && chi_square < 103);
    assert_in_range(counts[5], 900, 1100); /* itself included */
}

static void
a_hotspot_gets_its_fraction_and_its_share_of_the_rest(void **state G_GNUC_UNUSED)
{
    const ArchNocPattern pattern = {.kind = ARCH_NOC_HOTSPOT,
                                    .width = 8,
                                    .height = 8,
                                    .hotspot = 11,
                                    .hotspot_fraction = 0.25};
    guint counts[64] = {0};

    count_targets(&pattern, counts);

    assert_in_range(counts[11], 16400, 17100); /* (0.25 + 0.75 / 64) of all */
    assert_in_range(counts[12], 630, 870);
}

static void a_hotspot_of_all_or_nothing_is_exact(void **state G_GNUC_UNUSED)
{
    ArchNocPattern pattern = {.kind = ARCH_NOC_HOTSPOT,
                              .width = 8,
                              .height = 8,
                              .hotspot = 11,
                              .hotspot_fraction = 1};
    guint counts[64] = {0};

    count_targets(&pattern, counts);
    assert_int_equal(counts[11], DRAWS);

    pattern.hotspot_fraction = 0;
    counts[11] = 0;
    count_targets(&pattern, counts);
    assert_in_range(counts[11], 900, 1100);
}

static void patterns_that_do_not_exist_are_refused(void **state G_GNUC_UNUSED)
{
    static const struct {
        ArchNocPattern pattern;
        const char *message;
    } rows[] = {
        {{.kind = ARCH_NOC_TRANSPOSE, .width = 8, .height = 4},
         "transpose: size = 8x4, allowed is a square"},
        {{.kind = ARCH_NOC_SHUFFLE, .width = 10, .height = 12},
         "shuffle: size = 10x12 of 120 nodes, allowed is a power of two"},
        {{.kind = ARCH_NOC_HOTSPOT, .width = 2, .height = 2, .hotspot = 4},
         "hotspot: node = 4, allowed is 0..3"},
        {{.kind = ARCH_NOC_HOTSPOT, .width = 2, .height = 2, .hotspot_fraction = -0.5},
         "hotspot: fraction = -0.5, allowed is 0..1"},
        {{.kind = ARCH_NOC_HOTSPOT, .width = 2, .height = 2, .hotspot_fraction = NAN},
         "hotspot: fraction = nan, allowed is 0..1"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;

        assert_false(arch_noc_pattern_check(&rows[i].pattern, &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
        assert_string_equal(error->message, rows[i].message);
    }
}

static void patterns_that_exist_are_not_refused(void **state G_GNUC_UNUSED)
{
    static const ArchNocPattern patterns[] = {
        {.kind = ARCH_NOC_UNIFORM, .width = 3, .height = 7},
        {.kind = ARCH_NOC_TRANSPOSE, .width = 5, .height = 5},
        {.kind = ARCH_NOC_TORNADO, .width = 10, .height = 12},
        {.kind = ARCH_NOC_NEIGHBOR, .width = 1, .height = 1},
        {.kind = ARCH_NOC_BITCOMP, .width = 3, .height = 5},
        {.kind = ARCH_NOC_SHUFFLE, .width = 2, .height = 16},
        {.kind = ARCH_NOC_HOTSPOT,
         .width = 2,
         .height = 2,
         .hotspot = 3,
         .hotspot_fraction = 1},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(patterns); i++) {
        assert_true(arch_noc_pattern_check(&patterns[i], NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_are_those_worked_out_by_hand),
        cmocka_unit_test(uniform_reaches_every_node_equally_often),
        cmocka_unit_test(a_hotspot_gets_its_fraction_and_its_share_of_the_rest),
        cmocka_unit_test(a_hotspot_of_all_or_nothing_is_exact),
        cmocka_unit_test(patterns_that_do_not_exist_are_refused),
        cmocka_unit_test(patterns_that_exist_are_not_refused),
    };

    return cmocka_run_group_tests_name("arch.noc_pattern", tests, NULL, NULL);
}
