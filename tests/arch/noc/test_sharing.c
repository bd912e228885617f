/* Sharing of a link: k equal transfers take their bytes by the link's rate together,
 * whenever they start; on channels of their own they also end together.
 *
 * Channels of a link take turns flit by flit. Within a channel a packet waits for the
 * whole of another, and routers take turns between their inputs, not between senders:
 * as the hardware does, which is why single ends lie apart there. */
#include "sim/random.h"
#include "tests/arch/noc/chip.h"

enum {
    BYTES = 8192,        /* of a packet */
    PACKETS = 20,        /* of a transfer */
    GAP = 5,             /* cycles */
    MOST = 8,            /* transfers */
#ifdef GRIDLOOM_SANITIZE /* random sets of tiles for each count */
    ROUNDS = 1,
#else
    ROUNDS = 4,
#endif
};

/* Cycles of a packet in and out of an L1: a header and 256 flits of data. */
#define PACKET (1 + 256 * 1.0225)

/* And of one after another by a sender that is alone: wormhole.md section 2.4. */
#define PACKET_ALONE 263.5

/* Whom a set of transfers has in common, and who they are. */
typedef struct {
    ArchNocOp op;
    ArchTile hub;
    ArchTile ends[MOST];
    guint vcs[MOST];
    SimTime starts[MOST];
    guint count;
} Set;

/* Fills `ends` with when the last packet of each transfer has come; returns the last.
 */
static SimTime run_set(const Set *set, SimTime *ends)
{
    Job *jobs[MOST][PACKETS];
    SimTime last = 0;
    Chip chip;
    chip_open(&chip, true, false);
    for (guint i = 0; i < set->count; i++) {
        for (guint packet = 0; packet < PACKETS; packet++) {
            jobs[i][packet] = chip_issue(&chip, set->starts[i],
                                         (ArchNocCommand){.op = set->op,
                                                          .vc = set->vcs[i],
                                                          .from = set->ends[i],
                                                          .to = set->hub,
                                                          .bytes = BYTES});
        }
    }

    chip_run(&chip);

    for (guint i = 0; i < set->count; i++) {
        ends[i] = 0;
        for (guint packet = 0; packet < PACKETS; packet++) {
            ends[i] = MAX(ends[i], jobs[i][packet]->end);
        }
        last = MAX(last, ends[i]);
    }
    chip_close(&chip);
    return last;
}

static ArchTile random_tensix(uint64_t *random)
{
    static const guint columns[] = {1, 2, 3, 4, 6, 7, 8, 9};
    static const guint rows[] = {1, 2, 3, 4, 5, 7, 8, 9};

    return (ArchTile){columns[sim_random_below(random, 8)],
                      rows[sim_random_below(random, 8)]};
}

/* Tiles that differ from each other and from the hub. */
static Set random_set(ArchNocOp op, guint count, uint64_t *random)
{
    Set set = {.op = op, .count = count};
    set.hub = random_tensix(random);

    for (guint i = 0; i < count; i++) {
        bool is_new;

        do {
            set.ends[i] = random_tensix(random);
            is_new = set.ends[i].x != set.hub.x || set.ends[i].y != set.hub.y;
            for (guint j = 0; j < i; j++) {
                is_new &=
                    set.ends[i].x != set.ends[j].x || set.ends[i].y != set.ends[j].y;
            }
        } while (!is_new);
        set.vcs[i] = op == ARCH_NOC_READ ? 1 : 0;
    }
    return set;
}

/* There and back takes one or two rings of hops, whoever it is. */
static SimTime longest_latency(void)
{
    return ENDS_CYCLES + 22 * HOP_CYCLES + RESPONSE_CYCLES;
}

static void assert_together(const Set *set, SimTime total)
{
    /* Between two responses of a channel there is a gap. */
    const double gaps = set->op == ARCH_NOC_READ ? GAP * set->count * PACKETS : 0;
    const double bytes_over_rate = set->count * PACKETS * PACKET;

    if ((double) total < bytes_over_rate ||
        (double) total > bytes_over_rate + gaps + PACKET + (double) longest_latency()) {
        fail_msg("%s of %u at %u,%u: %" G_GUINT64_FORMAT " cycles, bytes / rate %.0f",
                 set->op == ARCH_NOC_READ ? "reads" : "writes", set->count, set->hub.x,
                 set->hub.y, total, bytes_over_rate);
    }
}

