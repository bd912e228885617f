/* Multicasts: who receives, and by which links. */
#include <string.h>

#include "sim/error.h"
#include "sim/random.h"
#include "tests/arch/noc/multicast.h"

enum {
    LOCAL = 2,   /* a router's port to its own tile */
    FLITS = 257, /* more than there can be acknowledgements */
    BYTES = 8192,
};

/* Steps from `from` to `to` in the direction of a network. */
static guint steps(guint noc, guint from, guint to, guint length)
{
    return noc == 0 ? (to + length - from) % length : (from + length - to) % length;
}

static bool is_receiver(const Chip *chip, const ArchNocCommand *command, ArchTile tile)
{
    const guint noc = command->noc;
    const bool is_sender = tile.x == command->from.x && tile.y == command->from.y;

    return steps(noc, command->to.x, tile.x, 10) <=
               steps(noc, command->to.x, command->corner.x, 10) &&
           steps(noc, command->to.y, tile.y, 12) <=
               steps(noc, command->to.y, command->corner.y, 12) &&
           arch_wormhole_noc_tile(chip->noc, tile) == ARCH_TILE_TENSIX &&
           (!is_sender || command->is_loopback);
}

static void fail_at(const ArchNocCommand *command, ArchTile tile, const char *what)
{
    fail_msg("noc %u, %u,%u to %u,%u..%u,%u, loopback %d: %u,%u %s", command->noc,
             command->from.x, command->from.y, command->to.x, command->to.y,
             command->corner.x, command->corner.y, command->is_loopback, tile.x, tile.y,
             what);
}

/* Every receiver gets every flit once, nobody else does, no link carries it twice, and
 * as many acknowledgements come as there are receivers. */
static void assert_tree(const ArchNocCommand *command)
{
    guint receivers = 0;
    guint links = 0;
    uint64_t own = 0;
    Chip chip;
    chip_open(&chip, true, true);
    chip_issue(&chip, 0, *command);

    chip_run(&chip);

    for (guint i = 0; i < 120; i++) {
        const ArchTile tile = {i % 10, i / 10};
        const bool is_sender = tile.x == command->from.x && tile.y == command->from.y;
        const guint copies = is_receiver(&chip, command, tile) ? 1 : 0;
        const uint64_t taken = chip_flits(&chip, command->noc, tile, LOCAL);
        const uint64_t x = chip_flits(&chip, command->noc, tile, NOC_X);
        const uint64_t y = chip_flits(&chip, command->noc, tile, NOC_Y);

        receivers += copies;
        links += (x >= FLITS ? 1U : 0U) + (y >= FLITS ? 1U : 0U);
        own = is_sender ? taken - copies * FLITS : own;
        if (!is_sender && taken != copies * FLITS) {
            fail_at(command, tile, "has not received as it should");
        }
        if (x >= 2 * FLITS || y >= 2 * FLITS) {
            fail_at(command, tile, "has sent it twice over a link");
        }
    }
    assert_int_equal(own, receivers);
    assert_true(links >= receivers - (command->is_loopback ? 1 : 0));
    chip_close(&chip);
}

static void every_tile_of_the_rectangle_receives_once(void **state G_GNUC_UNUSED)
{
    const ArchNocCommand rows[] = {
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 1}, (ArchTile){2, 2}, false),
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 1}, (ArchTile){2, 2}, true),
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 1}, (ArchTile){1, 1}, true),
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 1}, (ArchTile){9, 1}, true),
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 2}, (ArchTile){9, 2}, false),
        multicast(0, (ArchTile){1, 1}, (ArchTile){3, 3}, (ArchTile){7, 8}, false),
        multicast(1, (ArchTile){9, 9}, (ArchTile){9, 9}, (ArchTile){6, 7}, false),
        multicast(1, (ArchTile){1, 1}, (ArchTile){9, 11}, (ArchTile){6, 7}, true),
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_tree(&rows[i]);
    }
}

static void the_rectangle_may_lie_around_the_sender(void **state G_GNUC_UNUSED)
{
    const ArchNocCommand rows[] = {
        multicast(0, (ArchTile){4, 4}, (ArchTile){2, 2}, (ArchTile){7, 7}, false),
        multicast(0, (ArchTile){4, 4}, (ArchTile){2, 2}, (ArchTile){7, 7}, true),
        multicast(0, (ArchTile){4, 4}, (ArchTile){2, 4}, (ArchTile){7, 4}, false),
        multicast(0, (ArchTile){4, 4}, (ArchTile){4, 2}, (ArchTile){4, 7}, false),
        multicast(0, (ArchTile){4, 4}, (ArchTile){1, 1}, (ArchTile){9, 11}, true),
        multicast(1, (ArchTile){4, 4}, (ArchTile){7, 7}, (ArchTile){2, 2}, false),
        multicast(1, (ArchTile){9, 9}, (ArchTile){9, 11}, (ArchTile){1, 1}, true),
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_tree(&rows[i]);
    }
}

