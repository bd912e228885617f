/* Describes a key of a chip file in words, for error messages. */
#include "arch/chipfile/key.h"

/* %.15g prints whole bounds up to 1e14 without an exponent, in any locale. */
static char *describe_range(const ArchKey *self)
{
    char low[G_ASCII_DTOSTR_BUF_SIZE];
    char high[G_ASCII_DTOSTR_BUF_SIZE];

    g_ascii_formatd(low, sizeof low, "%.15g", self->minimum);
    g_ascii_formatd(high, sizeof high, "%.15g", self->maximum);
    return g_strdup_printf("%s..%s %s", low, high, self->unit);
}

static char *describe_choices(const ArchKey *self)
{
    g_auto(GStrv) words = g_strsplit(self->choices, "|", -1);
    g_autofree char *joined = g_strjoinv(", ", words);

    return g_strdup_printf("one of %s", joined);
}

char *arch_key_describe(const ArchKey *self)
{
    g_autofree char *range = NULL;

    switch (self->type) {
    case ARCH_KEY_UINT:
        range = describe_range(self);
        return g_strdup_printf("a whole number, %s", range);
    case ARCH_KEY_REAL:
        range = describe_range(self);
        return g_strdup_printf("a number, %s", range);
    case ARCH_KEY_RATIO:
        range = describe_range(self);
        return g_strdup_printf("a decimal with at most 6 decimals, %s", range);
    case ARCH_KEY_LIST:
        range = describe_range(self);
        return g_strdup_printf("%u..%u whole numbers separated by commas, each %s",
                               self->item_minimum, self->item_maximum, range);
    case ARCH_KEY_CHOICE:
        return describe_choices(self);
    case ARCH_KEY_TEXT:
        return g_strdup("a line of text");
    }
    g_assert_not_reached();
}

char *arch_key_suffix(const ArchKey *self)
{
    char *suffix;

    if (self->type == ARCH_KEY_CHOICE || self->type == ARCH_KEY_TEXT) {
        return g_strdup("");
    }
    suffix = g_strconcat("_", self->unit, NULL);
    return g_strdelimit(suffix, " ", '_');
}
