/* Picks the targets of traffic patterns. */
#include "arch/traffic/pattern.h"

#include "arch/error.h"
#include "sim/random.h"

const char *const *arch_noc_pattern_names(void)
{
    static const char *const names[] = {
        [ARCH_NOC_UNIFORM] = "uniform", [ARCH_NOC_TRANSPOSE] = "transpose",
        [ARCH_NOC_TORNADO] = "tornado", [ARCH_NOC_NEIGHBOR] = "neighbor",
        [ARCH_NOC_BITCOMP] = "bitcomp", [ARCH_NOC_SHUFFLE] = "shuffle",
        [ARCH_NOC_HOTSPOT] = "hotspot", [ARCH_NOC_BROADCAST] = "broadcast",
        [ARCH_NOC_REDUCE] = "reduce",   [ARCH_NOC_REDUCE + 1] = NULL,
    };

    return names;
}

const char *arch_noc_pattern_name(const ArchNocPattern *self)
{
    return self->kind == ARCH_NOC_MATRIX ? "matrix"
                                         : arch_noc_pattern_names()[self->kind];
}

bool arch_noc_pattern_has_tree(const ArchNocPattern *self)
{
    return self->kind == ARCH_NOC_BROADCAST || self->kind == ARCH_NOC_REDUCE;
}

static bool check_matrix(const ArchNocPattern *self, GError **error)
{
    const guint node_count = self->width * self->height;

    if (arch_noc_matrix_nodes(self->matrix) != node_count) {
        return arch_refuse(error, "matrix: of %u nodes, allowed is one of %u",
                           arch_noc_matrix_nodes(self->matrix), node_count);
    }
    return arch_noc_matrix_check(self->matrix, error);
}

bool arch_noc_pattern_check(const ArchNocPattern *self, GError **error)
{
    const guint node_count = self->width * self->height;

    if (self->kind == ARCH_NOC_TRANSPOSE && self->width != self->height) {
        return arch_refuse(error, "transpose: size = %ux%u, allowed is a square",
                           self->width, self->height);
    }
    if (self->kind == ARCH_NOC_SHUFFLE && (node_count & (node_count - 1)) != 0) {
        return arch_refuse(
            error, "shuffle: size = %ux%u of %u nodes, allowed is a power of two",
            self->width, self->height, node_count);
    }
    if (arch_noc_pattern_has_tree(self) && node_count < 2) {
        return arch_refuse(error, "%s: size = %ux%u, allowed are at least 2 nodes",
                           arch_noc_pattern_name(self), self->width, self->height);
    }
    if (self->kind == ARCH_NOC_HOTSPOT && self->hotspot >= node_count) {
        return arch_refuse(error, "hotspot: node = %u, allowed is 0..%u", self->hotspot,
                           node_count - 1);
    }
    if (self->kind == ARCH_NOC_HOTSPOT &&
        !(self->hotspot_fraction >= 0 && self->hotspot_fraction <= 1)) {
        return arch_refuse(error, "hotspot: fraction = %g, allowed is 0..1",
                           self->hotspot_fraction);
    }
    return self->kind != ARCH_NOC_MATRIX || check_matrix(self, error);
}

bool arch_noc_pattern_sends(const ArchNocPattern *self, uint32_t node)
{
    return self->kind != ARCH_NOC_MATRIX || arch_noc_matrix_sends(self->matrix, node);
}

guint arch_noc_pattern_senders(const ArchNocPattern *self)
{
    return self->kind == ARCH_NOC_MATRIX ? arch_noc_matrix_senders(self->matrix)
                                         : self->width * self->height;
}

/* The node `right` and `down` of `source`. */
static uint32_t
step(const ArchNocPattern *self, uint32_t source, guint right, guint down)
{
    const guint x = (source % self->width + right) % self->width;
    const guint y = (source / self->width + down) % self->height;

    return x + self->width * y;
}

static uint32_t rotate(const ArchNocPattern *self, uint32_t source)
{
    const guint node_count = self->width * self->height;

    return source < node_count / 2 ? 2 * source : (2 * source + 1) & (node_count - 1);
}

uint32_t
arch_noc_pattern_target(const ArchNocPattern *self, uint32_t source, uint64_t *random)
{
    const guint node_count = self->width * self->height;

    switch (self->kind) {
    case ARCH_NOC_HOTSPOT:
        if (sim_random_unit(random) <= self->hotspot_fraction) {
            return self->hotspot;
        }
        break;
    case ARCH_NOC_TRANSPOSE:
        return source / self->width + self->width * (source % self->width);
    case ARCH_NOC_TORNADO:
        return step(self, source, (self->width + 1) / 2 - 1,
                    (self->height + 1) / 2 - 1);
    case ARCH_NOC_NEIGHBOR:
        return step(self, source, 1, 1);
    case ARCH_NOC_BITCOMP:
        return node_count - 1 - source;
    case ARCH_NOC_SHUFFLE:
        return rotate(self, source);
    case ARCH_NOC_MATRIX:
        return arch_noc_matrix_target(self->matrix, source, random);
    case ARCH_NOC_BROADCAST:
    case ARCH_NOC_REDUCE:
        g_assert_not_reached();
    case ARCH_NOC_UNIFORM:
        break;
    }
    return sim_random_below(random, node_count);
}
