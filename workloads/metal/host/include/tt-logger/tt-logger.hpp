// Lines of the log, on stdout.
#pragma once

#include <gridloom/format.hpp>
#include <string_view>

namespace gridloom
{

enum class Level {
    trace,
    debug,
    info,
    warning,
    error,
    fatal
};

// Whether TT_LOGGER_LEVEL lets such lines through; without it, from info on.
bool is_logged(Level level);
void log_line(Level level, std::string_view topic, std::string_view text);

}  // namespace gridloom

namespace tt
{

enum LogType {
    LogAlways,
    LogTest,
    LogTimer,
    LogDevice,
    LogModel,
    LogLoader,
    LogIO,
    LogRuntime,
    LogMetal,
    LogMetalTrace,
    LogBuildKernels,
    LogDispatch,
    LogFabric,
    LogOp,
    LogUMD,
    LogDistributed,
    LogVerif
};

std::string_view topic_of(LogType type);

}  // namespace tt

namespace gridloom
{

template <typename... Args>
void log(Level level, tt::LogType type, fmt::format_text text, const Args &...args)
{
    if (is_logged(level)) {
        log_line(level, topic_of(type), fmt::format(text, args...));
    }
}
template <typename... Args>
void log(Level level, fmt::format_text text, const Args &...args)
{
    log(level, tt::LogAlways, text, args...);
}

}  // namespace gridloom

namespace tt
{

template <typename... Args> void log_trace(const Args &...args)
{
    gridloom::log(gridloom::Level::trace, args...);
}
template <typename... Args> void log_debug(const Args &...args)
{
    gridloom::log(gridloom::Level::debug, args...);
}
template <typename... Args> void log_info(const Args &...args)
{
    gridloom::log(gridloom::Level::info, args...);
}
template <typename... Args> void log_warning(const Args &...args)
{
    gridloom::log(gridloom::Level::warning, args...);
}
template <typename... Args> void log_error(const Args &...args)
{
    gridloom::log(gridloom::Level::error, args...);
}
template <typename... Args> void log_fatal(const Args &...args)
{
    gridloom::log(gridloom::Level::fatal, args...);
}
template <typename... Args> void log_critical(const Args &...args)
{
    gridloom::log(gridloom::Level::fatal, args...);
}

}  // namespace tt

using tt::log_critical;
using tt::log_debug;
using tt::log_error;
using tt::log_fatal;
using tt::log_info;
using tt::log_trace;
using tt::log_warning;
