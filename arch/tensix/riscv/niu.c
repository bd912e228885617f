/* Turns what kernels store to the registers of a network interface into commands. */
#include "arch/tensix/riscv/niu.h"

#include "arch/error.h"
#include "arch/tensix/mover/state.h"
#include "sim/narrow.h"

/* Words of a command buffer. */
enum {
    TARGET_LOW = 0,
    TARGET_PLACE = 2,
    RETURN_LOW = 3,
    RETURN_PLACE = 5,
    TAG = 6,
    CONTROL = 7,
    LENGTH = 8,
    DATA = 10,
    START = 16,
};

/* Bits of CONTROL. */
enum {
    IS_ATOMIC = 1 << 0,
    IS_WRITE = 1 << 1,
    IS_INLINE = 1 << 3,
    IS_ANSWERED = 1 << 4,
    IS_MULTICAST = 1 << 5,
    IS_LINKED = 1 << 6,
    HAS_SENDER = 1 << 17,
};

enum {
    TRANSACTION_SHIFT = 10, /* of an id in TAG */
    CHANNEL_SHIFT = 13,     /* of a virtual channel in CONTROL */
    UNICAST_CHANNELS = 4,
};

enum {
    VIRTUAL_FIRST = 18, /* place of the first core, in both directions */
    PLACE_BITS = 6,     /* of a coordinate */
    PLACE_MAXIMUM = 63,
};

typedef struct {
    guint niu;
    guint buffer;
    guint word;
} Place;

static Place place_of(uint32_t address)
{
    const uint32_t offset = address - RISCV_NIU_ADDRESS;

    return (Place){.niu = offset / RISCV_NIU_BYTES,
                   .buffer = offset % RISCV_NIU_BYTES / RISCV_NIU_BUFFER_BYTES,
                   .word = offset % RISCV_NIU_BUFFER_BYTES / 4};
}

bool riscv_niu_has(uint32_t address)
{
    const Place place = place_of(address);

    return place.niu < RISCV_NIUS && place.buffer < RISCV_NIU_BUFFERS &&
           place.word < RISCV_NIU_REGISTERS;
}

uint32_t riscv_niu_load(const RiscvNiu *nius, uint32_t address)
{
    const Place place = place_of(address);

    return place.word == START ? 0
                               : nius[place.niu].registers[place.buffer][place.word];
}

bool riscv_niu_store(RiscvNiu *nius, uint32_t address, uint32_t value)
{
    const Place place = place_of(address);

    nius[place.niu].registers[place.buffer][place.word] = value;
    return place.word == START && value != 0;
}

static guint x_of(uint32_t place)
{
    return place & PLACE_MAXIMUM;
}

static guint y_of(uint32_t place)
{
    return place >> PLACE_BITS & PLACE_MAXIMUM;
}

static bool is_dram(const ArchMover *mover, guint noc, uint32_t place, guint *bank)
{
    const TensixMoverNumbers *numbers = mover->numbers;
    const ArchParams *params = mover->core->owner->params;
    const guint x = x_of(place);
    const guint y = y_of(place);
    const guint width = sim_u32(arch_params_uint(params, "grid.column_count"));
    const guint height = sim_u32(arch_params_uint(params, "grid.row_count"));

    for (guint i = 0; i < numbers->channel_count; i++) {
        const uint64_t column = numbers->view_columns[i];
        const uint64_t row = numbers->view_rows[i];

        /* Older kernels name them so on both NoCs; columns tell the two apart. */
        if ((column == x && row == y) ||
            (noc == 1 && column == width - 1 - x && row == height - 1 - y)) {
            *bank = i;
            return true;
        }
    }
    return false;
}

static bool find(const ArchMover *mover,
                 guint noc,
                 uint32_t place,
                 uint64_t offset,
                 ArchNocAddress *address,
                 GError **error)
{
    const ArchTensix *tensix = mover->core->owner;
    const guint x = x_of(place) - VIRTUAL_FIRST;
    const guint y = y_of(place) - VIRTUAL_FIRST;

    *address = (ArchNocAddress){.x = x, .y = y, .offset = offset};
    if (x < tensix->columns && y < tensix->rows) {
        return true;
    }
    address->is_dram = is_dram(mover, noc, place, &address->x);
    return address->is_dram ||
           arch_refuse(error,
                       "noc %u has neither a core nor DRAM at (%u, %u); cores are from "
                       "(%d, %d) to (%u, %u)",
                       noc, x_of(place), y_of(place), VIRTUAL_FIRST, VIRTUAL_FIRST,
                       VIRTUAL_FIRST + tensix->columns - 1,
                       VIRTUAL_FIRST + tensix->rows - 1);
}

