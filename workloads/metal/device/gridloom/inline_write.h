// Writes of a word that comes with the command, without a source in the L1.
#pragma once

#include "gridloom/command.h"

enum class InlineWriteDst { DEFAULT, L1, REG };

namespace gridloom
{

FORCE_INLINE void write_inline(uint32_t noc, uint32_t control, uint64_t to, uint32_t value, uint32_t answers)
{
    volatile uint32_t *buffer = ready(noc, SMALL_WRITES);

    buffer[CONTROL] = control | INLINE;
    buffer[TARGET_LOW] = low(to);
    buffer[TARGET_PLACE] = place(to);
    buffer[LENGTH] = 0xf;
    buffer[DATA] = value;
    buffer[START] = 1;
    count_write(noc, (control & ANSWERED) == 0, answers);
}

}  // namespace gridloom

template <InlineWriteDst = InlineWriteDst::DEFAULT, bool posted = false, bool = true>
FORCE_INLINE void noc_inline_dw_write(uint64_t to, uint32_t value, uint8_t = 0xf, uint8_t noc = noc_index,
                                      uint8_t = NOC_UNICAST_WRITE_VC, uint32_t = 0)
{
    gridloom::write_inline(noc, gridloom::unicast_control(posted), to, value, 1);
}

template <InlineWriteDst = InlineWriteDst::DEFAULT, bool posted = false, bool = true>
FORCE_INLINE void noc_inline_mcast_dw_write(uint64_t to, uint32_t value, uint8_t = 0xf, uint8_t noc = noc_index,
                                            uint8_t = NOC_MULTICAST_WRITE_VC, uint32_t = 0, uint32_t receivers = 1)
{
    constexpr uint32_t control = gridloom::multicast_control(false, false);

    gridloom::write_inline(noc, posted ? control & ~gridloom::ANSWERED : control, to, value, receivers);
}

template <bool posted = false, bool set_value = false>
FORCE_INLINE void noc_inline_dw_write_set_state(uint64_t to, uint32_t value = 0, uint8_t = 0xf,
                                                uint8_t which = write_at_cmd_buf, uint8_t noc = noc_index,
                                                uint8_t = NOC_UNICAST_WRITE_VC)
{
    volatile uint32_t *buffer = gridloom::ready(noc, which);

    buffer[gridloom::CONTROL] = gridloom::unicast_control(posted) | gridloom::INLINE;
    buffer[gridloom::TARGET_LOW] = gridloom::low(to);
    buffer[gridloom::TARGET_PLACE] = gridloom::place(to);
    buffer[gridloom::LENGTH] = 0xf;
    if constexpr (set_value) {
        buffer[gridloom::DATA] = value;
    }
}

template <bool update_address = false, bool count = true, bool posted = false, bool update_place = false,
          bool update_value = false, InlineWriteDst = InlineWriteDst::DEFAULT>
FORCE_INLINE void noc_inline_dw_write_with_state(uint32_t value, uint32_t address = 0, uint8_t which = write_at_cmd_buf,
                                                 uint8_t noc = noc_index)
{
    static_assert(!(update_address && update_place), "one of an address and a place changes");
    volatile uint32_t *buffer = gridloom::ready(noc, which);

    if constexpr (update_address) {
        buffer[gridloom::TARGET_LOW] = address;
    }
    if constexpr (update_place) {
        buffer[gridloom::TARGET_PLACE] = address;
    }
    if constexpr (update_value) {
        buffer[gridloom::DATA] = value;
    }
    buffer[gridloom::START] = 1;
    if constexpr (count) {
        gridloom::count_write(noc, posted);
    }
}
