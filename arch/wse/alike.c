/* Compares the columns and rows of a layout. */
#include "arch/wse/alike.h"

#include "arch/wse/kind.h"
#include "arch/wse/layout.h"

/* One axis: line `i` has the kinds kinds[i * line], kinds[i * line + step], ... */
typedef struct {
    const uint32_t *kinds;
    guint lines;
    guint length; /* of a line */
    guint line;
    guint step;
} Axis;

static uint64_t digest_of(const Axis *axis, guint line)
{
    uint64_t digest = UINT64_C(0xcbf29ce484222325);

    for (guint i = 0; i < axis->length; i++) {
        digest ^= axis->kinds[(gsize) line * axis->line + (gsize) i * axis->step];
        digest *= UINT64_C(0x100000001b3);
    }
    return digest;
}

static bool are_equal(const Axis *axis, guint a, guint b)
{
    for (guint i = 0; i < axis->length; i++) {
        const gsize at = (gsize) i * axis->step;

        if (axis->kinds[(gsize) a * axis->line + at] !=
            axis->kinds[(gsize) b * axis->line + at]) {
            return false;
        }
    }
    return true;
}

/* The class of a line is the number of the first that is equal. */
static WseAxis find_fold(const Axis *axis)
{
    g_autofree guint *classes = g_new(guint, axis->lines);
    g_autofree uint64_t *digests = g_new(uint64_t, axis->lines);
    g_autoptr(GHashTable) known = g_hash_table_new(g_int64_hash, g_int64_equal);

    for (guint i = 0; i < axis->lines; i++) {
        gpointer first = NULL;

        digests[i] = digest_of(axis, i);
        classes[i] = i;
        if (!g_hash_table_lookup_extended(known, &digests[i], NULL, &first)) {
            g_hash_table_insert(known, &digests[i], GUINT_TO_POINTER(i));
        } else if (are_equal(axis, GPOINTER_TO_UINT(first), i)) {
            classes[i] = GPOINTER_TO_UINT(first);
        }
    }
    return wse_axis_fold(classes, axis->lines);
}

/* Whether it is one that differs from place to place, or that others see. */
static bool is_own(const WseInstruction *instruction)
{
    return instruction->code == WSE_SENSE || instruction->code == WSE_PRINT ||
           instruction->code == WSE_PRINT_TEXT || instruction->code == WSE_PRINT_VALUE;
}

static bool has_own(const WseKind *kind)
{
    for (guint i = 0; i < kind->program->instructions->len; i++) {
        if (is_own(&kind->code[i])) {
            return true;
        }
    }
    for (guint i = 0; i < kind->router->route_count; i++) {
        if (kind->router->routes[i].host != ARCH_WSE_NO_HOST) {
            return true;
        }
    }
    return false;
}

bool wse_alike_find(const WseFabric *fabric, WseAxis *columns, WseAxis *rows)
{
    const guint width = fabric->layout->columns;
    const guint height = fabric->layout->rows;
    const Axis across = {fabric->kind_of, width, height, 1, width};
    const Axis down = {fabric->kind_of, height, width, width, 1};

    for (guint i = 0; i < fabric->kinds->len; i++) {
        if (has_own(&g_array_index(fabric->kinds, WseKind, i))) {
            return false;
        }
    }
    *columns = find_fold(&across);
    *rows = find_fold(&down);
    return true;
}
