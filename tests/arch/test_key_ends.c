/* Every key of every chip file at both ends of its range, and a step beyond each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/chip.h"
#include "arch/error.h"
#include "tests/arch/shipped.h"

typedef struct {
    const char *chip;
    ArchParams *params; /* of the chip, as shipped */
    const ArchKey *key;
} Row;

/* "SECTION.KEY=VALUE"; a list has as many items as in the file. The caller frees it. */
static char *assignment_of(const Row *row, double value)
{
    g_autofree char *path = g_strdup_printf("%s.%s", row->key->section, row->key->key);
    const bool is_real = row->key->type == ARCH_KEY_REAL;
    const bool is_ratio = row->key->type == ARCH_KEY_RATIO;
    const char *format = is_real ? "%.17g" : is_ratio ? "%.3f" : "%.0f";
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    gsize count = 1;
    GString *text = g_string_new(NULL);

    if (row->key->type == ARCH_KEY_LIST) {
        (void) arch_params_list(row->params, path, &count);
    }
    g_ascii_formatd(number, sizeof number, format, value);
    g_string_printf(text, "%s=", path);
    for (gsize i = 0; i < MAX(count, 1); i++) {
        g_string_append_printf(text, "%s%s", i > 0 ? "," : "", number);
    }
    return g_string_free(text, FALSE);
}

/* The line names the key and its range. */
static void assert_refused(const Row *row, double value)
{
    g_autofree char *assignment = assignment_of(row, value);
    g_autofree char *path = g_strdup_printf("%s.%s", row->key->section, row->key->key);
    g_autofree char *allowed = arch_key_describe(row->key);
    g_autoptr(GError) error = NULL;

    if (arch_params_override(row->params, assignment, &error) ||
        !g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID) ||
        strstr(error->message, path) == NULL ||
        strstr(error->message, allowed) == NULL ||
        strchr(error->message, '\n') != NULL) {
        fail_msg("%s: %s: %s", row->chip, assignment,
                 error != NULL ? error->message : "not refused");
    }
}

/* The number is taken. Then the chip is built, or one line says what contradicts it. */
static void assert_usable(const Row *row, double value)
{
    g_autoptr(ArchParams) params = shipped_params(row->chip);
    g_autofree char *assignment = assignment_of(row, value);
    g_autoptr(GError) error = NULL;

    if (!arch_params_override(params, assignment, &error)) {
        fail_msg("%s: %s: %s", row->chip, assignment, error->message);
    }
    g_autoptr(ArchChip) chip = arch_chip_new(g_steal_pointer(&params), 1, &error);

    if (chip == NULL && (!g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID) ||
                         strchr(error->message, '\n') != NULL)) {
        fail_msg("%s: %s: %s", row->chip, assignment, error->message);
    }
}

static double step_beyond(const ArchKey *key, double value)
{
    if (key->type == ARCH_KEY_RATIO) {
        return 0.001;
    }
    return key->type == ARCH_KEY_REAL ? 1 + value / 1000 : 1;
}

static void check_chip(const char *name)
{
    g_autoptr(ArchParams) params = shipped_params(name);
    const ArchKeys *keys = arch_family_of(params)->keys;

    for (gsize i = 0; i < keys->count; i++) {
        const ArchKey *key = &keys->items[i];
        const Row row = {name, params, key};
        g_autofree char *path = g_strdup_printf("%s.%s", key->section, key->key);

        if (key->type == ARCH_KEY_CHOICE || key->type == ARCH_KEY_TEXT ||
            g_str_equal(key->section, ARCH_INFORMATION) ||
            !arch_params_has(params, path)) {
            continue;
        }
        assert_usable(&row, key->minimum);
        assert_usable(&row, key->maximum);
        assert_refused(&row, key->minimum - step_beyond(key, key->minimum));
        assert_refused(&row, key->maximum + step_beyond(key, key->maximum));
    }
}

static void every_number_has_ends_that_work(void **state G_GNUC_UNUSED)
{
    g_autofree char *path = g_strdup_printf("%s/arch/chips", GRIDLOOM_SOURCE_DIR);
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    guint count = 0;

    assert_non_null(folder);
    for (const char *file; (file = g_dir_read_name(folder)) != NULL; count++) {
        g_autofree char *name = g_strndup(file, strcspn(file, "."));

        check_chip(name);
    }
    assert_true(count >= 15);
}

