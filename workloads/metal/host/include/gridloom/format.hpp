// Text from values and a format string, in the way that fmt writes it.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>
#include <ostream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "gridloom/formatter.hpp"

namespace fmt
{

// A value with the function that writes it.
struct format_arg {
    const void *value;
    void (*write)(const void *value, std::string_view specification, std::string &out);
};

template <typename T> format_arg make_format_arg(const T &value)
{
    static_assert(Writable<T>, "no fmt::formatter for a value that is printed");
    return {&value,
            [](const void *place, std::string_view specification, std::string &out) {
                format_parse_context parse(specification);
                format_context context(out);
                formatter<T> how;
                how.parse(parse);
                how.format(*static_cast<const T *>(place), context);
            }};
}

// A format string; `Args` only say which values belong to it.
struct format_text : std::string_view {
    template <typename S>
    requires std::is_convertible_v<const S &, std::string_view>
    constexpr format_text(const S &text) : std::string_view(text)
    {
    }
};
template <typename... Args> using format_string = format_text;

constexpr std::string_view runtime(std::string_view text)
{
    return text;
}

void vformat(std::string &out, std::string_view text, std::span<const format_arg> args);

template <typename... Args> std::string format(format_text text, const Args &...args)
{
    const format_arg list[] = {make_format_arg(args)..., format_arg{}};
    std::string out;

    vformat(out, text, std::span(list, sizeof...(args)));
    return out;
}

template <typename Out, typename... Args>
Out format_to(Out out, format_text text, const Args &...args)
{
    for (const char letter : format(text, args...)) {
        *out++ = letter;
    }
    return out;
}

template <typename T> std::string to_string(const T &value)
{
    return format("{}", value);
}

template <typename... Args>
void print(std::FILE *file, format_text text, const Args &...args)
{
    const std::string line = format(text, args...);
    std::fwrite(line.data(), 1, line.size(), file);
}

template <typename... Args>
void print(std::ostream &stream, format_text text, const Args &...args)
{
    stream << format(text, args...);
}

template <typename... Args> void print(format_text text, const Args &...args)
{
    print(stdout, text, args...);
}

template <typename... Args>
void println(std::FILE *file, format_text text, const Args &...args)
{
    print(file, "{}\n", format(text, args...));
}

template <typename... Args> void println(format_text text, const Args &...args)
{
    println(stdout, text, args...);
}

template <typename Iterator> struct join_view {
    Iterator begin;
    Iterator end;
    std::string_view separator;
};

template <typename Iterator>
join_view<Iterator> join(Iterator begin, Iterator end, std::string_view separator)
{
    return {begin, end, separator};
}

template <typename Range>
requires requires(const Range &range)
{
    std::begin(range);
}
auto join(const Range &range, std::string_view separator)
{
    return join(std::begin(range), std::end(range), separator);
}

template <typename Iterator>
struct formatter<join_view<Iterator>, char, void>
    : formatter<typename std::iterator_traits<Iterator>::value_type> {
    auto format(const join_view<Iterator> &value, format_context &context) const
    {
        using Element = typename std::iterator_traits<Iterator>::value_type;
        std::string_view separator;

        for (Iterator place = value.begin; place != value.end; ++place) {
            context.text() += separator;
            separator = value.separator;
            formatter<Element>::format(*place, context);
        }
        return context.out();
    }
};

template <typename T> struct streamed_view {
    const T &value;
    friend std::ostream &operator<<(std::ostream &stream, const streamed_view &view)
    {
        return stream << view.value;
    }
};

template <typename T> streamed_view<T> streamed(const T &value)
{
    return {value};
}

template <typename T> const void *ptr(T *pointer)
{
    return pointer;
}

// Text that grows at its end.
class memory_buffer
{
  public:
    using value_type = char;

    void push_back(char letter)
    {
        text_.push_back(letter);
    }
    void append(std::string_view text)
    {
        text_.append(text);
    }
    void clear()
    {
        text_.clear();
    }
    std::size_t size() const
    {
        return text_.size();
    }
    const char *data() const
    {
        return text_.data();
    }

  private:
    std::string text_;
};

inline std::string to_string(const memory_buffer &buffer)
{
    return std::string(buffer.data(), buffer.size());
}

}  // namespace fmt

// Upstream compiles the format string at this place; here it only passes.
#define FMT_COMPILE(text) text
#define FMT_STRING(text)  text
