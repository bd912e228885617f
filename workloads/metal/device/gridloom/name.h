// Names, compared while a kernel is compiled.
#pragma once

namespace gridloom
{

constexpr bool is_same(const char *a, const char *b)
{
    for (; *a == *b; a++, b++) {
        if (*a == 0) {
            return true;
        }
    }
    return false;
}

// The other is a view.
template <typename View>
requires requires(const View &view)
{
    view.size();
}
constexpr bool is_same(const char *a, const View &b)
{
    for (char letter : b) {
        if (*a++ != letter) {
            return false;
        }
    }
    return *a == 0;
}

}  // namespace gridloom
