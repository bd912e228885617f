/* Control payloads, against bit patterns worked out by hand from the documented
 * layout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/wse/layout.h"

enum {
    NO_TASK = 31,
};

/* Bit of each command's lower half, of its upper half and of its filter. */
static const guint bits[ARCH_WSE_COMMANDS][3] = {
    {22, 23, 24}, {25, 26, 27}, {28, 29, 0},  {1, 2, 3},
    {4, 5, 6},    {7, 8, 9},    {10, 11, 12}, {13, 14, 15},
};

static void every_command_has_its_documented_bits(void **state)
{
    (void) state;
    for (guint i = 0; i < ARCH_WSE_COMMANDS; i++) {
        for (guint command = 0; command < 4; command++) {
            for (guint filter = 0; filter < 2; filter++) {
                ArchWseControl controls[ARCH_WSE_COMMANDS] = {0};
                const uint32_t expected = (command & 1) << bits[i][0] |
                                          command >> 1 << bits[i][1] |
                                          filter << bits[i][2];

                controls[i].command = (ArchWseCommand) command;
                controls[i].is_ce_filtered = filter != 0;
                assert_int_equal(
                    arch_wse_control_payload(controls, ARCH_WSE_COMMANDS, 0), expected);
                assert_int_equal(arch_wse_control_payload(controls, i + 1, 0),
                                 expected);
            }
        }
    }
}

static void the_task_has_bits_16_to_21(void **state)
{
    (void) state;
    assert_int_equal(arch_wse_control_payload(NULL, 0, NO_TASK), 0x001f0000);
    assert_int_equal(arch_wse_control_payload(NULL, 0, 5), 0x00050000);
    assert_int_equal(arch_wse_control_payload(NULL, 0, 63), 0x003f0000);
}

/* The two control wavelets of the SDK's 25-point stencil: advance the own router, the
 * next and the fourth; advance the own. Nothing reaches a PE. */
static void the_stencils_payloads_are_these(void **state)
{
    ArchWseControl controls[ARCH_WSE_COMMANDS];

    (void) state;
    for (guint i = 0; i < ARCH_WSE_COMMANDS; i++) {
        controls[i] = (ArchWseControl){
            .command = i == 0 || i == 1 || i == 4 ? ARCH_WSE_SWITCH_ADV : ARCH_WSE_NOP,
            .is_ce_filtered = true};
    }
    /* low: f2 0x1, f3 0x8, ADV 0x10 and f4 0x40, f5 0x200, f6 0x1000, f7 0x8000;
     * high: ADV 1 << 22, f0 1 << 24, ADV 1 << 25, f1 1 << 27 */
    assert_int_equal(arch_wse_control_payload(controls, ARCH_WSE_COMMANDS, NO_TASK),
                     0x0b5f9259);
    controls[1].command = ARCH_WSE_NOP;
    controls[4].command = ARCH_WSE_NOP;
    assert_int_equal(arch_wse_control_payload(controls, ARCH_WSE_COMMANDS, NO_TASK),
                     0x095f9249);
}

static ArchWseControl some_control(guint index)
{
    return (ArchWseControl){.command = (ArchWseCommand) ((index * 3 + 1) % 4),
                            .is_ce_filtered = index % 3 != 0};
}

static uint32_t some_payload(void)
{
    ArchWseControl controls[ARCH_WSE_COMMANDS];

    for (guint i = 0; i < ARCH_WSE_COMMANDS; i++) {
        controls[i] = some_control(i);
    }
    return arch_wse_control_payload(controls, ARCH_WSE_COMMANDS, 37);
}

static void assert_control(uint32_t payload, guint index, ArchWseControl expected)
{
    const ArchWseControl control = wse_control_at(payload, index);

    assert_int_equal(control.command, expected.command);
    assert_int_equal(control.is_ce_filtered, expected.is_ce_filtered);
}

static void what_was_encoded_is_decoded(void **state)
{
    const uint32_t payload = some_payload();

    (void) state;
    assert_int_equal(wse_control_task(payload), 37);
    for (guint i = 0; i < ARCH_WSE_COMMANDS; i++) {
        assert_control(payload, i, some_control(i));
    }
}

static void a_pop_moves_commands_up_and_leaves_the_rest(void **state)
{
    const ArchWseControl nop = {0};
    const uint32_t unused = 0xc0000000;
    uint32_t payload = some_payload() | unused;

    (void) state;
    for (guint popped = 1; popped <= ARCH_WSE_COMMANDS; popped++) {
        payload = wse_control_pop(payload);
        assert_int_equal(wse_control_task(payload), 37);
        assert_int_equal(payload & unused, unused);
        for (guint i = 0; i < ARCH_WSE_COMMANDS; i++) {
            assert_control(payload, i,
                           i + popped < ARCH_WSE_COMMANDS ? some_control(i + popped)
                                                          : nop);
        }
    }
    assert_int_equal(payload, unused | 37 << 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_has_its_documented_bits),
        cmocka_unit_test(the_task_has_bits_16_to_21),
        cmocka_unit_test(the_stencils_payloads_are_these),
        cmocka_unit_test(what_was_encoded_is_decoded),
        cmocka_unit_test(a_pop_moves_commands_up_and_leaves_the_rest),
    };

    return cmocka_run_group_tests_name("arch.wse_control", tests, NULL, NULL);
}
