/* Checks transfers against what a NoC can do: alignment, ranges, existing tiles. */
#include "arch/error.h"
#include "arch/tensix/mover/state.h"

/* Plainly, and of a page or with loopback. */
static const char *const names[][2] = {
    [ARCH_MOVER_READ] = {"noc_async_read", "noc_async_read_tile"},
    [ARCH_MOVER_WRITE] = {"noc_async_write", "noc_async_write_tile"},
    [ARCH_MOVER_WRITE_POSTED] = {"noc_async_write", "noc_async_write_tile"},
    [ARCH_MOVER_INLINE] = {"noc_inline_dw_write"},
    [ARCH_MOVER_INCREMENT] = {"noc_semaphore_inc"},
    [ARCH_MOVER_MULTICAST] = {"noc_async_write_multicast",
                              "noc_async_write_multicast_loopback_src"},
};

const char *tensix_mover_call_name(const ArchMoverTransfer *what)
{
    return what->name != NULL ? what->name
                              : names[what->op][what->is_page || what->is_loopback];
}

static bool is_word(const ArchMoverTransfer *what)
{
    return what->op == ARCH_MOVER_INLINE || what->op == ARCH_MOVER_INCREMENT;
}

static bool
check_dram(const ArchMover *self, const ArchMoverTransfer *what, GError **error)
{
    const TensixMoverNumbers *numbers = self->numbers;
    const uint64_t offset = what->remote.offset;

    if (what->op == ARCH_MOVER_INCREMENT || what->op == ARCH_MOVER_MULTICAST) {
        return arch_refuse(error, "goes to cores, not to DRAM");
    }
    if (what->remote.x >= numbers->channel_count) {
        return arch_refuse(error, "DRAM bank %u, there are 0..%u", what->remote.x,
                           numbers->channel_count - 1);
    }
    return (offset <= numbers->channel_bytes &&
            what->bytes <= numbers->channel_bytes - offset) ||
           arch_refuse(error,
                       "%" G_GUINT64_FORMAT " bytes at %" G_GUINT64_FORMAT
                       " of DRAM bank %u reach past its end at %" G_GUINT64_FORMAT,
                       what->bytes, offset, what->remote.x, numbers->channel_bytes);
}

static bool
check_remote(const ArchMover *self, const ArchMoverTransfer *what, GError **error)
{
    if (what->remote.is_dram) {
        return check_dram(self, what, error);
    }
    return arch_tensix_core(self->core->owner, what->remote.x, what->remote.y, error) !=
               NULL &&
           tensix_l1_check(self->core->l1, what->remote.offset, what->bytes, error);
}

static bool
check_rectangle(const ArchMover *self, const ArchMoverTransfer *what, GError **error)
{
    const ArchNocAddress *start = &what->remote;
    const ArchTensixCore *core = self->core;

    if (arch_tensix_core(core->owner, what->corner_x, what->corner_y, error) == NULL) {
        return false;
    }
    if (start->x == what->corner_x && start->y == what->corner_y &&
        start->x == core->x && start->y == core->y && !what->is_loopback) {
        return arch_refuse(error, "%s multicasts to itself only, which needs loopback",
                           core->name);
    }
    return true;
}

static bool check_word(const ArchMoverTransfer *what, GError **error)
{
    return what->remote.offset % sizeof(uint32_t) == 0 ||
           arch_refuse(error,
                       "address 0x%" G_GINT64_MODIFIER
                       "x is no multiple of 4, as a word's "
                       "must be",
                       what->remote.offset);
}

/* The two ends must agree in the lower bits of their addresses. */
static bool
check_alignment(const ArchMover *self, const ArchMoverTransfer *what, GError **error)
{
    const TensixMoverNumbers *numbers = self->numbers;
    const uint64_t alignment = !what->remote.is_dram ? numbers->l1_alignment
                               : what->op == ARCH_MOVER_READ
                                   ? numbers->dram_read_alignment
                                   : numbers->dram_write_alignment;

    return what->remote.offset % alignment == what->local % alignment ||
           arch_refuse(error,
                       "%s address 0x%" G_GINT64_MODIFIER
                       "x and local address 0x%x are "
                       "misaligned: they must agree modulo %" G_GUINT64_FORMAT,
                       what->remote.is_dram ? "DRAM" : "L1", what->remote.offset,
                       what->local, alignment);
}

static bool
check_bytes(const ArchMover *self, const ArchMoverTransfer *what, GError **error)
{
    if (what->bytes == 0) {
        return arch_refuse(error, "0 bytes, at least 1 is needed");
    }
    return tensix_l1_check(self->core->l1, what->local, what->bytes, error) &&
           check_alignment(self, what, error);
}

bool tensix_mover_check_transfer(const ArchMover *self,
                                 const ArchMoverTransfer *what,
                                 GError **error)
{
    if (check_remote(self, what, error) &&
        (is_word(what) ? check_word(what, error) : check_bytes(self, what, error)) &&
        (!what->is_to_many || check_rectangle(self, what, error))) {
        return true;
    }
    g_prefix_error(error, "%s: ", names[what->op][0]);
    return false;
}
