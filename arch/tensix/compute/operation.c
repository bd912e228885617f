/* The table of operations, and that of the functions that kernels call. */
#include "arch/tensix/compute/operation.h"

#include <stddef.h>

#include "arch/tensix/compute/compute.h"

#define COST(member) offsetof(TensixComputeCosts, member)
#define FLOPS(of_a_number, counter)                                                    \
    .flops = (of_a_number) *ARCH_TILE_ELEMENTS,                                        \
    .flops_counter = offsetof(TensixComputeCounters, counter)

const TensixOperation tensix_operations[ARCH_COMPUTE_OPS] = {
#define OPERATION(id, title, ...) [id] = {.name = title, __VA_ARGS__},
#define FUNCTION(title, id, arguments, mode)
#include "arch/tensix_operations.def"
};

const ArchComputeFunction *arch_compute_function_at(guint index)
{
    static const ArchComputeFunction functions[] = {
#define OPERATION(id, title, ...)
#define FUNCTION(title, id, arguments, mode) {title, id, arguments, mode},
#include "arch/tensix_operations.def"
    };

    return index < G_N_ELEMENTS(functions) ? &functions[index] : NULL;
}
