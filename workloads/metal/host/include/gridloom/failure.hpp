// Errors of a host program, with the user's own words.
#pragma once

#include <gridloom/format.hpp>
#include <string_view>

namespace gridloom
{

// From now on the program says what nobody catches in one line, and exits with code 1.
void say_uncaught_errors();

// Throws std::runtime_error with the text.
[[noreturn]] void refuse_text(std::string_view text);

// Says on stderr, once in a program, that something changes nothing here.
void say_once(std::string_view text);

template <typename... Args>
[[noreturn]] void refuse(fmt::format_text text, const Args &...args)
{
    refuse_text(fmt::format(text, args...));
}

// A check of the user's program that failed.
struct Check {
    std::string_view kind;
    std::string_view condition;
    std::string_view file;
    int line;

    [[noreturn]] void fail() const
    {
        refuse("{} [{} at {}:{}]", condition, kind, file, line);
    }
    template <typename... Args>
    [[noreturn]] void fail(fmt::format_text text, const Args &...args) const
    {
        refuse("{} [{} {}at {}:{}]", fmt::format(text, args...), kind, condition, file,
               line);
    }
};

}  // namespace gridloom