static void equal_transfers_take_their_bytes_by_the_rate(void **state G_GNUC_UNUSED)
{
    static const ArchNocOp ops[] = {ARCH_NOC_READ, ARCH_NOC_WRITE};
    uint64_t random = 11;

    for (guint i = 0; i < (MOST - 1) * ROUNDS * G_N_ELEMENTS(ops); i++) {
        const Set set =
            random_set(ops[i % G_N_ELEMENTS(ops)], 2 + i % (MOST - 1), &random);
        SimTime ends[MOST] = {0};

        assert_together(&set, run_set(&set, ends));
    }
}

/* Each starts before those before it can have ended: the link never rests, but for what
 * a sender that is alone leaves of it. */
static void a_stagger_adds_no_more_than_a_packet(void **state G_GNUC_UNUSED)
{
    static const ArchNocOp ops[] = {ARCH_NOC_READ, ARCH_NOC_WRITE};
    uint64_t random = 12;

    for (guint i = 0; i < (MOST - 1) * ROUNDS * G_N_ELEMENTS(ops); i++) {
        Set set = random_set(ops[i % G_N_ELEMENTS(ops)], 2 + i % (MOST - 1), &random);
        SimTime ends[MOST] = {0};
        const SimTime together = run_set(&set, ends);

        for (guint j = 1; j < set.count; j++) {
            set.starts[j] = set.starts[j - 1] +
                            sim_random_below(&random, (guint) (PACKETS * PACKET));
        }
        const SimTime staggered = run_set(&set, ends);

        const double alone = set.count * PACKETS * (PACKET_ALONE - PACKET);

        if ((double) staggered > (double) together + PACKET + alone) {
            fail_msg("%s of %u at %u,%u: %" G_GUINT64_FORMAT " cycles staggered, "
                     "%" G_GUINT64_FORMAT " together",
                     set.op == ARCH_NOC_READ ? "reads" : "writes", set.count, set.hub.x,
                     set.hub.y, staggered, together);
        }
    }
}

/* Writers of a row or a column, one behind the other, each by its own channel: every
 * one of them ends within a packet of bytes / rate. */
static void transfers_on_their_own_channels_end_together(void **state G_GNUC_UNUSED)
{
    for (guint count = 2; count <= 4; count++) {
        for (guint is_row = 0; is_row < 2; is_row++) {
            Set set = {.op = ARCH_NOC_WRITE, .count = count};
            SimTime ends[MOST] = {0};

            set.hub = is_row != 0 ? (ArchTile){9, 1} : (ArchTile){1, 9};
            for (guint i = 0; i < count; i++) {
                set.vcs[i] = i;
                set.ends[i] = is_row != 0 ? (ArchTile){1 + i, 1} : (ArchTile){1, 1 + i};
            }
            const SimTime total = run_set(&set, ends);

            assert_together(&set, total);
            for (guint i = 0; i < count; i++) {
                if ((double) ends[i] + PACKET < (double) total) {
                    fail_msg("%u writers: number %u ends at %" G_GUINT64_FORMAT
                             " of %" G_GUINT64_FORMAT,
                             count, i, ends[i], total);
                }
            }
        }
    }
}

/* On one channel, from different inputs of a router: in turn, a packet each, so that
 * the ends lie a packet apart. */
static void transfers_on_one_channel_end_a_packet_apart(void **state G_GNUC_UNUSED)
{
    Set set = {.op = ARCH_NOC_WRITE,
               .hub = {3, 4},
               .ends = {{3, 3}, {2, 3}, {3, 2}},
               .count = 3};
    SimTime ends[MOST] = {0};
    bool is_seen[3] = {false};

    const SimTime total = run_set(&set, ends);

    for (guint i = 0; i < set.count; i++) {
        /* From another column the ring is longer by ten hops. */
        const guint hops = set.ends[i].x == set.hub.x ? 0 : 10;
        const double before = ((double) total - (double) ends[i]) / PACKET +
                              (double) (hops * HOP_CYCLES) / PACKET;
        const guint place = (guint) (before + 0.5);

        assert_true(place < 3 && !is_seen[place]);
        is_seen[place] = true;
        assert_true(before - place < 0.25 && place - before < 0.25);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_transfers_take_their_bytes_by_the_rate),
        cmocka_unit_test(a_stagger_adds_no_more_than_a_packet),
        cmocka_unit_test(transfers_on_their_own_channels_end_together),
        cmocka_unit_test(transfers_on_one_channel_end_a_packet_apart),
    };

    return cmocka_run_group_tests_name("arch.noc_sharing", tests, NULL, NULL);
}
