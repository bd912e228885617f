// Text from values and a format string, in the way that fmt writes it.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <gridloom/format.hpp>
#include <limits>

namespace gridloom
{

namespace
{

bool is_align(char letter)
{
    return letter == '<' || letter == '>' || letter == '^';
}

int read_number(const char *&begin, const char *end)
{
    int number = 0;
    const auto result = std::from_chars(begin, end, number);

    if (result.ec != std::errc()) {
        throw fmt::format_error("a number is missing in a format string");
    }
    begin = result.ptr;
    return number;
}

bool takes(const char *&begin, const char *end, char letter)
{
    if (begin == end || *begin != letter) {
        return false;
    }
    ++begin;
    return true;
}

// Letters of a text, not its bytes: those that continue a letter in UTF-8 do not count.
int width_of(std::string_view text)
{
    return static_cast<int>(std::count_if(
        text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

void pad(std::string &out, std::string_view text, const Specification &how, char align)
{
    const int missing = std::max(0, how.width - width_of(text));
    int before = 0;

    switch (how.align ? how.align : align) {
    case '>':
        before = missing;
        break;
    case '^':
        before = missing / 2;
        break;
    default:
        break;
    }
    out.append(static_cast<std::size_t>(before), how.fill);
    out += text;
    out.append(static_cast<std::size_t>(missing - before), how.fill);
}

// A number from its sign, its prefix and its digits; zeros go between them.
void write_number(std::string &out,
                  std::string head,
                  std::string_view digits,
                  const Specification &how)
{
    const int missing = how.width - static_cast<int>(head.size() + digits.size());

    if (how.pads_zeros && how.align == 0 && missing > 0) {
        head.append(static_cast<std::size_t>(missing), '0');
    }
    pad(out, head.append(digits), how, '>');
}

std::string sign_of(bool is_negative, const Specification &how)
{
    if (is_negative) {
        return "-";
    }
    return how.sign == '-' ? std::string() : std::string(1, how.sign);
}

// A floating-point number's digits without its sign; the shortest that name it exactly
// unless `how` says more.
template <typename T> std::string digits_of(T value, const Specification &how)
{
    char text[1100];
    char *const end = text + sizeof text;
    const auto convert = [&](auto... how_to) {
        return std::string(text, std::to_chars(text, end, value, how_to...).ptr);
    };
    const int precision = how.precision < 0 ? 6 : how.precision;

    switch (how.type) {
    case 'f':
    case 'F':
        return convert(std::chars_format::fixed, precision);
    case 'e':
    case 'E':
        return convert(std::chars_format::scientific, precision);
    case 'a':
    case 'A':
        return "0x" + convert(std::chars_format::hex);
    case 'g':
    case 'G':
        return convert(std::chars_format::general, precision);
    default:
        break;
    }
    if (how.precision >= 0) {
        return convert(std::chars_format::general, how.precision);
    }
    const std::string shortest = convert(std::chars_format::scientific);
    const int exponent = std::stoi(shortest.substr(shortest.find('e') + 1));
    const int most = std::min(16, std::numeric_limits<T>::digits10 + 1);
    if (exponent < -4 || exponent >= most) {
        return shortest;
    }
    return convert(std::chars_format::fixed);
}

template <typename T>
void write_floating(std::string &out, T value, const Specification &how)
{
    const bool is_negative = std::signbit(value);
    std::string digits;
    Specification plain = how;

    if (std::isfinite(value)) {
        digits = digits_of(std::abs(value), how);
    } else {
        digits = std::isnan(value) ? "nan" : "inf";
        plain.pads_zeros = false;
    }
    if (how.type >= 'A' && how.type <= 'G') {
        std::transform(digits.begin(), digits.end(), digits.begin(),
                       [](char c) { return static_cast<char>(std::toupper(c)); });
    }
    if (how.is_alternate && digits.find_first_of(".en") == std::string::npos) {
        digits += ".0";
    }
    write_number(out, sign_of(is_negative, how), digits, plain);
}

}  // namespace

Specification read_specification(const char *&begin, const char *end)
{
    Specification how;

    if (end - begin >= 2 && is_align(begin[1])) {
        how.fill = *begin++;
        how.align = *begin++;
    } else if (begin != end && is_align(*begin)) {
        how.align = *begin++;
    }
    if (begin != end && (*begin == '+' || *begin == '-' || *begin == ' ')) {
        how.sign = *begin++;
    }
    how.is_alternate = takes(begin, end, '#');
    how.pads_zeros = takes(begin, end, '0');
    if (begin != end && *begin >= '1' && *begin <= '9') {
        how.width = read_number(begin, end);
    }
    if (takes(begin, end, '.')) {
        how.precision = read_number(begin, end);
    }
    takes(begin, end, 'L');
    if (begin != end && *begin != '}') {
        how.type = *begin++;
    }
    return how;
}

void write_text(std::string &out, std::string_view text, const Specification &how)
{
    if (how.precision >= 0) {
        text = text.substr(0, static_cast<std::size_t>(how.precision));
    }
    pad(out, text, how, '<');
}

void write_integer(std::string &out,
                   bool is_negative,
                   std::uint64_t magnitude,
                   const Specification &how)
{
    char text[65];
    int base = 10;
    std::string head = sign_of(is_negative, how);
    const char *prefix = "";

    switch (how.type) {
    case 'x':
    case 'X':
        base = 16;
        prefix = how.type == 'x' ? "0x" : "0X";
        break;
    case 'b':
    case 'B':
        base = 2;
        prefix = how.type == 'b' ? "0b" : "0B";
        break;
    case 'o':
        base = 8;
        prefix = "0";
        break;
    case 'c': {
        const char letter = static_cast<char>(magnitude);
        write_text(out, std::string_view(&letter, 1), how);
        return;
    }
    case 'e':
    case 'f':
    case 'g':
        throw fmt::format_error("an integer is formatted as a floating-point number");
    default:
        break;
    }
    char *end = std::to_chars(text, text + sizeof text, magnitude, base).ptr;
    if (how.type == 'X') {
        std::transform(text, end, text,
                       [](char c) { return static_cast<char>(std::toupper(c)); });
    }
    if (how.is_alternate) {
        head += prefix;
    }
    write_number(out, head,
                 std::string_view(text, static_cast<std::size_t>(end - text)), how);
}

void write_float(std::string &out, float value, const Specification &how)
{
    write_floating(out, value, how);
}

void write_float(std::string &out, double value, const Specification &how)
{
    write_floating(out, value, how);
}

void write_pointer(std::string &out, const void *value, const Specification &how)
{
    Specification hexadecimal = how;

    hexadecimal.type = 'x';
    hexadecimal.is_alternate = true;
    write_integer(out, false, reinterpret_cast<std::uintptr_t>(value), hexadecimal);
}

}  // namespace gridloom

namespace fmt
{

namespace
{

// Walks through a format string and its values.
class Formatting
{
  public:
    Formatting(std::string &out,
               std::string_view text,
               std::span<const format_arg> args)
        : out_(out), text_(text), args_(args)
    {
    }

    void run()
    {
        while (!text_.empty()) {
            const char letter = text_.front();
            text_.remove_prefix(1);
            if ((letter == '{' || letter == '}') && !text_.empty() &&
                text_.front() == letter) {
                text_.remove_prefix(1);
                out_ += letter;
            } else if (letter == '{') {
                field();
            } else if (letter == '}') {
                throw format_error("a brace in a format string is not opened");
            } else {
                out_ += letter;
            }
        }
    }

  private:
    // Up to the brace that closes a field; a specification may have fields of its own.
    void field()
    {
        const format_arg &arg = next();
        std::string specification;

        if (!text_.empty() && text_.front() == ':') {
            text_.remove_prefix(1);
            while (!text_.empty() && text_.front() != '}') {
                const char letter = text_.front();
                text_.remove_prefix(1);
                if (letter == '{') {
                    const format_arg &inner = next();
                    inner.write(inner.value, "", specification);
                    close();
                } else {
                    specification += letter;
                }
            }
        }
        close();
        arg.write(arg.value, specification, out_);
    }

    const format_arg &next()
    {
        std::size_t index = 0;
        const auto result =
            std::from_chars(text_.data(), text_.data() + text_.size(), index);

        if (result.ec == std::errc()) {
            text_.remove_prefix(static_cast<std::size_t>(result.ptr - text_.data()));
        } else {
            index = next_++;
        }
        if (index >= args_.size()) {
            throw format_error("a format string has more fields than values");
        }
        return args_[index];
    }

    void close()
    {
        if (text_.empty() || text_.front() != '}') {
            throw format_error("a field in a format string is not closed");
        }
        text_.remove_prefix(1);
    }

    std::string &out_;
    std::string_view text_;
    std::span<const format_arg> args_;
    std::size_t next_ = 0;
};

}  // namespace

void vformat(std::string &out, std::string_view text, std::span<const format_arg> args)
{
    Formatting(out, text, args).run();
}

}  // namespace fmt
