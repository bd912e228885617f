// Where a value is written to, and how a replacement field wants it.
#pragma once

#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gridloom
{

// What stands behind the colon of a replacement field.
struct Specification {
    char fill = ' ';
    char align = 0;
    char sign = '-';
    bool is_alternate = false;
    bool pads_zeros = false;
    int width = 0;
    int precision = -1;
    char type = 0;
};

// Reads a specification up to `end` or a closing brace, and moves `begin` behind it.
Specification read_specification(const char *&begin, const char *end);

void write_text(std::string &out, std::string_view text, const Specification &how);
void write_integer(std::string &out,
                   bool is_negative,
                   std::uint64_t magnitude,
                   const Specification &how);
void write_float(std::string &out, float value, const Specification &how);
void write_float(std::string &out, double value, const Specification &how);
void write_pointer(std::string &out, const void *value, const Specification &how);

}  // namespace gridloom

namespace fmt
{

class format_error : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

class format_parse_context
{
  public:
    using iterator = const char *;

    explicit format_parse_context(std::string_view text)
        : begin_(text.data()), end_(text.data() + text.size())
    {
    }
    constexpr iterator begin() const
    {
        return begin_;
    }
    constexpr iterator end() const
    {
        return end_;
    }
    constexpr void advance_to(iterator place)
    {
        begin_ = place;
    }

  private:
    iterator begin_;
    iterator end_;
};

class format_context
{
  public:
    using iterator = std::back_insert_iterator<std::string>;

    explicit format_context(std::string &text) : text_(&text)
    {
    }
    iterator out() const
    {
        return iterator(*text_);
    }
    void advance_to(iterator)
    {
    }
    std::string &text() const
    {
        return *text_;
    }

  private:
    std::string *text_;
};

}  // namespace fmt
