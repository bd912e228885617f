/* Reads options into the members that their rows name. */
#include "tools/gridloom/option_table.h"

#include "tools/gridloom/option_value.h"

enum {
    OPTION_MOST = 64, /* of a command */
};

typedef struct {
    const Option *row;
    gsize offset; /* of its table */
    char *text;
    char **list;
    gint is_set;
} Slot;

struct OptionTexts {
    gsize count;
    Slot slots[OPTION_MOST];
    GPtrArray *spelled; /* words that option_texts_spell() has made, or NULL */
};

/* Words that no row takes. */
static const Option stray = {OPTION_WORDS, NULL, NULL, OPTION_OTHER(TEXTS)};

static Slot *find(const OptionTexts *self, const char *name)
{
    for (gsize i = 0; i < self->count; i++) {
        if (g_str_equal(self->slots[i].row->name, name)) {
            return (Slot *) &self->slots[i];
        }
    }
    return NULL;
}

OptionTexts *option_texts_new(const OptionTable *tables)
{
    OptionTexts *self = g_new0(OptionTexts, 1);

    for (; tables->rows != NULL; tables++) {
        for (const Option *row = tables->rows; row->name != NULL; row++) {
            g_assert(self->count + 1 < OPTION_MOST);
            self->slots[self->count++] = (Slot){.row = row, .offset = tables->offset};
        }
    }
    if (find(self, OPTION_WORDS) == NULL) {
        self->slots[self->count++] = (Slot){.row = &stray};
    }
    return self;
}

void option_texts_free(OptionTexts *self)
{
    for (gsize i = 0; self != NULL && i < self->count; i++) {
        g_free(self->slots[i].text);
        g_strfreev(self->slots[i].list);
    }
    if (self != NULL) {
        g_clear_pointer(&self->spelled, g_ptr_array_unref);
    }
    g_free(self);
}

/* Type FILENAME is the bytes as they came, whatever the locale. */
static GOptionEntry entry_of(Slot *slot)
{
    const Option *row = slot->row;
    GOptionEntry entry = {
        row->name, row->letter,  0, G_OPTION_ARG_FILENAME, &slot->text,
        row->help, row->argument};

    if (row->type == OPTION_TYPE_FLAG || row->type == OPTION_TYPE_CASE) {
        entry.arg = G_OPTION_ARG_NONE;
        entry.arg_data = &slot->is_set;
    } else if (row->type == OPTION_TYPE_TEXTS) {
        entry.arg = G_OPTION_ARG_FILENAME_ARRAY;
        entry.arg_data = &slot->list;
    }
    return entry;
}

void option_texts_add(OptionTexts *self, GOptionContext *context)
{
    g_autofree GOptionEntry *entries = g_new0(GOptionEntry, self->count + 1);

    for (gsize i = 0; i < self->count; i++) {
        entries[i] = entry_of(&self->slots[i]);
    }
    g_option_context_add_main_entries(context, entries, NULL);
}

/* The row with that letter, or NULL. */
static const Option *find_letter(const OptionTexts *self, char letter)
{
    for (gsize i = 0; i < self->count; i++) {
        if (self->slots[i].row->letter == letter) {
            return self->slots[i].row;
        }
    }
    return NULL;
}

GPtrArray *option_texts_spell(OptionTexts *self, int argc, char **argv)
{
    GPtrArray *line = g_ptr_array_new();
    bool is_over = false;

    self->spelled = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        const bool is_short =
            !is_over && word[0] == '-' && g_ascii_isalpha(word[1]) && word[2] == '=';
        const Option *row = is_short ? find_letter(self, word[1]) : NULL;

        is_over = is_over || g_str_equal(word, "--");
        if (row != NULL) {
            g_ptr_array_add(self->spelled,
                            g_strconcat("--", row->name, word + 2, NULL));
            word = g_ptr_array_index(self->spelled, self->spelled->len - 1);
        }
        g_ptr_array_add(line, (gpointer) word);
    }
    g_ptr_array_add(line, NULL);
    return line;
}

static bool read_real(const Option *row,
                      const char *text,
                      const char *option,
                      double *value,
                      GError **error)
{
    double number = 0;

    if (!option_is_number(text, &number) || !(number >= row->low) ||
        !(number <= row->high)) {
        return option_refuse(option, text, row->allowed, error);
    }
    *value = row->divisor > 0 ? number / row->divisor : number;
    return true;
}

static void keep_text(char **member, const char *text)
{
    g_free(*member);
    *member = g_strdup(text);
}

const char *const *option_words(const Option *row)
{
    return row->list != NULL ? row->list() : row->words;
}

static bool
read_switch(const char *text, const char *option, bool *value, GError **error)
{
    static const char *const words[] = {"off", "on", NULL};
    guint word = 0;

    if (!option_word(text, option, words, &word, error)) {
        return false;
    }
    *value = word == 1;
    return true;
}

/* Its name ends with .svg unless it is "-" or a device. */
static bool check_svg(const char *text, GError **error)
{
    return g_str_equal(text, "-") || g_str_has_prefix(text, "/dev/") ||
           g_str_has_suffix(text, ".svg") ||
           option_fail(error, "-o %s: pictures are SVG, expected a name with .svg",
                       text);
}

static bool read_small(const Option *row,
                       const char *text,
                       const char *option,
                       guint *value,
                       GError **error)
{
    uint64_t number = *value;
    const bool is_read =
        option_count(text, option, row->least, row->most, &number, error);

    *value = (guint) number;
    return is_read;
}

