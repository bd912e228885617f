// The free memory of a device.
#include <algorithm>
#include <gridloom/failure.hpp>
#include <tt-metalium/allocator.hpp>

#include "machine.hpp"
#include "memory.hpp"

namespace tt::tt_metal
{

namespace
{

// Also in L1, because reads from DRAM agree with their destination modulo 32.
std::uint64_t address_alignment()
{
    const gridloom::Machine &chip = gridloom::machine();

    return std::max(chip.dram_alignment, chip.l1_alignment);
}

bool is_dram(BufferType type)
{
    switch (type) {
    case BufferType::DRAM:
        return true;
    case BufferType::L1:
    case BufferType::L1_SMALL:
        return false;
    case BufferType::SYSTEM_MEMORY:
    case BufferType::TRACE:
        break;
    }
    gridloom::refuse("buffers of type {} are not modelled", type);
}

}  // namespace

Allocator::Allocator()
    : dram_(std::make_unique<gridloom::Memory>(gridloom::machine().dram_first,
                                               gridloom::machine().dram_bank_bytes,
                                               address_alignment())),
      l1_(std::make_unique<gridloom::Memory>(gridloom::machine().l1_first,
                                             gridloom::machine().l1_end,
                                             address_alignment()))
{
}

Allocator::~Allocator() = default;

std::uint32_t Allocator::get_alignment(BufferType type) const
{
    const gridloom::Machine &chip = gridloom::machine();

    return is_dram(type) ? chip.dram_alignment : chip.l1_alignment;
}

std::uint32_t Allocator::get_num_banks(BufferType type) const
{
    const gridloom::Machine &chip = gridloom::machine();

    return is_dram(type) ? chip.dram_banks : chip.core_count();
}

std::uint32_t Allocator::get_bank_size(BufferType type) const
{
    const gridloom::Machine &chip = gridloom::machine();

    return static_cast<std::uint32_t>(is_dram(type)
                                          ? chip.dram_bank_bytes - chip.dram_first
                                          : chip.l1_end - chip.l1_first);
}

std::uint64_t Allocator::get_base_allocator_addr(BufferType type) const
{
    return is_dram(type) ? gridloom::machine().dram_first
                         : gridloom::machine().l1_first;
}

void Allocator::deallocate_buffers()
{
    dram_->release_all();
    l1_->release_all();
}

gridloom::Memory &Allocator::memory(BufferType type) const
{
    return is_dram(type) ? *dram_ : *l1_;
}

}  // namespace tt::tt_metal
