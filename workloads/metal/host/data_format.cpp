// Formats of data in circular buffers.
#include <gridloom/failure.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>

namespace tt
{

namespace
{

struct Format {
    DataFormat format;
    std::string_view name;
    std::uint32_t tile_bytes;
};

constexpr Format formats[] = {
    {DataFormat::Float32, "Float32", 4096},
    {DataFormat::Float16, "Float16", 2048},
    {DataFormat::Bfp8, "Bfp8", 1088},
    {DataFormat::Bfp4, "Bfp4", 576},
    {DataFormat::Tf32, "Tf32", 4096},
    {DataFormat::Float16_b, "Float16_b", 2048},
    {DataFormat::Bfp8_b, "Bfp8_b", 1088},
    {DataFormat::Bfp4_b, "Bfp4_b", 576},
    {DataFormat::Int32, "Int32", 4096},
    {DataFormat::UInt16, "UInt16", 2048},
    {DataFormat::Lf8, "Lf8", 1024},
    {DataFormat::Bfp2, "Bfp2", 320},
    {DataFormat::Int8, "Int8", 1024},
    {DataFormat::Bfp2_b, "Bfp2_b", 320},
    {DataFormat::UInt32, "UInt32", 4096},
    {DataFormat::Fp8_e4m3, "Fp8_e4m3", 1024},
    {DataFormat::RawUInt8, "RawUInt8", 1024},
    {DataFormat::RawUInt16, "RawUInt16", 2048},
    {DataFormat::RawUInt32, "RawUInt32", 4096},
    {DataFormat::UInt8, "UInt8", 1024},
};

const Format *find(DataFormat format)
{
    for (const Format &known : formats) {
        if (known.format == format) {
            return &known;
        }
    }
    return nullptr;
}

}  // namespace

std::string_view format_as(DataFormat format)
{
    const Format *known = find(format);

    return known ? known->name : "Invalid";
}

std::ostream &operator<<(std::ostream &stream, DataFormat format)
{
    return stream << format_as(format);
}

std::uint32_t tile_size(DataFormat format)
{
    const Format *known = find(format);

    if (!known) {
        gridloom::refuse("data format {} has no tiles", static_cast<int>(format));
    }
    return known->tile_bytes;
}

std::uint32_t datum_size(DataFormat format)
{
    const std::uint32_t bytes = tile_size(format);

    if (bytes % 1024 != 0) {
        gridloom::refuse("elements of {} share exponents and have no size", format);
    }
    return bytes / 1024;
}

}  // namespace tt
