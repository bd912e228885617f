/* The chip files that are shipped: complete, sourced, and equal to the facts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/family.h"
#include "tests/arch/shipped.h"

static void assert_ledger_is_complete(const char *name, const char *family)
{
    g_autoptr(ArchParams) params = shipped_params(name);

    assert_string_equal(arch_params_name(params), name);
    assert_string_equal(arch_params_family(params), family);
    assert_true(strlen(arch_params_summary(params)) > 20);
    if (arch_family_find(family)->keys->optional == NULL) {
        assert_int_equal(arch_params_count(params),
                         arch_family_find(family)->keys->count);
    }
    for (guint i = 0; i < arch_params_count(params); i++) {
        const ArchParam *param = arch_params_at(params, i);

        assert_true(strlen(param->source) > 5);
        assert_null(strstr(param->source, "/work"));
        assert_false(param->is_overridden);
        assert_true(*param->unit != '\0');
    }
}

static void every_shipped_file_loads_with_sources(void **state)
{
    (void) state;
    assert_ledger_is_complete("wormhole_n150", "tensix");
    assert_ledger_is_complete("wormhole_n300", "tensix");
    assert_ledger_is_complete("wse1", "wse");
    assert_ledger_is_complete("wse2", "wse");
    assert_ledger_is_complete("wse3", "wse");
    assert_ledger_is_complete("a100_40gb", "gpu");
    assert_ledger_is_complete("a100_80gb", "gpu");
    assert_ledger_is_complete("h100", "gpu");
    assert_ledger_is_complete("h200", "gpu");
    assert_ledger_is_complete("gtx980", "gpu");
    assert_ledger_is_complete("titanx", "gpu");
    assert_ledger_is_complete("k20c", "gpu");
    assert_ledger_is_complete("power9", "cpu");
}

/* What nobody has measured or documented has a range, and some of them are wider than
 * the value. */
static void every_guess_has_a_range(void **state)
{
    static const char *const names[] = {"wormhole_n150", "wormhole_n300", "wse1",
                                        "wse2",          "wse3",          "h100"};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(ArchParams) params = shipped_params(names[i]);
        guint varied = 0;

        for (guint j = 0; j < arch_params_count(params); j++) {
            const ArchParam *param = arch_params_at(params, j);

            if (param->confidence == ARCH_CONFIDENCE_ASSUMED ||
                param->confidence == ARCH_CONFIDENCE_CALIBRATED) {
                assert_non_null(param->range);
                varied += arch_range_is_fixed(param->range) ? 0 : 1;
            }
            assert_null(strstr(param->source, "range "));
        }
        assert_true(varied > 0);
    }
}

static void files_follow_the_order_of_their_family(void **state)
{
    static const char *const names[] = {"wormhole_n300", "wse1",      "wse2", "wse3",
                                        "a100_40gb",     "a100_80gb", "h100", "h200",
                                        "gtx980",        "titanx",    "k20c"};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(ArchParams) params = shipped_params(names[i]);
        const ArchKeys *keys = arch_family_of(params)->keys;
        const ArchKey *key = keys->items;

        for (guint j = 0; j < arch_params_count(params); j++, key++) {
            const ArchParam *param = arch_params_at(params, j);

            while (arch_keys_is_optional(keys, key->section) &&
                   !g_str_equal(param->section, key->section)) {
                key++;
            }
            assert_string_equal(param->key, key->key);
            assert_string_equal(param->section, key->section);
        }
    }
}

/* The unit, or "<what>_<unit>". */
static void assert_names_its_unit(const ArchKey *key)
{
    g_autofree char *suffix = arch_key_suffix(key);

    if (!g_str_has_suffix(key->key, suffix) && !g_str_equal(key->key, suffix + 1)) {
        fail_msg("%s.%s does not end in %s", key->section, key->key, suffix);
    }
}

static void every_key_names_its_unit_and_range(void **state)
{
    (void) state;
    for (guint i = 0; arch_families[i] != NULL; i++) {
        const ArchKeys *keys = arch_families[i]->keys;

        for (gsize j = 0; j < keys->count; j++) {
            const ArchKey *key = &keys->items[j];

            assert_names_its_unit(key);
            assert_ptr_equal(arch_keys_find(keys, key->section, key->key), key);
            assert_true(key->minimum >= 0 && key->maximum >= key->minimum);
            assert_true(key->maximum <= (key->type == ARCH_KEY_REAL ? 1e18 : 1e14));
        }
    }
}

