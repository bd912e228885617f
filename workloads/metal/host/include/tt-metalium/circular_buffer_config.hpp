// The size, the formats and the place of a circular buffer.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tt-metalium/circular_buffer_names.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>
#include <unordered_set>

namespace tt::tt_metal
{

class Buffer;
using CBHandle = std::uintptr_t;

// Several indices share one memory; each has a format and a page size of its own.
class CircularBufferConfig
{
  public:
    // Sets what belongs to one index.
    class Builder
    {
      public:
        Builder(CircularBufferConfig &config, std::uint8_t index)
            : config_(config), index_(index)
        {
        }
        const Builder &set_data_format(tt::DataFormat format) const;
        const Builder &set_total_size(std::uint32_t bytes) const;
        const Builder &set_page_size(std::uint32_t bytes) const;

      private:
        CircularBufferConfig &config_;
        std::uint8_t index_;
    };

    explicit CircularBufferConfig(std::uint32_t total_size);
    CircularBufferConfig(std::uint32_t total_size,
                         const std::map<std::uint8_t, tt::DataFormat> &formats);
    CircularBufferConfig(std::uint32_t total_size,
                         const std::map<std::uint8_t, tt::DataFormat> &formats,
                         const Buffer &buffer);

    CircularBufferConfig &set_page_size(std::uint8_t index, std::uint32_t bytes);
    CircularBufferConfig &set_total_size(std::uint32_t bytes);
    // Lies where the buffer lies, on each core.
    CircularBufferConfig &set_globally_allocated_address(const Buffer &buffer);
    CircularBufferConfig &
    set_globally_allocated_address_and_total_size(const Buffer &buffer,
                                                  std::uint32_t bytes);
    void set_address_offset(std::uint32_t bytes);
    Builder index(std::uint8_t index);

    std::uint32_t total_size() const
    {
        return total_size_;
    }
    std::optional<std::uint32_t> globally_allocated_address() const
    {
        return address_;
    }
    std::uint32_t address_offset() const
    {
        return address_offset_;
    }
    const std::unordered_set<std::uint8_t> &buffer_indices() const
    {
        return indices_;
    }
    using Formats = std::array<std::optional<tt::DataFormat>, NUM_CIRCULAR_BUFFERS>;
    using PageSizes = std::array<std::optional<std::uint32_t>, NUM_CIRCULAR_BUFFERS>;
    const Formats &data_formats() const
    {
        return formats_;
    }
    const PageSizes &page_sizes() const
    {
        return page_sizes_;
    }

  private:
    void check_index(std::uint8_t index) const;

    std::uint32_t total_size_;
    std::optional<std::uint32_t> address_;
    std::uint32_t address_offset_ = 0;
    Formats formats_;
    PageSizes page_sizes_;
    std::unordered_set<std::uint8_t> indices_;
};

}  // namespace tt::tt_metal
