/* Compares the streams of a slice with those of the whole layout. */
#include "arch/wse/cover.h"

#include "arch/error.h"

static const ArchWseProgram *program_at(const ArchWseLayout *layout, guint index)
{
    return g_ptr_array_index(layout->programs, index);
}

static bool is_stream(const WseDsd *dsd)
{
    return dsd->kind == WSE_FABRIC_OUT && dsd->color < WSE_COLORS &&
           dsd->length > WSE_SHORT * MAX(dsd->elements_per_wavelet, 1u);
}

uint32_t wse_stream_colors(const ArchWseLayout *layout)
{
    uint32_t colors = 0;

    for (guint i = 0; i < layout->programs->len; i++) {
        const GArray *dsds = program_at(layout, i)->dsds;

        for (guint j = 0; j < dsds->len; j++) {
            const WseDsd *dsd = &g_array_index(dsds, WseDsd, j);

            colors |= is_stream(dsd) ? UINT32_C(1) << dsd->color : 0;
        }
    }
    return colors;
}

/* The names of phases in which programs send streams. */
static GHashTable *phases_of(const ArchWseLayout *layout)
{
    GHashTable *names = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < layout->programs->len; i++) {
        const ArchWseProgram *program = program_at(layout, i);

        for (guint j = 0; j < program->instructions->len; j++) {
            const WseInstruction *instruction =
                &g_array_index(program->instructions, WseInstruction, j);

            if (instruction->code == WSE_VECTOR && instruction->phase != 0 &&
                instruction->operands[0] < program->dsds->len &&
                is_stream(
                    &g_array_index(program->dsds, WseDsd, instruction->operands[0]))) {
                g_hash_table_add(
                    names, g_ptr_array_index(program->phases, instruction->phase));
            }
        }
    }
    return names;
}

bool wse_slice_covers(const ArchWseLayout *slice,
                      const ArchWseLayout *whole,
                      GError **error)
{
    const uint32_t missing = wse_stream_colors(whole) & ~wse_stream_colors(slice);
    g_autoptr(GHashTable) has = phases_of(slice);
    g_autoptr(GHashTable) needs = phases_of(whole);
    GHashTableIter iter;
    gpointer name = NULL;

    if (missing != 0) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                    "grain=stream: an exact slice of %ux%u PEs has no streams of color "
                    "%d, as the whole has; use grain=wavelet",
                    slice->columns, slice->rows, g_bit_nth_lsf(missing, -1));
        return false;
    }
    g_hash_table_iter_init(&iter, needs);
    while (g_hash_table_iter_next(&iter, &name, NULL)) {
        if (!g_hash_table_contains(has, name)) {
            g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                        "grain=stream: an exact slice of %ux%u PEs has no phase %s, as "
                        "the whole has; use grain=wavelet",
                        slice->columns, slice->rows, (const char *) name);
            return false;
        }
    }
    return true;
}
