/* Names of tokens. */
#include "workloads/csl/syntax/token.h"

static const char *const spellings[] = {
#define CSL_TOKEN(name, words)    [CSL_TOKEN_##name] = (words),
#define CSL_OPERATOR(name, words) [CSL_TOKEN_##name] = (words),
#define CSL_KEYWORD(name, words)  [CSL_TOKEN_##name] = (words),
#include "workloads/csl/syntax/token.def"
#undef CSL_TOKEN
#undef CSL_OPERATOR
#undef CSL_KEYWORD
};

static const char *const quoted[] = {
#define CSL_TOKEN(name, words)    [CSL_TOKEN_##name] = (words),
#define CSL_OPERATOR(name, words) [CSL_TOKEN_##name] = "'" words "'",
#define CSL_KEYWORD(name, words)  [CSL_TOKEN_##name] = "'" words "'",
#include "workloads/csl/syntax/token.def"
#undef CSL_TOKEN
#undef CSL_OPERATOR
#undef CSL_KEYWORD
};

const char *csl_token_words(CslTokenKind kind)
{
    return quoted[kind];
}

const char *csl_token_spelling(CslTokenKind kind)
{
    return spellings[kind];
}

bool csl_token_is_keyword(CslTokenKind kind)
{
    return kind >= CSL_TOKEN_ALIGN;
}
