/* Parses ranges and samples values from them. */
#include "arch/chipfile/range.h"

#include <math.h>

#include "arch/error.h"
#include "sim/narrow.h"

typedef struct {
    char *text;
    ArchRangeSide side;
} End;

struct ArchRange {
    char *text;
    const ArchKey *key;
    double low; /* of a number, or of the factor of a list */
    double high;
    char **words;    /* of a choice; NULL of others */
    uint64_t *items; /* of a list, as the file has them */
    gsize item_count;
    GArray *ends; /* of End; empty if fixed */
};

static void end_clear(gpointer data)
{
    End *self = data;

    g_free(self->text);
}

static bool fail(const char *text, const char *why, GError **error)
{
    g_autofree char *quoted = arch_value_quote(text);

    return arch_refuse(error, "range %s, %s", quoted, why);
}

static void add_end(const ArchRange *self, const char *text, ArchRangeSide side)
{
    const End end = {.text = g_strdup(text), .side = side};

    g_array_append_val(self->ends, end);
}

/* The bounds of "LOW..HIGH", or NULL. */
static char **split_bounds(const char *text)
{
    g_auto(GStrv) bounds = g_strsplit(text, "..", -1);

    return g_strv_length(bounds) == 2 ? g_steal_pointer(&bounds) : NULL;
}

/* The bounds themselves, where they are not the value. */
static void
add_bounds(const ArchRange *self, double value, const char *low, const char *high)
{
    if (self->low < value) {
        add_end(self, low, ARCH_RANGE_BELOW);
    }
    if (self->high > value) {
        add_end(self, high, ARCH_RANGE_ABOVE);
    }
}

static bool check_bounds(const ArchRange *self, double value, GError **error)
{
    if (self->low > self->high) {
        return fail(self->text, "its low end is above its high end", error);
    }
    if (value < self->low || value > self->high) {
        return fail(self->text, "the value itself is outside", error);
    }
    return true;
}

static bool
parse_bound(const ArchKey *key, const char *text, double *bound, GError **error)
{
    ArchValue value = {0};

    if (!arch_value_parse(key, text, &value, error)) {
        g_autofree char *quoted = arch_value_quote(text);

        g_prefix_error(error, "an end of its range is %s, ", quoted);
        return false;
    }
    *bound = value.real;
    arch_value_clear(&value);
    return true;
}

static bool read_numbers(ArchRange *self, const ArchValue *value, GError **error)
{
    g_auto(GStrv) bounds = split_bounds(self->text);

    if (bounds == NULL) {
        return fail(self->text, "expected LOW..HIGH or fixed", error);
    }
    if (!parse_bound(self->key, g_strstrip(bounds[0]), &self->low, error) ||
        !parse_bound(self->key, g_strstrip(bounds[1]), &self->high, error) ||
        !check_bounds(self, value->real, error)) {
        return false;
    }
    add_bounds(self, value->real, bounds[0], bounds[1]);
    return true;
}

static bool read_choices(ArchRange *self, const ArchValue *value, GError **error)
{
    self->words = g_strsplit(self->text, "|", -1);
    for (char **word = self->words; *word != NULL; word++) {
        double unused = 0;

        if (!parse_bound(self->key, g_strstrip(*word), &unused, error)) {
            return false;
        }
        for (char **other = self->words; other != word; other++) {
            if (g_str_equal(*other, *word)) {
                return fail(self->text, "a word stands there twice", error);
            }
        }
        if (!g_str_equal(*word, value->canonical)) {
            add_end(self, *word, ARCH_RANGE_OTHER);
        }
    }
    return g_strv_contains((const char *const *) self->words, value->canonical) ||
           fail(self->text, "the value itself is outside", error);
}

/* Every item times `factor`, whole. */
static char *scaled_list(const ArchRange *self, double factor)
{
    GString *text = g_string_new(NULL);

    for (gsize i = 0; i < self->item_count; i++) {
        g_string_append_printf(text, "%s%.0f", i == 0 ? "" : ",",
                               floor((double) self->items[i] * factor + 0.5));
    }
    return g_string_free(text, FALSE);
}

static bool parse_factor(const char *text, double *factor)
{
    static const ArchKey any = {.type = ARCH_KEY_RATIO, .minimum = 0, .maximum = 1e6};
    ArchValue value = {0};

    if (*text != 'x' || !arch_value_parse(&any, text + 1, &value, NULL)) {
        return false;
    }
    *factor = value.real;
    arch_value_clear(&value);
    return true;
}

static bool check_list(const ArchRange *self, double factor, GError **error)
{
    g_autofree char *list = scaled_list(self, factor);
    double unused = 0;

    return parse_bound(self->key, list, &unused, error);
}

