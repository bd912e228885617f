/* What the PEs of a wafer did in a program: operations, words, busy cycles. */
#pragma once

#include <stdint.h>

#include <glib.h>

typedef struct ArchWse ArchWse;

/* What the PEs executed whose program has this name, NULL for all: elements of each
 * vector operation by name. Words of memory are operands that move along it; a number
 * that stays the same for a whole row is not counted. */
typedef struct {
    const char *name;
    uint64_t elements;
} ArchWseExecuted;
typedef struct {
    uint64_t pe_count;
    uint64_t busy; /* PE cycles */
    uint64_t memory_idle;
    uint64_t memory_words; /* of 32 bits */
    uint64_t ramp_words;   /* from the fabric into the CEs */
    uint64_t flops;
    GArray *operations; /* of ArchWseExecuted, those with none left out */
} ArchWseWork;
/* The caller frees it with arch_wse_work_clear(). */
ArchWseWork arch_wse_work(const ArchWse *self, const char *program);
void arch_wse_work_clear(ArchWseWork *work);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ArchWseWork, arch_wse_work_clear)