static void n150_and_n300_differ_only_where_the_boards_do(void **state)
{
    static const char *const different[] = {
        "summary",           "asic_count",     "tdp_watts",           "harvested_rows",
        "compute_row_count", "die_link_count", "dispatch_link_count", NULL,
    };
    g_autoptr(ArchParams) n150 = shipped_params("wormhole_n150");
    g_autoptr(ArchParams) n300 = shipped_params("wormhole_n300");

    (void) state;
    for (guint i = 0; i < arch_params_count(n150); i++) {
        const ArchParam *one = arch_params_at(n150, i);
        const ArchParam *two = arch_params_at(n300, i);
        bool is_equal = g_str_equal(one->value, two->value);

        assert_string_equal(one->key, two->key);
        if (is_equal == g_strv_contains(different, one->key)) {
            fail_msg("%s.%s = %s and %s", one->section, one->key, one->value,
                     two->value);
        }
    }
}

static void
assert_ratio(const ArchParams *params, const char *path, uint64_t num, uint64_t den)
{
    SimRatio ratio = arch_params_ratio(params, path);

    if (ratio.num != num || ratio.den != den) {
        fail_msg("%s is %u/%u", path, (guint) ratio.num, (guint) ratio.den);
    }
}

static void wormhole_has_the_numbers_of_its_documents(void **state)
{
    g_autoptr(ArchParams) chip = shipped_params("wormhole_n300");

    (void) state;
    assert_int_equal(arch_params_uint(chip, "chip.clock_hz"), 1000000000);
    assert_int_equal(arch_params_uint(chip, "l1.capacity_bytes"), 1464 * 1024);
    assert_int_equal(arch_params_uint(chip, "grid.column_count"), 10);
    assert_int_equal(arch_params_uint(chip, "grid.row_count"), 12);
    assert_int_equal(arch_params_uint(chip, "grid.compute_column_count"), 8);
    assert_int_equal(arch_params_uint(chip, "grid.compute_row_count"), 7);
    assert_int_equal(arch_params_uint(chip, "noc.flit_bytes"), 32);
    assert_int_equal(arch_params_uint(chip, "noc.hop_cycles"), 9);
    assert_int_equal(arch_params_uint(chip, "niu.inject_cycles"), 5);
    assert_ratio(chip, "riscv.t1_miss_cycles_per_instruction", 7, 5);
    assert_ratio(chip, "noc.multicast_cycles_per_flit", 103, 100);
    assert_int_equal(arch_params_uint(chip, "dram.channel_count"), 12);
    assert_int_equal(arch_params_uint(chip, "dram.channel_bytes"), 1 << 30);
    assert_true(arch_params_real(chip, "host.launch_us") == 30.0);
    assert_true(arch_params_real(chip, "host.read_us") == 50.0);
    assert_true(arch_params_real(chip, "chip.tdp_watts") == 300.0);
}

