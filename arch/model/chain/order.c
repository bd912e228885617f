/* The order of products that takes the fewest operations. */
#include <math.h>

#include "arch/error.h"
#include "arch/model/chain/chain.h"
#include "sim/narrow.h"

/* JSON has no whole numbers beyond it. */
#define MOST_OPERATIONS ((uint64_t) G_MAXINT64)

static bool check_sizes(const Chain *self, GError **error)
{
    if (self->matrix_count < CHAIN_LEAST_MATRICES ||
        self->matrix_count > CHAIN_MATRICES) {
        return arch_refuse(
            error, "a chain of %u matri%s, allowed are %d..%d matrices: %d..%d sizes",
            self->matrix_count, self->matrix_count == 1 ? "x" : "ces",
            CHAIN_LEAST_MATRICES, CHAIN_MATRICES, CHAIN_LEAST_MATRICES + 1,
            CHAIN_MATRICES + 1);
    }
    for (guint i = 0; i <= self->matrix_count; i++) {
        if (self->sizes[i] < 1 || self->sizes[i] > CHAIN_MOST_SIZE) {
            return arch_refuse(
                error, "P%u = %" G_GUINT64_FORMAT ", allowed is 1..%" G_GUINT64_FORMAT,
                i, self->sizes[i], CHAIN_MOST_SIZE);
        }
    }
    return true;
}

bool chain_check(const Chain *self, uint64_t words, GError **error)
{
    char root[G_ASCII_DTOSTR_BUF_SIZE];

    if (!check_sizes(self, error)) {
        return false;
    }
    for (guint i = 0; i <= self->matrix_count; i++) {
        const uint64_t square = self->sizes[i] * self->sizes[i];

        if (square <= words) {
            g_set_error(
                error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                "P%u: the formula does not hold: size %" G_GUINT64_FORMAT
                " is %s sqrt(%" G_GUINT64_FORMAT ") = %s",
                i, self->sizes[i], square < words ? "below" : "not above", words,
                g_ascii_formatd(root, sizeof(root), "%.6g", sqrt((double) words)));
            return false;
        }
    }
    return true;
}

/* A sum or product beyond 64 bits counts as the largest number: never the best. */
static uint64_t product_of(uint64_t left, uint64_t middle, uint64_t right)
{
    guint64 result = 0;

    return g_uint64_checked_mul(&result, left, middle) &&
                   g_uint64_checked_mul(&result, result, right)
               ? result
               : G_MAXUINT64;
}

static uint64_t sum_of(uint64_t left, uint64_t right)
{
    guint64 result = 0;

    return g_uint64_checked_add(&result, left, right) ? result : G_MAXUINT64;
}

/* The best split of first..last, counted from 0, all shorter parts of which are known.
 */
static void split(ChainOrder *self, const Chain *chain, guint first, guint last)
{
    const uint64_t *sizes = chain->sizes;
    uint64_t best = G_MAXUINT64;

    self->splits[first][last] = sim_u8(first + 1);
    for (guint k = first; k < last; k++) {
        const uint64_t parts =
            sum_of(self->operations[first][k], self->operations[k + 1][last]);
        const uint64_t count =
            sum_of(parts, product_of(sizes[first], sizes[k + 1], sizes[last + 1]));

        if (count < best) {
            best = count;
            self->splits[first][last] = sim_u8(k + 1);
        }
    }
    self->operations[first][last] = best;
}

bool chain_order_init(ChainOrder *self, const Chain *chain, GError **error)
{
    for (guint i = 0; i < chain->matrix_count; i++) {
        self->operations[i][i] = 0;
    }
    for (guint length = 1; length < chain->matrix_count; length++) {
        for (guint first = 0; first + length < chain->matrix_count; first++) {
            split(self, chain, first, first + length);
        }
    }
    if (chain_order_operations(self, chain) > MOST_OPERATIONS) {
        return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                        "the chain takes more than 2^63 operations in any order, which "
                        "cannot be counted here");
    }
    return true;
}

uint64_t chain_order_operations(const ChainOrder *self, const Chain *chain)
{
    return self->operations[0][chain->matrix_count - 1];
}

static void append(const ChainOrder *self, guint first, guint last, GString *text)
{
    if (first == last) {
        g_string_append_printf(text, "A%u", first);
        return;
    }
    const guint middle = self->splits[first - 1][last - 1];

    g_string_append_c(text, '(');
    append(self, first, middle, text);
    append(self, middle + 1, last, text);
    g_string_append_c(text, ')');
}

char *chain_order_to_text(const ChainOrder *self, const Chain *chain)
{
    GString *text = g_string_new(NULL);

    append(self, 1, chain->matrix_count, text);
    return g_string_free(text, FALSE);
}

/* A product of two neighbours takes the size between them away. */
static uint64_t try_all(const uint64_t *sizes, guint size_count)
{
    uint64_t best = size_count > CHAIN_LEAST_MATRICES ? G_MAXUINT64 : 0;

    for (guint gone = 1; gone + 1 < size_count; gone++) {
        uint64_t rest[CHAIN_MOST_TRIED + 1];
        guint count = 0;

        for (guint i = 0; i < size_count; i++) {
            if (i != gone) {
                rest[count++] = sizes[i];
            }
        }
        best =
            MIN(best, sum_of(product_of(sizes[gone - 1], sizes[gone], sizes[gone + 1]),
                             try_all(rest, count)));
    }
    return best;
}

uint64_t chain_order_by_trial(const Chain *chain)
{
    g_return_val_if_fail(chain->matrix_count <= CHAIN_MOST_TRIED, 0);
    return try_all(chain->sizes, chain->matrix_count + 1);
}
