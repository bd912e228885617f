/* A GPU as its chip file tells: how fast each of its units computes, how fast each of
 * its memories moves data. Nothing is simulated here; the models are in arch/model/.
 */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"

typedef enum {
    GPU_CUDA_CORES,
    GPU_TENSOR_CORES,
    GPU_SPARSE_TENSOR_CORES, /* with 2:4 sparsity of one operand */
} GpuUnit;

/* What a program stores. Which format a unit computes with follows from it: float is
 * FP32 on CUDA cores and TF32 on tensor cores. */
typedef enum {
    GPU_DOUBLE,
    GPU_FLOAT,
    GPU_HALF,
} GpuType;

typedef enum {
    GPU_DRAM,
    GPU_L2,
    GPU_SHARED, /* L1 and shared memory of all multiprocessors together */
} GpuMemory;

/* "cuda", "tensor", "sparse"; "double", "float", "half". The finder is false where
 * there is none of that name. */
const char *gpu_unit_name(GpuUnit unit);
const char *gpu_type_name(GpuType type);
bool gpu_type_find(const char *name, GpuType *type);

/* "CUDA cores", "tensor cores", "sparse tensor cores". */
const char *gpu_unit_title(GpuUnit unit);

/* What a unit takes a type for: "FP64", "FP32", "TF32", "FP16". */
const char *gpu_format_name(GpuUnit unit, GpuType type);

/* Bytes of a number. */
guint gpu_type_bytes(GpuType type);

/* The chip is of family gpu; all functions below want one. */
bool gpu_is(const ArchParams *params);

/* FLOP per second as data sheets have it; 0 where the unit has no such format. */
double gpu_peak(const ArchParams *params, GpuUnit unit, GpuType type);

/* Bytes per second; 0 where the file does not know. */
double gpu_bandwidth(const ArchParams *params, GpuMemory memory);

double gpu_clock_hz(const ArchParams *params); /* boost */
double gpu_watts(const ArchParams *params);    /* of the board, at most */

/* Puts the values that papers print (section published) in place of the file's, where
 * they have any; --set does the same one by one. Fails as arch_params_override(). */
bool gpu_use_published(ArchParams *params, GError **error);
