/* A chain of matrix products, and the order of them that takes the fewest operations.
 * After appendix D of the thesis "Analytical Cost Metrics: Days of Future Past", whose
 * equations and algorithms are named here and in the other headers of chains. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum {
    CHAIN_MATRICES = 64, /* at most; at least are 2 */
    CHAIN_LEAST_MATRICES = 2,
    CHAIN_LEAST_WORDS = 16, /* of fast memory, so that a tile and what streams fit */
    CHAIN_MOST_TRIED = 9,   /* matrices of which all orders are tried: 8! of them */
};

#define CHAIN_MOST_SIZE  UINT64_C(1000000000)
#define CHAIN_MOST_WORDS UINT64_C(1000000000000)

/* A1 A2 .. An, where Ai has P[i-1] rows and P[i] columns. */
typedef struct {
    guint matrix_count;
    uint64_t sizes[CHAIN_MATRICES + 1]; /* P */
} Chain;

/* Is it a chain of 2 matrices or more, with sizes in 1..CHAIN_MOST_SIZE? Fails with
 * ARCH_ERROR_INVALID. And do the formulas hold, which assume that every size is above
 * the square root of the words of fast memory? Fails with ARCH_ERROR_UNMODELLED, one
 * line that says which size is not. */
bool chain_check(const Chain *self, uint64_t words, GError **error);

/* Algorithm 10: of matrices first..last, counted from 1, what they take and the last of
 * the left factor; entries are [first - 1][last - 1]. */
typedef struct {
    uint64_t operations[CHAIN_MATRICES][CHAIN_MATRICES];
    guint8 splits[CHAIN_MATRICES][CHAIN_MATRICES];
} ChainOrder;

/* Of splits that are equally good the first is taken. Fails with ARCH_ERROR_UNMODELLED
 * where even the best order takes more operations than can be counted in 63 bits. */
bool chain_order_init(ChainOrder *self, const Chain *chain, GError **error);

/* Multiplications that the chain takes. */
uint64_t chain_order_operations(const ChainOrder *self, const Chain *chain);

/* ((A1(A2A3))((A4A5)A6)); the caller frees it. */
char *chain_order_to_text(const ChainOrder *self, const Chain *chain);

/* The same number of operations found without any recurrence: by trying every order in
 * which neighbours can be multiplied. For at most CHAIN_MOST_TRIED matrices. */
uint64_t chain_order_by_trial(const Chain *chain);
