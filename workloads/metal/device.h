/* Programs of compiled kernels on a chip's cores. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/host/family.h"
#include "workloads/metal/compiler.h"
#include "workloads/metal/order.h"
#include "workloads/metal/record.h"

typedef struct MetalDevice MetalDevice;

extern const HostProgram metal_program;

/* Compiles the kernels, and puts them, their arguments, circular buffers and semaphores
 * onto the chip. What is known of them when they have ended goes to `record`. NULL on
 * failure: what the compiler says, or what does not fit. */
MetalDevice *metal_device_new(Session *session,
                              MetalCompiler *compiler,
                              const MetalOrder *order,
                              MetalRecord *record,
                              GError **error);
