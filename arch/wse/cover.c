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

/* What a slice is looked through for: names of phases with streams, and classes of
 * programs. A class is the set of a program's operations with streams, as text; its
 * value is the number of its first program. Lengths, addresses and constants are no
 * part of it: they may follow the size of the layout. */
typedef struct {
    GHashTable *phases;
    GHashTable *classes;
} Contents;

static void contents_clear(Contents *self)
{
    g_clear_pointer(&self->phases, g_hash_table_unref);
    g_clear_pointer(&self->classes, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Contents, contents_clear)

/* Appends the operand if it is on one of the colors. */
static void describe_operand(GString *text, const WseDsd *dsd, uint32_t colors)
{
    const bool is_fabric = dsd->kind == WSE_FABRIC_OUT || dsd->kind == WSE_FABRIC_IN;

    if (is_fabric && dsd->color < WSE_COLORS && (colors >> dsd->color & 1) != 0) {
        g_string_append_printf(text, " %c%u%s", dsd->kind == WSE_FABRIC_OUT ? '>' : '<',
                               dsd->color, dsd->is_control ? "c" : "");
    }
}

/* The operation and its streams on these colors; NULL without any. */
static char *describe(const ArchWseProgram *program,
                      const WseInstruction *instruction,
                      uint32_t colors)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < instruction->operand_count; i++) {
        if (instruction->operands[i] < program->dsds->len) {
            describe_operand(
                text, &g_array_index(program->dsds, WseDsd, instruction->operands[i]),
                colors);
        }
    }
    return text->len == 0 ? NULL
                          : g_strdup_printf("%u %d %s%s", instruction->operation,
                                            instruction->is_async,
                                            (const char *) g_ptr_array_index(
                                                program->phases, instruction->phase),
                                            text->str);
}

static gint compare_texts(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(*(const char *const *) a, *(const char *const *) b);
}

/* The set of a program's operations with streams, in one text. */
static char *class_of(const ArchWseProgram *program, uint32_t colors, Contents *into)
{
    g_autoptr(GPtrArray) operations = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < program->instructions->len; i++) {
        const WseInstruction *instruction =
            &g_array_index(program->instructions, WseInstruction, i);
        char *operation = instruction->code == WSE_VECTOR
                              ? describe(program, instruction, colors)
                              : NULL;

        if (operation != NULL) {
            g_ptr_array_add(operations, operation);
        }
        if (operation != NULL && instruction->phase != 0) {
            g_hash_table_add(into->phases,
                             g_ptr_array_index(program->phases, instruction->phase));
        }
    }
    g_ptr_array_sort(operations, compare_texts);
    for (guint i = 0; i < operations->len; i++) {
        const char *each = g_ptr_array_index(operations, i);

        if (i == 0 || !g_str_equal(each, g_ptr_array_index(operations, i - 1))) {
            g_string_append_printf(text, "%s\n", each);
        }
    }
    return g_strdup(text->str);
}

static Contents contents_of(const ArchWseLayout *layout, uint32_t colors)
{
    Contents self = {
        .phases = g_hash_table_new(g_str_hash, g_str_equal),
        .classes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
    };

    for (guint i = 0; i < layout->programs->len; i++) {
        g_autofree char *text = class_of(program_at(layout, i), colors, &self);

        if (!g_hash_table_contains(self.classes, text)) {
            g_hash_table_insert(self.classes, g_steal_pointer(&text),
                                GUINT_TO_POINTER(i));
        }
    }
    return self;
}

/* The first PE with a program of the layout. */
static guint first_with(const ArchWseLayout *layout, guint program)
{
    guint pe = 0;

    while (pe < layout->columns * layout->rows && layout->program_of[pe] != program) {
        pe++;
    }
    return pe;
}

/* The first PE whose program is of a class that the slice lacks; beyond the last if
 * there is none. */
static guint
first_lacking(const Contents *slice, const Contents *needs, const ArchWseLayout *whole)
{
    guint first = whole->columns * whole->rows;
    GHashTableIter iter;
    gpointer text = NULL;
    gpointer program = NULL;

    g_hash_table_iter_init(&iter, needs->classes);
    while (g_hash_table_iter_next(&iter, &text, &program)) {
        if (!g_hash_table_contains(slice->classes, text)) {
            first = MIN(first, first_with(whole, GPOINTER_TO_UINT(program)));
        }
    }
    return first;
}

static bool lacks(const ArchWseLayout *slice, GError **error, const char *what)
{
    g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                "grain=stream: an exact slice of %ux%u PEs has no %s, as the whole "
                "has; use grain=wavelet",
                slice->columns, slice->rows, what);
    return false;
}

/* The first in order of the names of phases that the slice lacks, or NULL. */
static const char *phase_lacking(const Contents *slice, const Contents *needs)
{
    const char *first = NULL;
    GHashTableIter iter;
    gpointer name = NULL;

    g_hash_table_iter_init(&iter, needs->phases);
    while (g_hash_table_iter_next(&iter, &name, NULL)) {
        if (!g_hash_table_contains(slice->phases, name) &&
            (first == NULL || g_strcmp0(name, first) < 0)) {
            first = name;
        }
    }
    return first;
}

bool wse_slice_covers(const ArchWseLayout *slice,
                      const ArchWseLayout *whole,
                      GError **error)
{
    const uint32_t colors = wse_stream_colors(whole);
    const uint32_t missing = colors & ~wse_stream_colors(slice);
    g_auto(Contents) has = contents_of(slice, colors);
    g_auto(Contents) needs = contents_of(whole, colors);
    const char *phase = phase_lacking(&has, &needs);
    const guint pe = first_lacking(&has, &needs, whole);
    g_autofree char *what = NULL;

    if (missing != 0) {
        what = g_strdup_printf("streams of color %d", g_bit_nth_lsf(missing, -1));
    } else if (phase != NULL) {
        what = g_strdup_printf("phase %s", phase);
    } else if (pe < whole->columns * whole->rows) {
        what = g_strdup_printf("program with the streams of pe[%u,%u]",
                               pe % whole->columns, pe / whole->columns);
    }
    return what == NULL || lacks(slice, error, what);
}
