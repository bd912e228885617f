/* Writes a line for every PE that waits. */
#include "arch/wse/ce/ce.h"
#include "arch/wse/fabric.h"
#include "arch/wse/host.h"
#include "arch/wse/program/live.h"
#include "arch/wse/program/operation.h"
#include "arch/wse/region.h"
#include "sim/alike.h"

enum {
    MOST_LINES = 12,
};

/* The color of the operation's first stream that comes in. */
static guint input_color(const WseKind *kind, const WseInstruction *instruction)
{
    guint at = 1;

    while (wse_operand(kind->dsds, instruction, at)->kind != WSE_FABRIC_IN) {
        at++;
    }
    return wse_operand(kind->dsds, instruction, at)->color;
}

static void say_thread(
    GString *text, const WseKind *kind, WsePe *pe, const WseBlock *parts, guint index)
{
    const WseInstruction *instruction = wse_kind_instruction(kind, pe, parts, index);
    const WseThread *thread = &wse_pe_threads(pe, parts)[index];
    const WseRing *rings = wse_pe_rings(pe, parts);
    const ArchPlace place =
        g_array_index(kind->program->places, ArchPlace, thread->instruction);

    g_string_append_printf(text, "; %s at element %u of %u",
                           wse_operation_at(instruction->operation)->name, thread->done,
                           thread->length);
    if (place.file != NULL) {
        g_string_append_printf(text, " (%s:%u)", place.file, place.line);
    }
    if (instruction->input != WSE_NO_RING) {
        g_string_append_printf(text, ", from color %u, input queue %u",
                               input_color(kind, instruction), instruction->input);
        if (rings[kind->input_rings[instruction->input]].count == 0) {
            g_string_append(text, ", needs a wavelet of that color");
        }
    }
    if (instruction->output != WSE_NO_RING) {
        g_string_append_printf(text, ", to color %u, output queue %u",
                               wse_operand(kind->dsds, instruction, 0)->color,
                               instruction->output);
    }
}

static void
say_queues(GString *text, const WseKind *kind, const WsePe *pe, const WseRing *rings)
{
    for (guint i = 0; i < WSE_INPUT_QUEUES; i++) {
        if (kind->input_rings[i] != WSE_NO_RING &&
            rings[kind->input_rings[i]].count > 0) {
            g_string_append_printf(text, "; input queue %u (color %u) has %u of %u", i,
                                   kind->router->routes[pe->bound[i]].color,
                                   rings[kind->input_rings[i]].count,
                                   rings[kind->input_rings[i]].depth);
        }
    }
    for (guint i = 0; i < WSE_OUTPUT_QUEUES; i++) {
        if (kind->output_rings[i] != WSE_NO_RING &&
            rings[kind->output_rings[i]].count > 0) {
            g_string_append_printf(text, "; output queue %u has %u of %u", i,
                                   rings[kind->output_rings[i]].count,
                                   rings[kind->output_rings[i]].depth);
        }
    }
}

static void append_directions(GString *text, guint set)
{
    for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
        if (set & (1u << i)) {
            g_string_append_printf(text, " %s",
                                   arch_wse_direction_name((ArchWseDirection) i));
        }
    }
}

static void
say_colors(GString *text, const WseKind *kind, WsePe *pe, const WseBlock *parts)
{
    const WseColor *colors = wse_pe_colors(pe, parts);
    const WseRing *rings = wse_pe_rings(pe, parts);

    for (guint slot = 0; slot < kind->router->route_count; slot++) {
        const WseRoute *route = &wse_kind_routes(kind, pe, parts)[slot];

        for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
            guint at = colors[slot].rings[i];

            if (at == WSE_NO_RING || rings[at].count == 0) {
                continue;
            }
            g_string_append_printf(
                text, "; color %u has %u of %u from %s, switch at %u:", route->color,
                rings[at].count, rings[at].depth,
                arch_wse_direction_name((ArchWseDirection) i), colors[slot].position);
            append_directions(text, route->rx[colors[slot].position]);
            g_string_append(text, " to");
            append_directions(text, route->tx[colors[slot].position]);
            g_string_append(text, colors[slot].is_torn_down ? ", torn down" : "");
        }
    }
}

/* Tasks of the main thread: the one that runs, and those that wait to be unblocked. */
static void say_tasks(GString *text, const WseKind *kind, const WsePe *pe)
{
    const WseTask *tasks = kind->program->tasks;

    if (pe->launched > 0 && !pe->is_over) {
        const GArray *entries = kind->program->entries;

        g_string_append_printf(text, "; the launch of %s is not over",
                               g_array_index(entries, WseTask, pe->launched - 1).name);
    }
    if (pe->main != WSE_IDLE && pe->main != WSE_WAITING && pe->task < WSE_LAUNCH_TASK) {
        g_string_append_printf(text, "; task %u (%s) runs", pe->task,
                               tasks[pe->task].name);
    }
    for (guint i = 0; i < WSE_LAUNCH_TASK; i++) {
        const uint64_t bit = UINT64_C(1) << i;

        if (pe->activated & bit) {
            g_string_append_printf(text, "; task %u (%s) was activated and %s", i,
                                   tasks[i].name,
                                   pe->blocked & bit ? "stays blocked" : "is to run");
        }
    }
}

