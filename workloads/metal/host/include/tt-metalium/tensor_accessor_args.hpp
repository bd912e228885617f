// Words by which kernels find the pages of a buffer.
#pragma once

#include <cstdint>
#include <memory>
#include <tt-metalium/buffer.hpp>
#include <tt-metalium/mesh_buffer.hpp>
#include <vector>

namespace tensor_accessor
{

enum class ArgConfig : std::uint8_t {
    None = 0,
    Sharded = 1,
    IsDram = 2,
    RuntimeRank = 4,
    RuntimeNumBanks = 8,
    RuntimeTensorShape = 16,
    RuntimeShardShape = 32,
    RuntimeBankCoords = 64,
    RuntimePageSize = 128,
    Runtime = 252
};

// Several of them.
class ArgsConfig
{
  public:
    constexpr ArgsConfig(ArgConfig flag) : bits_(static_cast<std::uint32_t>(flag))
    {
    }
    constexpr ArgsConfig operator|(ArgsConfig other) const
    {
        ArgsConfig both = *this;
        both.bits_ |= other.bits_;
        return both;
    }
    constexpr bool test(ArgConfig flag) const
    {
        return (bits_ & static_cast<std::uint32_t>(flag)) != 0;
    }
    constexpr std::uint32_t raw() const
    {
        return bits_;
    }

  private:
    std::uint32_t bits_;
};

constexpr ArgsConfig operator|(ArgConfig a, ArgConfig b)
{
    return ArgsConfig(a) | ArgsConfig(b);
}

}  // namespace tensor_accessor

namespace tt::tt_metal
{

// Parts that are asked for at run time go to the common runtime arguments.
class TensorAccessorArgs
{
  public:
    using Config = tensor_accessor::ArgsConfig;

    explicit TensorAccessorArgs(const Buffer &buffer,
                                Config config = tensor_accessor::ArgConfig::None);
    explicit TensorAccessorArgs(const Buffer *buffer,
                                Config config = tensor_accessor::ArgConfig::None);
    explicit TensorAccessorArgs(const std::shared_ptr<Buffer> &buffer,
                                Config config = tensor_accessor::ArgConfig::None);
    explicit TensorAccessorArgs(const distributed::MeshBuffer &buffer,
                                Config config = tensor_accessor::ArgConfig::None);
    explicit TensorAccessorArgs(const distributed::MeshBuffer *buffer,
                                Config config = tensor_accessor::ArgConfig::None);
    explicit TensorAccessorArgs(const std::shared_ptr<distributed::MeshBuffer> &buffer,
                                Config config = tensor_accessor::ArgConfig::None);

    void append_to(std::vector<std::uint32_t> &compile_time_args) const;
    void append_to(std::vector<std::uint32_t> &compile_time_args,
                   std::vector<std::uint32_t> &common_runtime_args) const;
    const std::vector<std::uint32_t> &get_compile_time_args() const
    {
        return compile_;
    }
    const std::vector<std::uint32_t> &get_common_runtime_args() const
    {
        return common_;
    }

  private:
    std::vector<std::uint32_t> compile_;
    std::vector<std::uint32_t> common_;
};

}  // namespace tt::tt_metal
