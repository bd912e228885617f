/* Writes JSON; numbers with as many digits as they need to be read back the same. */
#include "tools/gpu/json.hpp"

#include <cmath>
#include <cstdio>

namespace gpu
{

static std::string quoted(const std::string &text)
{
    std::string result = "\"";

    for (char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if ((unsigned char) c < 0x20) {
            char escape[8];

            std::snprintf(escape, sizeof escape, "\\u%04x", (unsigned) c);
            result += escape;
        } else {
            result += c;
        }
    }
    return result + '"';
}

static std::string number(double value)
{
    char digits[40];

    if (!std::isfinite(value)) {
        return "null";
    }
    for (int precision = 15; precision <= 17; precision++) {
        std::snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (std::stod(digits) == value) {
            break;
        }
    }
    std::string result = digits;

    return result.find_first_of(".e") == std::string::npos ? result + ".0" : result;
}

Json::Json(bool value) : scalar(value ? "true" : "false")
{
}

Json::Json(int value) : scalar(std::to_string(value))
{
}

Json::Json(int64_t value) : scalar(std::to_string(value))
{
}

Json::Json(uint64_t value) : scalar(std::to_string(value))
{
}

Json::Json(double value) : scalar(number(value))
{
}

Json::Json(const char *value) : scalar(quoted(value))
{
}

Json::Json(const std::string &value) : scalar(quoted(value))
{
}

Json Json::object()
{
    Json json;

    json.kind = Kind::object;
    return json;
}

Json Json::array()
{
    Json json;

    json.kind = Kind::array;
    return json;
}

Json &Json::set(const std::string &name, Json value)
{
    for (auto &member : members) {
        if (member.first == name) {
            member.second = std::move(value);
            return *this;
        }
    }
    members.emplace_back(name, std::move(value));
    return *this;
}

Json &Json::add(Json value)
{
    members.emplace_back("", std::move(value));
    return *this;
}

std::string Json::list(int level, const char *brackets) const
{
    const std::string indent(2 * (size_t) level, ' ');
    std::string result(1, brackets[0]);
    const char *separator = "\n";

    for (const auto &member : members) {
        result += separator + indent + "  ";
        if (kind == Kind::object) {
            result += quoted(member.first) + " : ";
        }
        result += member.second.text(level + 1);
        separator = ",\n";
    }
    return result + (members.empty() ? " " : "\n" + indent) + brackets[1];
}

std::string Json::text(int level) const
{
    switch (kind) {
    case Kind::object:
        return list(level, "{}");
    case Kind::array:
        return list(level, "[]");
    default:
        return scalar;
    }
}

}  // namespace gpu