static ArchTile random_tensix(uint64_t *random)
{
    static const guint columns[] = {1, 2, 3, 4, 6, 7, 8, 9};
    static const guint rows[] = {1, 2, 3, 4, 5, 7, 8, 9};

    return (ArchTile){columns[sim_random_below(random, 8)],
                      rows[sim_random_below(random, 8)]};
}

static void any_rectangle_from_anywhere_is_a_tree(void **state G_GNUC_UNUSED)
{
    uint64_t random = 3;

    for (guint i = 0; i < 60; i++) {
        ArchTile from = random_tensix(&random);
        ArchTile to = random_tensix(&random);
        ArchTile corner = random_tensix(&random);
        ArchNocCommand command = multicast(i % 2, from, to, corner, i % 3 == 0);
        const bool is_alone = to.x == from.x && to.y == from.y && corner.x == from.x &&
                              corner.y == from.y;

        command.is_loopback |= is_alone;
        assert_tree(&command);
    }
}

static void columns_without_tensix_tiles_are_skipped(void **state G_GNUC_UNUSED)
{
    ArchNocCommand command =
        multicast(0, (ArchTile){3, 1}, (ArchTile){3, 1}, (ArchTile){7, 3}, true);
    Chip chip;
    chip_open(&chip, true, true);
    chip_issue(&chip, 0, command);

    chip_run(&chip);

    assert_true(chip_flits(&chip, 0, (ArchTile){4, 1}, NOC_Y) >= FLITS);
    assert_true(chip_flits(&chip, 0, (ArchTile){5, 1}, NOC_Y) < FLITS);
    assert_true(chip_flits(&chip, 0, (ArchTile){5, 1}, NOC_X) >= FLITS);
    assert_true(chip_flits(&chip, 0, (ArchTile){7, 1}, NOC_X) < FLITS);
    assert_int_equal(chip_flits(&chip, 0, (ArchTile){5, 1}, LOCAL), 0);
    chip_close(&chip);
}

/* What every tile should have received: flits by network and tile. */
typedef struct {
    uint64_t flits[2][120];
} Ledger;

static void
note_multicast(Ledger *self, const Chip *chip, const ArchNocCommand *command)
{
    for (guint i = 0; i < 120; i++) {
        if (is_receiver(chip, command, (ArchTile){i % 10, i / 10})) {
            self->flits[command->noc][i] += 1 + (command->bytes + 31) / 32;
            self->flits[command->noc][command->from.x + 10 * command->from.y]++;
        }
    }
}

/* One sender's multicasts to one rectangle, all but the last of them linked or none. */
static void issue_run(Chip *chip, Ledger *ledger, uint64_t *random)
{
    const ArchTile from = random_tensix(random);
    const ArchTile to = random_tensix(random);
    const ArchTile corner = random_tensix(random);
    const bool is_linked = sim_random_below(random, 2) == 0;
    const guint count = 1 + (guint) sim_random_below(random, 4);
    const SimTime start = sim_random_below(random, 1500);
    /* Drawn one after another: the order among arguments is the compiler's. */
    const guint noc = (guint) sim_random_below(random, 2);
    const bool is_loopback = sim_random_below(random, 2) == 0;
    ArchNocCommand command = multicast(noc, from, to, corner, is_loopback);

    /* Somebody receives it. */
    command.is_loopback |= to.x == corner.x && to.y == corner.y;
    for (guint i = 0; i < count; i++) {
        command.bytes = 1 + sim_random_below(random, i % 2 == 0 ? BYTES : 256);
        command.is_linked = is_linked && i + 1 < count;
        note_multicast(ledger, chip, &command);
        (void) chip_issue(chip, start, command);
    }
}

static void any_set_of_multicasts_arrives(void **state G_GNUC_UNUSED)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t random = seed;
        Ledger ledger = {0};
        Chip chip;
        chip_open(&chip, true, true);
        for (guint i = 0; i < 2 + seed; i++) {
            issue_run(&chip, &ledger, &random);
        }

        chip_run(&chip);

        for (guint i = 0; i < 240; i++) {
            const ArchTile tile = {i % 10, i / 10 % 12};
            const uint64_t taken = chip_flits(&chip, i / 120, tile, LOCAL);

            if (taken != ledger.flits[i / 120][i % 120]) {
                fail_msg("seed %" G_GUINT64_FORMAT
                         ": noc %u %u,%u received %" G_GUINT64_FORMAT
                         " flits, not %" G_GUINT64_FORMAT,
                         seed, i / 120, tile.x, tile.y, taken,
                         ledger.flits[i / 120][i % 120]);
            }
        }
        assert_int_equal(g_hash_table_size(chip.noc->transactions), 0);
        chip_close(&chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tile_of_the_rectangle_receives_once),
        cmocka_unit_test(the_rectangle_may_lie_around_the_sender),
        cmocka_unit_test(any_rectangle_from_anywhere_is_a_tree),
        cmocka_unit_test(columns_without_tensix_tiles_are_skipped),
        cmocka_unit_test(any_set_of_multicasts_arrives),
    };

    return cmocka_run_group_tests_name("arch.noc_multicast", tests, NULL, NULL);
}
