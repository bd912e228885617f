// JSON as requests and answers need it.
#pragma once

#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gridloom
{

// Writes one value after another; commas come by themselves.
class JsonWriter
{
  public:
    JsonWriter &open(char bracket);
    JsonWriter &close(char bracket);
    JsonWriter &key(std::string_view name);
    JsonWriter &text(std::string_view value);
    JsonWriter &flag(bool value);
    template <std::integral T> JsonWriter &number(T value)
    {
        return raw(std::to_string(value));
    }
    // Text that is JSON already.
    JsonWriter &raw(std::string_view json);
    std::string take();

  private:
    void separate();

    std::string json_;
    bool needs_comma_ = false;
};

// An object of numbers, texts and flags. What is nested is skipped.
class JsonObject
{
  public:
    // Throws std::runtime_error where the text is no object.
    explicit JsonObject(std::string_view json);

    bool has(const std::string &name) const;
    std::string text(const std::string &name) const;
    // Throws std::runtime_error where there is no such number.
    double number(const std::string &name) const;

  private:
    std::map<std::string, std::variant<double, std::string>> values_;
};

}  // namespace gridloom
