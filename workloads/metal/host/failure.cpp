// Errors of a host program, with the user's own words.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <gridloom/failure.hpp>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>

namespace gridloom
{

namespace
{

constexpr int wrong_input = 1;  // as the simulator's own exit code

// Says what nobody has caught, and leaves like other errors do, with a code.
[[noreturn]] void say_uncaught()
{
    try {
        if (const std::exception_ptr error = std::current_exception()) {
            std::rethrow_exception(error);
        }
        std::fputs("error: the program has called std::terminate\n", stderr);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "error: %s\n", error.what());
    } catch (...) {
        std::fputs("error: the program has thrown something unknown\n", stderr);
    }
    std::exit(wrong_input);
}

}  // namespace

void say_uncaught_errors()
{
    std::set_terminate(say_uncaught);
}

void refuse_text(std::string_view text)
{
    say_uncaught_errors();
    throw std::runtime_error(std::string(text));
}

void say_once(std::string_view text)
{
    static std::mutex mutex;
    static std::set<std::string, std::less<>> said;
    const std::lock_guard lock(mutex);

    if (said.emplace(text).second) {
        fmt::print(stderr, "gridloom: {}\n", text);
    }
}

}  // namespace gridloom