/* The rectangle of a multicast: its start is in the upper bits. */
static bool aim_at_cores(const ArchMover *mover,
                         guint noc,
                         uint32_t place,
                         ArchMoverTransfer *command,
                         GError **error)
{
    ArchNocAddress end;

    if (!find(mover, noc, place, 0, &end, error) ||
        !find(mover, noc, place >> 2 * PLACE_BITS, command->remote.offset,
              &command->remote, error)) {
        return false;
    }
    if (end.is_dram || command->remote.is_dram) {
        return arch_refuse(error, "a multicast goes to cores, not to DRAM");
    }
    if (noc == 0 ? end.x < command->remote.x || end.y < command->remote.y
                 : end.x > command->remote.x || end.y > command->remote.y) {
        return arch_refuse(error,
                           "the rectangle of a multicast runs from its start in the "
                           "direction of noc %u",
                           noc);
    }
    command->corner_x = MAX(end.x, command->remote.x);
    command->corner_y = MAX(end.y, command->remote.y);
    command->remote.x = MIN(end.x, command->remote.x);
    command->remote.y = MIN(end.y, command->remote.y);
    return true;
}

static ArchMoverOp op_of(uint32_t control)
{
    if ((control & IS_ATOMIC) != 0) {
        return ARCH_MOVER_INCREMENT;
    }
    if ((control & IS_WRITE) == 0) {
        return ARCH_MOVER_READ;
    }
    if ((control & IS_INLINE) != 0) {
        return ARCH_MOVER_INLINE;
    }
    if ((control & IS_MULTICAST) != 0) {
        return ARCH_MOVER_MULTICAST;
    }
    return (control & IS_ANSWERED) != 0 ? ARCH_MOVER_WRITE : ARCH_MOVER_WRITE_POSTED;
}

/* Programs write on channel 1 if they choose none, movers on 0: these two change
 * places. */
static guint channel_of(uint32_t control)
{
    const guint channel = control >> CHANNEL_SHIFT & (UNICAST_CHANNELS - 1);

    return 1 + (channel < 2 ? 1 - channel : channel);
}

bool riscv_niu_command(const RiscvNiu *nius,
                       const ArchMover *mover,
                       uint32_t address,
                       ArchMoverTransfer *command,
                       GError **error)
{
    const Place place = place_of(address);
    const uint32_t *words = nius[place.niu].registers[place.buffer];
    const uint32_t control = words[CONTROL];
    const ArchMoverOp op = op_of(control);
    const bool is_towards = op == ARCH_MOVER_WRITE || op == ARCH_MOVER_WRITE_POSTED ||
                            op == ARCH_MOVER_MULTICAST;
    const guint far = is_towards ? RETURN_LOW : TARGET_LOW;

    *command = (ArchMoverTransfer){
        .op = op,
        .is_issued = true,
        .noc = place.niu + 1,
        .vc = op == ARCH_MOVER_WRITE || op == ARCH_MOVER_WRITE_POSTED
                  ? channel_of(control)
                  : 0,
        .local = words[is_towards ? TARGET_LOW : RETURN_LOW],
        .bytes = words[LENGTH],
        .value = words[DATA],
        .is_loopback = (control & HAS_SENDER) != 0,
        .is_to_many = op != ARCH_MOVER_READ && (control & IS_MULTICAST) != 0,
        .transaction = words[TAG] >> TRANSACTION_SHIFT & (TENSIX_TRANSACTIONS - 1),
        .is_linked = (control & IS_LINKED) != 0};
    command->remote.offset = words[far];
    if (command->is_to_many) {
        return aim_at_cores(mover, place.niu, words[far + TARGET_PLACE], command,
                            error);
    }
    return find(mover, place.niu, words[far + TARGET_PLACE], words[far],
                &command->remote, error);
}