static void wormhole_reaches_its_host_as_measured(void **state)
{
    g_autoptr(ArchParams) chip = shipped_params("wormhole_n150");

    (void) state;
    assert_int_equal(arch_params_uint(chip, "pcie.host_to_device_latency_ns"), 1342);
    assert_int_equal(arch_params_uint(chip, "pcie.host_to_device_bytes_per_second"),
                     24000000000);
    assert_int_equal(arch_params_uint(chip, "pcie.device_to_host_latency_ns"), 1052);
    assert_int_equal(arch_params_uint(chip, "pcie.device_to_host_bytes_per_second"),
                     11300000000);
    assert_ratio(chip, "pcie.write_request_cycles", 105, 2);
    assert_ratio(chip, "pcie.read_bytes_per_cycle", 3149, 125);
    assert_ratio(chip, "pcie.write_bytes_per_cycle", 27, 1);
    assert_int_equal(arch_params_uint(chip, "pcie.read_request_cycles"), 135);
    assert_int_equal(arch_params_uint(chip, "pcie.read_issue_cycles"), 25);
    assert_int_equal(arch_params_uint(chip, "pcie.write_issue_cycles"), 22);
    assert_int_equal(arch_params_uint(chip, "pcie.read_latency_cycles"), 690);
    assert_int_equal(arch_params_uint(chip, "pcie.write_latency_cycles"), 260);
    assert_int_equal(arch_params_uint(chip, "pcie.queue_commands"), 4);
    assert_int_equal(arch_params_uint(chip, "ethernet.latency_ns"), 500);
    assert_int_equal(arch_params_uint(chip, "ethernet.bytes_per_second"), 12500000000);
    assert_int_equal(arch_params_uint(chip, "ethernet.payload_limit_bytes"), 1500);
    assert_int_equal(arch_params_uint(chip, "ethernet.overhead_bytes"), 50);
    assert_int_equal(arch_params_uint(chip, "ethernet.initiate_cycles"), 80);
    assert_int_equal(arch_params_uint(chip, "ethernet.slot_count"), 8);
    assert_int_equal(arch_params_uint(chip, "ethernet.slot_bytes"), 4 * 1088);
}

static void wormhole_lists_belong_together(void **state)
{
    g_autoptr(ArchParams) chip = shipped_params("wormhole_n300");
    gsize columns = 0;
    gsize rows = 0;

    (void) state;
    arch_params_list(chip, "dram.view_columns", &columns);
    arch_params_list(chip, "dram.view_rows", &rows);
    assert_int_equal(columns, arch_params_uint(chip, "dram.channel_count"));
    assert_int_equal(rows, columns);
    arch_params_list(chip, "ethernet.tile_columns", &columns);
    arch_params_list(chip, "ethernet.tile_rows", &rows);
    assert_int_equal(columns, 16);
    assert_int_equal(rows, columns);
}

static void wse2_has_the_numbers_of_its_documents(void **state)
{
    g_autoptr(ArchParams) chip = shipped_params("wse2");
    gsize inputs = 0;
    gsize outputs = 0;
    const uint64_t *input = arch_params_list(chip, "queues.input_wavelets", &inputs);
    const uint64_t *output = arch_params_list(chip, "queues.output_wavelets", &outputs);

    (void) state;
    assert_int_equal(arch_params_uint(chip, "chip.clock_hz"), 850000000);
    assert_int_equal(arch_params_uint(chip, "fabric.bare_column_count") *
                         arch_params_uint(chip, "fabric.bare_row_count"),
                     750470);
    assert_int_equal(arch_params_uint(chip, "memory.capacity_bytes"), 49152);
    assert_int_equal(arch_params_uint(chip, "memory.bank_count"), 8);
    assert_ratio(chip, "memory.wide_conflict_cycles_per_step", 3, 5);
    assert_int_equal(arch_params_uint(chip, "dsd.setup_busy_cycles"), 28);
    assert_int_equal(arch_params_uint(chip, "dsd.f32_add_elements_per_cycle"), 2);
    assert_int_equal(arch_params_uint(chip, "dsd.f32_fmac_elements_per_cycle"), 1);
    assert_string_equal(arch_params_text(chip, "pe.microthread_arbitration"),
                        "lowest_id");
    assert_int_equal(inputs, 8);
    assert_int_equal(input[0], 6);
    assert_int_equal(input[7], 2);
    assert_int_equal(outputs, 6);
    assert_int_equal(output[2], 6);
    assert_int_equal(arch_params_uint(chip, "host.host_to_device_latency_ns"), 200000);
    assert_int_equal(
        arch_params_uint(chip, "host.host_to_device_bytes_per_second"),
        arch_params_uint(chip, "host.saturating_channel_count") *
            arch_params_uint(chip, "information.host_channel_bytes_per_second"));
    assert_true(arch_params_real(chip, "host.launch_us") == 200.0);
    assert_true(arch_params_real(chip, "power.idle_watts") == 16100.0);
}

