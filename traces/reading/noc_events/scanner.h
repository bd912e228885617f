/* Scans JSON text in memory from beginning to end, without building a tree. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef enum {
    SCANNER_STRING,
    SCANNER_INTEGER, /* a whole number that 64 bits hold */
    SCANNER_NULL,
    SCANNER_OTHER, /* true, a fraction, a list... */
} ScannerType;

/* A value, as written in the text. */
typedef struct {
    ScannerType type;
    gint64 integer;
    const char *raw; /* borrowed from the text */
    gsize raw_length;
} ScannerValue;

typedef struct {
    const char *start;
    const char *at;
    const char *end;
} Scanner;

/* The next byte that is not blank, or '\0' at the end. */
char scanner_peek(Scanner *self);

/* Steps over `byte` if it is next. */
bool scanner_take(Scanner *self, char byte);

/* Steps over one value of any kind. Returns false if the text is not JSON; `at` then
 * points at the error. */
bool scanner_read(Scanner *self, ScannerValue *value);

/* The error at the current position: "line 3: expected a value, found x". The caller
 * frees it. */
char *scanner_complain(const Scanner *self, const char *expected);

/* The string without quotes and with escapes resolved. The caller frees it. */
char *scanner_string(const ScannerValue *value);

/* Is it the string `text`? */
bool scanner_is(const ScannerValue *value, const char *text);

/* A value for a message: short, one line, ASCII. The caller frees it. */
char *scanner_quote(const ScannerValue *value);
