// A program as a request to the simulator has it.
#include <algorithm>
#include <gridloom/failure.hpp>

#include "json.hpp"
#include "program_state.hpp"

namespace gridloom
{

using namespace tt::tt_metal;

namespace
{

void write_cores(JsonWriter &json, const Cores &cores)
{
    json.key("cores").open('[');
    for (const CoreRange &range : cores.ranges()) {
        json.open('[')
            .number(range.start_coord.x)
            .number(range.start_coord.y)
            .number(range.end_coord.x)
            .number(range.end_coord.y)
            .close(']');
    }
    json.close(']');
}

void write_words(JsonWriter &json,
                 std::string_view name,
                 const std::vector<std::uint32_t> &words)
{
    json.key(name).open('[');
    for (const std::uint32_t word : words) {
        json.number(word);
    }
    json.close(']');
}

void write_names(JsonWriter &json,
                 std::string_view name,
                 const std::vector<std::string> &names)
{
    if (names.empty()) {
        return;
    }
    json.key(name).open('[');
    for (const std::string &one : names) {
        json.text(one);
    }
    json.close(']');
}

// What both kinds of kernels have. Names are in order, so that equal kernels are equal.
template <typename Config>
void write_compilation(JsonWriter &json, const Config &config)
{
    const std::map<std::string, std::uint32_t> named(config.named_compile_args.begin(),
                                                     config.named_compile_args.end());

    write_words(json, "compile_args", config.compile_args);
    json.key("named_args").open('[');
    for (const auto &[name, value] : named) {
        json.open('[').text(name).number(value).close(']');
    }
    json.close(']').key("defines").open('[');
    for (const auto &[name, value] : config.defines) {
        json.open('[').text(name).text(value).close(']');
    }
    json.close(']');
}

int passes_of(MathFidelity fidelity)
{
    switch (fidelity) {
    case MathFidelity::LoFi:
        return 1;
    case MathFidelity::HiFi2:
        return 2;
    case MathFidelity::HiFi3:
        return 3;
    case MathFidelity::HiFi4:
        return 4;
    case MathFidelity::Invalid:
        break;
    }
    refuse("a compute kernel has no math fidelity");
}

void write_config(JsonWriter &json, const DataMovementConfig &config)
{
    if (config.noc_mode == NOC_MODE::DM_DYNAMIC_NOC) {
        say_once("the dynamic NoC mode changes nothing here");
    }
    json.key("noc").number(static_cast<int>(config.noc));
    write_compilation(json, config);
}

void write_config(JsonWriter &json, const ComputeConfig &config)
{
    if (config.bfp8_pack_precise) {
        say_once("bfp8_pack_precise changes nothing here");
    }
    json.key("noc").number(0);
    write_compilation(json, config);
    json.key("fidelity").number(passes_of(config.math_fidelity));
    json.key("fp32_dst").flag(config.fp32_dest_acc_en);
    json.key("full_sync").flag(config.dst_full_sync_en);
    json.key("approx").flag(config.math_approx_mode);
    json.key("unpack_to_dest_fp32").open('[');
    for (std::size_t index = 0; index < config.unpack_to_dest_mode.size(); ++index) {
        if (config.unpack_to_dest_mode[index] == UnpackToDestMode::UnpackToDestFp32) {
            json.number(index);
        }
    }
    json.close(']');
}

void write_kernel(JsonWriter &json, const Kernel &kernel, std::size_t id)
{
    json.open('{').key("id").number(id);
    if (kernel.path.empty()) {
        json.key("text").text(kernel.text);
    } else {
        json.key("source").text(kernel.path);
    }
    json.key("name").text(kernel.name).key("processor").text(kernel.processor());
    write_cores(json, kernel.cores);
    std::visit([&](const auto &config) { write_config(json, config); }, kernel.config);
    write_names(json, "arg_names", kernel.arg_names);
    write_names(json, "common_arg_names", kernel.common_arg_names);
    write_words(json, "common_args", kernel.common_args);
    json.key("args").open('[');
    for (const auto &[core, words] : kernel.args) {
        json.open('{').key("core").open('[').number(core.x).number(core.y).close(']');
        write_words(json, "words", words);
        json.close('}');
    }
    json.close(']').close('}');
}

void write_buffer(JsonWriter &json, const CircularBuffer &buffer, std::uint64_t address)
{
    const CircularBufferConfig &config = buffer.config;

    for (std::size_t index = 0; index < NUM_CIRCULAR_BUFFERS; ++index) {
        if (!config.buffer_indices().contains(static_cast<std::uint8_t>(index))) {
            continue;
        }
        if (!config.page_sizes()[index]) {
            refuse("circular buffer {} has no page size", index);
        }
        json.open('{');
        write_cores(json, buffer.cores);
        json.key("index").number(index);
        json.key("address").number(address);
        json.key("bytes").number(config.total_size());
        json.key("page_bytes").number(*config.page_sizes()[index]);
        json.key("format").number(
            static_cast<int>(config.data_formats()[index].value()));
        if (config.globally_allocated_address()) {
            json.key("filled").flag(true);
        }
        json.close('}');
    }
}

void check_cores(const Cores &cores, const Machine &machine, std::string_view what)
{
    for (const CoreRange &range : cores.ranges()) {
        if (range.end_coord.x >= machine.columns || range.end_coord.y >= machine.rows) {
            refuse("{} is to be on cores {}, the grid has {} x {}", what, range,
                   machine.columns, machine.rows);
        }
    }
}

}  // namespace

std::string ProgramState::json(const Machine &machine, std::uint64_t l1_limit) const
{
    const std::vector<std::uint64_t> addresses = place_buffers(machine.l1_first);
    JsonWriter json;

    json.open('{').key("id").number(id).key("name").text(name);
    json.key("runtime_id").number(runtime_id);
    json.key("l1_banks").open('[');
    for (const std::uint32_t core : l1_bank_cores(machine.core_count())) {
        json.number(core);
    }
    json.close(']').key("buffers").open('[');
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const CircularBufferConfig &config = buffers[i].config;
        const std::uint64_t end = addresses[i] + config.total_size();
        const bool is_global = config.globally_allocated_address().has_value();
        check_cores(buffers[i].cores, machine, "a circular buffer");
        if (end > (is_global ? machine.l1_end : l1_limit)) {
            refuse("circular buffers of {} reach up to {:#x} in L1, where {} at {:#x}",
                   buffers[i].cores, end,
                   l1_limit < machine.l1_end ? "a buffer begins" : "it ends", l1_limit);
        }
        write_buffer(json, buffers[i], addresses[i]);
    }
    json.close(']').key("semaphores").open('[');
    for (const Semaphore &semaphore : semaphores) {
        check_cores(semaphore.cores, machine, "a semaphore");
        json.open('{');
        write_cores(json, semaphore.cores);
        json.key("id")
            .number(semaphore.id)
            .key("value")
            .number(semaphore.value)
            .close('}');
    }
    json.close(']').key("kernels").open('[');
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        check_cores(kernels[i].cores, machine, "kernel " + kernels[i].name);
        write_kernel(json, kernels[i], i);
    }
    json.close(']').close('}');
    return json.take();
}

}  // namespace gridloom
