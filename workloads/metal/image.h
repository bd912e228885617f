/* A compiled kernel in a file (ELF): what a RISC-V runs, and the source line of each
 * instruction. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix_riscv.h"

typedef struct MetalImage MetalImage;

/* Lines of files in the folder `headers` count for those that include them. Fails with
 * WL_ERROR_SYNTAX: unreadable, not a program of 32-bit RISC-V, with parts that lie
 * neither in its text nor in local memory. */
MetalImage *metal_image_load(const char *path, const char *headers, GError **error);
void metal_image_free(MetalImage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MetalImage, metal_image_free)

/* Its program, under `name`; borrowed until the image is freed. */
ArchRiscvText metal_image_text(const MetalImage *self, const char *name);

/* The source line of the instruction at `address`, "reader.cpp:12"; the caller frees
 * it. NULL: none is known. */
char *metal_image_line(const MetalImage *self, uint32_t address);

/* A line that instructions come from; the first of an image, without a file, has those
 * that come from no line of the kernel's author. Borrowed until the image is freed. */
typedef struct {
    const char *file; /* NULL: none */
    guint line;
} MetalImageLine;

const MetalImageLine *metal_image_lines(const MetalImage *self, guint *count);

/* Adds the cycles of instructions to those of their lines: both have
 * ARCH_RISCV_REASONS numbers for each. */
void metal_image_add_up(const MetalImage *self,
                        const uint64_t *cycles,
                        uint64_t *by_line);
