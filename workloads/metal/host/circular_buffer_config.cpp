// The size, the formats and the place of a circular buffer.
#include <gridloom/failure.hpp>
#include <tt-metalium/buffer.hpp>
#include <tt-metalium/circular_buffer_config.hpp>

namespace tt::tt_metal
{

using gridloom::refuse;

const CircularBufferConfig::Builder &
CircularBufferConfig::Builder::set_data_format(tt::DataFormat format) const
{
    config_.check_index(index_);
    config_.formats_[index_] = format;
    config_.indices_.insert(index_);
    return *this;
}

const CircularBufferConfig::Builder &
CircularBufferConfig::Builder::set_total_size(std::uint32_t bytes) const
{
    config_.set_total_size(bytes);
    return *this;
}

const CircularBufferConfig::Builder &
CircularBufferConfig::Builder::set_page_size(std::uint32_t bytes) const
{
    config_.indices_.insert(index_);
    config_.set_page_size(index_, bytes);
    return *this;
}

CircularBufferConfig::CircularBufferConfig(std::uint32_t total_size)
    : total_size_(total_size)
{
}

CircularBufferConfig::CircularBufferConfig(
    std::uint32_t total_size, const std::map<std::uint8_t, tt::DataFormat> &formats)
    : CircularBufferConfig(total_size)
{
    for (const auto &[index, format] : formats) {
        this->index(index).set_data_format(format);
    }
}

CircularBufferConfig::CircularBufferConfig(
    std::uint32_t total_size,
    const std::map<std::uint8_t, tt::DataFormat> &formats,
    const Buffer &buffer)
    : CircularBufferConfig(total_size, formats)
{
    set_globally_allocated_address(buffer);
}

CircularBufferConfig &CircularBufferConfig::set_page_size(std::uint8_t index,
                                                          std::uint32_t bytes)
{
    check_index(index);
    if (!indices_.contains(index)) {
        refuse("circular buffer {} gets a page size, but no data format", index);
    }
    if (bytes == 0 || total_size_ % bytes != 0) {
        refuse("circular buffer {} of {} bytes is not made of pages of {} bytes", index,
               total_size_, bytes);
    }
    page_sizes_[index] = bytes;
    return *this;
}

CircularBufferConfig &CircularBufferConfig::set_total_size(std::uint32_t bytes)
{
    if (bytes == 0) {
        refuse("a circular buffer has no bytes");
    }
    total_size_ = bytes;
    return *this;
}

CircularBufferConfig &
CircularBufferConfig::set_globally_allocated_address(const Buffer &buffer)
{
    if (!buffer.is_l1()) {
        refuse("a circular buffer is to lie in a buffer in {}", buffer.buffer_type());
    }
    if (total_size_ > buffer.aligned_size_per_bank()) {
        refuse("a circular buffer of {} bytes is to lie in a buffer with {} bytes on a "
               "core",
               total_size_, buffer.aligned_size_per_bank());
    }
    address_ = buffer.address();
    return *this;
}

CircularBufferConfig &
CircularBufferConfig::set_globally_allocated_address_and_total_size(
    const Buffer &buffer, std::uint32_t bytes)
{
    return set_total_size(bytes).set_globally_allocated_address(buffer);
}

void CircularBufferConfig::set_address_offset(std::uint32_t bytes)
{
    address_offset_ = bytes;
}

CircularBufferConfig::Builder CircularBufferConfig::index(std::uint8_t index)
{
    return {*this, index};
}

void CircularBufferConfig::check_index(std::uint8_t index) const
{
    if (index >= NUM_CIRCULAR_BUFFERS) {
        refuse("circular buffer {} is asked for, a core has {}", index,
               NUM_CIRCULAR_BUFFERS);
    }
}

}  // namespace tt::tt_metal
