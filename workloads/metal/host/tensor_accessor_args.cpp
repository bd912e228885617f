// Words by which kernels find the pages of a buffer.
#include <gridloom/failure.hpp>
#include <tt-metalium/device.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>

#include "machine.hpp"
#include "placement.hpp"

namespace tt::tt_metal
{

using tensor_accessor::ArgConfig;

namespace
{

const Buffer &checked(const Buffer *buffer)
{
    if (!buffer) {
        gridloom::refuse("a tensor accessor has no buffer");
    }
    return *buffer;
}

const Buffer *inner(const distributed::MeshBuffer *buffer)
{
    return buffer ? buffer->get_reference_buffer() : nullptr;
}

// Coordinates as kernels have them, two in a word, the first in its lower half.
std::vector<std::uint32_t> coordinates(const Buffer &buffer)
{
    const std::uint32_t columns = gridloom::machine().columns;
    std::vector<std::uint32_t> words;
    std::uint32_t count = 0;

    for (const std::uint32_t place : buffer.placement().places) {
        CoreCoord core(place, 0);
        if (!buffer.is_dram()) {
            core = buffer.device()->worker_core_from_logical_core(
                {place % columns, place / columns});
        }
        const auto half = static_cast<std::uint32_t>(core.x << 8 | core.y);
        if (count++ % 2 == 0) {
            words.push_back(half);
        } else {
            words.back() |= half << 16;
        }
    }
    return words;
}

}  // namespace

TensorAccessorArgs::TensorAccessorArgs(const Buffer &buffer, Config config)
{
    const gridloom::Placement &placement = buffer.placement();
    const auto put = [&](ArgConfig at_run_time,
                         const std::vector<std::uint32_t> &words) {
        std::vector<std::uint32_t> &list =
            config.test(at_run_time) ? common_ : compile_;
        list.insert(list.end(), words.begin(), words.end());
    };
    const auto page_bytes = static_cast<std::uint32_t>(buffer.aligned_page_size());

    if (buffer.is_dram()) {
        config = config | ArgConfig::IsDram;
    }
    if (placement.is_sharded()) {
        config = config | ArgConfig::Sharded;
    }
    compile_.push_back(config.raw());
    put(ArgConfig::RuntimePageSize, {page_bytes});
    if (!placement.is_sharded()) {
        return;
    }
    put(ArgConfig::RuntimeRank, {static_cast<std::uint32_t>(placement.tensor.size())});
    put(ArgConfig::RuntimeNumBanks,
        {static_cast<std::uint32_t>(placement.places.size())});
    put(ArgConfig::RuntimeTensorShape, placement.tensor);
    put(ArgConfig::RuntimeShardShape, placement.shard);
    put(ArgConfig::RuntimeBankCoords, coordinates(buffer));
}

TensorAccessorArgs::TensorAccessorArgs(const Buffer *buffer, Config config)
    : TensorAccessorArgs(checked(buffer), config)
{
}

TensorAccessorArgs::TensorAccessorArgs(const std::shared_ptr<Buffer> &buffer,
                                       Config config)
    : TensorAccessorArgs(buffer.get(), config)
{
}

TensorAccessorArgs::TensorAccessorArgs(const distributed::MeshBuffer &buffer,
                                       Config config)
    : TensorAccessorArgs(inner(&buffer), config)
{
}

TensorAccessorArgs::TensorAccessorArgs(const distributed::MeshBuffer *buffer,
                                       Config config)
    : TensorAccessorArgs(inner(buffer), config)
{
}

TensorAccessorArgs::TensorAccessorArgs(
    const std::shared_ptr<distributed::MeshBuffer> &buffer, Config config)
    : TensorAccessorArgs(inner(buffer.get()), config)
{
}

void TensorAccessorArgs::append_to(std::vector<std::uint32_t> &compile_time_args) const
{
    if (!common_.empty()) {
        gridloom::refuse(
            "a tensor accessor has common runtime arguments, but no list is "
            "given for them");
    }
    compile_time_args.insert(compile_time_args.end(), compile_.begin(), compile_.end());
}

void TensorAccessorArgs::append_to(
    std::vector<std::uint32_t> &compile_time_args,
    std::vector<std::uint32_t> &common_runtime_args) const
{
    compile_time_args.insert(compile_time_args.end(), compile_.begin(), compile_.end());
    common_runtime_args.insert(common_runtime_args.end(), common_.begin(),
                               common_.end());
}

}  // namespace tt::tt_metal
