/* Keeps the lines and records of PEs, and puts lines into an order that does not depend
 * on threads. */
#include "arch/wse/print.h"

#include <string.h>

#include "arch/wse/program/number.h"
#include "arch/wse/watch/watch.h"
#include "arch/wse_profile.h"
#include "sim/narrow.h"

enum {
    MOST_PRINTS = 1000000,
    MOST_BYTES = 65536, /* of a line */
    TEXT_BYTES = 4096,  /* asked for at once */
};

struct WsePrints {
    GMutex lock;         /* of all, while regions run side by side */
    GArray *lines;       /* of ArchWsePrint */
    GArray *records;     /* of ArchWsePrint */
    GHashTable *open;    /* of GString, by PE: lines without an end */
    GStringChunk *texts; /* of lines that were put together */
};

static void string_free(gpointer data)
{
    g_string_free(data, TRUE);
}

struct WsePrints *wse_prints_new(void)
{
    struct WsePrints *self = g_new(struct WsePrints, 1);

    *self = (struct WsePrints){
        .lines = g_array_new(FALSE, FALSE, sizeof(ArchWsePrint)),
        .records = g_array_new(FALSE, FALSE, sizeof(ArchWsePrint)),
        .open = g_hash_table_new_full(NULL, NULL, NULL, string_free),
        .texts = g_string_chunk_new(TEXT_BYTES),
    };
    g_mutex_init(&self->lock);
    return self;
}

void wse_prints_reset(struct WsePrints *self)
{
    g_array_set_size(self->records, 0);
    g_hash_table_remove_all(self->open);
}

static void drop_later(GArray *prints, uint32_t last)
{
    for (guint i = prints->len; i-- > 0;) {
        if (g_array_index(prints, ArchWsePrint, i).visit > last) {
            g_array_remove_index(prints, i);
        }
    }
}

void wse_prints_end_at(struct WsePrints *self, uint32_t last)
{
    drop_later(self->lines, last);
    drop_later(self->records, last);
}

void wse_prints_free(struct WsePrints *self)
{
    if (self != NULL) {
        g_array_unref(self->lines);
        g_array_unref(self->records);
        g_hash_table_unref(self->open);
        g_string_chunk_free(self->texts);
        g_mutex_clear(&self->lock);
        g_free(self);
    }
}

static const char *text_of(const WseRegion *region, uint32_t number, guint text)
{
    const WseKind *kind = wse_region_kind(region, wse_region_pe(region, number));

    return g_ptr_array_index(kind->program->texts, text);
}

static int32_t variable_of(const WseRegion *region, uint32_t number, guint variable)
{
    return wse_pe_variables(wse_region_pe(region, number),
                            &region->fabric->block)[variable];
}

static uint32_t
operand_of(const WseRegion *region, uint32_t number, const WseInstruction *instruction)
{
    return (uint32_t) (instruction->is_variable
                           ? variable_of(region, number, sim_u32(instruction->value))
                           : instruction->value);
}

static ArchWsePrint
print_of(const WseRegion *region, uint32_t number, const char *text, uint32_t when)
{
    return (ArchWsePrint){
        .when = region->fabric->start + when,
        .x = wse_region_x(region, number),
        .y = wse_region_y(region, number),
        .text = text,
        .visit = region->now,
    };
}

static void add_line(WseRegion *region, uint32_t number, const ArchWsePrint *print)
{
    GArray *lines = region->fabric->prints->lines;

    if (lines->len == MOST_PRINTS) {
        wse_region_fail(region, number, "more than %d lines are printed in a launch",
                        MOST_PRINTS);
        return;
    }
    g_array_append_vals(lines, print, 1);
    if (wse_is_watched(region)) {
        wse_watch_print(region, number, print);
    }
}

void wse_print_add(WseRegion *region,
                   uint32_t number,
                   const WseInstruction *instruction,
                   uint32_t when)
{
    const guint variable = instruction->variable;
    ArchWsePrint print =
        print_of(region, number, text_of(region, number, instruction->target), when);

    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&region->fabric->prints->lock);

    if (variable != ARCH_WSE_NONE) {
        print.has_value = true;
        print.value = variable_of(region, number, variable);
    }
    add_line(region, number, &print);
}

static void append_binary(GString *text, uint32_t bits, guint width)
{
    for (guint i = width; i-- > 0;) {
        g_string_append_c(text, (bits >> i & 1) != 0 ? '1' : '0');
    }
}

