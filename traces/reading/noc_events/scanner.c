/* Strict JSON (RFC 8259), without recursion: depth is bounded, not the stack. */
#include "traces/reading/noc_events/scanner.h"

#include <string.h>

enum {
    DEPTH_MAXIMUM = 32,
    QUOTE_MAXIMUM = 40,
};

char scanner_peek(Scanner *self)
{
    while (self->at < self->end && (*self->at == ' ' || *self->at == '\t' ||
                                    *self->at == '\r' || *self->at == '\n')) {
        self->at++;
    }
    if (self->at == self->end) {
        return '\0';
    }
    return *self->at;
}

bool scanner_take(Scanner *self, char byte)
{
    if (scanner_peek(self) != byte || self->at == self->end) {
        return false;
    }
    self->at++;
    return true;
}

static bool is_at(const Scanner *self, char byte)
{
    return self->at < self->end && *self->at == byte;
}

/* \" \\ \/ \b \f \n \r \t and \uXXXX, from the letter after the stroke. */
static bool skip_escape(Scanner *self)
{
    if (self->at == self->end || *self->at == '\0' ||
        strchr("\"\\/bfnrtu", *self->at) == NULL) {
        return false;
    }
    if (*self->at++ != 'u') {
        return true;
    }
    for (guint i = 0; i < 4; i++) {
        if (self->at == self->end || !g_ascii_isxdigit(*self->at)) {
            return false;
        }
        self->at++;
    }
    return true;
}

static bool skip_string(Scanner *self)
{
    if (!is_at(self, '"')) {
        return false;
    }
    self->at++;
    while (self->at < self->end && *self->at != '"') {
        if ((guchar) *self->at < ' ') {
            return false;
        }
        if (*self->at++ == '\\' && !skip_escape(self)) {
            return false;
        }
    }
    if (self->at == self->end) {
        return false;
    }
    self->at++;
    return true;
}

static bool skip_digits(Scanner *self)
{
    const char *first = self->at;

    while (self->at < self->end && g_ascii_isdigit(*self->at)) {
        self->at++;
    }
    return self->at > first;
}

static bool skip_number(Scanner *self, bool *is_whole)
{
    if (is_at(self, '-')) {
        self->at++;
    }
    if (is_at(self, '0')) {
        self->at++;
    } else if (!skip_digits(self)) {
        return false;
    }
    *is_whole = true;
    if (is_at(self, '.')) {
        *is_whole = false;
        self->at++;
        if (!skip_digits(self)) {
            return false;
        }
    }
    if (is_at(self, 'e') || is_at(self, 'E')) {
        *is_whole = false;
        self->at++;
        if (is_at(self, '+') || is_at(self, '-')) {
            self->at++;
        }
        return skip_digits(self);
    }
    return true;
}

static bool skip_word(Scanner *self, const char *word)
{
    gsize length = strlen(word);

    if ((gsize) (self->end - self->at) < length ||
        strncmp(self->at, word, length) != 0) {
        return false;
    }
    self->at += length;
    return true;
}

static void set_integer(ScannerValue *value)
{
    g_autofree char *digits = g_strndup(value->raw, value->raw_length);
    gint64 integer;

    if (g_ascii_string_to_signed(digits, 10, G_MININT64, G_MAXINT64, &integer, NULL)) {
        value->type = SCANNER_INTEGER;
        value->integer = integer;
    }
}

/* A value without parts. */
static bool read_scalar(Scanner *self, ScannerValue *value)
{
    bool is_whole = false;

    value->type = SCANNER_OTHER;
    value->raw = self->at;
    if (is_at(self, '"')) {
        value->type = SCANNER_STRING;
        if (!skip_string(self)) {
            return false;
        }
    } else if (skip_word(self, "null")) {
        value->type = SCANNER_NULL;
    } else if (!skip_word(self, "true") && !skip_word(self, "false") &&
               !skip_number(self, &is_whole)) {
        return false;
    }
    value->raw_length = (gsize) (self->at - value->raw);
    if (is_whole) {
        set_integer(value);
    }
    return true;
}

static bool skip_key(Scanner *self)
{
    (void) scanner_peek(self);
    return skip_string(self) && scanner_take(self, ':');
}

/* After a value inside `depth` open lists and objects, whose ends are `ends`: steps
 * over the ends that follow, up to the next value. */
static bool skip_ends(Scanner *self, const char *ends, guint *depth)
{
    while (*depth > 0) {
        char end = ends[*depth - 1];

        if (scanner_take(self, ',')) {
            return end == ']' || skip_key(self);
        }
        if (!scanner_take(self, end)) {
            return false;
        }
        (*depth)--;
    }
    return true;
}

