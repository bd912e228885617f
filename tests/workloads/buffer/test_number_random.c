/* Random numbers of buffers are those of the generator, one after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workloads/buffer/number_random.h"

enum {
    MOST = 3000,
};

/* The same, one by one. */
static void
put_slowly(NumberFormat format, guint8 *to, uint64_t count, const NumberRange *range)
{
    uint64_t state = range->seed;

    for (uint64_t i = 0; i < count; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);

        const double share = (double) (state >> 11) * 0x1p-53;
        const double width = range->high - range->low;
        const double value =
            range->step > 0
                ? range->low + range->step * floor(share * (width / range->step + 1))
                : range->low + share * width;

        number_format_put(format, to, i, value);
    }
}

static void lanes_give_what_one_gives(void **state G_GNUC_UNUSED)
{
    static const NumberFormat formats[] = {NUMBER_FP32, NUMBER_BF16, NUMBER_FP16,
                                           NUMBER_INT32, NUMBER_UINT16};
    static const NumberRange ranges[] = {
        {1, -1, 1, 0}, {UINT64_MAX, 0, 1e30, 0}, {7, -3, 12, 0.75}, {0, 2, 2, 0}};
    static const uint64_t counts[] = {0, 1, 7, 8, 9, 511, 512, 513, MOST};

    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        for (guint j = 0; j < G_N_ELEMENTS(ranges); j++) {
            for (guint k = 0; k < G_N_ELEMENTS(counts); k++) {
                guint8 expected[4 * MOST + 1] = {0};
                guint8 made[4 * MOST + 1] = {0};

                put_slowly(formats[i], expected, counts[k], &ranges[j]);
                number_random_put(formats[i], made, counts[k], &ranges[j]);
                assert_memory_equal(made, expected, sizeof made);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_give_what_one_gives),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
