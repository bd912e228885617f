// Where the pages of a buffer lie: in which bank, and how far inside it.
#include "placement.hpp"

#include <algorithm>
#include <tuple>

namespace gridloom
{

Placement::Spot Placement::spot(std::uint64_t page) const
{
    const std::uint64_t banks = places.size();

    if (!is_sharded()) {
        return {static_cast<std::uint32_t>(page % banks), page / banks};
    }
    // From the last dimension on, row-major among the shards and inside one.
    std::uint64_t shard_index = 0;
    std::uint64_t shard_step = 1;
    std::uint64_t inside = 0;
    std::uint64_t volume = 1;
    for (std::size_t dim = tensor.size(); dim-- > 0;) {
        const std::uint64_t place = page % tensor[dim];
        page /= tensor[dim];
        shard_index += place / shard[dim] * shard_step;
        shard_step *= (tensor[dim] + shard[dim] - 1) / shard[dim];
        inside += place % shard[dim] * volume;
        volume *= shard[dim];
    }
    return {static_cast<std::uint32_t>(shard_index % banks),
            shard_index / banks * volume + inside};
}

std::uint64_t Placement::bytes_per_bank() const
{
    const std::uint64_t banks = places.size();

    if (!is_sharded()) {
        return (pages + banks - 1) / banks * stride;
    }
    std::uint64_t shards = 1;
    std::uint64_t volume = 1;
    for (std::size_t dim = 0; dim < tensor.size(); ++dim) {
        shards *= (tensor[dim] + shard[dim] - 1) / shard[dim];
        volume *= shard[dim];
    }
    return (shards + banks - 1) / banks * volume * stride;
}

std::vector<Part> parts_of(const Placement &placement, std::uint64_t address)
{
    std::vector<Part> pages;
    std::vector<Part> parts;

    for (std::uint64_t page = 0; page < placement.pages; ++page) {
        const Placement::Spot spot = placement.spot(page);
        pages.push_back({placement.places[spot.bank],
                         address + spot.page * placement.stride, placement.page_bytes,
                         page * placement.page_bytes});
    }
    std::sort(pages.begin(), pages.end(), [](const Part &a, const Part &b) {
        return std::tie(a.place, a.address) < std::tie(b.place, b.address);
    });
    for (const Part &page : pages) {
        if (!parts.empty() && parts.back().place == page.place &&
            parts.back().address + parts.back().bytes == page.address &&
            parts.back().offset + parts.back().bytes == page.offset) {
            parts.back().bytes += page.bytes;
        } else {
            parts.push_back(page);
        }
    }
    return parts;
}

}  // namespace gridloom
