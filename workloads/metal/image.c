/* Compiled kernels: reads the ELF files that the compiler makes, with elfutils. */
#include "workloads/metal/image.h"

#include <dwarf.h>
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
    const char *file;
} Row;

struct MetalImage {
    int descriptor;
    Elf *elf;
    Dwarf *lines;        /* NULL: it has none */
    Dwarf_Die unit;      /* the only one */
    GArray *rows;        /* of Row, by address */
    GStringChunk *names; /* of files */
    GArray *places;      /* of MetalImageLine: those of the author */
    guint *place_of;     /* the line in `places` of each word */
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
        g_array_unref(self->places);
        g_string_chunk_free(self->names);
        g_free(self->place_of);
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

/* The file's path, or the name that a kernel without a file has; NULL: unknown. */
static const char *file_of(const MetalImage *self, Dwarf_Die *unit, const char *name)
{
    Dwarf_Attribute attribute;
    const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    g_autofree char *path =
        name == NULL || folder == NULL || !g_path_is_absolute(folder)
            ? NULL
            : g_canonicalize_filename(name, folder);

    if (path != NULL && g_file_test(path, G_FILE_TEST_EXISTS)) {
        return g_string_chunk_insert_const(self->names, path);
    }
    return name == NULL ? NULL : g_string_chunk_insert_const(self->names, name);
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
        Row row = {.file = file_of(self, unit, dwarf_linesrc(line, NULL, NULL))};

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

    self->lines = dwarf_begin_elf(self->elf, DWARF_C_READ, NULL);
    while (self->lines != NULL && dwarf_get_units(self->lines, unit, &unit, NULL, NULL,
                                                  &self->unit, NULL) == 0) {
        take_rows_of(self, &self->unit);
    }
    g_array_sort(self->rows, compare_rows);
}

static bool is_authors(const char *file, const char *headers)
{
    return file != NULL && !g_str_has_prefix(file, headers) &&
           !g_str_has_prefix(file, "/usr/") && !g_str_has_prefix(file, "/gridloom-api");
}

/* Where an inlined function was called; its file is NULL if that is not known. */
static MetalImageLine
call_of(const MetalImage *self, Dwarf_Die *unit, Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Files *files = NULL;
    Dwarf_Word file = 0;
    Dwarf_Word line = 0;

    if (dwarf_tag(function) != DW_TAG_inlined_subroutine ||
        dwarf_formudata(dwarf_attr(function, DW_AT_call_file, &attribute), &file) !=
            0 ||
        dwarf_formudata(dwarf_attr(function, DW_AT_call_line, &attribute), &line) !=
            0 ||
        dwarf_getsrcfiles(unit, &files, NULL) != 0) {
        return (MetalImageLine){0};
    }
    return (MetalImageLine){
        .file = file_of(self, unit, dwarf_filesrc(files, file, NULL, NULL)),
        .line = sim_u32(line)};
}

/* The line of the author that has led to `address` of a function of others. */
static MetalImageLine caller_of(MetalImage *self, uint32_t address, const char *headers)
{
    Dwarf_Die *scopes = NULL;
    Dwarf_Die *around = NULL;
    MetalImageLine found = {0};
    const bool is_known = dwarf_getscopes(&self->unit, address, &scopes) > 0;
    const int count = is_known ? dwarf_getscopes_die(&scopes[0], &around) : 0;

    for (int i = 0; i < count && found.file == NULL; i++) {
        const MetalImageLine call = call_of(self, &self->unit, &around[i]);

        if (is_authors(call.file, headers)) {
            found = call;
        }
    }
    free(around); /* both are libdw's */
    free(scopes);
    return found;
}

static guint number_of(MetalImage *self, MetalImageLine place)
{
    guint number = 0;

    while (number < self->places->len) {
        const MetalImageLine *other =
            &g_array_index(self->places, MetalImageLine, number);

        if (other->line == place.line && g_strcmp0(other->file, place.file) == 0) {
            return number;
        }
        number++;
    }
    g_array_append_val(self->places, place);
    return number;
}

/* The author's line of each word, by the rows, which begin at some of them. */
static void take_places(MetalImage *self, const char *headers)
{
    const Row *last = NULL;
    guint row = 0;

    (void) number_of(self, (MetalImageLine){0});
    self->place_of = g_new0(guint, self->word_count);
    for (guint i = 0; i < self->word_count; i++) {
        const uint32_t address = self->address + 4 * i;

        for (; row < self->rows->len &&
               g_array_index(self->rows, Row, row).address <= address;
             row++) {
            last = &g_array_index(self->rows, Row, row);
        }
        if (last != NULL) {
            self->place_of[i] =
                number_of(self, is_authors(last->file, headers)
                                    ? (MetalImageLine){last->file, last->line}
                                    : caller_of(self, address, headers));
        }
    }
}

const MetalImageLine *metal_image_lines(const MetalImage *self, guint *count)
{
    *count = self->places->len;
    return (const MetalImageLine *) (gconstpointer) self->places->data;
}

void metal_image_add_up(const MetalImage *self,
                        const uint64_t *cycles,
                        uint64_t *by_line)
{
    for (guint i = 0; i < self->word_count; i++) {
        for (guint k = 0; k < ARCH_RISCV_REASONS; k++) {
            by_line[(gsize) self->place_of[i] * ARCH_RISCV_REASONS + k] +=
                cycles[(gsize) i * ARCH_RISCV_REASONS + k];
        }
    }
}

MetalImage *metal_image_load(const char *path, const char *headers, GError **error)
{
    g_autoptr(MetalImage) self = g_new0(MetalImage, 1);
    const Elf32_Ehdr *header;

    self->names = g_string_chunk_new(256);
    self->places = g_array_new(FALSE, FALSE, sizeof(MetalImageLine));
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
    take_places(self, headers);
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
    const guint word = (address - self->address) / 4;
    const MetalImageLine *place =
        word < self->word_count
            ? &g_array_index(self->places, MetalImageLine, self->place_of[word])
            : NULL;

    return place == NULL || place->file == NULL
               ? NULL
               : g_strdup_printf("%s:%u", place->file, place->line);
}
