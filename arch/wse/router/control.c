/* Control payloads, bit for bit as the SDK's examples have them: bits 20..16 are the
 * task, which 31 leaves out; command 0 is bits 23..22 and its filter bit 24, and so on
 * up to bit 29, then from bit 0 to bit 15. There are 64 control tasks and nothing else
 * uses bit 21, so it is taken for the task's sixth. */
#include "arch/wse/layout.h"

enum {
    TASK_SHIFT = 16,
    TASK_MASK = 0x3f,
    HIGH_SHIFT = 22, /* the first 8 of the commands' 24 bits */
    HIGH_BITS = 8,
    LOW_MASK = 0xffff, /* the other 16 */
    CONTROL_BITS = 3,  /* of a command and its filter */
    CONTROL_MASK = 7,
    COMMAND_MASK = 3,
    FILTER_SHIFT = 2,
};

/* All commands, the first in the lowest bits. */
static uint32_t commands_of(uint32_t payload)
{
    return (payload >> HIGH_SHIFT & 0xff) | (payload & LOW_MASK) << HIGH_BITS;
}

static uint32_t with_commands(uint32_t payload, uint32_t commands)
{
    const uint32_t others = ~(((uint32_t) 0xff << HIGH_SHIFT) | LOW_MASK);

    return (payload & others) | (commands & 0xff) << HIGH_SHIFT | commands >> HIGH_BITS;
}

uint32_t
arch_wse_control_payload(const ArchWseControl *controls, guint count, guint task)
{
    g_return_val_if_fail(count <= ARCH_WSE_COMMANDS, 0);
    g_return_val_if_fail(task <= TASK_MASK, 0);

    uint32_t commands = 0;

    for (guint i = 0; i < count; i++) {
        const uint32_t control = (uint32_t) controls[i].command |
                                 (uint32_t) controls[i].is_ce_filtered << FILTER_SHIFT;

        commands |= control << (i * CONTROL_BITS);
    }
    return with_commands((uint32_t) task << TASK_SHIFT, commands);
}

ArchWseControl wse_control_at(uint32_t payload, guint index)
{
    g_return_val_if_fail(index < ARCH_WSE_COMMANDS, (ArchWseControl){0});

    const uint32_t control =
        commands_of(payload) >> (index * CONTROL_BITS) & CONTROL_MASK;

    return (ArchWseControl){
        .command = (ArchWseCommand) (control & COMMAND_MASK),
        .is_ce_filtered = control >> FILTER_SHIFT != 0,
    };
}

guint wse_control_task(uint32_t payload)
{
    return payload >> TASK_SHIFT & TASK_MASK;
}

uint32_t wse_control_pop(uint32_t payload)
{
    return with_commands(payload, commands_of(payload) >> CONTROL_BITS);
}
