/* Options of a command, one row each: name, help, type, and the member that gets the
 * value. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

typedef enum {
    OPTION_TYPE_FLAG,     /* no value: bool */
    OPTION_TYPE_CASE,     /* no value, sets `least`: an enum */
    OPTION_TYPE_SWITCH,   /* on or off: bool */
    OPTION_TYPE_COUNT,    /* a whole number in least..most: uint64_t */
    OPTION_TYPE_SMALL,    /* the same: guint */
    OPTION_TYPE_REAL,     /* a number in low..high, by `divisor`: double */
    OPTION_TYPE_DURATION, /* seconds as typed, a number in low..high: char * */
    OPTION_TYPE_WORD,     /* one of `words`: guint or an enum */
    OPTION_TYPE_TEXT,     /* char * */
    OPTION_TYPE_SVG,      /* a file for a picture: char * */
    OPTION_TYPE_TEXTS,    /* may be repeated: char ** */
} OptionType;

/* What a value may name besides files, for completion. */
typedef enum {
    OPTION_NAMES_FILES,
    OPTION_NAMES_CHIPS,
    OPTION_NAMES_SYSTEMS,
    OPTION_NAMES_WORKLOADS,
    OPTION_NAMES_CHIPS_AND_WORKLOADS,
    OPTION_NAMES_SUITES,
} OptionNames;

typedef struct {
    const char *name;     /* without --; OPTION_WORDS: words that are not options */
    const char *argument; /* the value's name in --help */
    const char *help;
    OptionType type;
    OptionNames names;
    gsize offset;        /* of the member; OPTION_NOWHERE: the command queries it */
    uint64_t least;      /* for whole numbers, and the value of a case */
    uint64_t most;       /* likewise */
    double low;          /* for real numbers */
    double high;         /* likewise */
    const char *allowed; /* low..high in words */
    double divisor;      /* for real numbers; 0: none */
    const char *const *words;         /* for words; for texts only used by completion */
    const char *const *(*list)(void); /* the same, if the list is not constant */
    guint tasks;                      /* bits of tasks, see option_is_idle(); 0: all */
    char letter;                      /* the q of -q; 0: none */
} Option;

/* Rows, ended by one without a name, for a struct at `offset` in the options of a
 * command. */
typedef struct {
    const Option *rows;
    gsize offset;
} OptionTable;

#define OPTION_WORDS   ""
#define OPTION_NOWHERE G_MAXSIZE

/* The last fields of a row; `Options` is the struct. They do not compile if the member
 * has another type. */

#define OPTION_MEMBER(kind, member) /* NOLINTNEXTLINE */                               \
    .offset = _Generic(((Options *) NULL)->member, kind : offsetof(Options, member))

#define OPTION_FLAG(member) .type = OPTION_TYPE_FLAG, OPTION_MEMBER(bool, member)
#define OPTION_CASE(member, value)                                                     \
    .type = OPTION_TYPE_CASE, OPTION_MEMBER(guint, member), .least = (value)
#define OPTION_SWITCH(member) .type = OPTION_TYPE_SWITCH, OPTION_MEMBER(bool, member)
#define OPTION_COUNT(member, from, to)                                                 \
    .type = OPTION_TYPE_COUNT, OPTION_MEMBER(uint64_t, member), .least = (from),       \
    .most = (to)
#define OPTION_SMALL(member, from, to)                                                 \
    .type = OPTION_TYPE_SMALL, OPTION_MEMBER(guint, member), .least = (from),          \
    .most = (to)
#define OPTION_REAL(member, from, to, text)                                            \
    .type = OPTION_TYPE_REAL, OPTION_MEMBER(double, member), .low = (from),            \
    .high = (to), .allowed = (text)
/* Percent on the command line, a fraction in the member. */
#define OPTION_PERCENT(member, to, text)                                               \
    OPTION_REAL(member, 0, to, text), .divisor = 100
#define OPTION_SECONDS(member)                                                         \
    OPTION_REAL(member, G_MINDOUBLE, G_MAXDOUBLE, "a number above 0")
#define OPTION_DURATION(member)                                                        \
    .type = OPTION_TYPE_DURATION, OPTION_MEMBER(char *, member), .low = G_MINDOUBLE,   \
    .high = G_MAXDOUBLE, .allowed = "a number above 0"
#define OPTION_WORD(member, list)                                                      \
    .type = OPTION_TYPE_WORD, OPTION_MEMBER(guint, member), .words = (list)
#define OPTION_LISTED(member, function)                                                \
    .type = OPTION_TYPE_WORD, OPTION_MEMBER(guint, member), .list = (function)
#define OPTION_TEXT(member)  .type = OPTION_TYPE_TEXT, OPTION_MEMBER(char *, member)
#define OPTION_SVG(member)   .type = OPTION_TYPE_SVG, OPTION_MEMBER(char *, member)
#define OPTION_TEXTS(member) .type = OPTION_TYPE_TEXTS, OPTION_MEMBER(char **, member)

/* Without a member: see option_text() and the functions after it. */
#define OPTION_OTHER(kind)  .type = OPTION_TYPE_##kind, .offset = OPTION_NOWHERE
#define OPTION_CHOICE(list) OPTION_OTHER(WORD), .words = (list)

/* The texts of a command line. */
typedef struct OptionTexts OptionTexts;

/* `tables` ends with one without rows, and must outlive the result. */
OptionTexts *option_texts_new(const OptionTable *tables);
void option_texts_free(OptionTexts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OptionTexts, option_texts_free)

/* Makes `context` parse into these texts. */
void option_texts_add(OptionTexts *self, GOptionContext *context);

/* The words of a line, with -o=FILE as --output=FILE; both must outlive them. */
GPtrArray *option_texts_spell(OptionTexts *self, int argc, char **argv);

/* Sets members of `options` in the order of rows. Options that were not given keep
 * their members unchanged. Fails with G_OPTION_ERROR. */
bool option_texts_convert(const OptionTexts *self, gpointer options, GError **error);

/* The first word that no row takes or, if `most` is not 0, that exceeds it, or NULL. */
const char *option_texts_stray(const OptionTexts *self, guint most);

/* Adds the options as they were given, with whole paths, for another process. */
void option_texts_repeat(const OptionTexts *self, GPtrArray *words);

/* Frees the members that the conversion allocated. */
void option_tables_clear(const OptionTable *tables, gpointer options);

/* The words of a row, or NULL. */
const char *const *option_words(const Option *row);

/* Questions about the option `name`, which must have a row. */
bool option_is_given(const OptionTexts *self, const char *name);

/* The name of an option that is given but does not apply to a task, a bit, or NULL. */
const char *option_is_idle(const OptionTexts *self, guint task);

/* The text as typed; NULL: not given. */
const char *option_text(const OptionTexts *self, const char *name);

/* The same, or `usual`. */
const char *
option_text_or(const OptionTexts *self, const char *name, const char *usual);

/* The texts of a repeatable option, or of words. */
char **option_list(const OptionTexts *self, const char *name);

/* The index of the given word; `usual` if not given. */
guint option_choice(const OptionTexts *self, const char *name, guint usual);
