/* Adds up what instructions have spent, by line. */
#include "arch/wse/layout.h"
#include "arch/wse/program/program.h"
#include "arch/wse/region.h"
#include "arch/wse_profile.h"

static int compare(gconstpointer a, gconstpointer b)
{
    const ArchWseLine *left = a;
    const ArchWseLine *right = b;
    int order = g_strcmp0(left->program, right->program);

    if (order == 0) {
        order = g_strcmp0(left->place.file, right->place.file);
    }
    if (order != 0) {
        return order;
    }
    return left->place.line < right->place.line ? -1
                                                : left->place.line > right->place.line;
}

static WseSpent spent_on(const WseFabric *fabric, guint number)
{
    WseSpent sum = {0};

    for (guint i = 0; i < fabric->region_count; i++) {
        sum.busy += fabric->regions[i].spent[number].busy;
        sum.memory_idle += fabric->regions[i].spent[number].memory_idle;
    }
    return sum;
}

static uint64_t pes_of(const WseFabric *fabric, const char *program)
{
    const uint64_t all = (uint64_t) fabric->layout->columns * fabric->layout->rows;
    uint64_t count = 0;

    for (uint64_t i = 0; i < all; i++) {
        const WseKind *kind =
            &g_array_index(fabric->kinds, WseKind, fabric->kind_of[i]);

        count += kind->program != NULL && g_str_equal(kind->program->name, program);
    }
    return count;
}

/* One for each instruction. */
static GArray *instructions_of(const WseFabric *fabric)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(ArchWseLine));

    for (guint i = 0; i < fabric->layout->programs->len; i++) {
        const ArchWseProgram *program = g_ptr_array_index(fabric->layout->programs, i);

        for (guint k = 0; k < program->instructions->len; k++) {
            const WseSpent spent = spent_on(fabric, fabric->first_code[i] + k);
            const ArchWseLine line = {.program = program->name,
                                      .place =
                                          g_array_index(program->places, ArchPlace, k),
                                      .busy = spent.busy,
                                      .memory_idle = spent.memory_idle};

            if (spent.busy + spent.memory_idle > 0) {
                g_array_append_val(lines, line);
            }
        }
    }
    return lines;
}

GArray *arch_wse_lines(const ArchWse *self)
{
    const WseFabric *fabric = wse_fabric_of(self);
    guint count = 0;
    GArray *lines;

    if (fabric == NULL || fabric->region_count == 0 ||
        fabric->regions[0].spent == NULL) {
        return g_array_new(FALSE, FALSE, sizeof(ArchWseLine));
    }
    lines = instructions_of(fabric);
    g_array_sort(lines, compare);
    for (guint i = 0; i < lines->len; i++) {
        const ArchWseLine *line = &g_array_index(lines, ArchWseLine, i);
        ArchWseLine *last =
            &g_array_index(lines, ArchWseLine, count == 0 ? 0 : count - 1);

        if (count > 0 && compare(last, line) == 0) {
            last->busy += line->busy;
            last->memory_idle += line->memory_idle;
        } else {
            g_array_index(lines, ArchWseLine, count++) = *line;
        }
    }
    g_array_set_size(lines, count);
    for (guint i = 0; i < lines->len; i++) {
        ArchWseLine *line = &g_array_index(lines, ArchWseLine, i);
        const ArchWseLine *before = i == 0 ? NULL : line - 1;

        line->pe_count = before != NULL && g_str_equal(before->program, line->program)
                             ? before->pe_count
                             : pes_of(fabric, line->program);
    }
    return lines;
}
