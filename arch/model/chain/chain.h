/* A chain of matrix products, and the order that takes the fewest operations. After
 * appendix D of the thesis "Analytical Cost Metrics: Days of Future Past", whose
 * equations and algorithms are named here and in the other headers of chains. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum {
    CHAIN_MATRICES = 64, /* most matrices of a chain; the fewest are 2 */
    CHAIN_LEAST_MATRICES = 2,
    CHAIN_LEAST_WORDS = 16, /* of fast memory, so that a tile and its streams fit */
    CHAIN_MOST_TRIED = 9,   /* most matrices for which all 8! orders are tried */
};

#define CHAIN_MOST_SIZE  UINT64_C(1000000000)
#define CHAIN_MOST_WORDS UINT64_C(1000000000000)

/* A1 A2 .. An, where Ai has P[i-1] rows and P[i] columns. */
typedef struct {
    guint matrix_count;
    uint64_t sizes[CHAIN_MATRICES + 1]; /* P */
} Chain;

/* Fails with ARCH_ERROR_INVALID unless it is a chain of 2 matrices or more with sizes
 * in 1..CHAIN_MOST_SIZE. Fails with ARCH_ERROR_UNMODELLED, and names the size, if a
 * size is not above the square root of the words of fast memory, as the formulas
 * assume. */
bool chain_check(const Chain *self, uint64_t words, GError **error);

/* Algorithm 10: for matrices first..last, counted from 1, the fewest operations and the
 * last matrix of the left factor. Entries are [first - 1][last - 1]. */
typedef struct {
    uint64_t operations[CHAIN_MATRICES][CHAIN_MATRICES];
    guint8 splits[CHAIN_MATRICES][CHAIN_MATRICES];
} ChainOrder;

/* Among equally good splits it takes the first. Fails with ARCH_ERROR_UNMODELLED if
 * even the best order takes more operations than 63 bits can count. */
bool chain_order_init(ChainOrder *self, const Chain *chain, GError **error);

/* Multiplications that the chain takes. */
uint64_t chain_order_operations(const ChainOrder *self, const Chain *chain);

/* ((A1(A2A3))((A4A5)A6)); the caller frees it. */
char *chain_order_to_text(const ChainOrder *self, const Chain *chain);

/* The same number of operations found without any recurrence: by trying every order in
 * which neighbours can be multiplied. For at most CHAIN_MOST_TRIED matrices. */
uint64_t chain_order_by_trial(const Chain *chain);
