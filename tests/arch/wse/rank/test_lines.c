/* PEs in step on random wafers: what anybody sees at any time, and how it ends. */
#include "arch/wse/fabric.h"
#include "arch/wse/rank/ranks.h"
#include "arch/wse/region.h"
#include "tests/arch/wse/rank/lines.h"
#include "tests/arch/wse/state_hash.h"

enum {
#ifdef GRIDLOOM_SANITIZE
    SEEDS = 12,
#else
    SEEDS = 120,
#endif
    LOOKS = 60,
    MOST_CYCLES = 20, /* from one to the next */
    SHORT = 60,       /* wavelets of a stream */
    LONG = 700,
};

/* A run, and what was seen at some of its cycles. */
typedef struct {
    uint64_t hashes[LOOKS];
    uint64_t hash; /* at the end */
    uint64_t links;
    SimTime end;
    char *error; /* or NULL */
    guint in_step;
} Sight;

static void assert_sound(const WseFabric *fabric, uint64_t seed)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

    wse_check(fabric, lines);
    if (lines->len > 0) {
        fail_msg("seed %u: %s", (guint) seed, (const char *) lines->pdata[0]);
    }
}

/* Every third run is looked at, and every fourth begins again when it is over. */
static Sight sight_of(uint64_t seed, guint most, WseFitWanted ranks)
{
    g_autoptr(GError) error = NULL;
    const guint looks = seed % 3 == 0 ? LOOKS : 0;
    const SimTime step = 1 + seed % MOST_CYCLES;
    WseLines self;
    Sight sight = {.error = NULL};
    bool is_well = true;

    wse_lines_open(&self, seed, most, ranks);
    assert_true(wse_run_load(&self.run, &error));

    const WseFabric *fabric = wse_fabric_of(self.run.wse);

    for (guint turn = 0; is_well && turn < (seed % 4 == 0 ? 2 : 1); turn++) {
        arch_wse_start(self.run.wse);
        const SimTime start = sim_engine_now(self.run.engine);

        for (guint i = 0; is_well && i < looks; i++) {
            is_well = sim_engine_run_until(self.run.engine, start + (i + 1) * step,
                                           SIM_TIME_NEVER, &error);
            sight.in_step += wse_ranks_in_step(fabric->regions[0].ranks);
            sight.hashes[i] = state_hash(self.run.wse);
            assert_sound(fabric, seed);
        }
        is_well = is_well && sim_engine_run(self.run.engine, SIM_TIME_NEVER, &error);
    }
    sight.end = sim_engine_now(self.run.engine);
    sight.hash = state_hash(self.run.wse);
    sight.links = arch_wse_profile(self.run.wse).link_wavelets;
    sight.error = error == NULL ? NULL : g_strdup(error->message);
    wse_lines_close(&self);
    return sight;
}

static void assert_same(uint64_t seed, const Sight *one, const Sight *other)
{
    for (guint i = 0; i < LOOKS; i++) {
        if (one->hashes[i] != other->hashes[i]) {
            fail_msg("seed %u: not the same at look %u", (guint) seed, i);
        }
    }
    if (one->hash != other->hash || one->end != other->end ||
        one->links != other->links || g_strcmp0(one->error, other->error) != 0) {
        fail_msg("seed %u: ends at %u with %s, or at %u with %s", (guint) seed,
                 (guint) one->end, one->error, (guint) other->end, other->error);
    }
}

/* Returns how many of the runs fail. */
static guint
assert_all_same(uint64_t first, guint count, guint most, WseFitWanted ranks)
{
    guint failed = 0;
    guint in_step = 0;

    for (uint64_t seed = first; seed < first + count; seed++) {
        const Sight without = sight_of(seed, most, WSE_FIT_NOWHERE);
        const Sight with = sight_of(seed, most, ranks);

        assert_same(seed, &without, &with);
        assert_int_equal(without.in_step, 0);
        in_step += with.in_step;
        failed += without.error != NULL ? 1 : 0;
        g_free(without.error);
        g_free(with.error);
    }
    assert_true(in_step > count * LOOKS);
    return failed;
}

static void wherever_they_can(void **state)
{
    (void) state;
    assert_in_range(assert_all_same(1, SEEDS, SHORT, WSE_FIT_WHEREVER_IT_CAN), 1,
                    SEEDS - 1);
    (void) assert_all_same(SEEDS, SEEDS / 2, LONG, WSE_FIT_WHEREVER_IT_CAN);
}

static void where_it_pays(void **state)
{
    (void) state;
    (void) assert_all_same(1, SEEDS / 2, LONG, WSE_FIT_WHERE_IT_PAYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wherever_they_can),
        cmocka_unit_test(where_it_pays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
