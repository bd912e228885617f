/* A compiled kernel in a file (ELF): what a RISC-V runs, and the source line of each
 * instruction. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix_riscv.h"

typedef struct MetalImage MetalImage;

/* Fails with WL_ERROR_SYNTAX: unreadable, not a program of 32-bit RISC-V, with parts
 * that lie neither in its text nor in local memory. */
MetalImage *metal_image_load(const char *path, GError **error);
void metal_image_free(MetalImage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MetalImage, metal_image_free)

/* Its program, under `name`; borrowed until the image is freed. */
ArchRiscvText metal_image_text(const MetalImage *self, const char *name);

/* The source line of the instruction at `address`, "reader.cpp:12"; the caller frees
 * it. NULL: none is known. */
char *metal_image_line(const MetalImage *self, uint32_t address);