static bool
is_at_rest(WseRegion *region, uint32_t number, WsePe *pe, const WseKind *kind)
{
    const WseRing *rings = wse_pe_rings(pe, &region->fabric->block);
    guint color = 0;

    if (wse_host_left(region, number, &color) > 0) {
        return false;
    }

    if (region->fabric->is_driven) {
        return pe->launched == 0 || pe->is_over;
    }
    for (guint i = 0; i < kind->ring_count; i++) {
        if (rings[i].count > 0) {
            return false;
        }
    }
    return (pe->activated & pe->blocked) == 0 && wse_ce_is_at_rest(region, pe);
}

static char *line_for(WseRegion *region, uint32_t number, WsePe *pe, guint x, guint y)
{
    guint color = 0;
    const guint left = wse_host_left(region, number, &color);
    const WseBlock *parts = &region->fabric->block;
    const WseKind *kind = wse_region_kind(region, pe);
    GString *text = g_string_new(NULL);

    g_string_append_printf(text, "pe[%u,%u] (%s)", x, y, kind->program->name);
    if (left > 0) {
        g_string_append_printf(text, "; %u wavelets of color %u between host and PE",
                               left, color);
    }
    say_tasks(text, kind, pe);
    if (pe->main == WSE_WAITING) {
        say_thread(text, kind, pe, parts, WSE_MAIN);
    }
    for (guint i = 0; i < WSE_THREADS; i++) {
        if (pe->threads & (1u << i)) {
            say_thread(text, kind, pe, parts, i);
        }
    }
    say_queues(text, kind, pe, wse_pe_rings(pe, parts));
    say_colors(text, kind, pe, parts);
    return g_string_free(text, FALSE);
}

/* Elements of vector operations, of all programs. */
static uint64_t count_elements(const WseRegion *region)
{
    const WseFabric *fabric = region->fabric;
    uint64_t elements = 0;

    for (guint i = 0; i < fabric->layout->programs->len; i++) {
        const ArchWseProgram *program = g_ptr_array_index(fabric->layout->programs, i);
        const WseInstruction *code =
            (const WseInstruction *) (gconstpointer) program->instructions->data;

        for (guint k = 0; k < program->instructions->len; k++) {
            elements += code[k].code == WSE_VECTOR
                            ? region->executed[fabric->first_code[i] + k]
                            : 0;
        }
    }
    return elements;
}

/* Changes whenever a variable does, or a block of a task, or an operation moves on. */
static uint64_t digest_pe(const WseRegion *region, uint32_t number)
{
    const WseBlock *parts = &region->fabric->block;
    WsePe *pe = wse_region_pe(region, number);
    const WseThread *threads = wse_pe_threads(pe, parts);
    const int32_t *variables = wse_pe_variables(pe, parts);
    uint64_t digest = pe->blocked;

    for (guint i = 0; i < wse_region_kind(region, pe)->program->variables->len; i++) {
        digest = (digest ^ (uint64_t) variables[i]) * UINT64_C(0x100000001b3);
    }
    for (guint i = 0; i <= WSE_MAIN; i++) {
        digest = (digest ^ threads[i].done) * UINT64_C(0x100000001b3);
    }
    return digest;
}

uint64_t wse_progress(const WseFabric *self)
{
    uint64_t progress = 0;

    for (guint k = 0; k < self->pe_count; k++) {
        wse_fabric_show(self, k);
        progress += digest_pe(&self->regions[0], k) * (2 * (uint64_t) k + 1);
    }
    for (guint i = 0; i < self->region_count; i++) { /* all have caught up */
        const WseRegion *region = &self->regions[i];

        progress += region->link_wavelets + region->scalars + count_elements(region);
    }
    return progress;
}

/* PEs that wait alike: the line of the first, and how many they are. */
typedef struct {
    char *line;
    guint count;
} Group;

static void group_clear(gpointer data)
{
    Group *self = data;

    g_free(self->line);
}

/* Adds a line, which it takes. */
static void add_line(GArray *groups, GHashTable *by_key, char *line)
{
    char *key = sim_alike_key(line);
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(by_key, key));

    if (known > 0) {
        g_array_index(groups, Group, known - 1).count++;
        g_free(key);
        g_free(line);
        return;
    }
    const Group group = {.line = line, .count = 1};

    g_array_append_val(groups, group);
    (void) g_hash_table_insert(by_key, key, GUINT_TO_POINTER(groups->len));
}

static void say_groups(const GArray *groups, GPtrArray *lines)
{
    guint more = 0;

    for (guint i = 0; i < groups->len; i++) {
        const Group *group = &g_array_index(groups, Group, i);

        if (i < MOST_LINES) {
            g_ptr_array_add(lines, sim_alike_line(group->line, group->count));
        } else {
            more += group->count;
        }
    }
    if (more > 0) {
        g_ptr_array_add(lines, g_strdup_printf("%u more PEs", more));
    }
}

void wse_audit(const WseFabric *fabric, GPtrArray *lines)
{
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(Group));
    g_autoptr(GHashTable) by_key =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    g_array_set_clear_func(groups, group_clear);
    for (guint y = 0; y < fabric->layout->rows; y++) {
        for (guint x = 0; x < fabric->layout->columns; x++) {
            uint32_t number = 0;
            WseRegion *region = wse_fabric_find(fabric, x, y, &number);
            WsePe *pe = wse_region_pe(region, number);

            if (!is_at_rest(region, number, pe, wse_region_kind(region, pe))) {
                add_line(groups, by_key, line_for(region, number, pe, x, y));
            }
        }
    }
    say_groups(groups, lines);
}
