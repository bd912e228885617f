/* A JSON value that is built once and written: objects keep the order of their members.
 */
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gpu
{

class Json
{
  public:
    /* null */
    Json() = default;
    Json(bool value);
    Json(int value);
    Json(int64_t value);
    Json(uint64_t value);
    Json(double value); /* null where JSON has no such number */
    Json(const char *value);
    Json(const std::string &value);

    static Json object();
    static Json array();

    /* Sets a member of an object, or replaces it; gives the object back. */
    Json &set(const std::string &name, Json value);
    /* Adds an element to an array; gives the array back. */
    Json &add(Json value);

    /* Indented by two blanks a level, without a line end. */
    std::string text(int level = 0) const;

  private:
    enum class Kind {
        scalar,
        object,
        array
    };

    std::string list(int level, const char *brackets) const;

    Kind kind = Kind::scalar;
    std::string scalar = "null";
    std::vector<std::pair<std::string, Json>> members;
};

}  // namespace gpu
