// How values of each type are written as text.
#pragma once

#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>

#include "gridloom/format_context.hpp"

namespace fmt
{

// How values of type T are written; programs specialise it.
template <typename T, typename Char = char, typename Enable = void> struct formatter {
    formatter() = delete;
};

template <typename T>
concept Text = std::is_convertible_v<const T &, std::string_view>;
template <typename T>
concept NamedEnum = std::is_enum_v<T> && requires(T value)
{
    format_as(value);
};
template <typename T>
concept Number = std::is_arithmetic_v<T> ||(std::is_enum_v<T> && !NamedEnum<T>);
template <typename T>
concept Address = std::is_pointer_v<T> && !Text<T>;
template <typename T>
concept Writable = std::is_default_constructible_v < formatter < std::remove_cvref_t<T>,
char, void >> ;
template <typename T>
concept Streamable = requires(std::ostream &stream, const T &value)
{
    stream << value;
};
template <typename T>
concept Sequence = !Text<T> && !Number<T> && requires(const T &value)
{
    std::begin(value);
    std::end(value);
};
template <typename T>
concept Tuple = !Sequence<T> && requires
{
    std::tuple_size<T>::value;
};

// The part that all built-in kinds share: they read the same specification.
struct specified {
    gridloom::Specification how;

    auto parse(format_parse_context &context)
    {
        const char *place = context.begin();
        how = gridloom::read_specification(place, context.end());
        return place;
    }
};

template <typename T>
requires Text<T>
struct formatter<T, char, void> : specified {
    auto format(const T &value, format_context &context) const
    {
        gridloom::write_text(context.text(), std::string_view(value), how);
        return context.out();
    }
};

template <typename T>
requires Number<T>
struct formatter<T, char, void> : specified {
    auto format(T value, format_context &context) const
    {
        std::string &out = context.text();

        if constexpr (std::is_enum_v<T>) {
            put(out, static_cast<std::underlying_type_t<T>>(value));
        } else if constexpr (std::is_same_v<T, bool>) {
            if (how.type == 0 || how.type == 's') {
                gridloom::write_text(out, value ? "true" : "false", how);
            } else {
                put(out, static_cast<int>(value));
            }
        } else if constexpr (std::is_same_v<T, char>) {
            if (how.type == 0 || how.type == 'c') {
                gridloom::write_text(out, std::string_view(&value, 1), how);
            } else {
                put(out, static_cast<int>(value));
            }
        } else {
            put(out, value);
        }
        return context.out();
    }

  private:
    template <typename N> void put(std::string &out, N value) const
    {
        if constexpr (std::is_same_v<N, float>) {
            gridloom::write_float(out, value, how);
        } else if constexpr (std::is_floating_point_v<N>) {
            gridloom::write_float(out, static_cast<double>(value), how);
        } else {
            const bool is_negative = value < N{};
            const auto bits = static_cast<std::uint64_t>(value);
            gridloom::write_integer(out, is_negative, is_negative ? 0 - bits : bits,
                                    how);
        }
    }
};

template <typename T>
requires Address<T>
struct formatter<T, char, void> : specified {
    auto format(T value, format_context &context) const
    {
        gridloom::write_pointer(context.text(), value, how);
        return context.out();
    }
};

// Types with a function format_as() are written as its result.
template <typename T>
requires(!Text<T> && !Number<T> &&
         requires(const T &value) { format_as(value); }) struct formatter<T, char, void>
    : formatter<std::remove_cvref_t<decltype(format_as(std::declval<const T &>()))>> {
    auto format(const T &value, format_context &context) const
    {
        using Inner = std::remove_cvref_t<decltype(format_as(value))>;
        return formatter<Inner>::format(format_as(value), context);
    }
};

template <typename T> void append(std::string &out, const T &value)
{
    format_context context(out);
    formatter<T> how;

    how.format(value, context);
}

// An element of a sequence: texts stand between quotes.
template <typename T> void append_element(std::string &out, const T &value)
{
    const char *const quote = Text<T> ? "\"" : "";

    out += quote;
    append(out, value);
    out += quote;
}

// Elements between brackets; those of sets and maps between braces.
template <typename T>
requires(Sequence<T> && !requires(const T &value) {
    format_as(value);
}) struct formatter<T, char, void> {
    constexpr auto parse(format_parse_context &context)
    {
        return context.begin();
    }
    auto format(const T &value, format_context &context) const
    {
        constexpr bool is_set = requires
        {
            typename T::key_type;
        };
        constexpr bool is_map = requires
        {
            typename T::mapped_type;
        };
        std::string &out = context.text();
        const char *separator = "";

        out += is_set ? '{' : '[';
        for (const auto &element : value) {
            out += separator;
            separator = ", ";
            if constexpr (is_map) {
                append_element(out, element.first);
                out += ": ";
                append_element(out, element.second);
            } else {
                append_element(out,
                               static_cast<const typename T::value_type &>(element));
            }
        }
        out += is_set ? '}' : ']';
        return context.out();
    }
};

template <typename T>
requires(Tuple<T> && !Streamable<T>) struct formatter<T, char, void> {
    constexpr auto parse(format_parse_context &context)
    {
        return context.begin();
    }
    auto format(const T &value, format_context &context) const
    {
        std::string &out = context.text();
        const char *separator = "";
        const auto put = [&](const auto &element) {
            out += separator;
            separator = ", ";
            append_element(out, element);
        };

        out += '(';
        std::apply([&](const auto &...element) { (put(element), ...); }, value);
        out += ')';
        return context.out();
    }
};

template <typename T> struct formatter<std::optional<T>, char, void> : specified {
    auto format(const std::optional<T> &value, format_context &context) const
    {
        if (value) {
            context.text() += "optional(";
            append(context.text(), *value);
            context.text() += ')';
        } else {
            context.text() += "none";
        }
        return context.out();
    }
};

struct ostream_formatter : specified {
    template <typename T> auto format(const T &value, format_context &context) const
    {
        std::ostringstream stream;
        stream << value;
        gridloom::write_text(context.text(), stream.str(), how);
        return context.out();
    }
};

template <typename T>
requires(Streamable<T> && !Text<T> && !Number<T> && !Address<T> && !Sequence<T> &&
         !requires(const T &value) {
             format_as(value);
         }) struct formatter<T, char, void> : ostream_formatter {
};

}  // namespace fmt
