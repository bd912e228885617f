/* Options of a program, and its results. */
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

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

/* Of the start, in UTC: 2026-03-01T12:00:00Z. */
static std::string date()
{
    char text[32] = "";
    std::time_t seconds = std::time(nullptr);
    std::tm parts = {};

    gmtime_r(&seconds, &parts);
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

[[noreturn]] static void refuse(const char *program, const char *word)
{
    std::fprintf(stderr,
                 "%s: %s; usage: %s --out FOLDER [--copy BYTES_PER_SECOND] [--seed N] "
                 "[--size NXxNYxNZ [--dtype fp32|fp64|bf16|mixed] [--iterations N]]\n",
                 program, word, program);
    std::exit(1);
}

/* Whether `name` is an option of the problem that is asked for. */
static bool read_asked(Asked *asked, const char *name, const char *value, bool *is_good)
{
    if (std::strcmp(name, "--size") == 0) {
        *is_good = asked_read_size(asked, value);
    } else if (std::strcmp(name, "--dtype") == 0) {
        *is_good = asked_read_dtype(asked, value);
    } else if (std::strcmp(name, "--iterations") == 0) {
        *is_good = asked_read_iterations(asked, value);
    } else {
        return false;
    }
    return true;
}

Program::Program(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : nullptr;
        char *end = nullptr;
        bool is_good = true;

        if (value == nullptr) {
            refuse(argv[0], argv[i]);
        }
        if (read_asked(&asked_, argv[i], value, &is_good)) {
            if (!is_good) {
                refuse(argv[0], value);
            }
            continue;
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
    run_.date = date();
    if (const char *commit = std::getenv("GRIDLOOM_COMMIT")) {
        run_.commit = commit;
    }
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
