// The free memory of a device.
#pragma once

#include <cstdint>
#include <memory>
#include <tt-metalium/buffer_types.hpp>

namespace gridloom
{
class Memory;
}  // namespace gridloom

namespace tt::tt_metal
{

class Allocator
{
  public:
    Allocator();
    ~Allocator();

    std::uint32_t get_alignment(BufferType type) const;
    std::uint32_t get_num_banks(BufferType type) const;
    std::uint32_t get_bank_size(BufferType type) const;
    // Where buffers may begin.
    std::uint64_t get_base_allocator_addr(BufferType type) const;
    void deallocate_buffers();
    gridloom::Memory &memory(BufferType type) const;

  private:
    std::unique_ptr<gridloom::Memory> dram_;
    std::unique_ptr<gridloom::Memory> l1_;
};

}  // namespace tt::tt_metal
