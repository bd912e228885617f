/* Keeps the lines of PEs, and puts them into an order that does not depend on threads.
 */
#include "arch/wse/print.h"

#include "arch/wse/watch/watch.h"
#include "arch/wse_profile.h"

enum {
    MOST_PRINTS = 1000000, /* in a region */
};

void wse_print_add(WseRegion *region,
                   uint32_t number,
                   const WseInstruction *instruction,
                   uint32_t when)
{
    WsePe *pe = wse_region_pe(region, number);
    const bool has_value = instruction->variable != ARCH_WSE_NONE;
    const ArchWsePrint print = {
        .when = region->fabric->start + when,
        .x = wse_region_x(region, number),
        .y = wse_region_y(region, number),
        .text = g_ptr_array_index(wse_region_kind(region, pe)->program->texts,
                                  instruction->target),
        .has_value = has_value,
        .value = has_value ? wse_pe_variables(
                                 pe, &region->fabric->block)[instruction->variable]
                           : 0,
    };

    if (region->prints == NULL) {
        region->prints = g_array_new(FALSE, FALSE, sizeof(ArchWsePrint));
    }
    if (region->prints->len == MOST_PRINTS) {
        wse_region_fail(region, number, "more than %d lines are printed in a launch",
                        MOST_PRINTS);
        return;
    }
    g_array_append_val(region->prints, print);
    if (wse_is_watched(region)) {
        wse_watch_print(region, number, &print);
    }
}

static int compare(gconstpointer a, gconstpointer b)
{
    const ArchWsePrint *p = a;
    const ArchWsePrint *q = b;

    if (p->when != q->when) {
        return p->when < q->when ? -1 : 1;
    }
    if (p->y != q->y) {
        return p->y < q->y ? -1 : 1;
    }
    return (p->x > q->x) - (p->x < q->x);
}

GArray *arch_wse_take_prints(ArchWse *self)
{
    const WseFabric *fabric = wse_fabric_of(self);
    GArray *all = g_array_new(FALSE, FALSE, sizeof(ArchWsePrint));

    for (guint i = 0; i < fabric->region_count; i++) {
        GArray *some = fabric->regions[i].prints;

        if (some != NULL) {
            g_array_append_vals(all, some->data, some->len);
            g_array_set_size(some, 0);
        }
    }
    g_array_sort(all, compare); /* stable: a PE's lines of one cycle stay in order */
    return all;
}

char *arch_wse_print_text(const ArchWsePrint *print)
{
    return print->has_value ? g_strdup_printf("%s %d", print->text, print->value)
                            : g_strdup(print->text);
}
