// JSON as requests and answers need it.
#include "json.hpp"

#include <charconv>
#include <gridloom/failure.hpp>
#include <stdexcept>

namespace gridloom
{

void JsonWriter::separate()
{
    if (needs_comma_) {
        json_ += ',';
    }
    needs_comma_ = true;
}

JsonWriter &JsonWriter::open(char bracket)
{
    separate();
    json_ += bracket;
    needs_comma_ = false;
    return *this;
}

JsonWriter &JsonWriter::close(char bracket)
{
    json_ += bracket;
    needs_comma_ = true;
    return *this;
}

JsonWriter &JsonWriter::key(std::string_view name)
{
    text(name);
    json_ += ':';
    needs_comma_ = false;
    return *this;
}

JsonWriter &JsonWriter::text(std::string_view value)
{
    separate();
    json_ += '"';
    for (const char letter : value) {
        if (letter == '"' || letter == '\\') {
            json_ += '\\';
            json_ += letter;
        } else if (static_cast<unsigned char>(letter) < ' ') {
            json_ += fmt::format("\\u{:04x}", static_cast<int>(letter));
        } else {
            json_ += letter;
        }
    }
    json_ += '"';
    return *this;
}

JsonWriter &JsonWriter::flag(bool value)
{
    return raw(value ? "true" : "false");
}

JsonWriter &JsonWriter::raw(std::string_view json)
{
    separate();
    json_ += json;
    return *this;
}

std::string JsonWriter::take()
{
    needs_comma_ = false;
    return std::move(json_);
}

namespace
{

// Reads values one after another.
class Reader
{
  public:
    explicit Reader(std::string_view json) : json_(json)
    {
    }

    bool takes(char letter)
    {
        skip_spaces();
        if (json_.empty() || json_.front() != letter) {
            return false;
        }
        json_.remove_prefix(1);
        return true;
    }

    void expect(char letter)
    {
        if (!takes(letter)) {
            throw std::runtime_error("an answer of the simulator is not JSON");
        }
    }

    std::string text()
    {
        std::string value;

        expect('"');
        while (!json_.empty() && json_.front() != '"') {
            if (json_.front() == '\\') {
                json_.remove_prefix(1);
                value += escaped();
            } else {
                value += json_.front();
                json_.remove_prefix(1);
            }
        }
        expect('"');
        return value;
    }

    // A number; null and flags are numbers, too.
    double number()
    {
        double value = 0;

        for (const auto &[word, meaning] :
             {std::pair{"true", 1.0}, {"false", 0.0}, {"null", 0.0}}) {
            if (json_.starts_with(word)) {
                json_.remove_prefix(std::string_view(word).size());
                return meaning;
            }
        }
        const auto result =
            std::from_chars(json_.data(), json_.data() + json_.size(), value);
        if (result.ec != std::errc()) {
            throw std::runtime_error("an answer of the simulator is not JSON");
        }
        json_.remove_prefix(static_cast<std::size_t>(result.ptr - json_.data()));
        return value;
    }

    char peek()
    {
        skip_spaces();
        return json_.empty() ? '\0' : json_.front();
    }

    // Passes an object or a list.
    void skip_nested()
    {
        int depth = 0;

        do {
            const char letter = peek();
            if (letter == '"') {
                text();
                continue;
            }
            if (letter == '\0') {
                throw std::runtime_error("an answer of the simulator ends early");
            }
            depth += letter == '{' || letter == '[';
            depth -= letter == '}' || letter == ']';
            json_.remove_prefix(1);
        } while (depth > 0);
    }

  private:
    void skip_spaces()
    {
        const std::size_t count = json_.find_first_not_of(" \t\r\n");
        json_.remove_prefix(std::min(count, json_.size()));
    }

    char escaped()
    {
        static constexpr std::string_view letters = "nrtbf";
        static constexpr std::string_view meanings = "\n\r\t\b\f";
        const char letter = json_.empty() ? '"' : json_.front();
        const std::size_t place = letters.find(letter);

        json_.remove_prefix(json_.empty() ? 0 : 1);
        if (letter == 'u') {
            json_.remove_prefix(std::min<std::size_t>(4, json_.size()));
            return '?';
        }
        return place == std::string_view::npos ? letter : meanings[place];
    }

    std::string_view json_;
};

}  // namespace

JsonObject::JsonObject(std::string_view json)
{
    Reader reader(json);

    reader.expect('{');
    if (reader.takes('}')) {
        return;
    }
    do {
        const std::string name = reader.text();
        reader.expect(':');
        const char first = reader.peek();
        if (first == '"') {
            values_[name] = reader.text();
        } else if (first == '{' || first == '[') {
            reader.skip_nested();
        } else {
            values_[name] = reader.number();
        }
    } while (reader.takes(','));
    reader.expect('}');
}

bool JsonObject::has(const std::string &name) const
{
    return values_.contains(name);
}

std::string JsonObject::text(const std::string &name) const
{
    const auto found = values_.find(name);

    if (found == values_.end() || !std::holds_alternative<std::string>(found->second)) {
        return {};
    }
    return std::get<std::string>(found->second);
}

double JsonObject::number(const std::string &name) const
{
    const auto found = values_.find(name);

    if (found == values_.end() || !std::holds_alternative<double>(found->second)) {
        refuse("an answer of the simulator has no number \"{}\"", name);
    }
    return std::get<double>(found->second);
}

}  // namespace gridloom
