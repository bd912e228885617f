/* Options of a program, and its results. */
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/gpu/copying.cuh"
#include "tools/gpu/device.cuh"
#include "tools/gpu/program.cuh"

namespace gpu
{

static double now()
{
    using namespace std::chrono;

    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

[[noreturn]] static void refuse(const char *program, const char *word)
{
    std::fprintf(
        stderr, "%s: %s; usage: %s --out FOLDER [--copy BYTES_PER_SECOND] [--seed N]\n",
        program, word, program);
    std::exit(1);
}

Program::Program(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : nullptr;
        char *end = nullptr;

        if (value == nullptr) {
            refuse(argv[0], argv[i]);
        }
        if (std::strcmp(argv[i], "--out") == 0) {
            run_.folder = value;
            continue;
        }
        if (std::strcmp(argv[i], "--copy") == 0) {
            run_.copy_bytes_per_second = std::strtod(value, &end);
        } else if (std::strcmp(argv[i], "--seed") == 0) {
            seed_ = std::strtoull(value, &end, 10);
        } else {
            refuse(argv[0], argv[i]);
        }
        if (end == value || *end != '\0' || !(run_.copy_bytes_per_second >= 0)) {
            refuse(argv[0], value);
        }
    }
    if (run_.folder.empty()) {
        refuse(argv[0], "no --out");
    }
    run_.start_seconds = now();
    run_.device = device_open();
}

double Program::copy_bytes_per_second()
{
    const size_t bytes = (size_t) 2 << 30;

    if (run_.copy_bytes_per_second == 0) {
        run_.copy_bytes_per_second = copy_rate(copy_all_ways(bytes, 3, 20)[0], bytes);
    }
    return run_.copy_bytes_per_second;
}

void Program::write(Result *result, const std::string &name)
{
    result->seed = seed_;
    copy_bytes_per_second();
    is_pass_ = result_write(*result, run_, name) && is_pass_;
}

int Program::exit_code() const
{
    return is_pass_ ? 0 : 4;
}

}  // namespace gpu