static bool convert(const Slot *slot, gpointer member, GError **error)
{
    const Option *row = slot->row;
    const char *text = slot->text;
    g_autofree char *option = g_strconcat("--", row->name, NULL);
    double number = 0;

    switch (row->type) {
    case OPTION_TYPE_SWITCH:
        return read_switch(text, option, member, error);
    case OPTION_TYPE_COUNT:
        return option_count(text, option, row->least, row->most, member, error);
    case OPTION_TYPE_SMALL:
        return read_small(row, text, option, member, error);
    case OPTION_TYPE_REAL:
        return read_real(row, text, option, member, error);
    case OPTION_TYPE_WORD:
        return option_word(text, option, option_words(row), member, error);
    case OPTION_TYPE_DURATION:
        keep_text(member, text);
        return read_real(row, text, option, &number, error);
    case OPTION_TYPE_SVG:
        keep_text(member, text);
        return check_svg(text, error);
    case OPTION_TYPE_TEXT:
        keep_text(member, text);
        break;
    case OPTION_TYPE_TEXTS:
        *(char ***) member = g_strdupv(slot->list);
        break;
    case OPTION_TYPE_FLAG:
        *(bool *) member = true;
        break;
    case OPTION_TYPE_CASE:
        *(guint *) member = (guint) row->least;
        break;
    }
    return true;
}

static bool is_there(const Slot *slot)
{
    return slot->text != NULL || slot->list != NULL || slot->is_set != 0;
}

/* Whether the value is a file that is written. */
static bool names_file(const Option *row)
{
    static const char *const names[] = {"out",   "json",         "report", "heatmap",
                                        "trace", "system-trace", NULL};

    return g_strv_contains(names, row->name);
}

void option_texts_repeat(const OptionTexts *self, GPtrArray *words)
{
    for (gsize i = 0; i < self->count; i++) {
        const Slot *slot = &self->slots[i];
        const Option *row = slot->row;

        if (*row->name == '\0') {
            continue;
        }
        for (char **at = slot->list; at != NULL && *at != NULL; at++) {
            g_ptr_array_add(words, g_strdup_printf("--%s=%s", row->name, *at));
        }
        if (slot->is_set != 0) {
            g_ptr_array_add(words, g_strdup_printf("--%s", row->name));
        }
        if (slot->text != NULL) {
            const bool is_file = names_file(row) && !g_str_equal(slot->text, "-");
            g_autofree char *whole =
                is_file ? g_canonicalize_filename(slot->text, NULL) : NULL;

            g_ptr_array_add(words, g_strdup_printf("--%s=%s", row->name,
                                                   is_file ? whole : slot->text));
        }
    }
}

const char *option_texts_stray(const OptionTexts *self, guint most)
{
    const Slot *slot = find(self, OPTION_WORDS);
    const guint count = slot->list != NULL ? g_strv_length(slot->list) : 0;
    const guint taken = slot->row == &stray ? 0 : most == 0 ? count : most;

    return count > taken ? slot->list[taken] : NULL;
}

bool option_texts_convert(const OptionTexts *self, gpointer options, GError **error)
{
    guint chosen = 0;

    for (gsize i = 0; i < self->count; i++) {
        const Slot *slot = &self->slots[i];
        const bool is_kept = slot->row->offset != OPTION_NOWHERE;
        gpointer member = is_kept ? (char *) options + slot->offset + slot->row->offset
                                  : (gpointer) &chosen;

        if (is_there(slot) && (is_kept || slot->row->type == OPTION_TYPE_WORD) &&
            !convert(slot, member, error)) {
            return false;
        }
    }
    return true;
}

static void clear(const Option *row, gpointer member)
{
    if (row->type == OPTION_TYPE_TEXTS) {
        g_clear_pointer((char ***) member, g_strfreev);
    } else if (row->type == OPTION_TYPE_TEXT || row->type == OPTION_TYPE_SVG ||
               row->type == OPTION_TYPE_DURATION) {
        g_clear_pointer((char **) member, g_free);
    }
}

void option_tables_clear(const OptionTable *tables, gpointer options)
{
    for (; tables->rows != NULL; tables++) {
        for (const Option *row = tables->rows; row->name != NULL; row++) {
            if (row->offset != OPTION_NOWHERE) {
                clear(row, (char *) options + tables->offset + row->offset);
            }
        }
    }
}

static const Slot *slot_of(const OptionTexts *self, const char *name)
{
    const Slot *slot = find(self, name);

    g_assert(slot != NULL);
    return slot;
}

bool option_is_given(const OptionTexts *self, const char *name)
{
    return is_there(slot_of(self, name));
}

const char *option_is_idle(const OptionTexts *self, guint task)
{
    for (gsize i = 0; i < self->count; i++) {
        const Slot *slot = &self->slots[i];

        if (is_there(slot) && slot->row->tasks != 0 && (slot->row->tasks & task) == 0) {
            return slot->row->name;
        }
    }
    return NULL;
}

const char *option_text(const OptionTexts *self, const char *name)
{
    return slot_of(self, name)->text;
}

const char *option_text_or(const OptionTexts *self, const char *name, const char *usual)
{
    const char *text = option_text(self, name);

    return text != NULL ? text : usual;
}

char **option_list(const OptionTexts *self, const char *name)
{
    return slot_of(self, name)->list;
}

guint option_choice(const OptionTexts *self, const char *name, guint usual)
{
    const Slot *slot = slot_of(self, name);

    (void) option_word(slot->text, name, option_words(slot->row), &usual, NULL);
    return usual;
}
