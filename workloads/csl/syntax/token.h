/* The words of a CSL program: what kinds there are, and where each stands. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum {
#define CSL_TOKEN(name, words)    CSL_TOKEN_##name,
#define CSL_OPERATOR(name, words) CSL_TOKEN_##name,
#define CSL_KEYWORD(name, words)  CSL_TOKEN_##name,
#include "workloads/csl/syntax/token.def"
#undef CSL_TOKEN
#undef CSL_OPERATOR
#undef CSL_KEYWORD
    CSL_TOKEN_COUNT,
} CslTokenKind;

typedef struct {
    CslTokenKind kind;
    uint32_t offset;
    uint32_t length;
    const char *fault; /* of a BAD token: what is wrong with it, static text */
} CslToken;

/* How messages name it: 'while', '+=', a name. Static text, quoted where spelled. */
const char *csl_token_words(CslTokenKind kind);
/* The same without quotes. */
const char *csl_token_spelling(CslTokenKind kind);
bool csl_token_is_keyword(CslTokenKind kind);
