/* Reads numbers, characters and strings from their spelling. */
#include "workloads/csl/syntax/literal.h"

bool csl_literal_integer(const char *spelling, uint32_t length, CslInteger *to)
{
    const CslInteger half = (CslInteger) 1 << 126;
    const CslInteger most = half - 1 + half;
    const bool has_base =
        length > 2 && spelling[0] == '0' && g_ascii_isalpha(spelling[1]);
    int radix = 10;
    CslInteger value = 0;

    if (has_base) {
        radix = spelling[1] == 'x' ? 16 : 2;
    }
    for (uint32_t i = has_base ? 2 : 0; i < length; i++) {
        const int digit = g_ascii_xdigit_value(spelling[i]);

        if (digit < 0) {
            continue; /* _ between digits */
        }
        if (value > (most - digit) / radix) {
            return false;
        }
        value = value * radix + digit;
    }
    *to = value;
    return true;
}

double csl_literal_real(const char *spelling, uint32_t length)
{
    g_autoptr(GString) digits = g_string_sized_new(length);

    for (uint32_t i = 0; i < length; i++) {
        if (spelling[i] != '_') {
            g_string_append_c(digits, spelling[i]);
        }
    }
    return g_ascii_strtod(digits->str, NULL);
}

/* The byte that an escape stands for; moves behind it. */
static char read_escape(const char *spelling, uint32_t *at)
{
    const char c = spelling[(*at)++];

    switch (c) {
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case '0':
        return '\0';
    case 'x':
        *at += 2;
        return (char) (g_ascii_xdigit_value(spelling[*at - 2]) * 16 +
                       g_ascii_xdigit_value(spelling[*at - 1]));
    default:
        return c;
    }
}

const CslText *csl_literal_text(CslArena *arena, const char *spelling, uint32_t length)
{
    CslText *text = csl_arena_allocate(arena, sizeof *text + length);
    uint32_t at = 1;

    while (at + 1 < length) {
        char c = spelling[at++];

        if (c == '\\') {
            c = read_escape(spelling, &at);
        }
        text->bytes[text->length++] = c;
    }
    return text;
}
