// Kernels, circular buffers and semaphores that start together.
#pragma once

#include <cstdint>
#include <memory>
#include <tt-metalium/circular_buffer_config.hpp>
#include <tt-metalium/kernel_types.hpp>

namespace gridloom
{
class ProgramState;
}  // namespace gridloom

namespace tt::tt_metal
{

class Program
{
  public:
    Program();
    ~Program();
    Program(Program &&) noexcept;
    Program &operator=(Program &&) noexcept;
    Program(const Program &) = delete;
    Program &operator=(const Program &) = delete;

    std::uint64_t get_id() const;
    // A number that the profiler shows.
    void set_runtime_id(std::uint64_t id);
    std::uint64_t get_runtime_id() const;
    gridloom::ProgramState &state() const;

  private:
    std::unique_ptr<gridloom::ProgramState> state_;
};

}  // namespace tt::tt_metal
