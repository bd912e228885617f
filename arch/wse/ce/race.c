/* Compares an operation that begins with those under way in its PE. */
#include "arch/wse/ce/race.h"

#include "arch/wse/program/operation.h"
#include "arch/wse/program/walk.h"
#include "sim/narrow.h"

enum {
    MOST_RACES = 1000,
    ADDRESSES = 65536, /* addresses of a PE have 16 bits */
};

/* Strings are interned. */
typedef struct {
    SimTime when;
    guint x;
    guint y;
    const char *task; /* that starts it; NULL: it was started before */
    const char *call;
    ArchPlace place;
    const char *other_call; /* under way */
    ArchPlace other_place;
    guint done; /* elements of it */
    guint length;
    bool is_write;     /* of the one that begins */
    const char *array; /* NULL: none has this address */
    guint number;      /* in the array, else the address */
} Race;

struct WseRaces {
    GMutex lock;
    GArray *found; /* of Race: the first of each pair of places */
};

/* Bytes of the PE's memory. */
typedef struct {
    int64_t first;
    int64_t after;
} Span;

/* An operand in memory. */
typedef struct {
    const WseDsd *dsd;
    int32_t offset;
    uint32_t length;
} Operand;

WseRaces *wse_races_new(void)
{
    WseRaces *self = g_new0(WseRaces, 1);

    g_mutex_init(&self->lock);
    self->found = g_array_new(FALSE, FALSE, sizeof(Race));
    return self;
}

void wse_races_free(WseRaces *self)
{
    if (self != NULL) {
        g_mutex_clear(&self->lock);
        g_array_unref(self->found);
        g_free(self);
    }
}

static Span span_of(const Operand *operand)
{
    const WseDsd *dsd = operand->dsd;
    Span span = {.first = dsd->address + (int64_t) operand->offset * dsd->bytes};

    span.after = span.first + dsd->bytes;
    for (guint i = 0; i < dsd->rank; i++) {
        const int64_t way =
            ((int64_t) dsd->extents[i] - 1) * dsd->strides[i] * dsd->bytes;

        if (way < 0) {
            span.first += way;
        } else {
            span.after += way;
        }
    }
    return span;
}

/* Marks the operand's bytes within the span, or returns the first that is marked
 * already; span->after if there is none. */
static int64_t
walk(const Operand *operand, const Span *span, uint8_t *marks, bool is_marking)
{
    WseWalk at = wse_walk_start(operand->dsd, operand->offset, 0);

    for (uint32_t i = 0; i < operand->length; i++) {
        for (int64_t byte = at.address; byte < at.address + operand->dsd->bytes;
             byte++) {
            if (byte < span->first || byte >= span->after) {
                continue;
            }
            if (is_marking) {
                marks[byte - span->first] = 1;
            } else if (marks[byte - span->first] != 0) {
                return byte;
            }
        }
        wse_walk_advance(&at, operand->offset, 1);
    }
    return span->after;
}

/* A byte that both have; -1: there is none. */
static int64_t common_byte(const Operand *one, const Operand *other)
{
    const Span a = span_of(one);
    const Span b = span_of(other);
    const Span span = {.first = MAX(0, MAX(a.first, b.first)),
                       .after = MIN(ADDRESSES, MIN(a.after, b.after))};
    g_autofree uint8_t *marks = NULL;
    int64_t byte;

    if (span.first >= span.after) {
        return -1;
    }
    marks = g_malloc0((gsize) (span.after - span.first));
    (void) walk(other, &span, marks, true);
    byte = walk(one, &span, marks, false);
    return byte < span.after ? byte : -1;
}

/* Whether operand `i` of the thread's operation is in memory. */
static bool
get_operand(const WseVisit *visit, const WseThread *thread, guint i, Operand *operand)
{
    const WseInstruction *instruction =
        wse_visit_instruction(visit, sim_u32(thread - visit->threads));

    if (i >= instruction->operand_count) {
        return false;
    }
    const WseDsd *dsd = wse_visit_dsd(visit, instruction, i);

    if (dsd->kind != WSE_MEMORY) {
        return false;
    }
    *operand = (Operand){.dsd = dsd,
                         .offset = thread->offsets[i],
                         .length = MIN(dsd->length, thread->length)};
    return true;
}

static bool is_same_pair(const Race *a, const Race *b)
{
    return a->place.line == b->place.line &&
           a->other_place.line == b->other_place.line && a->call == b->call &&
           a->place.file == b->place.file &&
           a->other_place.file == b->other_place.file && a->is_write == b->is_write;
}

