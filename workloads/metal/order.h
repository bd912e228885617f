/* A program as a host program sends it: circular buffers, semaphores, and kernels with
 * their arguments. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/tensix.h"
#include "arch/tensix_riscv.h"
#include "workloads/tensix/program.h"

enum {
    METAL_BUFFERS = 32, /* circular buffers of a core */
    METAL_SEMAPHORES = 16,
    METAL_ARGUMENTS = 341, /* words of a kernel on a core, with those all cores share */
};

typedef struct {
    GArray *cores; /* of CoreRange */
    guint index;
    uint32_t address;
    uint32_t bytes;
    uint32_t page_bytes;
    guint format;   /* as tt-metal numbers them */
    bool is_filled; /* it is memory that the host has filled */
} MetalBuffer;

typedef struct {
    GArray *cores;
    guint id;
    uint32_t value;
} MetalSemaphore;

typedef enum {
    METAL_BRISC,
    METAL_NCRISC,
    METAL_COMPUTE,
    METAL_PROCESSORS,
} MetalProcessor;

typedef struct {
    CoreRange core; /* a single one */
    GArray *words;  /* of uint32_t */
} MetalArguments;

/* A name and what it stands for. */
typedef struct {
    char *name;
    char *value;
} MetalDefine;

typedef struct {
    char *name;
    char *source; /* its path, or "" */
    char *text;   /* or its text, or "" */
    MetalProcessor processor;
    guint noc;
    GArray *cores;
    GArray *compile_args; /* of uint32_t */
    GArray *named_args;   /* of MetalDefine */
    GArray *defines;      /* of MetalDefine */
    guint fidelity;
    bool is_dst_fp32;
    bool is_full_sync;
    bool is_approximate;
    GPtrArray *arg_names; /* of runtime arguments, from the first on */
    GPtrArray *common_names;
    GArray *common; /* of uint32_t */
    GArray *args;   /* of MetalArguments */
} MetalKernel;

/* How many RISC-Vs run it on a core, and which. */
guint metal_kernel_threads(const MetalKernel *self);
ArchRiscvIndex metal_kernel_riscv(const MetalKernel *self, guint thread);

typedef struct {
    uint64_t run;     /* its id, as profiles have it */
    GArray *l1_banks; /* of uint32_t: the core of each; empty: in their order */
    GArray *buffers;
    GArray *semaphores;
    GArray *kernels;
} MetalOrder;

/* Fails with WL_ERROR_SYNTAX: something is missing or out of range, or cores lie
 * outside of the chip's. */
bool metal_order_read(MetalOrder *self,
                      JsonObject *program,
                      ArchTensix *tensix,
                      GError **error);
void metal_order_clear(MetalOrder *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MetalOrder, metal_order_clear)
