/* Compiled kernels: reads the ELF files that the compiler makes, with elfutils. */
#include "workloads/metal/image.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "sim/narrow.h"
#include "workloads/error.h"

#define LOCAL_ADDRESS 0xffb00000u

enum {
    LOCAL_MOST = 65536, /* bytes: more than any processor has */
};

typedef struct {
    uint32_t address;
    guint line;
    const char *file; /* the debug information's */
} Row;

struct MetalImage {
    int descriptor;
    Elf *elf;
    Dwarf *lines; /* NULL: it has none */
    GArray *rows; /* of Row, by address */
    uint32_t entry;
    uint32_t address;
    guint word_count;
    uint32_t *words;
    guint local_bytes;
    guint8 *local;
};

void metal_image_free(MetalImage *self)
{
    if (self != NULL) {
        (void) dwarf_end(self->lines);
        (void) elf_end(self->elf);
        if (self->descriptor >= 0) {
            (void) close(self->descriptor);
        }
        g_array_unref(self->rows);
        g_free(self->words);
        g_free(self->local);
        g_free(self);
    }
}

static bool take_text(MetalImage *self, const Elf32_Phdr *part, const char *bytes)
{
    if (self->words != NULL || part->p_vaddr % 4 != 0 || part->p_filesz % 4 != 0) {
        return false;
    }
    self->address = part->p_vaddr;
    self->word_count = part->p_filesz / 4;
    self->words = g_malloc(part->p_filesz);
    memcpy(self->words, bytes + part->p_offset, part->p_filesz);
    return true;
}

static bool take_local(MetalImage *self, const Elf32_Phdr *part, const char *bytes)
{
    const uint32_t offset = part->p_vaddr - LOCAL_ADDRESS;
    const uint64_t end = (uint64_t) offset + part->p_memsz;

    if (end > LOCAL_MOST || part->p_filesz > part->p_memsz) {
        return false;
    }
    if (end > self->local_bytes) {
        self->local = g_realloc(self->local, end);
        memset(self->local + self->local_bytes, 0, end - self->local_bytes);
        self->local_bytes = sim_u32(end);
    }
    if (self->local != NULL && part->p_filesz > 0) {
        memcpy(self->local + offset, bytes + part->p_offset, part->p_filesz);
    }
    return true;
}

static bool take_parts(MetalImage *self)
{
    size_t size = 0;
    size_t count = 0;
    const char *bytes = elf_rawfile(self->elf, &size);
    const Elf32_Phdr *parts = elf32_getphdr(self->elf);

    if (bytes == NULL || parts == NULL || elf_getphdrnum(self->elf, &count) != 0) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const Elf32_Phdr *part = &parts[i];
        const bool is_text = (part->p_flags & PF_X) != 0;

        if (part->p_type != PT_LOAD || part->p_memsz == 0) {
            continue;
        }
        if (part->p_offset > size || part->p_filesz > size - part->p_offset ||
            !(is_text ? take_text(self, part, bytes) : take_local(self, part, bytes))) {
            return false;
        }
    }
    return self->words != NULL;
}

static void take_rows_of(MetalImage *self, Dwarf_Die *unit)
{
    Dwarf_Lines *lines = NULL;
    size_t count = 0;

    if (dwarf_getsrclines(unit, &lines, &count) != 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        Dwarf_Addr address = 0;
        int number = 0;
        Row row = {.file = dwarf_linesrc(line, NULL, NULL)};

        if (dwarf_lineaddr(line, &address) == 0 && dwarf_lineno(line, &number) == 0 &&
            row.file != NULL && address <= G_MAXUINT32 && number > 0) {
            row.address = sim_u32(address);
            row.line = sim_u32(number);
            g_array_append_val(self->rows, row);
        }
    }
}

static int compare_rows(gconstpointer a, gconstpointer b)
{
    const Row *left = a;
    const Row *right = b;

    return left->address < right->address ? -1 : left->address > right->address;
}

static void take_rows(MetalImage *self)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;

    self->lines = dwarf_begin_elf(self->elf, DWARF_C_READ, NULL);
    while (self->lines != NULL &&
           dwarf_get_units(self->lines, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        take_rows_of(self, &die);
    }
    g_array_sort(self->rows, compare_rows);
}

MetalImage *metal_image_load(const char *path, GError **error)
{
    g_autoptr(MetalImage) self = g_new0(MetalImage, 1);
    const Elf32_Ehdr *header;

    self->rows = g_array_new(FALSE, FALSE, sizeof(Row));
    self->descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (self->descriptor < 0) {
        wl_refuse(error, "%s: cannot be opened", path);
        return NULL;
    }
    (void) elf_version(EV_CURRENT);
    self->elf = elf_begin(self->descriptor, ELF_C_READ, NULL);
    header = self->elf == NULL ? NULL : elf32_getehdr(self->elf);
    if (header == NULL || header->e_machine != EM_RISCV || header->e_type != ET_EXEC ||
        header->e_ident[EI_DATA] != ELFDATA2LSB) {
        wl_refuse(error, "%s: not a program for 32-bit RISC-V", path);
        return NULL;
    }
    self->entry = header->e_entry;
    if (!take_parts(self)) {
        wl_refuse(error, "%s: expected one text, and data in local memory at 0x%x",
                  path, LOCAL_ADDRESS);
        return NULL;
    }
    take_rows(self);
    return g_steal_pointer(&self);
}

ArchRiscvText metal_image_text(const MetalImage *self, const char *name)
{
    return (ArchRiscvText){.name = name,
                           .address = self->address,
                           .words = self->words,
                           .word_count = self->word_count,
                           .entry = self->entry,
                           .local = self->local,
                           .local_bytes = self->local_bytes};
}

char *metal_image_line(const MetalImage *self, uint32_t address)
{
    guint low = 0;
    guint high = self->rows->len;

    while (low < high) { /* the first row behind it */
        const guint middle = low + (high - low) / 2;

        if (g_array_index(self->rows, Row, middle).address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || address - self->address >= 4 * self->word_count) {
        return NULL;
    }
    const Row *row = &g_array_index(self->rows, Row, low - 1);

    return g_strdup_printf("%s:%u", row->file, row->line);
}