static int compare(gconstpointer a, gconstpointer b)
{
    const Race *p = a;
    const Race *q = b;

    if (p->when != q->when) {
        return p->when < q->when ? -1 : 1;
    }
    if (p->y != q->y) {
        return p->y < q->y ? -1 : 1;
    }
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    if (p->place.line != q->place.line) {
        return p->place.line < q->place.line ? -1 : 1;
    }
    return (p->other_place.line > q->other_place.line) -
           (p->other_place.line < q->other_place.line);
}

static void note(WseRaces *self, const Race *race)
{
    guint at = 0;

    g_mutex_lock(&self->lock);
    while (at < self->found->len &&
           !is_same_pair(&g_array_index(self->found, Race, at), race)) {
        at++;
    }
    if (at < self->found->len) {
        Race *known = &g_array_index(self->found, Race, at);

        *known = compare(race, known) < 0 ? *race : *known;
    } else if (at < MOST_RACES) {
        g_array_append_val(self->found, *race);
    }
    g_mutex_unlock(&self->lock);
}

static ArchPlace place_of(const WseVisit *visit, const WseThread *thread)
{
    ArchPlace place =
        g_array_index(visit->kind->program->places, ArchPlace, thread->instruction);

    place.file = g_intern_string(place.file);
    return place;
}

static const char *call_of(const WseVisit *visit, const WseThread *thread)
{
    return wse_operation_at(visit->kind->code[thread->instruction].operation)->name;
}

static const char *task_of(const WseVisit *visit, const WseThread *starting)
{
    return wse_races_is_receiving(&visit->kind->code[starting->instruction])
               ? NULL
               : g_intern_string(wse_ce_task(visit)->name);
}

static void meet(WseRaces *self,
                 const WseVisit *visit,
                 const WseThread *starting,
                 const WseThread *other)
{
    for (guint i = 0; i < WSE_OPERANDS * WSE_OPERANDS; i++) {
        const guint one = i / WSE_OPERANDS;
        const guint two = i % WSE_OPERANDS;
        Operand operands[2];
        int64_t byte;

        if ((one == 0) == (two == 0) ||
            one >= visit->kind->code[starting->instruction].operand_count ||
            two >= visit->kind->code[other->instruction].operand_count ||
            !get_operand(visit, starting, one, &operands[0]) ||
            !get_operand(visit, other, two, &operands[1])) {
            continue;
        }
        byte = common_byte(&operands[0], &operands[1]);
        if (byte < 0) {
            continue;
        }
        Race race = {.when = visit->fabric->start + visit->now,
                     .x = wse_region_x(visit->region, visit->number),
                     .y = wse_region_y(visit->region, visit->number),
                     .task = task_of(visit, starting),
                     .call = call_of(visit, starting),
                     .place = place_of(visit, starting),
                     .other_call = call_of(visit, other),
                     .other_place = place_of(visit, other),
                     .done = other->done,
                     .length = other->length,
                     .is_write = one == 0};

        race.array =
            wse_program_array_at(visit->kind->program, sim_u32(byte), &race.number);
        note(self, &race);
    }
}

void wse_races_look(WseRaces *self, const WseVisit *visit, guint index)
{
    const WseThread *starting = &visit->threads[index];

    for (uint32_t left = visit->pe->threads; left != 0; left &= left - 1) {
        const guint thread = (guint) __builtin_ctz(left);
        const WseThread *other = &visit->threads[thread];

        /* Ages wrap around. */
        if (thread != index && ((starting->age - other->age) & UINT8_MAX) < INT8_MAX) {
            meet(self, visit, starting, other);
        }
    }
}

static char *line_of(const Race *race)
{
    g_autofree char *place = arch_place_text(race->place);
    g_autofree char *other = arch_place_text(race->other_place);
    g_autofree char *task =
        race->task == NULL ? g_strdup("") : g_strdup_printf(" (task %s)", race->task);
    g_autofree char *what = race->array == NULL
                                ? g_strdup_printf("byte 0x%x", race->number)
                                : g_strdup_printf("%s[%u]", race->array, race->number);

    return g_strdup_printf(
        "pe[%u,%u], cycle %" G_GUINT64_FORMAT
        ": %s%s%s %s %s while %s%s, at element %u of %u, is still %s it",
        race->x, race->y, race->when, race->call, place, task,
        race->is_write ? "writes" : "reads", what, race->other_call, other, race->done,
        race->length, race->is_write ? "reading" : "writing");
}

GPtrArray *wse_races_lines(WseRaces *self)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);

    g_array_sort(self->found, compare);
    for (guint i = 0; i < self->found->len; i++) {
        g_ptr_array_add(lines, line_of(&g_array_index(self->found, Race, i)));
    }
    return lines;
}
