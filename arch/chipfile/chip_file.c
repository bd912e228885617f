/* Scans a chip file line by line. */
#include "arch/chipfile/chip_file.h"

#include <stdbool.h>
#include <string.h>

#include "arch/chipfile/value.h"
#include "arch/error.h"

/* A chip file has some 20 KiB; far longer ones are something else. */
#define LENGTH_LIMIT 1048576

struct ArchChipFile {
    char *path;
    GStringChunk *strings;     /* owns every text below */
    GPtrArray *lines;          /* of ArchChipLine, owned */
    GHashTable *section_lines; /* name -> guint, owned */
    GHashTable *key_lines;     /* "section.key" -> ArchChipLine */
};

/* Where the scan stands. */
typedef struct {
    guint line;
    const char *section; /* NULL before the first */
    const char *comment; /* of the line above, or NULL */
} Scan;

static bool fail_at(const ArchChipFile *self,
                    guint line,
                    const char *what,
                    const char *expected,
                    GError **error)
{
    g_autofree char *quoted = arch_value_quote(what);

    return arch_refuse(error, "%s:%u: %s, %s", self->path, line, quoted, expected);
}

static bool is_name(const char *text)
{
    return *text != '\0' &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789_")] == '\0';
}

static guint count_lines(const char *text, const char *end)
{
    guint line = 1;

    for (; text < end; text++) {
        line += *text == '\n' ? 1 : 0;
    }
    return line;
}

static bool is_binary(char byte)
{
    return g_ascii_iscntrl(byte) && byte != '\n' && byte != '\r' && byte != '\t';
}

static bool
check_text(const ArchChipFile *self, const char *text, gsize length, GError **error)
{
    const char *end = NULL;

    if (length > LENGTH_LIMIT) {
        return arch_refuse(error,
                           "%s: %" G_GSIZE_FORMAT " bytes, a chip file has at most %d",
                           self->path, length, LENGTH_LIMIT);
    }
    for (gsize i = 0; i < length; i++) {
        if (is_binary(text[i])) {
            return arch_refuse(
                error, "%s:%u: byte 0x%02x, a chip file is text, this is binary",
                self->path, count_lines(text, text + i), (guchar) text[i]);
        }
    }
    return g_utf8_validate(text, (gssize) length, &end) ||
           arch_refuse(error, "%s:%u: byte 0x%02x, a chip file is UTF-8", self->path,
                       count_lines(text, end), (guchar) *end);
}

static bool scan_section(ArchChipFile *self, Scan *scan, char *text, GError **error)
{
    gsize length = strlen(text);
    guint first;
    guint *number;

    if (length < 3 || text[length - 1] != ']') {
        return fail_at(self, scan->line, text, "expected [section]", error);
    }
    text[length - 1] = '\0';
    text++;
    if (!is_name(text)) {
        return fail_at(self, scan->line, text,
                       "a section's name has letters, digits and _ only", error);
    }
    first = arch_chip_file_section_line(self, text);
    if (first != 0) {
        return arch_refuse(error, "%s:%u: [%s], duplicate section, first in line %u",
                           self->path, scan->line, text, first);
    }
    scan->section = g_string_chunk_insert(self->strings, text);
    number = g_new(guint, 1);
    *number = scan->line;
    g_hash_table_insert(self->section_lines, (gpointer) scan->section, number);
    return true;
}

static bool add_line(ArchChipFile *self, const ArchChipLine *line, GError **error)
{
    g_autofree char *name = g_strdup_printf("%s.%s", line->section, line->key);
    const ArchChipLine *first = arch_chip_file_find(self, line->section, line->key);
    ArchChipLine *added;

    if (first != NULL) {
        g_autofree char *value = arch_value_quote(line->value);

        return arch_refuse(error, "%s:%u: %s = %s, duplicate key, first in line %u",
                           self->path, line->line, name, value, first->line);
    }
    added = g_new(ArchChipLine, 1);
    *added = *line;
    g_ptr_array_add(self->lines, added);
    g_hash_table_insert(self->key_lines, g_string_chunk_insert(self->strings, name),
                        added);
    return true;
}

