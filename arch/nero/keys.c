/* The keys of a chip file of a near-memory accelerator: an FPGA board. Lists of two are
 * of FP32 and of FP16. */
#include "arch/chipfile/keys.h"

#define BOTH(section, key, unit, most) ARCH_LIST(section, key, unit, 0, most, 2, 2)

/* clang-format off */
static const ArchKey keys[] = {
    ARCH_CHOICE("chip", "family", "nero"),
    ARCH_TEXT("chip", "summary"),
    ARCH_UINT("chip", "clock_hz", "hz", 1e6, 2e9),

    ARCH_UINT("host", "launch_us", "us", 0, 1e6),
    ARCH_UINT("host", "host_to_device_latency_ns", "ns", 0, 1e9),
    ARCH_UINT("host", "host_to_device_bytes_per_second", "bytes per second", 1, 1e13),
    ARCH_UINT("host", "device_to_host_latency_ns", "ns", 0, 1e9),
    ARCH_UINT("host", "device_to_host_bytes_per_second", "bytes per second", 1, 1e13),

    ARCH_UINT("link", "line_bytes", "bytes", 32, 4096),
    ARCH_UINT("link", "buffer_lines", "lines", 1, 65536),
    ARCH_UINT("link", "latency_cycles", "cycles", 1, 1e6),
    ARCH_UINT("link", "bytes_per_second", "bytes per second", 1, 1e13),

    ARCH_UINT("dram", "channel_count", "count", 1, 256),
    ARCH_UINT("dram", "channel_bytes", "bytes", 1, 1e12),

    ARCH_CHOICE("memory", "kind", "hbm2|ddr4"),
    ARCH_UINT("memory", "port_count", "count", 1, 256),
    ARCH_UINT("memory", "port_bits", "bits", 64, 4096),
    ARCH_UINT("memory", "channel_bytes_per_second", "bytes per second", 1, 1e13),
    ARCH_UINT("memory", "latency_cycles", "cycles", 1, 1e5),
    ARCH_UINT("memory", "turnaround_cycles", "cycles", 0, 1e4),
    ARCH_UINT("memory", "controller_count", "count", 1, 256),
    ARCH_UINT("memory", "bank_count", "count", 1, 1024),
    ARCH_UINT("memory", "page_bytes", "bytes", 64, 1e6),
    ARCH_UINT("memory", "activate_ns", "ns", 0, 1000),
    ARCH_UINT("memory", "precharge_ns", "ns", 0, 1000),
    ARCH_UINT("memory", "row_cycle_ns", "ns", 0, 1000),
    ARCH_UINT("memory", "refresh_ns", "ns", 0, 10000),
    ARCH_UINT("memory", "refresh_interval_ns", "ns", 0, 1e6),
    ARCH_UINT("memory", "burst_beats", "beats", 1, 256),
    ARCH_UINT("memory", "outstanding_bursts", "bursts", 1, 1024),

    ARCH_UINT("stream", "word_bits", "bits", 64, 4096),
    ARCH_UINT("stream", "converter_cycles", "cycles", 0, 1000),
    ARCH_UINT("stream", "splitter_cycles", "cycles", 0, 1000),
    ARCH_UINT("stream", "gridding_cycles", "cycles", 0, 1000),
    ARCH_UINT("stream", "fifo_words", "words", 1, 65536),
    ARCH_UINT("stream", "common_count", "count", 0, 64),

    ARCH_UINT("control", "register_cycles", "cycles", 0, 1e5),
    ARCH_UINT("control", "job_registers", "registers", 0, 64),
    ARCH_UINT("control", "host_thread_count", "count", 1, 4096),
    ARCH_UINT("control", "host_cycles", "cycles", 0, 1e7),
    ARCH_UINT("control", "notify_cycles", "cycles", 0, 1e7),

    ARCH_UINT("pe", "word_bits", "bits", 16, 4096),
    ARCH_UINT("pe", "flush_cycles", "cycles", 0, 1e5),
    ARCH_UINT("pe", "memory_ports", "ports", 1, 8),

    BOTH("operator", "add_cycles", "cycles", 1000),
    BOTH("operator", "add_dsps", "dsps", 1000),
    BOTH("operator", "add_luts", "luts", 1e5),
    BOTH("operator", "add_ffs", "ffs", 1e5),
    BOTH("operator", "mul_cycles", "cycles", 1000),
    BOTH("operator", "mul_dsps", "dsps", 1000),
    BOTH("operator", "mul_luts", "luts", 1e5),
    BOTH("operator", "mul_ffs", "ffs", 1e5),
    BOTH("operator", "shift_cycles", "cycles", 1000),
    BOTH("operator", "shift_dsps", "dsps", 1000),
    BOTH("operator", "shift_luts", "luts", 1e5),
    BOTH("operator", "shift_ffs", "ffs", 1e5),
    BOTH("operator", "div_cycles", "cycles", 1000),
    BOTH("operator", "div_dsps", "dsps", 1000),
    BOTH("operator", "div_luts", "luts", 1e5),
    BOTH("operator", "div_ffs", "ffs", 1e5),
    BOTH("operator", "select_cycles", "cycles", 1000),
    BOTH("operator", "select_luts", "luts", 1e5),
    BOTH("operator", "select_ffs", "ffs", 1e5),

    ARCH_UINT("device", "bram_count", "count", 1, 1e6),
    ARCH_UINT("device", "bram_bits", "bits", 1, 1e9),
    ARCH_UINT("device", "bram_width_bits", "bits", 1, 4096),
    ARCH_UINT("device", "uram_count", "count", 0, 1e6),
    ARCH_UINT("device", "uram_bits", "bits", 1, 1e9),
    ARCH_UINT("device", "uram_width_bits", "bits", 1, 4096),
    ARCH_UINT("device", "lutram_words", "words", 0, 4096),
    ARCH_UINT("device", "dsp_count", "count", 1, 1e6),
    ARCH_UINT("device", "ff_count", "count", 1, 1e8),
    ARCH_UINT("device", "lut_count", "count", 1, 1e8),
    ARCH_UINT("device", "fill_percent", "percent", 1, 100),

    ARCH_UINT("shell", "bram_count", "count", 0, 1e6),
    ARCH_UINT("shell", "uram_count", "count", 0, 1e6),
    ARCH_UINT("shell", "dsp_count", "count", 0, 1e6),
    ARCH_UINT("shell", "ff_count", "count", 0, 1e8),
    ARCH_UINT("shell", "lut_count", "count", 0, 1e8),
    ARCH_UINT("shell", "pe_ff_count", "count", 0, 1e8),
    ARCH_UINT("shell", "pe_lut_count", "count", 0, 1e8),

    ARCH_REAL("power", "board_watts", "watts", 0, 1e4),
    ARCH_REAL("power", "port_watts", "watts", 0, 1e4),
    ARCH_REAL("power", "bram_watts", "watts", 0, 100),
    ARCH_REAL("power", "uram_watts", "watts", 0, 100),
    ARCH_REAL("power", "dsp_watts", "watts", 0, 100),
    ARCH_REAL("power", "ff_watts", "watts", 0, 100),
    ARCH_REAL("power", "lut_watts", "watts", 0, 100),
};
/* clang-format on */

const ArchKeys arch_keys_nero = {
    .items = keys,
    .count = G_N_ELEMENTS(keys),
};
