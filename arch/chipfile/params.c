/* Holds the numbers of one chip, each with its unit, confidence and source. */
#include "arch/chipfile/params.h"

#include <errno.h>
#include <string.h>

#include <glib/gstdio.h>

#include "arch/chipfile/chip_file.h"
#include "arch/chipfile/provenance.h"
#include "arch/chipfile/suggestion.h"
#include "arch/chipfile/value.h"
#include "arch/error.h"

typedef struct {
    ArchParam param; /* its texts point into the members below and into the key */
    const ArchKey *key;
    bool is_inert;
    ArchValue value;
    char *written;    /* in the file */
    char *overridden; /* by the user, or NULL */
    ArchProvenance provenance;
    ArchRange *range;      /* or NULL */
    char *override_source; /* or NULL */
    gpointer part;         /* what its text names, or NULL */
    GDestroyNotify free_part;
    char *content; /* of that, for the digest; or NULL */
} Entry;

struct ArchParams {
    char *name;
    const ArchFamily *family;
    GPtrArray *entries; /* of Entry, in file order */
    GHashTable *index;  /* "section.key" -> Entry */
};

static void entry_free(gpointer data)
{
    Entry *self = data;

    arch_value_clear(&self->value);
    arch_provenance_clear(&self->provenance);
    arch_range_free(self->range);
    g_free(self->written);
    g_free(self->overridden);
    g_free(self->override_source);
    if (self->part != NULL) {
        self->free_part(self->part);
    }
    g_free(self->content);
    g_free(self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Entry, entry_free)

static void entry_publish(Entry *self)
{
    bool is_overridden = self->overridden != NULL;

    self->param = (ArchParam){
        .section = self->key->section,
        .key = self->key->key,
        .value = is_overridden ? self->overridden : self->written,
        .unit = self->key->unit,
        .confidence =
            is_overridden ? ARCH_CONFIDENCE_ASSUMED : self->provenance.confidence,
        .source = is_overridden ? self->override_source : self->provenance.source,
        .range = is_overridden ? NULL : self->range,
        .is_overridden = is_overridden,
        .is_inert = self->is_inert,
    };
}

/* "name.ini" and "folder/name.ini" are the chip "name". */
static char *name_from_path(const char *path)
{
    g_autofree char *shown = g_filename_display_name(path);
    char *name = g_path_get_basename(shown);

    if (g_str_has_suffix(name, ".ini")) {
        name[strlen(name) - strlen(".ini")] = '\0';
    }
    return name;
}

static void prefix_with_line(GError **error, const char *path, const ArchChipLine *line)
{
    g_autofree char *value = arch_value_quote(line->value);

    g_prefix_error(error, "%s:%u: %s.%s = %s, ", path, line->line, line->section,
                   line->key, value);
}

static const ArchFamily *find_family(const ArchChipFile *file, GError **error)
{
    const ArchChipLine *line = arch_chip_file_find(file, "chip", "family");
    const ArchFamily *family = line == NULL ? NULL : arch_family_find(line->value);
    guint section_line = arch_chip_file_section_line(file, "chip");
    const char *path = arch_chip_file_path(file);
    g_autofree char *known = arch_family_names();

    if (family != NULL) {
        return family;
    }
    if (line != NULL) {
        (void) arch_refuse(error, "unknown family, expected one of %s", known);
        prefix_with_line(error, path, line);
    } else if (section_line != 0) {
        (void) arch_refuse(error, "%s:%u: chip.family is missing, expected one of %s",
                           path, section_line, known);
    } else {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "%s: chip.family is missing, and so is its section [chip], "
                    "expected one of %s",
                    path, known);
    }
    return NULL;
}

static bool read_provenance(Entry *entry, const ArchChipLine *line, GError **error)
{
    if (!arch_provenance_parse(line->comment, &entry->provenance, error)) {
        return false;
    }
    if (!g_str_equal(entry->provenance.unit, entry->key->unit)) {
        g_autofree char *unit = arch_value_quote(entry->provenance.unit);

        return arch_refuse(error, "the comment's unit is \"%s\", expected \"%s\"", unit,
                           entry->key->unit);
    }
    return true;
}

