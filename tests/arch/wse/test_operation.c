/* Operations: what each does to numbers, one by one and in rows. */
#include <math.h>
#include <string.h>

#include "arch/wse/program/operation.h"
#include "tests/sim/support.h"

typedef struct {
    const char *name;
    uint32_t sources[3];
    uint32_t result;
} Case;

/* Halves: 3c00 1, 4000 2, 4200 3, 3800 0.5, 7bff 65504, 0001 the smallest. */
static const Case cases[] = {
    {"fmovs", {0x3f800001}, 0x3f800001},
    {"fadds", {0x3f800000, 0x40000000}, 0x40400000},
    {"fadds", {0x3f800000, 0x33800000}, 0x3f800000},
    {"fadds", {0x3f800001, 0x33800000}, 0x3f800002},
    {"fsubs", {0x3f800000, 0x40000000}, 0xbf800000},
    {"fmuls", {0x40000000, 0x40400000}, 0x40c00000},
    /* (1 + 2^-23)^2 - (1 + 2^-22): 2^-46 is left where there is one rounding. */
    {"fmacs", {0xbf800002, 0x3f800001, 0x3f800001}, 0x28800000},
    {"fmacs", {0x3f800000, 0x40000000, 0x40400000}, 0x40e00000},
    {"fmaxs", {0x3f800000, 0xc0000000}, 0x3f800000},
    {"fmaxs", {0xc0000000, 0x3f800000}, 0x3f800000},
    {"fmaxs", {0x7fc00000, 0x3f800000}, 0x3f800000},
    {"fnegs", {0x3f800000}, 0xbf800000},
    {"fabss", {0xbf800000}, 0x3f800000},
    {"fmovh", {0x3c00}, 0x3c00},
    {"faddh", {0x3c00, 0x4000}, 0x4200},
    {"faddh", {0x3c00, 0x1000}, 0x3c00},
    {"faddh", {0x3c01, 0x1000}, 0x3c02},
    {"faddh", {0x7bff, 0x7bff}, 0x7c00},
    {"fsubh", {0x3c00, 0x4000}, 0xbc00},
    {"fmulh", {0x4000, 0x4200}, 0x4600},
    {"fmulh", {0x0001, 0x3800}, 0x0000},
    {"fmulh", {0x0003, 0x3800}, 0x0002},
    {"fmach", {0x3c00, 0x4000, 0x4200}, 0x4700},
    /* (1 + 2^-10)^2 - (1 + 2^-9) = 2^-20 */
    {"fmach", {0xbc02, 0x3c01, 0x3c01}, 0x0010},
    {"fmaxh", {0x3c00, 0xc000}, 0x3c00},
    {"fmaxh", {0xc000, 0x3c00}, 0x3c00},
    {"fnegh", {0x3c00}, 0xbc00},
    {"fabsh", {0xbc00}, 0x3c00},
    {"faddhs", {0x3f800000, 0x4000}, 0x40400000},
    {"fmachs", {0x3f800000, 0x4000, 0x4200}, 0x40e00000},
    {"fh2s", {0x3800}, 0x3f000000},
    {"fs2h", {0x3f000000}, 0x3800},
    {"mov32", {0xdeadbeef}, 0xdeadbeef},
    {"mov16", {0xbeef}, 0xbeef},
    {"add16", {0xffff, 0x0002}, 0x0001},
    {"sub16", {0x0001, 0x0002}, 0xffff},
    {"and16", {0x00ff, 0x0ff0}, 0x00f0},
    {"or16", {0x00ff, 0x0ff0}, 0x0fff},
    {"xor16", {0x00ff, 0x0ff0}, 0x0f0f},
    {"sll16", {0x8001, 4}, 0x0010},
    {"sll16", {0x8001, 16}, 0x0000},
    {"slr16", {0x8001, 4}, 0x0800},
    {"slr16", {0x8001, 16}, 0x0000},
    {"sar16", {0x8001, 4}, 0xf800},
    {"sar16", {0x8001, 40}, 0xffff},
    {"sar16", {0x4001, 4}, 0x0400},
    {"clz", {0x0001}, 15},
    {"clz", {0}, 16},
    {"ctz", {0x8000}, 15},
    {"ctz", {0}, 16},
    {"popcnt", {0xf00f}, 8},
    {"fscales", {0x3fc00000, 0xfffe}, 0x3ec00000},
    {"fscales", {0x3f800001, 0xff81}, 0x00400000}, /* rounds to even */
    {"fscales", {0x3f800000, 200}, 0x7f800000},
    {"fscaleh", {0x3e00, 3}, 0x4a00},
    {"fscaleh", {0x3c00, 0xffe8}, 0x0001},
    /* What is no number is the same one, whatever the processor makes of it. */
    {"fadds", {0x7f800000, 0xff800000}, 0x7fc00000},
    {"fadds", {0xffc00001, 0x7fc00002}, 0x7fc00000},
    {"fsubs", {0x7f800000, 0x7f800000}, 0x7fc00000},
    {"fmuls", {0x7f800000, 0x00000000}, 0x7fc00000},
    {"fmacs", {0x3f800000, 0x00000000, 0xff800000}, 0x7fc00000},
    {"fmacs", {0xff800000, 0x7f800000, 0x3f800000}, 0x7fc00000},
    {"faddh", {0x7c00, 0xfc00}, 0x7e00},
    {"fsubh", {0x7c00, 0x7c00}, 0x7e00},
    {"fmulh", {0x7c00, 0x0000}, 0x7e00},
    {"fmach", {0x3c00, 0x0000, 0x7c00}, 0x7e00},
    {"faddhs", {0x7f800000, 0xfc00}, 0x7fc00000},
    {"fmachs", {0x3f800000, 0x0000, 0x7c00}, 0x7fc00000},
    {"fh2s", {0xfe01}, 0x7fc00000},
    {"fs2h", {0xffc00001}, 0x7e00},
};

