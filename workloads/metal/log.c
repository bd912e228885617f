/* Keeps what kernels tell the profiler, and writes it to its file. */
#include "workloads/metal/log.h"

#include <errno.h>
#include <string.h>

#include <glib/gstdio.h>

#include "workloads/error.h"

enum {
    PLACES = 250, /* of a RISC-V and program: 125 zones, as tt-metal has it */
};

/* By ArchRiscvMarkKind; numbers are tt-metal's. */
static const struct {
    const char *name;
    guint number;
    guint places; /* of a zone, with its end */
} kinds[] = {
    [ARCH_RISCV_ZONE_BEGIN] = {"ZONE_START", 0, 2},
    [ARCH_RISCV_ZONE_END] = {"ZONE_END", 1, 0},
    [ARCH_RISCV_DATA] = {"TS_DATA", 3, 2},
    [ARCH_RISCV_EVENT] = {"TS_EVENT", 4, 1},
};

struct MetalLog {
    GArray *rows; /* of MetalLogRow */
};

MetalLog *metal_log_new(void)
{
    MetalLog *self = g_new0(MetalLog, 1);

    self->rows = g_array_new(FALSE, FALSE, sizeof(MetalLogRow));
    return self;
}

void metal_log_free(MetalLog *self)
{
    if (self != NULL) {
        g_array_unref(self->rows);
        g_free(self);
    }
}

void metal_log_add(MetalLog *self, const MetalLogRow *row)
{
    g_array_append_val(self->rows, *row);
}

/* FNV-1a of name, place and tool, folded. */
static guint hash_of(const ArchRiscvMark *mark)
{
    g_autofree char *text =
        g_strdup_printf("%s,%s,%u,KERNEL_PROFILER", mark->name, mark->file, mark->line);
    uint32_t hash = 2166136261u;

    for (const guint8 *at = (const guint8 *) text; *at != '\0'; at++) {
        hash = (hash ^ *at) * 16777619u;
    }
    return (hash ^ hash >> 16) & G_MAXUINT16;
}

static guint id_of(const ArchRiscvMark *mark)
{
    const guint own =
        mark->kind == ARCH_RISCV_EVENT ? mark->value & G_MAXUINT16 : hash_of(mark);

    return kinds[mark->kind].number << 16 | own;
}

static int order(uint64_t left, uint64_t right)
{
    return left < right ? -1 : left > right;
}

static int compare(gconstpointer a, gconstpointer b)
{
    const MetalLogRow *left = a;
    const MetalLogRow *right = b;
    const int orders[] = {
        order(left->chip, right->chip),           order(left->tile.x, right->tile.x),
        order(left->tile.y, right->tile.y),       order(left->riscv, right->riscv),
        order(left->mark.when, right->mark.when),
    };

    for (guint i = 0; i < G_N_ELEMENTS(orders); i++) {
        if (orders[i] != 0) {
            return orders[i];
        }
    }
    return 0; /* the sort is stable */
}

static void add_row(GString *text, const MetalLogRow *row)
{
    static const char *const riscvs[ARCH_RISCVS] = {"BRISC", "NCRISC", "TRISC_0",
                                                    "TRISC_1", "TRISC_2"};
    const ArchRiscvMark *mark = &row->mark;
    const uint64_t data = mark->kind == ARCH_RISCV_DATA ? mark->value : 0;

    g_string_append_printf(text,
                           "%u,%u,%u,%s,%u,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
                           ",%" G_GUINT64_FORMAT ",,,%s,%s,%u,%s,\n",
                           row->chip, row->tile.x, row->tile.y, riscvs[row->riscv],
                           id_of(mark), mark->when, data, row->run, mark->name,
                           kinds[mark->kind].name, mark->line, mark->file);
}

/* Appends a text to a file. */
static bool append(const char *path, const GString *text, GError **error)
{
    FILE *file = fopen(path, "ae");
    bool is_done = file != NULL && fwrite(text->str, 1, text->len, file) == text->len;

    if (file != NULL && fclose(file) != 0) {
        is_done = false;
    }
    return is_done || wl_refuse(error, "%s: %s", path, g_strerror(errno));
}

bool metal_log_write(MetalLog *self,
                     const char *folder,
                     double clock_hz,
                     guint core_count,
                     GError **error)
{
    g_autofree char *path = g_build_filename(folder, "profile_log_device.csv", NULL);
    g_autoptr(GString) text = g_string_new(NULL);

    if (g_mkdir_with_parents(folder, 0755) != 0) {
        return wl_refuse(error, "%s: %s", folder, g_strerror(errno));
    }
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_string_append_printf(
            text,
            "ARCH: wormhole_b0, CHIP_FREQ[MHz]: %.0f, Max Compute Cores: %u\n"
            "PCIe slot, core_x, core_y, RISC processor type, timer_id, "
            "time[cycles since reset], data, run host ID, trace id, trace id counter, "
            "zone name, type, source line, source file, meta data\n",
            clock_hz / 1e6, core_count);
    }
    g_array_sort(self->rows, compare);
    for (guint i = 0; i < self->rows->len; i++) {
        add_row(text, &g_array_index(self->rows, MetalLogRow, i));
    }
    g_array_set_size(self->rows, 0);
    return append(path, text, error);
}

void metal_marks_init(MetalMarks *self)
{
    *self = (MetalMarks){.marks = g_array_new(FALSE, FALSE, sizeof(ArchRiscvMark)),
                         .open = g_array_new(FALSE, FALSE, sizeof(guint))};
}

void metal_marks_clear(MetalMarks *self)
{
    g_clear_pointer(&self->marks, g_array_unref);
    g_clear_pointer(&self->open, g_array_unref);
}

/* Gives a zone's end the name of its begin. False if that did not fit. */
static bool close_zone(MetalMarks *self, ArchRiscvMark *mark)
{
    const ArchRiscvMark *begin;

    if (self->full > 0 || self->open->len == 0) {
        self->full -= self->full > 0;
        return false;
    }
    begin = &g_array_index(self->marks, ArchRiscvMark,
                           g_array_index(self->open, guint, self->open->len - 1));
    mark->name = begin->name;
    mark->file = begin->file;
    mark->line = begin->line;
    g_array_set_size(self->open, self->open->len - 1);
    return true;
}

void metal_marks_add(MetalMarks *self, const ArchRiscvMark *mark)
{
    const guint places = kinds[mark->kind].places;
    ArchRiscvMark whole = *mark;

    if (self->marks == NULL) {
        return;
    }
    if (self->used + places > PLACES) {
        self->dropped++;
        self->full += mark->kind == ARCH_RISCV_ZONE_BEGIN;
        return;
    }
    if (mark->kind == ARCH_RISCV_ZONE_END) {
        if (!close_zone(self, &whole)) {
            return;
        }
    } else {
        whole.name = g_intern_string(mark->name);
        whole.file = g_intern_string(mark->file);
    }
    self->used += places;
    if (mark->kind == ARCH_RISCV_ZONE_BEGIN) {
        g_array_append_val(self->open, self->marks->len);
    }
    g_array_append_val(self->marks, whole);
}
