// Lines of the log, on stdout.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string>
#include <tt-logger/tt-logger.hpp>

namespace
{

constexpr std::array<std::string_view, 6> levels = {"trace",   "debug", "info",
                                                    "warning", "error", "fatal"};
constexpr std::array<std::string_view, 17> topics = {
    "Always", "Test",    "Timer", "Device",      "Model",        "Loader",
    "IO",     "Runtime", "Metal", "MetalTrace",  "BuildKernels", "Dispatch",
    "Fabric", "Op",      "UMD",   "Distributed", "Verif"};

gridloom::Level lowest()
{
    const char *wish = std::getenv("TT_LOGGER_LEVEL");
    std::string name = wish ? wish : "";

    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto *const found = std::find(levels.begin(), levels.end(), name);
    return found == levels.end() ? gridloom::Level::info
                                 : static_cast<gridloom::Level>(found - levels.begin());
}

}  // namespace

namespace tt
{

std::string_view topic_of(LogType type)
{
    return topics.at(static_cast<std::size_t>(type));
}

}  // namespace tt

namespace gridloom
{

bool is_logged(Level level)
{
    static const Level least = lowest();

    return level >= least;
}

void log_line(Level level, std::string_view topic, std::string_view text)
{
    fmt::print("{} | {} | {}\n", levels.at(static_cast<std::size_t>(level)), topic,
               text);
}

}  // namespace gridloom