static bool read_range(Entry *entry, GError **error)
{
    if (entry->provenance.range == NULL) {
        return true;
    }
    entry->range =
        arch_range_new(entry->provenance.range, entry->key, &entry->value, error);
    return entry->range != NULL;
}

static bool read_line(ArchParams *self, const ArchChipLine *line, GError **error)
{
    g_autoptr(Entry) entry = g_new0(Entry, 1);

    entry->key = arch_keys_find(self->family->keys, line->section, line->key);
    if (entry->key == NULL) {
        g_autofree char *meant =
            arch_suggestion_for(self->family, line->section, line->key);

        return arch_refuse(error, "%s", meant);
    }
    if (!read_provenance(entry, line, error) ||
        !arch_value_parse(entry->key, line->value, &entry->value, error) ||
        !read_range(entry, error)) {
        return false;
    }
    entry->written = g_strdup(line->value);
    entry->is_inert = arch_keys_is_inert(self->family->keys, line->section);
    entry_publish(entry);
    g_hash_table_insert(self->index, g_strdup_printf("%s.%s", line->section, line->key),
                        entry);
    g_ptr_array_add(self->entries, g_steal_pointer(&entry));
    return true;
}

static bool
check_presence(const ArchParams *self, const ArchChipFile *file, GError **error)
{
    for (gsize i = 0; i < self->family->keys->count; i++) {
        const ArchKey *key = &self->family->keys->items[i];
        guint line = arch_chip_file_section_line(file, key->section);

        if (arch_chip_file_find(file, key->section, key->key) != NULL ||
            (line == 0 && arch_keys_is_optional(self->family->keys, key->section))) {
            continue;
        }
        if (line == 0) {
            (void) arch_refuse(
                error, "%s: %s.%s is missing, and so is its section [%s]",
                arch_chip_file_path(file), key->section, key->key, key->section);
        } else {
            g_autofree char *expected = arch_key_describe(key);

            (void) arch_refuse(error, "%s:%u: %s.%s is missing, expected %s",
                               arch_chip_file_path(file), line, key->section, key->key,
                               expected);
        }
        return false;
    }
    return true;
}

ArchParams *
arch_params_parse(const char *path, const char *text, gsize length, GError **error)
{
    g_autoptr(ArchParams) self = NULL;
    g_autoptr(ArchChipFile) file = NULL;

    g_return_val_if_fail(path != NULL && (text != NULL || length == 0), NULL);

    self = g_new0(ArchParams, 1);
    self->name = name_from_path(path);
    self->entries = g_ptr_array_new_with_free_func(entry_free);
    self->index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    file = arch_chip_file_parse(path, text, length, error);
    if (file == NULL) {
        return NULL;
    }
    self->family = find_family(file, error);
    if (self->family == NULL) {
        return NULL;
    }
    for (guint i = 0; i < arch_chip_file_count(file); i++) {
        const ArchChipLine *line = arch_chip_file_at(file, i);

        if (!read_line(self, line, error)) {
            prefix_with_line(error, arch_chip_file_path(file), line);
            return NULL;
        }
    }
    if (!check_presence(self, file, error)) {
        return NULL;
    }
    return g_steal_pointer(&self);
}

/* Reading a device or a pipe might never end. */
static bool check_is_file(const char *path, const char *shown, GError **error)
{
    GStatBuf status;
    const char *reason = NULL;

    if (g_stat(path, &status) != 0) {
        reason = g_strerror(errno);
    } else if (S_ISDIR(status.st_mode)) {
        reason = "this is a folder";
    } else if (!S_ISREG(status.st_mode)) {
        reason = "this is no regular file";
    }
    if (reason != NULL) {
        (void) arch_refuse(error, "%s: %s, expected a chip file", shown, reason);
    }
    return reason == NULL;
}

