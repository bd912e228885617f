// Calls of the API that are not here: a program that has one does not compile, and the
// compiler names the call and the page that lists what there is.
#pragma once

namespace gridloom
{
template <typename...> inline constexpr bool is_here = false;
}  // namespace gridloom

namespace tt::tt_metal
{

template <typename... Args> void CreateGlobalCircularBuffer(const Args &...)
{
    static_assert(gridloom::is_here<Args...>,
                  "CreateGlobalCircularBuffer is not in Gridloom: see "
                  "workloads/doc/metal_host.md");
}
template <typename... Args> void CreateDeviceMinimal(const Args &...)
{
    static_assert(
        gridloom::is_here<Args...>,
        "CreateDeviceMinimal is not in Gridloom: see workloads/doc/metal_host.md");
}
template <typename... Args> void PushCurrentCommandQueueIdForThread(const Args &...)
{
    static_assert(
        gridloom::is_here<Args...>,
        "queues of threads are not in Gridloom: see workloads/doc/metal_host.md");
}

struct EthernetConfig {
    template <typename... Args> explicit EthernetConfig(const Args &...)
    {
        static_assert(gridloom::is_here<Args...>,
                      "kernels on Ethernet cores are not in Gridloom: see "
                      "workloads/doc/metal_host.md");
    }
};

}  // namespace tt::tt_metal
