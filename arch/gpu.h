/* A GPU as its chip file describes it: the rates of its units and of its memories.
 * Nothing is simulated here; the models are in arch/model/. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"

typedef enum {
    GPU_CUDA_CORES,
    GPU_TENSOR_CORES,
    GPU_SPARSE_TENSOR_CORES, /* with 2:4 sparsity of one operand */
} GpuUnit;

/* The type that a program stores. It determines the format a unit computes with: float
 * is FP32 on CUDA cores and TF32 on tensor cores. */
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

/* "cuda", "tensor", "sparse"; "double", "float", "half". The finder returns false for
 * an unknown name. */
const char *gpu_unit_name(GpuUnit unit);
const char *gpu_type_name(GpuType type);
bool gpu_type_find(const char *name, GpuType *type);

/* "CUDA cores", "tensor cores", "sparse tensor cores". */
const char *gpu_unit_title(GpuUnit unit);

/* The format in which a unit computes a type: "FP64", "FP32", "TF32", "FP16". */
const char *gpu_format_name(GpuUnit unit, GpuType type);

/* Bytes of a number. */
guint gpu_type_bytes(GpuType type);

/* Whether the chip is a GPU. All functions below require one. */
bool gpu_is(const ArchParams *params);

/* FLOP per second as in data sheets; 0 if the unit does not support the format. */
double gpu_peak(const ArchParams *params, GpuUnit unit, GpuType type);

/* Bytes per second; 0 if the file does not say. */
double gpu_bandwidth(const ArchParams *params, GpuMemory memory);

double gpu_clock_hz(const ArchParams *params); /* boost */
double gpu_watts(const ArchParams *params);    /* maximum of the board */

/* Replaces values by those that papers print (section published), as --set would one by
 * one. Fails like arch_params_override(). */
bool gpu_use_published(ArchParams *params, GError **error);