ArchParams *arch_params_load(const char *path, GError **error)
{
    g_autofree char *shown = g_filename_display_name(path);
    g_autofree char *text = NULL;
    g_autoptr(GError) reason = NULL;
    gsize length = 0;

    if (!check_is_file(path, shown, error)) {
        return NULL;
    }
    if (!g_file_get_contents(path, &text, &length, &reason)) {
        (void) arch_refuse(error, "%s: cannot be read, expected a chip file", shown);
        return NULL;
    }
    return arch_params_parse(path, text, length, error);
}

void arch_params_free(ArchParams *self)
{
    if (self != NULL) {
        g_hash_table_unref(self->index);
        g_ptr_array_unref(self->entries);
        g_free(self->name);
        g_free(self);
    }
}

static void entry_override(Entry *self, ArchValue value, const char *text)
{
    arch_value_clear(&self->value);
    self->value = value;
    g_free(self->overridden);
    self->overridden = g_strdup(text);
    g_free(self->override_source);
    self->override_source =
        g_strdup_printf("set by the user, the chip file has %s", self->written);
    entry_publish(self);
}

/* "noc.hop_cycles" in two names; false for anything else. */
static bool is_key_path(char **names)
{
    return g_strv_length(names) == 2 && *g_strstrip(names[0]) != '\0' &&
           *g_strstrip(names[1]) != '\0';
}

static bool
override_key(ArchParams *self, char **names, const char *text, GError **error)
{
    g_autofree char *path = g_strjoinv(".", names);
    Entry *entry = g_hash_table_lookup(self->index, path);
    ArchValue value = {0};

    if (entry == NULL &&
        arch_keys_find(self->family->keys, names[0], names[1]) != NULL) {
        return arch_refuse(error, "the chip file has no section [%s]", names[0]);
    }
    if (entry == NULL) {
        g_autofree char *meant = arch_suggestion_for(self->family, names[0], names[1]);

        return arch_refuse(error, "%s", meant);
    }
    if (g_str_equal(path, "chip.family")) {
        return arch_refuse(error,
                           "the family is what the chip file says, use another chip");
    }
    if (g_str_equal(entry->key->section, ARCH_INFORMATION)) {
        return arch_refuse(error,
                           "this is information that nothing reads, setting it would "
                           "change no result");
    }
    if (!arch_value_parse(entry->key, text, &value, error)) {
        return false;
    }
    entry_override(entry, value, text);
    return true;
}

bool arch_params_override(ArchParams *self, const char *assignment, GError **error)
{
    g_auto(GStrv) sides = g_strsplit(assignment, "=", 2);
    g_auto(GStrv) names = NULL;
    g_autofree char *value = NULL;
    g_autofree char *path = NULL;

    if (g_strv_length(sides) == 2) {
        names = g_strsplit(sides[0], ".", -1);
    }
    if (names == NULL || !is_key_path(names)) {
        g_autofree char *shown = arch_value_quote(assignment);

        return arch_refuse(error, "%s: %s, expected section.key=value", self->name,
                           shown);
    }
    if (!override_key(self, names, g_strstrip(sides[1]), error)) {
        path = arch_value_quote(g_strstrip(sides[0]));
        value = arch_value_quote(sides[1]);
        g_prefix_error(error, "%s: %s = %s, ", self->name, path, value);
        return false;
    }
    return true;
}

const char *arch_params_name(const ArchParams *self)
{
    return self->name;
}

const char *arch_params_family(const ArchParams *self)
{
    return self->family->name;
}

const char *arch_params_summary(const ArchParams *self)
{
    return arch_params_text(self, "chip.summary");
}

guint arch_params_count(const ArchParams *self)
{
    return self->entries->len;
}