/* What public sources do not say of the other wafers is WSE-2's, and says so. */
static void assert_assumed_where_as_wse2(const char *name)
{
    g_autoptr(ArchParams) chip = shipped_params(name);
    g_autoptr(ArchParams) wse2 = shipped_params("wse2");
    guint taken_over = 0;

    for (guint i = 0; i < arch_params_count(chip); i++) {
        const ArchParam *param = arch_params_at(chip, i);

        if (g_str_equal(param->source, "as WSE-2")) {
            assert_string_equal(param->value, arch_params_at(wse2, i)->value);
            assert_int_equal(param->confidence, ARCH_CONFIDENCE_ASSUMED);
            taken_over++;
        }
        assert_int_not_equal(param->confidence, ARCH_CONFIDENCE_CALIBRATED);
    }
    assert_true(taken_over > 20);
}

static void the_other_wafers_say_what_they_took_over(void **state)
{
    (void) state;
    assert_assumed_where_as_wse2("wse1");
    assert_assumed_where_as_wse2("wse3");
}

static void assert_list(const ArchParams *params, const char *path, const char *values)
{
    assert_string_equal(arch_params_find(params, path)->value, values);
}

static void wse1_and_wse3_have_the_numbers_of_their_sources(void **state)
{
    g_autoptr(ArchParams) wse1 = shipped_params("wse1");
    g_autoptr(ArchParams) wse3 = shipped_params("wse3");

    (void) state;
    assert_int_equal(arch_params_uint(wse1, "chip.clock_hz"), 850000000);
    assert_int_equal(arch_params_uint(wse1, "fabric.bare_column_count"), 602);
    assert_int_equal(arch_params_uint(wse1, "fabric.bare_row_count"), 595);
    assert_int_equal(arch_params_uint(wse1, "fabric.hop_cycles"), 1);
    assert_int_equal(arch_params_uint(wse3, "chip.clock_hz"), 875000000);
    assert_int_equal(arch_params_uint(wse3, "information.fabric_column_count"), 762);
    assert_int_equal(arch_params_uint(wse3, "information.fabric_row_count"), 1172);
    assert_int_equal(arch_params_uint(wse3, "information.program_column_count"), 755);
    assert_int_equal(arch_params_uint(wse3, "information.program_row_count"), 1170);
    assert_int_equal(arch_params_uint(wse3, "fabric.hop_cycles"), 2);
    assert_ratio(wse3, "fabric.link_cycles_per_wavelet", 9, 8);
    assert_ratio(wse3, "memory.conflict_factor", 97, 50);
    assert_list(wse3, "queues.input_wavelets", "8,8,4,4,4,4,4,4");
    assert_list(wse3, "queues.output_wavelets", "8,8,8,8,8,8,8,8");
    assert_list(wse3, "router.switch_colors", "0,1,2,3,4,5,6,7,8,9,12,13,16,17,20,21");
    assert_list(wse3, "router.position_fields", "both");
    assert_list(wse1, "router.position_fields", "one");
    assert_int_equal(arch_params_uint(wse3, "dsd.f16_elements_per_cycle"), 8);
    assert_int_equal(arch_params_uint(wse3, "dsd.f32_add_elements_per_cycle"), 4);
    assert_int_equal(arch_params_uint(wse3, "dsd.f32_fmac_elements_per_cycle"), 1);
    assert_int_equal(arch_params_uint(wse3, "dsd.mixed_fmac_elements_per_cycle"), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_file_loads_with_sources),
        cmocka_unit_test(every_guess_has_a_range),
        cmocka_unit_test(files_follow_the_order_of_their_family),
        cmocka_unit_test(every_key_names_its_unit_and_range),
        cmocka_unit_test(n150_and_n300_differ_only_where_the_boards_do),
        cmocka_unit_test(wormhole_has_the_numbers_of_its_documents),
        cmocka_unit_test(wormhole_reaches_its_host_as_measured),
        cmocka_unit_test(wormhole_lists_belong_together),
        cmocka_unit_test(wse2_has_the_numbers_of_its_documents),
        cmocka_unit_test(the_other_wafers_say_what_they_took_over),
        cmocka_unit_test(wse1_and_wse3_have_the_numbers_of_their_sources),
    };

    return cmocka_run_group_tests_name("arch.chip_files", tests, NULL, NULL);
}