static bool scan_key(ArchChipFile *self, Scan *scan, char *text, GError **error)
{
    char *equals = strchr(text, '=');
    ArchChipLine line = {.line = scan->line, .section = scan->section};

    if (equals == NULL) {
        return fail_at(self, scan->line, text,
                       "expected [section], key = value or # comment", error);
    }
    if (scan->section == NULL) {
        return fail_at(self, scan->line, text,
                       "expected a [section] before the first key", error);
    }
    *equals = '\0';
    g_strchomp(text);
    if (!is_name(text)) {
        return fail_at(self, scan->line, text,
                       "a key's name has letters, digits and _ only", error);
    }
    line.key = g_string_chunk_insert(self->strings, text);
    line.value = g_string_chunk_insert(self->strings, g_strstrip(equals + 1));
    line.comment = scan->comment;
    return add_line(self, &line, error);
}

static bool scan_line(ArchChipFile *self, Scan *scan, char *text, GError **error)
{
    bool done;

    g_strstrip(text);
    if (*text == '\0') {
        scan->comment = NULL;
        return true;
    }
    if (*text == '#') {
        scan->comment = g_string_chunk_insert(self->strings, g_strstrip(text + 1));
        return true;
    }
    done = *text == '[' ? scan_section(self, scan, text, error)
                        : scan_key(self, scan, text, error);
    scan->comment = NULL;
    return done;
}

static bool
scan_text(ArchChipFile *self, const char *text, gsize length, GError **error)
{
    g_autofree char *copy = g_strndup(text, length);
    g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
    Scan scan = {0};

    for (guint i = 0; lines[i] != NULL; i++) {
        scan.line = i + 1;
        if (!scan_line(self, &scan, lines[i], error)) {
            return false;
        }
    }
    return self->lines->len != 0 ||
           arch_refuse(error, "%s: the file is empty, expected a chip file",
                       self->path);
}

/* Every program that reads key files must read the same from this one. */
static bool compare_with_glib(const ArchChipFile *self,
                              const char *text,
                              gsize length,
                              GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) reason = NULL;

    if (!g_key_file_load_from_data(file, text, length, G_KEY_FILE_NONE, &reason)) {
        g_autofree char *quoted = arch_value_quote(reason->message);

        return arch_refuse(error, "%s: not a key file, %s", self->path, quoted);
    }
    for (guint i = 0; i < self->lines->len; i++) {
        const ArchChipLine *line = arch_chip_file_at(self, i);
        g_autofree char *value =
            g_key_file_get_value(file, line->section, line->key, NULL);

        if (value == NULL || !g_str_equal(g_strstrip(value), line->value)) {
            return fail_at(self, line->line, line->key, "not readable as a key file",
                           error);
        }
    }
    return true;
}

ArchChipFile *
arch_chip_file_parse(const char *path, const char *text, gsize length, GError **error)
{
    g_autoptr(ArchChipFile) self = g_new0(ArchChipFile, 1);

    self->path = g_filename_display_name(path);
    self->strings = g_string_chunk_new(4096);
    self->lines = g_ptr_array_new_with_free_func(g_free);
    self->section_lines = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    self->key_lines = g_hash_table_new(g_str_hash, g_str_equal);
    if (!check_text(self, text, length, error) ||
        !scan_text(self, text, length, error) ||
        !compare_with_glib(self, text, length, error)) {
        return NULL;
    }
    return g_steal_pointer(&self);
}

void arch_chip_file_free(ArchChipFile *self)
{
    if (self != NULL) {
        g_hash_table_unref(self->key_lines);
        g_hash_table_unref(self->section_lines);
        g_ptr_array_unref(self->lines);
        g_string_chunk_free(self->strings);
        g_free(self->path);
        g_free(self);
    }
}

const char *arch_chip_file_path(const ArchChipFile *self)
{
    return self->path;
}

guint arch_chip_file_count(const ArchChipFile *self)
{
    return self->lines->len;
}

const ArchChipLine *arch_chip_file_at(const ArchChipFile *self, guint index)
{
    g_return_val_if_fail(index < self->lines->len, NULL);
    return g_ptr_array_index(self->lines, index);
}

const ArchChipLine *
arch_chip_file_find(const ArchChipFile *self, const char *section, const char *key)
{
    g_autofree char *name = g_strdup_printf("%s.%s", section, key);

    return g_hash_table_lookup(self->key_lines, name);
}

guint arch_chip_file_section_line(const ArchChipFile *self, const char *section)
{
    const guint *line = g_hash_table_lookup(self->section_lines, section);

    return line == NULL ? 0 : *line;
}
