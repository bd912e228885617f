/* A RISC-V kernel under construction, word by word, for tests that run it on a core. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/tensix_mover.h"
#include "tests/arch/tensix/assembler.h"
#include "tests/arch/tensix/rig.h"

enum {
    TEXT = 0x9000,
    WORDS = 400,
};

/* Calls, as kernels number them. */
enum {
#define RISCV_CALL(name) CALL_NUMBER_##name,
#include "arch/tensix/riscv/calls.def"
};

typedef struct {
    uint32_t words[WORDS];
    guint count;
    guint8 local[64];
} Source;

static inline void put(Source *source, uint32_t word)
{
    assert_true(source->count < WORDS);
    source->words[source->count++] = word;
}

static inline void set(Source *source, guint rd, uint32_t value)
{
    put(source, lui(rd, value + 0x800));
    put(source, addi(rd, rd, (int) (value << 20) >> 20));
}

static inline void make_call(Source *source, guint number)
{
    put(source, addi(A7, 0, (int) number));
    put(source, ecall);
}

static inline void wait_at(Source *source, ArchBarrier barrier)
{
    put(source, addi(A0, 0, (int) barrier));
    make_call(source, CALL_NUMBER_barrier);
}
