/* Keeps shares above 0 by row, as sums, and finds targets by halving. */
#include "arch/traffic/matrix.h"

#include <math.h>

#include "arch/error.h"
#include "arch/number/nan.h"
#include "sim/random.h"

typedef struct {
    uint32_t target;
    double sum; /* of the shares of the row up to this one; 1 at its end */
} Share;

struct ArchNocMatrix {
    guint node_count;
    guint sender_count;
    GArray *starts; /* of guint: the first share of each row, and where the last ends */
    GArray *shares; /* of Share */
};

ArchNocMatrix *arch_noc_matrix_new(guint node_count)
{
    ArchNocMatrix *self = g_new(ArchNocMatrix, 1);
    const guint none = 0;

    *self = (ArchNocMatrix){.node_count = node_count,
                            .starts = g_array_new(FALSE, FALSE, sizeof(guint)),
                            .shares = g_array_new(FALSE, FALSE, sizeof(Share))};
    g_array_append_val(self->starts, none);
    return self;
}

void arch_noc_matrix_free(ArchNocMatrix *self)
{
    if (self != NULL) {
        g_array_unref(self->starts);
        g_array_unref(self->shares);
        g_free(self);
    }
}

guint arch_noc_matrix_nodes(const ArchNocMatrix *self)
{
    return self->node_count;
}

guint arch_noc_matrix_rows(const ArchNocMatrix *self)
{
    return self->starts->len - 1;
}

/* The sum of a row. */
static bool
add_up(const ArchNocMatrix *self, const double *shares, double *sum, GError **error)
{
    *sum = 0;
    for (guint i = 0; i < self->node_count; i++) {
        if (!(shares[i] >= 0 && isfinite(shares[i]))) {
            return arch_refuse(error, "column %u = %g, allowed are numbers from 0 to 1",
                               i + 1, arch_nan_plain(shares[i]));
        }
        *sum += shares[i];
    }
    return *sum == 0 || fabs(*sum - 1) <= ARCH_NOC_MATRIX_TOLERANCE ||
           arch_refuse(error,
                       "adds up to %.6g, allowed is 1 within %g, or 0 for a node that "
                       "sends nothing",
                       *sum, ARCH_NOC_MATRIX_TOLERANCE);
}

bool arch_noc_matrix_add(ArchNocMatrix *self, const double *shares, GError **error)
{
    double sum;
    double part = 0;

    g_return_val_if_fail(arch_noc_matrix_rows(self) < self->node_count, false);
    if (!add_up(self, shares, &sum, error)) {
        return false;
    }
    for (guint i = 0; i < self->node_count; i++) {
        if (shares[i] > 0) {
            part += shares[i];

            const Share share = {.target = i, .sum = part / sum};

            g_array_append_val(self->shares, share);
        }
    }
    if (sum > 0) {
        g_array_index(self->shares, Share, self->shares->len - 1).sum = 1;
        self->sender_count++;
    }
    g_array_append_val(self->starts, self->shares->len);
    return true;
}

bool arch_noc_matrix_check(const ArchNocMatrix *self, GError **error)
{
    if (arch_noc_matrix_rows(self) < self->node_count) {
        return arch_refuse(error, "%u rows, allowed are %u, one for each node",
                           arch_noc_matrix_rows(self), self->node_count);
    }
    return self->sender_count > 0 || arch_refuse(error, "no node sends anything");
}

static guint start_of(const ArchNocMatrix *self, uint32_t row)
{
    return g_array_index(self->starts, guint, row);
}

bool arch_noc_matrix_sends(const ArchNocMatrix *self, uint32_t node)
{
    return start_of(self, node) < start_of(self, node + 1);
}

guint arch_noc_matrix_senders(const ArchNocMatrix *self)
{
    return self->sender_count;
}

uint32_t
arch_noc_matrix_target(const ArchNocMatrix *self, uint32_t source, uint64_t *random)
{
    guint low = start_of(self, source);
    guint high = start_of(self, source + 1) - 1;
    const double unit = low < high ? sim_random_unit(random) : 0;

    while (low < high) {
        const guint middle = low + (high - low) / 2;

        if (g_array_index(self->shares, Share, middle).sum < unit) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return g_array_index(self->shares, Share, low).target;
}
