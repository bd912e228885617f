/* The keys of a chip file of the wafer-scale family. */
#include "arch/chipfile/keys.h"

/* Silicon; kilobytes of 1024 bytes. */
#define MM2(what) ARCH_REAL("area", what "_mm2", "mm2", 0, 1e6)

/* clang-format off */
static const ArchKey keys[] = {
    ARCH_CHOICE("chip", "family", "wse"),
    ARCH_TEXT("chip", "summary"),
    ARCH_UINT("chip", "clock_hz", "hz", 1, 1e11),
    ARCH_UINT("chip", "advertised_pe_count", "count", 1, 1e8),

    ARCH_UINT("fabric", "bare_column_count", "count", 1, 1e5),
    ARCH_UINT("fabric", "bare_row_count", "count", 1, 1e5),
    ARCH_UINT("fabric", "hop_cycles", "cycles", 1, 1000),
    ARCH_UINT("fabric", "wavelet_bytes", "bytes", 4, 4),
    ARCH_RATIO("fabric", "link_cycles_per_wavelet", "cycles per wavelet", 1, 100),

    ARCH_UINT("router", "color_count", "count", 1, 24),
    ARCH_LIST("router", "reserved_colors", "colors", 0, 255, 0, 256),
    ARCH_UINT("router", "switch_position_count", "count", 1, 4),
    ARCH_LIST("router", "switch_colors", "colors", 0, 23, 0, 24),
    ARCH_CHOICE("router", "position_fields", "one|both"),
    ARCH_CHOICE("router", "switch_rule", "cumulative|from_base"),
    ARCH_UINT("router", "link_buffer_wavelets", "wavelets", 1, 1024),
    ARCH_UINT("router", "ramp_buffer_wavelets", "wavelets", 1, 1024),
    ARCH_UINT("router", "link_credit_cycles", "cycles", 1, 1000),
    ARCH_CHOICE("router", "multicast", "atomic|independent"),
    ARCH_CHOICE("router", "color_arbitration", "round_robin|lowest_color"),

    ARCH_UINT("ramp", "in_latency_cycles", "cycles", 0, 1000),
    ARCH_UINT("ramp", "out_latency_cycles", "cycles", 0, 1000),
    ARCH_UINT("ramp", "enqueue_cycles", "cycles", 0, 1000),
    ARCH_RATIO("ramp", "transfer_cycles_per_wavelet", "cycles per wavelet", 1, 100),

    ARCH_LIST("queues", "input_wavelets", "wavelets", 1, 1024, 1, 64),
    ARCH_LIST("queues", "output_wavelets", "wavelets", 1, 1024, 1, 64),
    ARCH_UINT("queues", "input_ramp_wavelets", "wavelets", 0, 1024),
    ARCH_UINT("queues", "credit_return_cycles", "cycles", 0, 1000),

    ARCH_UINT("memory", "capacity_bytes", "bytes", 1, 1073741824),
    ARCH_UINT("memory", "code_reserved_bytes", "bytes", 0, 1073741824),
    ARCH_UINT("memory", "reads_per_cycle", "reads per cycle", 1, 16),
    ARCH_UINT("memory", "writes_per_cycle", "writes per cycle", 1, 1),
    ARCH_UINT("memory", "bank_count", "count", 1, 1024),
    ARCH_UINT("memory", "bank_word_bytes", "bytes", 1, 64),
    ARCH_UINT("memory", "operand_period_bytes", "bytes", 1, 4096),
    ARCH_RATIO("memory", "conflict_factor", "factor", 1, 100),
    ARCH_RATIO("memory", "wide_conflict_cycles_per_step", "cycles per step", 0, 100),
    ARCH_CHOICE("memory", "stall_scope", "pe|thread"),

    ARCH_UINT("pe", "microthread_count", "count", 1, 64),
    ARCH_CHOICE("pe", "microthread_arbitration", "lowest_id|round_robin|sticky|oldest_first"),
    ARCH_CHOICE("pe", "main_thread", "above|alternate"),
    ARCH_UINT("pe", "thread_switch_cycles", "cycles", 0, 1000),
    ARCH_UINT("pe", "reissue_cycles", "cycles", 1, 1000),
    ARCH_UINT("pe", "scalar_float_cycles", "cycles", 1, 1000),
    ARCH_UINT("pe", "branch_taken_cycles", "cycles", 1, 1000),
    ARCH_UINT("pe", "branch_not_taken_cycles", "cycles", 1, 1000),
    ARCH_UINT("pe", "divide_f32_cycles", "cycles", 1, 10000),
    ARCH_UINT("pe", "sqrt_f32_cycles", "cycles", 1, 10000),
    ARCH_UINT("pe", "divide_f16_cycles", "cycles", 1, 10000),
    ARCH_UINT("pe", "convert_cycles", "cycles", 1, 1000),
    ARCH_UINT("pe", "integer_cycles", "cycles", 1, 1000),
    ARCH_UINT("pe", "multiply_cycles", "cycles", 1, 1000),
    ARCH_UINT("pe", "divide_integer_cycles", "cycles", 1, 10000),
    ARCH_UINT("pe", "load_cycles", "cycles", 1, 1000),
    ARCH_UINT("pe", "store_cycles", "cycles", 1, 1000),
    ARCH_UINT("pe", "call_cycles", "cycles", 1, 1000),
    ARCH_UINT("pe", "return_cycles", "cycles", 1, 1000),

    ARCH_UINT("dsd", "setup_busy_cycles", "cycles", 0, 10000),
    ARCH_UINT("dsd", "setup_latency_cycles", "cycles", 0, 10000),
    ARCH_UINT("dsd", "f16_elements_per_cycle", "elements per cycle", 1, 64),
    ARCH_UINT("dsd", "f16_max_elements_per_cycle", "elements per cycle", 1, 64),
    ARCH_UINT("dsd", "f32_add_elements_per_cycle", "elements per cycle", 1, 64),
    ARCH_UINT("dsd", "f32_mov_elements_per_cycle", "elements per cycle", 1, 64),
    ARCH_UINT("dsd", "f32_max_elements_per_cycle", "elements per cycle", 1, 64),
    ARCH_UINT("dsd", "f32_mul_elements_per_cycle", "elements per cycle", 1, 64),
    ARCH_UINT("dsd", "f32_fmac_elements_per_cycle", "elements per cycle", 1, 64),
    ARCH_UINT("dsd", "mixed_fmac_elements_per_cycle", "elements per cycle", 1, 64),
    ARCH_UINT("dsd", "convert_elements_per_cycle", "elements per cycle", 1, 64),
    ARCH_UINT("dsd", "i16_elements_per_cycle", "elements per cycle", 1, 64),
    ARCH_UINT("dsd", "i16_shift_elements_per_cycle", "elements per cycle", 1, 64),
    ARCH_RATIO("dsd", "reduction_cycles_per_element", "cycles per element", 0, 100),
    ARCH_UINT("dsd", "length_limit_elements", "elements", 1, 4294967295.0),

    ARCH_UINT("task", "id_count", "count", 1, 256),
    ARCH_UINT("task", "control_id_count", "count", 1, 256),
    ARCH_UINT("task", "dispatch_cycles", "cycles", 0, 10000),
    ARCH_UINT("task", "data_entry_cycles", "cycles", 0, 10000),
    ARCH_UINT("task", "signal_cycles", "cycles", 1, 1000),
    ARCH_CHOICE("task", "order", "lowest_id|highest_id|round_robin"),

    ARCH_UINT("host", "host_to_device_latency_ns", "ns", 0, 1e9),
    ARCH_UINT("host", "host_to_device_bytes_per_second", "bytes per second", 1, 1e13),
    ARCH_UINT("host", "device_to_host_latency_ns", "ns", 0, 1e9),
    ARCH_UINT("host", "device_to_host_bytes_per_second", "bytes per second", 1, 1e13),
    ARCH_UINT("host", "saturating_channel_count", "count", 1, 64),
    ARCH_REAL("host", "launch_us", "us", 0, 1e9),
    ARCH_UINT("host", "stream_buffer_wavelets", "wavelets", 1, 1024),

    ARCH_REAL("power", "idle_watts", "watts", 0, 1e6),
    ARCH_REAL("power", "busy_picojoules_per_cycle", "picojoules per cycle", 0, 1e6),

    MM2("die"),
    ARCH_REAL("area", "sram_mm2_per_kilobyte", "mm2 per kilobyte", 0, 1e3),
    MM2("core"),
    MM2("router"),
    MM2("rest"),

    ARCH_UINT(ARCH_INFORMATION, "fabric_column_count", "count", 1, 1e5),
    ARCH_UINT(ARCH_INFORMATION, "fabric_row_count", "count", 1, 1e5),
    ARCH_UINT(ARCH_INFORMATION, "program_column_count", "count", 1, 1e5),
    ARCH_UINT(ARCH_INFORMATION, "program_row_count", "count", 1, 1e5),
    ARCH_UINT(ARCH_INFORMATION, "memcpy_west_columns", "columns", 0, 1000),
    ARCH_UINT(ARCH_INFORMATION, "memcpy_east_columns", "columns", 0, 1000),
    ARCH_UINT(ARCH_INFORMATION, "dsd_register_count", "count", 1, 256),
    ARCH_LIST(ARCH_INFORMATION, "reserved_task_ids", "ids", 0, 255, 0, 256),
    ARCH_UINT(ARCH_INFORMATION, "host_channel_count", "count", 1, 1024),
    ARCH_UINT(ARCH_INFORMATION, "host_channel_bytes_per_second", "bytes per second", 1, 1e13),
};
/* clang-format on */

static const char *const area[] = {"area", NULL};

const ArchKeys arch_keys_wse = {
    .items = keys,
    .count = G_N_ELEMENTS(keys),
    .optional = area,
    .inert = area,
};
