/* What is seen of random programs adds up to what the run came to, and is the same for
 * any regions and threads. */
#include "tests/arch/wse/case.h"
#include "tests/arch/wse/sight.h"

enum {
#ifdef GRIDLOOM_SANITIZE /* each goes all ways, and none is about how many */
    SEEDS = 3,
#else
    SEEDS = 12,
#endif
};

static void assert_sums(const WseSight *sight, const WseCase *self, guint32 seed)
{
    static const char *const links[] = {"west", "east", "north", "south"};
    const ArchWse *wse = self->run.wse;
    uint64_t wavelets = 0;

    for (guint i = 0; i < self->columns * self->rows; i++) {
        const guint x = i % self->columns;
        const guint y = i / self->columns;
        const ArchWsePeProfile pe = arch_wse_pe_profile(wse, x, y);

        if (wse_sight_cycles(sight, x, y, "ce", SIM_PROBE_SLICE) != pe.busy ||
            wse_sight_cycles(sight, x, y, "ce", SIM_PROBE_STALL) != pe.memory_idle) {
            fail_msg("seed %u: pe[%u,%u] was busy for %" G_GUINT64_FORMAT
                     " cycles and waited for memory for %" G_GUINT64_FORMAT,
                     seed, x, y, pe.busy, pe.memory_idle);
        }
        for (guint j = 0; j < G_N_ELEMENTS(links); j++) {
            wavelets += wse_sight_cycles(sight, x, y, links[j], SIM_PROBE_SLICE);
        }
    }
    assert_int_equal(wavelets, arch_wse_profile(wse).link_wavelets);
}

/* All that was seen, after the sums were found to be right. */
static char *sight_of(guint32 seed, const WseWay *way, const WseSpice *spice)
{
    WseCase self;
    WseSight sight;

    wse_case_open(&self, seed, way, spice);
    wse_sight_open(&sight, &self.run);
    wse_run(&self.run);
    assert_sums(&sight, &self, seed);
    assert_true(wse_sight_check(&sight) > 0);

    char *text = g_strdup(sight.text->str);

    wse_sight_close(&sight);
    wse_case_close(&self);
    return text;
}

static void sums_are_those_of_the_run(void **state)
{
    (void) state;
    static const char *const alternating[] = {"pe.main_thread=alternate", NULL};
    static const char *const split[] = {"router.multicast=independent",
                                        "pe.microthread_arbitration=round_robin", NULL};
    static const WseSpice spices[] = {{true, NULL}, {true, alternating}, {true, split}};

    for (guint32 seed = 1; seed <= SEEDS; seed++) {
        for (guint grain = 0; grain < 2; grain++) {
            const WseWay way = {1, 1, false, (ArchWseGrain) grain, 0};

            for (gsize i = 0; i < G_N_ELEMENTS(spices); i++) {
                g_free(sight_of(seed, &way, &spices[i]));
            }
        }
    }
}

static void bands_and_threads_see_the_same(void **state)
{
    (void) state;
    static const WseSpice spice = {true, NULL};
    static const WseWay ways[] = {
        {1, 4, false, 0, 0}, {2, 2, false, 0, 0}, {4, 3, false, 0, 0}};

    for (guint32 seed = 1; seed <= SEEDS; seed++) {
        for (guint grain = 0; grain < 2; grain++) {
            const WseWay plain = {1, 1, false, (ArchWseGrain) grain, 0};
            g_autofree char *expected = sight_of(seed, &plain, &spice);

            for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
                WseWay way = ways[i];

                way.grain = (ArchWseGrain) grain;

                g_autofree char *seen = sight_of(seed, &way, &spice);

                assert_true(g_str_equal(seen, expected));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_the_run),
        cmocka_unit_test(bands_and_threads_see_the_same),
    };

    return cmocka_run_group_tests_name("arch.wse_watch_sums", tests, NULL, NULL);
}
