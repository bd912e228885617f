/* One key a chip file must have: its place, type, unit and range. */
#pragma once

#include <glib.h>

typedef enum {
    ARCH_KEY_UINT,   /* digits, or an exponent that keeps it whole: 12e9 */
    ARCH_KEY_REAL,   /* decimal, an exponent is allowed; for the host's level only */
    ARCH_KEY_RATIO,  /* exact decimal such as 1.0225, at most 6 decimals */
    ARCH_KEY_LIST,   /* whole numbers separated by commas */
    ARCH_KEY_CHOICE, /* one of the words in `choices` */
    ARCH_KEY_TEXT,   /* one line for people */
} ArchKeyType;

/* A number's key is "<what>_<unit>", or the unit alone, with blanks written as
 * underscores: unit "bytes per cycle", key "link_bytes_per_cycle". The unit of a choice
 * is "choice", that of a text "text"; their keys carry none. */
typedef struct {
    const char *section;
    const char *key;
    ArchKeyType type;
    const char *unit;
    double minimum; /* of a number or of each item, included */
    double maximum; /* included; at most 1e14 but for ARCH_KEY_REAL */
    guint item_minimum;
    guint item_maximum;
    const char *choices; /* "one|two|three" */
} ArchKey;

/* One line of a family's table. */
#define ARCH_KEY_NUMBER(of, type_, in, key_, low, high)                                \
    {                                                                                  \
        .section = (of), .key = (key_), .type = (type_), .unit = (in),                 \
        .minimum = (low), .maximum = (high)                                            \
    }
#define ARCH_UINT(of, key_, in, low, high)                                             \
    ARCH_KEY_NUMBER(of, ARCH_KEY_UINT, in, key_, low, high)
#define ARCH_REAL(of, key_, in, low, high)                                             \
    ARCH_KEY_NUMBER(of, ARCH_KEY_REAL, in, key_, low, high)
#define ARCH_RATIO(of, key_, in, low, high)                                            \
    ARCH_KEY_NUMBER(of, ARCH_KEY_RATIO, in, key_, low, high)
#define ARCH_LIST(of, key_, in, low, high, least, most)                                \
    {                                                                                  \
        .section = (of), .key = (key_), .type = ARCH_KEY_LIST, .unit = (in),           \
        .minimum = (low), .maximum = (high), .item_minimum = (least),                  \
        .item_maximum = (most)                                                         \
    }
#define ARCH_CHOICE(of, key_, words)                                                   \
    {                                                                                  \
        .section = (of), .key = (key_), .type = ARCH_KEY_CHOICE, .unit = "choice",     \
        .choices = (words)                                                             \
    }
#define ARCH_TEXT(of, key_)                                                            \
    {                                                                                  \
        .section = (of), .key = (key_), .type = ARCH_KEY_TEXT, .unit = "text"          \
    }

/* The allowed values, for messages: "a whole number, 0..64 cycles". The caller frees
 * it. */
char *arch_key_describe(const ArchKey *self);

/* "_bytes_per_cycle", or "" for a choice or a text; the caller frees it. */
char *arch_key_suffix(const ArchKey *self);
