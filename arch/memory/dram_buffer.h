/* A buffer in DRAM whose pages are spread over all banks, page by page or shard by
 * shard. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/memory/dram.h"

typedef struct ArchDramBuffer ArchDramBuffer;

typedef struct {
    uint64_t page_bytes;
    uint64_t page_count;
    /* Consecutive pages in one bank before the next bank follows; 1 for interleaved
     * buffers. */
    uint64_t shard_pages;
} ArchDramBufferConfig;

/* Allocates the same range of every bank. Pages start at multiples of
 * dram.read_alignment_bytes. `dram` is borrowed. Fails with ARCH_ERROR_INVALID: nothing
 * to hold, or no space. */
ArchDramBuffer *arch_dram_buffer_new(ArchDram *dram,
                                     const ArchParams *params,
                                     const ArchDramBufferConfig *config,
                                     GError **error);
void arch_dram_buffer_free(ArchDramBuffer *self); /* its range stays allocated */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchDramBuffer, arch_dram_buffer_free)

uint64_t arch_dram_buffer_page_bytes(const ArchDramBuffer *self);

/* Where a page lies. Fails with ARCH_ERROR_INVALID past the last. */
bool arch_dram_buffer_page(const ArchDramBuffer *self,
                           uint64_t page,
                           guint *bank,
                           uint64_t *offset,
                           GError **error);

/* The host's view: the bytes of page after page, from byte `first` of the buffer on.
 * Fail with ARCH_ERROR_INVALID past its end. */
bool arch_dram_buffer_write(ArchDramBuffer *self,
                            uint64_t first,
                            gconstpointer bytes,
                            gsize count,
                            GError **error);
bool arch_dram_buffer_read(const ArchDramBuffer *self,
                           uint64_t first,
                           gpointer bytes,
                           gsize count,
                           GError **error);