static bool read_factors(ArchRange *self, const ArchValue *value, GError **error)
{
    g_auto(GStrv) bounds = split_bounds(self->text);

    if (bounds == NULL || !parse_factor(g_strstrip(bounds[0]), &self->low) ||
        !parse_factor(g_strstrip(bounds[1]), &self->high)) {
        return fail(self->text, "expected factors, xLOW..xHIGH, or fixed", error);
    }
    self->item_count = value->item_count;
    self->items = g_new(uint64_t, value->item_count);
    for (gsize i = 0; i < value->item_count; i++) {
        self->items[i] = value->items[i];
    }
    if (!check_bounds(self, 1, error) || !check_list(self, self->low, error) ||
        !check_list(self, self->high, error)) {
        return false;
    }
    g_autofree char *low = scaled_list(self, self->low);
    g_autofree char *high = scaled_list(self, self->high);

    add_bounds(self, 1, low, high);
    return true;
}

static bool read_by_type(ArchRange *self, const ArchValue *value, GError **error)
{
    if (g_str_equal(self->text, "fixed")) {
        return true;
    }
    switch (self->key->type) {
    case ARCH_KEY_UINT:
    case ARCH_KEY_REAL:
    case ARCH_KEY_RATIO:
        return read_numbers(self, value, error);
    case ARCH_KEY_LIST:
        return read_factors(self, value, error);
    case ARCH_KEY_CHOICE:
        return read_choices(self, value, error);
    case ARCH_KEY_TEXT:
        return fail(self->text, "expected fixed", error);
    }
    g_assert_not_reached();
}

ArchRange *arch_range_new(const char *text,
                          const ArchKey *key,
                          const ArchValue *value,
                          GError **error)
{
    g_autoptr(ArchRange) self = g_new0(ArchRange, 1);

    self->text = g_strdup(text);
    self->key = key;
    self->ends = g_array_new(FALSE, FALSE, sizeof(End));
    g_array_set_clear_func(self->ends, end_clear);
    return read_by_type(self, value, error) ? g_steal_pointer(&self) : NULL;
}

void arch_range_free(ArchRange *self)
{
    if (self != NULL) {
        g_array_unref(self->ends);
        g_strfreev(self->words);
        g_free(self->items);
        g_free(self->text);
        g_free(self);
    }
}

const char *arch_range_text(const ArchRange *self)
{
    return self->text;
}

bool arch_range_is_fixed(const ArchRange *self)
{
    return self->ends->len == 0;
}

/* Rounding may not leave the range. */
static char *number_text(const ArchRange *self, double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    double rounded;

    if (self->key->type == ARCH_KEY_RATIO) {
        g_ascii_formatd(text, sizeof text, "%.6f", number);
    } else {
        g_ascii_formatd(text, sizeof text, "%.9g", number);
    }
    rounded = g_ascii_strtod(text, NULL);
    if (rounded < self->low || rounded > self->high) {
        g_auto(GStrv) bounds = split_bounds(self->text);

        return g_strdup(g_strstrip(bounds[rounded < self->low ? 0 : 1]));
    }
    return g_strdup(text);
}

char *arch_range_sample(const ArchRange *self, double u)
{
    const double number = self->low + u * (self->high - self->low);
    guint count;

    g_return_val_if_fail(u >= 0 && u <= 1 && !arch_range_is_fixed(self), NULL);
    switch (self->key->type) {
    case ARCH_KEY_UINT:
        return g_strdup_printf(
            "%.0f",
            fmin(self->high, self->low + floor(u * (self->high - self->low + 1))));
    case ARCH_KEY_REAL:
    case ARCH_KEY_RATIO:
        return number_text(self, number);
    case ARCH_KEY_LIST:
        return scaled_list(self, number);
    case ARCH_KEY_CHOICE:
        g_assert(self->words != NULL); /* else it is fixed */
        count = g_strv_length(self->words);
        return g_strdup(self->words[MIN(count - 1, sim_u32(u * count))]);
    case ARCH_KEY_TEXT:
        break;
    }
    g_assert_not_reached();
}

double arch_range_level(const ArchRange *self, double u)
{
    if (self->key->type == ARCH_KEY_LIST) {
        return u;
    }
    if (self->words != NULL) {
        return g_strv_length(self->words) == 2 ? floor(fmin(2 * u, 1)) : NAN;
    }
    g_autofree char *number = arch_range_sample(self, u);

    return g_ascii_strtod(number, NULL);
}

guint arch_range_end_count(const ArchRange *self)
{
    return self->ends->len;
}

const char *arch_range_end(const ArchRange *self, guint index)
{
    g_return_val_if_fail(index < self->ends->len, NULL);
    return g_array_index(self->ends, End, index).text;
}

ArchRangeSide arch_range_end_side(const ArchRange *self, guint index)
{
    g_return_val_if_fail(index < self->ends->len, ARCH_RANGE_OTHER);
    return g_array_index(self->ends, End, index).side;
}