static void every_operation_has_its_result(void **state G_GNUC_UNUSED)
{
    g_autofree bool *is_seen = g_new0(bool, wse_operation_count());

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const Case *row = &cases[i];
        guint index = 0;

        assert_true(wse_operation_find(row->name, &index));
        is_seen[index] = true;
        if (wse_operation_at(index)->element(row->sources) != row->result) {
            fail_msg("%s %08x", row->name, row->result);
        }
    }
    for (guint i = 0; i < wse_operation_count(); i++) {
        if (!is_seen[i]) {
            fail_msg("%s has no case", wse_operation_at(i)->name);
        }
    }
}

static void rows_have_the_bits_of_their_elements(void **state G_GNUC_UNUSED)
{
    static const float odd[] = {0, INFINITY, -INFINITY, NAN, -NAN};
    uint64_t random = 1;

    for (guint i = 0; i < wse_operation_count(); i++) {
        const WseOperation *operation = wse_operation_at(i);
        float numbers[3][37];
        uint32_t results[37];
        const uint8_t *sources[3] = {(const uint8_t *) numbers[0],
                                     (const uint8_t *) numbers[1],
                                     (const uint8_t *) numbers[2]};

        if (operation->row == NULL) {
            continue;
        }
        for (guint j = 0; j < 3 * 37; j++) {
            numbers[j / 37][j % 37] =
                (float) ((double) random_below(&random, 2000001) / 1000.0 - 1000.0);
        }
        for (guint j = 0; j < 3 * 37; j += 1 + random_below(&random, 4)) {
            numbers[j / 37][j % 37] = odd[random_below(&random, G_N_ELEMENTS(odd))];
        }
        operation->row((uint8_t *) results, sources, 37);
        for (guint j = 0; j < 37; j++) {
            uint32_t bits[3];

            for (guint k = 0; k < 3; k++) {
                memcpy(&bits[k], &numbers[k][j], 4);
            }
            if (results[j] != operation->element(bits)) {
                fail_msg("%s, element %u", operation->name, j);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_has_its_result),
        cmocka_unit_test(rows_have_the_bits_of_their_elements),
    };

    return cmocka_run_group_tests_name("arch.wse_operation", tests, NULL, NULL);
}
