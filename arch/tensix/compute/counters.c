/* Finds counters by their names in results. */
#include "arch/tensix/compute/counters.h"

TensixComputeCounters tensix_compute_counters_of(SimEngine *engine)
{
    return (TensixComputeCounters){
        .flops = sim_engine_counter(engine, "flops"),
        .fpu_flops = sim_engine_counter(engine, "fpu_flops"),
        .matmul_flops = sim_engine_counter(engine, "matmul_flops"),
        .sfpu_flops = sim_engine_counter(engine, "sfpu_flops"),
        .sram_bytes = sim_engine_counter(engine, "sram_bytes"),
        .unpacked_bytes = sim_engine_counter(engine, "unpacked_bytes"),
        .packed_bytes = sim_engine_counter(engine, "packed_bytes"),
        .copied_16_bytes = sim_engine_counter(engine, "copied_16_bytes"),
        .copied_32_bytes = sim_engine_counter(engine, "copied_32_bytes"),
    };
}