/* Whole numbers get a point, too. */
static void append_float(GString *text, double number)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];

    g_ascii_formatd(buffer, sizeof buffer, "%.7g", number);
    g_string_append(text, buffer);
    if (strspn(buffer, "-0123456789") == strlen(buffer)) {
        g_string_append(text, ".0");
    }
}

static void
append_value(GString *text, ArchWseType type, ArchWseFormat format, uint32_t bits)
{
    const guint width = 8 * MIN(arch_wse_type_bytes(type), sizeof bits);
    const uint32_t plain = bits & UINT32_MAX >> (32 - width);

    if (wse_type_is_float(type) && format == ARCH_WSE_DECIMAL) {
        append_float(text, (double) wse_number_to_float(type, plain));
        return;
    }
    switch (format) {
    case ARCH_WSE_DECIMAL:
        g_string_append_printf(text, "%" G_GINT64_FORMAT,
                               wse_type_is_signed(type)
                                   ? (int64_t) (int32_t) wse_number_fit(type, bits)
                                   : (int64_t) plain);
        break;
    case ARCH_WSE_HEX:
        g_string_append_printf(text, "%0*X", (int) width / 4, plain);
        break;
    case ARCH_WSE_BINARY:
        append_binary(text, plain, width);
        break;
    }
}

/* Complete lines of the text go out. */
static void flush(WseRegion *region, uint32_t number, GString *text, uint32_t when)
{
    const char *end = strchr(text->str, '\n');

    while (end != NULL && !region->has_failed) {
        const gssize length = end - text->str;
        const ArchWsePrint print = print_of(
            region, number,
            g_string_chunk_insert_len(region->fabric->prints->texts, text->str, length),
            when);

        add_line(region, number, &print);
        g_string_erase(text, 0, length + 1);
        end = strchr(text->str, '\n');
    }
}

void wse_print_piece(WseRegion *region,
                     uint32_t number,
                     const WseInstruction *instruction,
                     uint32_t when)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&region->fabric->prints->lock);
    GHashTable *open = region->fabric->prints->open;
    GString *text = g_hash_table_lookup(open, GUINT_TO_POINTER(number));

    if (text == NULL) {
        text = g_string_new(NULL);
        g_hash_table_insert(open, GUINT_TO_POINTER(number), text);
    }
    if (instruction->code == WSE_PRINT_TEXT) {
        g_string_append(text, text_of(region, number, instruction->target));
        flush(region, number, text, when);
    } else {
        append_value(text, (ArchWseType) instruction->relation,
                     (ArchWseFormat) instruction->scalar,
                     operand_of(region, number, instruction));
    }
    if (text->len > MOST_BYTES) {
        wse_region_fail(region, number, "a line of more than %d bytes is printed",
                        MOST_BYTES);
    }
}

void wse_print_record(WseRegion *region,
                      uint32_t number,
                      const WseInstruction *instruction,
                      uint32_t when)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&region->fabric->prints->lock);
    GArray *records = region->fabric->prints->records;
    ArchWsePrint record = print_of(region, number, NULL, when);

    record.key = text_of(region, number, instruction->target);
    record.kind = instruction->destination;
    record.has_value = true;
    record.value = (int32_t) operand_of(region, number, instruction);
    if (instruction->variable != ARCH_WSE_NONE) {
        record.text = text_of(region, number, instruction->variable);
    }
    if (records->len == MOST_PRINTS) {
        wse_region_fail(region, number, "more than %d records", MOST_PRINTS);
        return;
    }
    g_array_append_val(records, record);
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

    g_array_append_vals(all, fabric->prints->lines->data, fabric->prints->lines->len);
    g_array_set_size(fabric->prints->lines, 0);
    g_array_sort(all, compare); /* stable: a PE's lines of one cycle stay in order */
    return all;
}

GArray *arch_wse_records(const ArchWse *self, guint x, guint y)
{
    const WseFabric *fabric = wse_fabric_of(self);
    GArray *all = g_array_new(FALSE, FALSE, sizeof(ArchWsePrint));
    const GArray *records = fabric->prints->records;

    for (guint i = 0; i < records->len; i++) {
        const ArchWsePrint *record = &g_array_index(records, ArchWsePrint, i);

        if (record->x == x && record->y == y) {
            g_array_append_vals(all, record, 1);
        }
    }
    return all;
}

char *arch_wse_print_text(const ArchWsePrint *print)
{
    return print->has_value ? g_strdup_printf("%s %d", print->text, print->value)
                            : g_strdup(print->text);
}
