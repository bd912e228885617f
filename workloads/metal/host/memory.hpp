// Addresses of a memory that are free, the same in all of its banks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace gridloom
{

class Memory
{
  public:
    Memory(std::uint64_t first, std::uint64_t end, std::uint64_t alignment);

    // The lowest or highest addresses of the smallest gap that is large enough.
    std::optional<std::uint64_t> allocate(std::uint64_t bytes, bool bottom_up);
    // Whether these addresses lie in this memory.
    bool contains(std::uint64_t address, std::uint64_t bytes) const;
    void release(std::uint64_t address);
    void release_all();
    // The lowest address in use, or the end.
    std::uint64_t lowest() const;
    std::uint64_t free_bytes() const;

  private:
    std::uint64_t first_;
    std::uint64_t end_;
    std::uint64_t alignment_;
    std::map<std::uint64_t, std::uint64_t> used_;  // address -> the end
};

}  // namespace gridloom
