/* Tests of the order inside one cycle: sorted by key, and stable. */
#include "sim/queue/cycle.h"
#include "tests/sim/support.h"

typedef SimKey (*KeyFunc)(uint64_t random, gsize index);

static SimKey key_same(uint64_t random, gsize index)
{
    (void) random;
    (void) index;
    return UINT64_C(0x8000000000000001);
}

static SimKey key_any(uint64_t random, gsize index)
{
    (void) index;
    return random;
}

static SimKey key_top_bit(uint64_t random, gsize index)
{
    (void) index;
    return random & (UINT64_C(1) << 63);
}

static SimKey key_both_ends(uint64_t random, gsize index)
{
    (void) index;
    return random & ((UINT64_C(1) << 63) | 1);
}

/* Differences that lie across the digits of both widths, the last one short. */
static SimKey key_spread_bits(uint64_t random, gsize index)
{
    (void) index;
    return random & UINT64_C(0xc001800180018181);
}

static SimKey key_high(uint64_t random, gsize index)
{
    (void) index;
    return (random << 53) | 7;
}

static SimKey key_component_and_port(uint64_t random, gsize index)
{
    (void) index;
    return sim_key((uint32_t) (random % 1000), (uint16_t) (random >> 62));
}

static SimKey key_falling(uint64_t random, gsize index)
{
    (void) random;
    return UINT64_MAX - index;
}

static SimKey key_rising_pairs(uint64_t random, gsize index)
{
    (void) random;
    return index / 2;
}

static const struct {
    const char *name;
    KeyFunc func;
} patterns[] = {
    {"same", key_same},
    {"any", key_any},
    {"top bit", key_top_bit},
    {"both ends", key_both_ends},
    {"spread bits", key_spread_bits},
    {"high", key_high},
    {"component and port", key_component_and_port},
    {"falling", key_falling},
    {"rising pairs", key_rising_pairs},
};

static const gsize sizes[] = {0,   1,   2,   23,   24,   25,   26,  63,
                              255, 256, 257, 4095, 4096, 4097, 9000};

/* Entries lie in the order of arrival, so a stable order is one of rising addresses. */
static void check_sorted(const Cycle *cycle, const Entry *entries, const char *pattern)
{
    g_autofree bool *is_seen = g_new0(bool, cycle->count + 1);

    for (gsize i = 0; i < cycle->count; i++) {
        const CycleItem *item = &cycle->items[i];

        if (item->key != item->entry->key || is_seen[item->entry - entries]) {
            fail_msg("%s, %zu entries: item %zu is not one of them", pattern,
                     cycle->count, i);
        }
        is_seen[item->entry - entries] = true;
        if (i > 0 && (item[-1].key > item->key ||
                      (item[-1].key == item->key && item[-1].entry > item->entry))) {
            fail_msg("%s, %zu entries: item %zu is out of order", pattern, cycle->count,
                     i);
        }
    }
}

static void check_pattern(gsize pattern, gsize size)
{
    uint64_t random = pattern * 1000003 + size;
    g_autofree Entry *entries = g_new0(Entry, size + 1);
    Cycle cycle = {0};

    for (gsize i = 0; i < size; i++) {
        entries[i].key = patterns[pattern].func(sim_random_next(&random), i);
    }
    /* In two parts, as from two chunks. */
    cycle_append(&cycle, entries, size / 3);
    cycle_append(&cycle, entries + size / 3, size - size / 3);
    cycle_sort(&cycle);
    assert_int_equal(cycle.count, size);
    check_sorted(&cycle, entries, patterns[pattern].name);
    cycle_clear(&cycle);
}

static void sorts_every_size_stably(void **state)
{
    (void) state;

    for (gsize pattern = 0; pattern < G_N_ELEMENTS(patterns); pattern++) {
        for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
            check_pattern(pattern, sizes[i]);
        }
    }
}

/* One bit at a time, so that no digit's position goes untested. */
static void sorts_keys_that_differ_in_one_bit(void **state)
{
    static const gsize counts[] = {24, 25, 4096};

    (void) state;

    for (gsize c = 0; c < G_N_ELEMENTS(counts); c++) {
        for (guint bit = 0; bit < 64; bit++) {
            g_autofree Entry *entries = g_new0(Entry, counts[c]);
            g_autofree char *name = g_strdup_printf("bit %u", bit);
            Cycle cycle = {0};

            for (gsize i = 0; i < counts[c]; i++) {
                entries[i].key =
                    (UINT64_C(0x5555555555555555) & ~(UINT64_C(1) << bit)) |
                    ((SimKey) (i % 3 == 0) << bit);
            }
            cycle_append(&cycle, entries, counts[c]);
            cycle_sort(&cycle);
            check_sorted(&cycle, entries, name);
            cycle_clear(&cycle);
        }
    }
}

static void may_be_filled_again(void **state)
{
    Entry first[30] = {{.key = 0}};
    Entry second[2] = {{.key = 2}, {.key = 1}};
    Cycle cycle = {0};

    (void) state;

    cycle_append(&cycle, first, G_N_ELEMENTS(first));
    cycle_sort(&cycle);
    cycle.count = 0;
    cycle_append(&cycle, second, G_N_ELEMENTS(second));
    cycle_sort(&cycle);

    assert_int_equal(cycle.count, 2);
    assert_ptr_equal(cycle.items[0].entry, &second[1]);
    assert_ptr_equal(cycle.items[1].entry, &second[0]);
    cycle_clear(&cycle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_every_size_stably),
        cmocka_unit_test(sorts_keys_that_differ_in_one_bit),
        cmocka_unit_test(may_be_filled_again),
    };

    return cmocka_run_group_tests_name("sim.cycle", tests, NULL, NULL);
}