/* Opens the list or object that is next. False where that is no JSON. */
static bool open_part(Scanner *self, char *ends, guint *depth)
{
    char end = *self->at == '[' ? ']' : '}';

    if (*depth == DEPTH_MAXIMUM) {
        return false;
    }
    self->at++;
    if (scanner_take(self, end)) {
        return skip_ends(self, ends, depth);
    }
    ends[(*depth)++] = end;
    return end == ']' || skip_key(self);
}

bool scanner_read(Scanner *self, ScannerValue *value)
{
    char ends[DEPTH_MAXIMUM];
    guint depth = 0;
    char next = scanner_peek(self);
    const char *first = self->at;
    ScannerValue part;

    if (next != '[' && next != '{') {
        return read_scalar(self, value);
    }
    do {
        next = scanner_peek(self);
        if (next == '[' || next == '{') {
            if (!open_part(self, ends, &depth)) {
                return false;
            }
        } else if (!read_scalar(self, &part) || !skip_ends(self, ends, &depth)) {
            return false;
        }
    } while (depth > 0);
    *value = (ScannerValue){
        .type = SCANNER_OTHER, .raw = first, .raw_length = (gsize) (self->at - first)};
    return true;
}

char *scanner_complain(const Scanner *self, const char *expected)
{
    guint line = 1;

    for (const char *at = self->start; at < self->at; at++) {
        line += *at == '\n' ? 1U : 0U;
    }
    if (self->at == self->end) {
        return g_strdup_printf("line %u: the file ends, expected %s", line, expected);
    }
    if (!g_ascii_isgraph(*self->at)) {
        return g_strdup_printf("line %u: expected %s, found byte 0x%02x", line,
                               expected, (guint) (guchar) *self->at);
    }
    return g_strdup_printf("line %u: expected %s, found %c", line, expected, *self->at);
}

static gunichar hex_letter(const char *at)
{
    gunichar letter = 0;

    for (guint i = 0; i < 4; i++) {
        letter = letter * 16 + (gunichar) g_ascii_xdigit_value(at[i]);
    }
    return letter;
}

/* The character of \uXXXX at `*at`, which is left at its last digit. Zeros and halves
 * of surrogate pairs are not text. */
static gunichar read_letter(const char **at)
{
    gunichar letter = hex_letter(*at + 1);

    *at += 4;
    if (letter >= 0xd800 && letter < 0xdc00 && (*at)[1] == '\\' && (*at)[2] == 'u') {
        gunichar low = hex_letter(*at + 3);

        if (low >= 0xdc00 && low < 0xe000) {
            *at += 6;
            return 0x10000 + ((letter - 0xd800) << 10) + (low - 0xdc00);
        }
    }
    return letter == 0 || (letter >= 0xd800 && letter < 0xe000) ? 0xfffd : letter;
}

char *scanner_string(const ScannerValue *value)
{
    static const char letters[] = "bfnrt";
    static const char meanings[] = "\b\f\n\r\t";
    GString *text = g_string_sized_new(value->raw_length);
    const char *end = value->raw + value->raw_length - 1;

    g_assert(value->type == SCANNER_STRING);
    for (const char *at = value->raw + 1; at < end; at++) {
        if (*at != '\\') {
            g_string_append_c(text, *at);
            continue;
        }
        at++;
        if (*at == 'u') {
            g_string_append_unichar(text, read_letter(&at));
        } else {
            const char *letter = strchr(letters, *at);

            g_string_append_c(text, letter != NULL ? meanings[letter - letters] : *at);
        }
    }
    return g_string_free(text, FALSE);
}

bool scanner_is(const ScannerValue *value, const char *text)
{
    gsize length = strlen(text);

    if (value->type != SCANNER_STRING) {
        return false;
    }
    if (memchr(value->raw, '\\', value->raw_length) != NULL) {
        g_autofree char *plain = scanner_string(value);

        return g_str_equal(plain, text);
    }
    return value->raw_length == length + 2 && memcmp(value->raw + 1, text, length) == 0;
}

char *scanner_quote(const ScannerValue *value)
{
    GString *text = g_string_new(NULL);

    for (gsize i = 0; i < value->raw_length; i++) {
        char byte = value->raw[i];

        if (i == QUOTE_MAXIMUM) {
            g_string_append(text, "...");
            break;
        }
        g_string_append_c(text, g_ascii_isprint(byte) ? byte : '?');
    }
    return g_string_free(text, FALSE);
}