const ArchParam *arch_params_at(const ArchParams *self, guint index)
{
    const Entry *entry;

    g_return_val_if_fail(index < self->entries->len, NULL);
    entry = g_ptr_array_index(self->entries, index);
    return &entry->param;
}

const ArchParam *arch_params_find(const ArchParams *self, const char *path)
{
    const Entry *entry = g_hash_table_lookup(self->index, path);

    return entry == NULL ? NULL : &entry->param;
}

bool arch_params_has(const ArchParams *self, const char *path)
{
    return g_hash_table_contains(self->index, path);
}

/* NULL, after a critical message, when the key is not there or has none of the types.
 */
static const Entry *find_typed(const ArchParams *self, const char *path, guint types)
{
    const Entry *entry = g_hash_table_lookup(self->index, path);

    if (entry == NULL || ((1U << entry->key->type) & types) == 0) {
        g_critical("%s: %s, %s", self->name, path,
                   entry == NULL ? "the family has no such key"
                                 : "asked for by another type");
        return NULL;
    }
    return entry;
}

uint64_t arch_params_uint(const ArchParams *self, const char *path)
{
    const Entry *entry = find_typed(self, path, 1U << ARCH_KEY_UINT);

    return entry == NULL ? 0 : entry->value.whole;
}

double arch_params_real(const ArchParams *self, const char *path)
{
    const Entry *entry = find_typed(
        self, path, 1U << ARCH_KEY_UINT | 1U << ARCH_KEY_REAL | 1U << ARCH_KEY_RATIO);

    return entry == NULL ? 0.0 : entry->value.real;
}

SimRatio arch_params_ratio(const ArchParams *self, const char *path)
{
    const Entry *entry =
        find_typed(self, path, 1U << ARCH_KEY_UINT | 1U << ARCH_KEY_RATIO);

    return entry == NULL ? (SimRatio){.num = 1, .den = 1} : entry->value.ratio;
}

const char *arch_params_text(const ArchParams *self, const char *path)
{
    const Entry *entry =
        find_typed(self, path, 1U << ARCH_KEY_CHOICE | 1U << ARCH_KEY_TEXT);

    return entry == NULL ? "" : entry->value.canonical;
}

void arch_params_attach(ArchParams *self,
                        const char *path,
                        gpointer part,
                        GDestroyNotify free_part,
                        const char *content)
{
    Entry *entry = g_hash_table_lookup(self->index, path);

    g_return_if_fail(entry != NULL && free_part != NULL);
    if (entry->part != NULL) {
        entry->free_part(entry->part);
    }
    entry->part = part;
    entry->free_part = free_part;
    g_free(entry->content);
    entry->content = g_strdup(content);
}

gconstpointer arch_params_attached(const ArchParams *self, const char *path)
{
    const Entry *entry = find_typed(self, path, 1U << ARCH_KEY_TEXT);

    return entry == NULL ? NULL : entry->part;
}

const uint64_t *arch_params_list(const ArchParams *self, const char *path, gsize *count)
{
    const Entry *entry = find_typed(self, path, 1U << ARCH_KEY_LIST);

    *count = entry == NULL ? 0 : entry->value.item_count;
    return entry == NULL ? NULL : entry->value.items;
}

/* In the order of the family's keys, so that neither the order of a file nor the
 * spelling of a number counts. */
char *arch_params_digest(const ArchParams *self)
{
    g_autoptr(GString) values = g_string_new(NULL);

    for (gsize i = 0; i < self->family->keys->count; i++) {
        const ArchKey *key = &self->family->keys->items[i];
        g_autofree char *path = g_strdup_printf("%s.%s", key->section, key->key);
        const Entry *entry = g_hash_table_lookup(self->index, path);

        if (entry != NULL && !entry->is_inert) {
            g_string_append_printf(values, "%s=%s\n", path, entry->value.canonical);
            if (entry->content != NULL) {
                g_string_append_printf(values, "%s\n", entry->content);
            }
        }
    }
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, values->str,
                                         (gssize) values->len);
}
