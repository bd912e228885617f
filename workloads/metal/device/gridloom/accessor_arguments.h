// Where the description of a tensor lies among a kernel's arguments.
#pragma once

#include "gridloom/argument.h"

namespace gridloom
{

// Bits of the first word.
enum AccessorFlag : uint32_t {
    IS_SHARDED = 1,
    IS_IN_DRAM = 2,
    RUNTIME_RANK = 4,
    RUNTIME_BANKS = 8,
    RUNTIME_TENSOR = 16,
    RUNTIME_SHARD = 32,
    RUNTIME_PLACES = 64,
    RUNTIME_PAGE = 128,
};

constexpr uint32_t CONTIGUOUS_BIT = 1u << 31;  // of the number of banks

}  // namespace gridloom

// From compile-time argument CTA on. Parts with a runtime flag come among the common
// arguments, from CRTA on.
template <size_t CTA, size_t CRTA = 0> struct TensorAccessorArgs {
    static constexpr uint32_t flags = get_compile_time_arg_val(CTA);
    static constexpr bool is_sharded = (flags & gridloom::IS_SHARDED) != 0;
    static constexpr bool is_dram = (flags & gridloom::IS_IN_DRAM) != 0;
    static constexpr bool has_runtime_page = (flags & gridloom::RUNTIME_PAGE) != 0;

    uint32_t common = CRTA;

    constexpr TensorAccessorArgs() = default;
    constexpr explicit TensorAccessorArgs(uint32_t first_common) : common(first_common) {}

  private:
    // A word or more that are among the compile-time arguments unless `flag` is set.
    template <uint32_t flag> static constexpr bool is_runtime = (flags & flag) != 0;
    template <uint32_t flag> static constexpr uint32_t inside(uint32_t words) { return is_runtime<flag> ? 0 : words; }
    template <uint32_t flag> static constexpr uint32_t outside(uint32_t words) { return is_runtime<flag> ? words : 0; }
    template <uint32_t flag> FORCE_INLINE constexpr uint32_t word(uint32_t compiled, uint32_t given) const
    {
        if constexpr (is_runtime<flag>) {
            return get_common_arg_val<uint32_t>(static_cast<int>(common + given));
        } else {
            return get_compile_time_arg_val(compiled);
        }
    }

    static constexpr uint32_t page_at = CTA + 1;
    static constexpr uint32_t rank_at = page_at + inside<gridloom::RUNTIME_PAGE>(1);
    static constexpr uint32_t banks_at = rank_at + inside<gridloom::RUNTIME_RANK>(1);
    static constexpr uint32_t tensor_at = banks_at + inside<gridloom::RUNTIME_BANKS>(1);

    static constexpr uint32_t compiled(uint32_t index, bool is_wanted)
    {
        return is_wanted ? get_compile_time_arg_val(index) : 0;
    }
    static constexpr uint32_t rank_compiled = compiled(rank_at, is_sharded && !is_runtime<gridloom::RUNTIME_RANK>);
    static constexpr uint32_t banks_compiled =
        compiled(banks_at, is_sharded && !is_runtime<gridloom::RUNTIME_BANKS>) & ~gridloom::CONTIGUOUS_BIT;
    static constexpr uint32_t shard_at = tensor_at + inside<gridloom::RUNTIME_TENSOR>(rank_compiled);
    static constexpr uint32_t places_at = shard_at + inside<gridloom::RUNTIME_SHARD>(rank_compiled);

    FORCE_INLINE constexpr uint32_t raw_banks() const
    {
        return word<gridloom::RUNTIME_BANKS>(banks_at, outside<gridloom::RUNTIME_RANK>(1));
    }
    FORCE_INLINE constexpr uint32_t tensor_given() const
    {
        return outside<gridloom::RUNTIME_RANK>(1) + outside<gridloom::RUNTIME_BANKS>(1);
    }
    FORCE_INLINE constexpr uint32_t shard_given() const
    {
        return tensor_given() + outside<gridloom::RUNTIME_TENSOR>(get_rank());
    }
    FORCE_INLINE constexpr uint32_t places_given() const
    {
        return shard_given() + outside<gridloom::RUNTIME_SHARD>(get_rank());
    }

  public:
    FORCE_INLINE constexpr uint32_t get_aligned_page_size() const { return word<gridloom::RUNTIME_PAGE>(page_at, 0); }
    FORCE_INLINE constexpr uint32_t get_rank() const { return word<gridloom::RUNTIME_RANK>(rank_at, 0); }
    FORCE_INLINE constexpr uint32_t get_num_banks() const { return raw_banks() & ~gridloom::CONTIGUOUS_BIT; }
    // Whether a bank has its shards one after another, or every so-manieth.
    FORCE_INLINE constexpr bool is_contiguous() const { return (raw_banks() & gridloom::CONTIGUOUS_BIT) != 0; }
    // Pages of the tensor and of a shard along an axis.
    FORCE_INLINE constexpr uint32_t tensor_pages(uint32_t axis) const
    {
        return word<gridloom::RUNTIME_TENSOR>(tensor_at + axis, tensor_given() + axis);
    }
    FORCE_INLINE constexpr uint32_t shard_pages(uint32_t axis) const
    {
        return word<gridloom::RUNTIME_SHARD>(shard_at + axis, shard_given() + axis);
    }
    // x in the upper byte, y in the lower one; of DRAM, x is the bank.
    FORCE_INLINE constexpr uint32_t bank_place(uint32_t bank) const
    {
        return word<gridloom::RUNTIME_PLACES>(places_at + bank / 2, places_given() + bank / 2) >> (bank % 2 * 16) &
               0xffff;
    }

    static constexpr uint32_t num_compile_time_args()
    {
        return is_sharded ? places_at + inside<gridloom::RUNTIME_PLACES>((banks_compiled + 1) / 2) - CTA
                          : 1 + inside<gridloom::RUNTIME_PAGE>(1);
    }
    static constexpr uint32_t next_compile_time_args_offset() { return CTA + num_compile_time_args(); }
    constexpr uint32_t num_common_runtime_args() const
    {
        return is_sharded ? places_given() + outside<gridloom::RUNTIME_PLACES>((get_num_banks() + 1) / 2)
                          : outside<gridloom::RUNTIME_PAGE>(1);
    }
    constexpr uint32_t next_common_runtime_args_offset() const { return common + num_common_runtime_args(); }
};