/* Times that no model reads are notes of a chip; a time that is not there is 0. */
static void times_of_notes_begin_at_zero(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = shipped_params("wormhole_n300");
    const ArchKeys *keys = arch_family_of(params)->keys;
    guint count = 0;

    for (gsize i = 0; i < keys->count; i++) {
        const ArchKey *key = &keys->items[i];

        if (g_str_equal(key->section, ARCH_INFORMATION) &&
            (g_str_equal(key->unit, "us") || g_str_equal(key->unit, "cycles"))) {
            assert_true(key->minimum == 0);
            count++;
        }
    }
    assert_true(count >= 8);
}

static void words_that_are_no_choice_are_refused(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = shipped_params("wse2");
    g_autoptr(GError) error = NULL;

    assert_false(arch_params_override(params, "router.multicast=both", &error));
    assert_non_null(strstr(error->message, "router.multicast = both"));
    assert_non_null(strstr(error->message, "independent"));
}

/* Each of these once ended in a crash. */
static void
floor_plans_that_contradict_themselves_are_refused(void **state G_GNUC_UNUSED)
{
    static const char *const rows[][2] = {
        {"grid.tensix_rows=0", "a tile at 9,0"},
        {"grid.tensix_columns=0", "a tile at 0,1"},
        {"grid.tensix_columns=1,1", "a tile at 1,1"},
        {"grid.harvested_rows=1,2,3,4,5,7,8,9,10,11", "no Tensix tile is left"},
        {"dram.channel_count=24", "each of 12 channels"},
        {"dram.channel_count=6", "each of 12 channels"},
        {"dram.tile_columns=1,0,0,0,0,0,5,5,5,5,5,5,5,5,5,5,5,5", "a tile at 1,0"},
        {"dram.view_rows=11,11,5,7,1,11,2,9,8,3,5,7", "no other channel's"},
        {"dram.view_rows=10,1,5,7,1,11,2,9,8,3,5,7", "no other channel's"},
        {"ethernet.tile_rows=0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6", "a tile at 9,0"},
        {"pcie.tile_column=1", "a tile at 1,3"},
        {"l1.noc_alignment_bytes=3", "a power of 2"},
        {"dram.read_alignment_bytes=3", "a power of 2"},
        {"dram.write_alignment_bytes=24", "a power of 2"},
        {"pcie.read_alignment_bytes=7", "a power of 2"},
        {"pcie.write_alignment_bytes=4095", "a power of 2"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const char *const changes[] = {rows[i][0], NULL};
        ArchParams *params = shipped_params_with("wormhole_n300", changes);
        g_autofree char *path = g_strndup(rows[i][0], strcspn(rows[i][0], "="));
        g_autoptr(GError) error = NULL;
        g_autoptr(ArchChip) chip = arch_chip_new(params, 1, &error);

        if (chip != NULL || !g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID) ||
            strstr(error->message, path) == NULL ||
            strstr(error->message, rows[i][1]) == NULL) {
            fail_msg("%s: %s", rows[i][0],
                     error != NULL ? error->message : "not refused");
        }
    }
}

static void channels_hold_a_flit_and_no_more_than_memory(void **state G_GNUC_UNUSED)
{
    static const char *const rows[][5] = {
        {"noc.vc_reserved_bytes=0", "noc.vc_shared_limit_bytes=31", NULL},
        {"noc.flit_bytes=1", "noc.link_bytes_per_cycle=1",
         "noc.vc_shared_limit_bytes=1048576", NULL},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(ArchChip) chip =
            arch_chip_new(shipped_params_with("wormhole_n150", rows[i]), 1, &error);

        assert_null(chip);
        assert_non_null(strstr(error->message, "noc.vc_shared_limit_bytes hold "));
        assert_non_null(strstr(error->message, "has 1..69905"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_ends_that_work),
        cmocka_unit_test(times_of_notes_begin_at_zero),
        cmocka_unit_test(words_that_are_no_choice_are_refused),
        cmocka_unit_test(floor_plans_that_contradict_themselves_are_refused),
        cmocka_unit_test(channels_hold_a_flit_and_no_more_than_memory),
    };

    return cmocka_run_group_tests_name("arch.key_ends", tests, NULL, NULL);
}
