/* Reads tokens: comments, names, numbers, strings, operators. */
#include "workloads/csl/syntax/lexer.h"

#include <string.h>

#include "sim/narrow.h"

typedef struct {
    const char *text;
    CslTokenKind kind;
} Spelling;

static const Spelling operators[] = {
#define CSL_TOKEN(name, words)
#define CSL_OPERATOR(name, words) {(words), CSL_TOKEN_##name},
#define CSL_KEYWORD(name, words)
#include "workloads/csl/syntax/token.def"
#undef CSL_TOKEN
#undef CSL_OPERATOR
#undef CSL_KEYWORD
};

/* In the order of the alphabet. */
static const Spelling keywords[] = {
#define CSL_TOKEN(name, words)
#define CSL_OPERATOR(name, words)
#define CSL_KEYWORD(name, words) {(words), CSL_TOKEN_##name},
#include "workloads/csl/syntax/token.def"
#undef CSL_TOKEN
#undef CSL_OPERATOR
#undef CSL_KEYWORD
};

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end) {
        if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') {
            at++;
        } else if (at[0] == '/' && at[1] == '/') {
            while (at < end && *at != '\n') {
                at++;
            }
        } else {
            break;
        }
    }
    return at;
}

static const char *skip_word(const char *at)
{
    while (is_word(*at)) {
        at++;
    }
    return at;
}

static CslTokenKind word_kind(const char *word, size_t length)
{
    guint low = 0;
    guint high = G_N_ELEMENTS(keywords);

    while (low < high) {
        const guint middle = (low + high) / 2;
        const char *text = keywords[middle].text;
        const int order = strncmp(word, text, length);

        if (order == 0 && text[length] == '\0') {
            return keywords[middle].kind;
        }
        if (order > 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return CSL_TOKEN_NAME;
}

/* Digits of 0x and 0b, which may be wrong. */
static const char *read_based(const char *at, CslToken *token)
{
    const bool is_hex = at[1] == 'x';
    const char *end = skip_word(at + 2);

    token->kind = CSL_TOKEN_INTEGER;
    if (end == at + 2) {
        token->fault = "a number without digits";
    }
    for (const char *c = at + 2; c < end; c++) {
        if (*c != '_' && !(is_hex ? g_ascii_isxdigit(*c) : *c == '0' || *c == '1')) {
            token->fault = is_hex ? "a digit that hexadecimal numbers do not have"
                                  : "a digit that binary numbers do not have";
        }
    }
    return end;
}

static const char *read_number(const char *at, CslToken *token)
{
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'b')) {
        return read_based(at, token);
    }
    token->kind = CSL_TOKEN_INTEGER;
    while (g_ascii_isdigit(*at) || *at == '_') {
        at++;
    }
    if (at[0] == '.' && g_ascii_isdigit(at[1])) {
        token->kind = CSL_TOKEN_REAL;
        at++;
        while (g_ascii_isdigit(*at) || *at == '_') {
            at++;
        }
    }
    if ((*at == 'e' || *at == 'E') &&
        (g_ascii_isdigit(at[1]) ||
         ((at[1] == '-' || at[1] == '+') && g_ascii_isdigit(at[2])))) {
        token->kind = CSL_TOKEN_REAL;
        at += 2;
        while (g_ascii_isdigit(*at)) {
            at++;
        }
    }
    if (is_word(*at)) {
        token->fault = "a letter in a number";
        at = skip_word(at);
    }
    return at;
}

static const char *read_escape(const char *at, CslToken *token)
{
    if (*at == 'x') {
        if (!g_ascii_isxdigit(at[1]) || !g_ascii_isxdigit(at[2])) {
            token->fault = "an escape \\x without two hexadecimal digits";
            return at + 1;
        }
        return at + 3;
    }
    if (strchr("nrt0\\'\"", *at) == NULL || *at == '\0') {
        token->fault =
            "an unknown escape; there are \\n \\r \\t \\0 \\\\ \\' \\\" \\xNN";
    }
    return *at == '\0' || *at == '\n' ? at : at + 1;
}

static const char *read_quoted(const char *at, const char *end, CslToken *token)
{
    const char quote = *at++;

    token->kind = quote == '"' ? CSL_TOKEN_STRING : CSL_TOKEN_CHARACTER;
    while (at < end && *at != quote && *at != '\n') {
        at = *at == '\\' ? read_escape(at + 1, token) : at + 1;
    }
    if (at >= end || *at != quote) {
        token->fault = quote == '"' ? "a string without a closing quote"
                                    : "a character without a closing quote";
        return at > end ? end : at;
    }
    return at + 1;
}

static const char *read_operator(const char *at, CslToken *token)
{
    for (guint i = 0; i < G_N_ELEMENTS(operators); i++) {
        const char *text = operators[i].text;
        const size_t length = strlen(text);

        if (*at == *text && strncmp(at, text, length) == 0) {
            token->kind = operators[i].kind;
            return at + length;
        }
    }
    token->fault = *at == '?' ? "CSL has no '?': write if (a) b else c"
                              : "a character that CSL does not use";
    do {
        at++;
    } while ((*at & 0xC0) == 0x80); /* the rest of one in UTF-8 */
    return at;
}

CslToken csl_lexer_next(CslLexer *self)
{
    const char *text = csl_source_text(self->source);
    const char *end = text + csl_source_length(self->source);
    const char *start = skip_blanks(text + self->offset, end);
    const char *stop = start;
    CslToken token = {.kind = CSL_TOKEN_BAD};

    if (start >= end) {
        token.kind = CSL_TOKEN_END;
    } else if (g_ascii_isalpha(*start) || *start == '_') {
        stop = skip_word(start);
        token.kind = word_kind(start, (size_t) (stop - start));
    } else if (g_ascii_isdigit(*start)) {
        stop = read_number(start, &token);
    } else if (*start == '"' || *start == '\'') {
        stop = read_quoted(start, end, &token);
    } else if (*start == '@' && (g_ascii_isalpha(start[1]) || start[1] == '_')) {
        stop = skip_word(start + 1);
        token.kind = CSL_TOKEN_BUILTIN;
    } else {
        stop = read_operator(start, &token);
    }
    if (token.fault != NULL) {
        token.kind = CSL_TOKEN_BAD;
    }
    token.offset = sim_u32(start - text);
    token.length = sim_u32(stop - start);
    self->offset = token.offset + token.length;
    return token;
}
