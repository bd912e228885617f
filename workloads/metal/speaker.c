/* Hears a RISC-V that runs a kernel. */
#include "workloads/metal/speaker.h"

#include "workloads/metal/layout.h"

MetalSpeaker *metal_speaker_new(const MetalImage *image, bool is_profiled)
{
    MetalSpeaker *self = g_new0(MetalSpeaker, 1);
    guint count = 0;

    (void) metal_image_lines(image, &count);
    self->image = image;
    self->pending = g_string_new(NULL);
    self->by_line = g_new0(uint64_t, (gsize) count * ARCH_RISCV_REASONS);
    if (is_profiled) {
        metal_marks_init(&self->marks);
    }
    return self;
}

void metal_speaker_free(MetalSpeaker *self)
{
    if (self != NULL) {
        (void) g_string_free(self->pending, TRUE);
        metal_marks_clear(&self->marks);
        g_free(self->by_line);
        g_free(self->who);
        g_free(self->head);
        g_free(self);
    }
}

static void end_line(MetalSpeaker *self, SimTime when)
{
    g_autofree char *whole =
        self->head == NULL ? NULL : g_strconcat(self->head, self->pending->str, NULL);

    if (self->lines != NULL) {
        (void) kernel_lines_add(self->lines, whole == NULL ? self->who : NULL,
                                self->rank, when,
                                whole == NULL ? self->pending->str : whole);
    }
    (void) g_string_truncate(self->pending, 0);
}

static void print(gpointer data, SimTime when, const char *text, gsize length)
{
    MetalSpeaker *self = data;

    for (gsize i = 0; i < length; i++) {
        if (text[i] == '\n') {
            end_line(self, when);
        } else {
            g_string_append_c(self->pending, text[i]);
        }
    }
}

static void mark(gpointer data, const ArchRiscvMark *one)
{
    MetalSpeaker *self = data;

    metal_marks_add(&self->marks, one);
}

static char *line(gpointer data, uint32_t address)
{
    const MetalSpeaker *self = data;

    return metal_image_line(self->image, address);
}

static void over(gpointer data, const ArchRiscvEnd *end)
{
    MetalSpeaker *self = data;

    self->end = *end;
    self->end.cycles = NULL;
    self->ended = end->end;
    metal_image_add_up(self->image, end->cycles, self->by_line);
}

static void ended(gpointer data, SimTime when)
{
    MetalSpeaker *self = data;

    self->ended = MAX(self->ended, when);
    self->is_over = true;
}

static void stray(gpointer data, uint32_t address)
{
    MetalSpeaker *self = data;

    self->stray = self->stray == 0 ? address : self->stray;
}

ArchRiscvListener metal_speaker_listener(MetalSpeaker *self)
{
    const uint32_t bytes = 4 * self->argument_count;

    return (ArchRiscvListener){.print = print,
                               .stray = stray,
                               .stray_address = self->arguments + bytes,
                               .stray_bytes = METAL_ARGUMENT_BYTES - bytes,
                               .mark = mark,
                               .line = line,
                               .over = over,
                               .ended = ended,
                               .data = self};
}

char *metal_speaker_stray_note(const MetalSpeaker *self, const char *kernel)
{
    return self->stray == 0
               ? NULL
               : g_strdup_printf("note: kernel %s reads runtime argument %u on %s, the "
                                 "host program has set %u",
                                 kernel, (self->stray - self->arguments) / 4, self->who,
                                 self->argument_count);
}

static void add_count(GString *text, uint64_t count, const char *name)
{
    if (count > 0) {
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT " %s%s",
                               text->len > 0 ? " and " : "", count, name,
                               count == 1 ? "" : "s");
    }
}

char *metal_speaker_transfer_note(const MetalSpeaker *self, const char *kernel)
{
    g_autoptr(GString) text = g_string_new(NULL);

    add_count(text, self->end.reads, "read");
    add_count(text, self->end.writes, "write");
    add_count(text, self->end.atomics, "atomic");
    return text->len == 0
               ? NULL
               : g_strdup_printf(
                     "note: kernel %s on %s ends while %s of it %s under "
                     "way; it lacks a barrier",
                     kernel, self->who, text->str,
                     self->end.reads + self->end.writes + self->end.atomics == 1
                         ? "is"
                         : "are");
}

void metal_speaker_flush(MetalSpeaker *self, SimTime now)
{
    if (self->pending->len > 0) {
        end_line(self, now);
    }
}

static void add_firmware(MetalLog *log,
                         const MetalLogRow *place,
                         const char *zone,
                         ArchRiscvMarkKind kind,
                         SimTime when)
{
    MetalLogRow row = *place;

    row.mark = (ArchRiscvMark){
        .kind = kind, .when = when, .name = g_intern_string(zone), .file = "firmware"};
    metal_log_add(log, &row);
}

void metal_log_add_zone(MetalLog *log,
                        const MetalLogRow *place,
                        const char *zone,
                        SimTime begin,
                        SimTime end)
{
    add_firmware(log, place, zone, ARCH_RISCV_ZONE_BEGIN, begin);
    add_firmware(log, place, zone, ARCH_RISCV_ZONE_END, end);
}

void metal_speaker_log(const MetalSpeaker *self,
                       MetalLog *log,
                       const MetalLogRow *place,
                       SimTime start,
                       SimTime end)
{
    static const char *const names[ARCH_RISCVS] = {"BRISC", "NCRISC", "TRISC", "TRISC",
                                                   "TRISC"};
    g_autofree char *firmware = g_strconcat(names[self->riscv], "-FW", NULL);
    g_autofree char *kernel = g_strconcat(names[self->riscv], "-KERNEL", NULL);

    add_firmware(log, place, firmware, ARCH_RISCV_ZONE_BEGIN, start);
    add_firmware(log, place, kernel, ARCH_RISCV_ZONE_BEGIN, self->end.begin);
    for (guint i = 0; i < self->marks.marks->len; i++) {
        MetalLogRow row = *place;

        row.mark = g_array_index(self->marks.marks, ArchRiscvMark, i);
        metal_log_add(log, &row);
    }
    add_firmware(log, place, kernel, ARCH_RISCV_ZONE_END, self->end.end);
    add_firmware(log, place, firmware, ARCH_RISCV_ZONE_END, end);
}
