// Data from the host to a chip, and back.
#include "transfer.hpp"

#include <cstring>
#include <gridloom/failure.hpp>

#include "connection.hpp"
#include "machine.hpp"
#include "placement.hpp"

namespace gridloom
{

using tt::tt_metal::Buffer;

namespace
{

void begin(JsonWriter &json, const char *action, int chip, bool is_dram)
{
    json.open('{').key("do").text(action).key("chip").number(chip);
    json.key("space").text(is_dram ? "dram" : "l1");
}

std::string parts_request(const char *action,
                          int chip,
                          bool is_dram,
                          const std::vector<Part> &parts)
{
    JsonWriter json;

    begin(json, action, chip, is_dram);
    json.key("parts").open('[');
    for (const Part &part : parts) {
        json.number(part.place).number(part.address).number(part.bytes);
    }
    json.close(']').close('}');
    return json.take();
}

// The simulator knows how pages are dealt out to the banks of DRAM.
std::string pages_request(const char *action, int chip, const Buffer &buffer)
{
    JsonWriter json;

    begin(json, action, chip, true);
    json.key("address").number(buffer.address());
    json.key("page_bytes").number(buffer.page_size());
    json.key("stride").number(buffer.aligned_page_size());
    json.key("first_page").number(0).key("pages").number(buffer.num_pages()).close('}');
    return json.take();
}

bool is_dealt_out(const Buffer &buffer)
{
    return buffer.is_dram() && !buffer.placement().is_sharded();
}

void check_use(const Buffer &buffer, std::size_t bytes)
{
    if (!buffer.is_allocated()) {
        refuse("a buffer is used that was deallocated");
    }
    if (bytes < buffer.size()) {
        refuse("{} bytes are written to a buffer of {} bytes", bytes, buffer.size());
    }
}

std::vector<std::byte> expect(Answer answer, std::uint64_t bytes)
{
    if (answer.data.size() != bytes) {
        refuse("the simulator answers {} bytes to a read of {}", answer.data.size(),
               bytes);
    }
    return std::move(answer.data);
}

void check_region(const Region &region)
{
    const Machine &chip = machine();
    const std::uint64_t end = region.is_dram ? chip.dram_bank_bytes : chip.l1_end;
    const std::uint32_t places = region.is_dram ? chip.dram_banks : chip.core_count();

    if (region.place >= places || region.address > end ||
        region.bytes > end - region.address) {
        refuse("{} bytes at {:#x} of {} {} lie outside of memory, which ends at {:#x} "
               "and has "
               "{} of them",
               region.bytes, region.address,
               region.is_dram ? "DRAM bank" : "L1 of core", region.place, end, places);
    }
}

}  // namespace

void write_buffer(int chip, const Buffer &buffer, std::span<const std::byte> data)
{
    check_use(buffer, data.size());
    data = data.first(buffer.size());
    if (is_dealt_out(buffer)) {
        request(pages_request("write", chip, buffer), data);
        return;
    }
    const auto parts = parts_of(buffer.placement(), buffer.address());
    std::vector<std::byte> ordered;
    ordered.reserve(data.size());
    for (const Part &part : parts) {
        const auto piece = data.subspan(part.offset, part.bytes);
        ordered.insert(ordered.end(), piece.begin(), piece.end());
    }
    request(parts_request("write", chip, buffer.is_dram(), parts), ordered);
}

std::vector<std::byte> read_buffer(int chip, const Buffer &buffer)
{
    check_use(buffer, buffer.size());
    if (is_dealt_out(buffer)) {
        return expect(request(pages_request("read", chip, buffer)), buffer.size());
    }
    const auto parts = parts_of(buffer.placement(), buffer.address());
    const auto ordered = expect(
        request(parts_request("read", chip, buffer.is_dram(), parts)), buffer.size());
    std::vector<std::byte> data(buffer.size());
    const std::byte *next = ordered.data();
    for (const Part &part : parts) {
        std::memcpy(data.data() + part.offset, next, part.bytes);
        next += part.bytes;
    }
    return data;
}

void write_region(const Region &region, std::span<const std::byte> data)
{
    check_region(region);
    request(parts_request("write", region.chip, region.is_dram,
                          {{region.place, region.address, region.bytes, 0}}),
            data);
}

std::vector<std::byte> read_region(const Region &region)
{
    check_region(region);
    return expect(
        request(parts_request("read", region.chip, region.is_dram,
                              {{region.place, region.address, region.bytes, 0}})),
        region.bytes);
}

}  // namespace gridloom
