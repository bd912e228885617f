/* Cuts a file into tokens. */
#pragma once

#include "workloads/csl/syntax/source.h"
#include "workloads/csl/syntax/token.h"

typedef struct {
    const CslSource *source;
    uint32_t offset; /* of what has not been read */
} CslLexer;

/* The next token. At the end, END for ever. A BAD token covers at least one byte. */
CslToken csl_lexer_next(CslLexer *self);
