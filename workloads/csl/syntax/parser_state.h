/* What the parts of the parser share; private to them. */
#pragma once

#include <stdbool.h>

#include "workloads/csl/syntax/diagnostic.h"
#include "workloads/csl/syntax/lexer.h"
#include "workloads/csl/syntax/node.h"

typedef struct {
    CslLexer lexer;
    CslToken token; /* not yet taken */
    CslToken next;  /* the one behind it */
    CslTree *tree;
    GStringChunk *names;
    CslDiagnostics *to;
    GPtrArray *pending; /* children of nodes that are not finished */
    guint nesting;
    bool has_braces; /* `T {` is an aggregate here, not the body behind a type */
    bool has_stopped;
} CslParser;

/* Tokens. */
void csl_parser_advance(CslParser *self);
/* Takes the token if it is of that kind. */
bool csl_parser_accept(CslParser *self, CslTokenKind kind);
/* The same; reports otherwise. `where` ends the sentence: "after the condition". */
bool csl_parser_expect(CslParser *self, CslTokenKind kind, const char *where);
/* Reports that something else was expected; returns NULL. */
CslNode *csl_parser_refuse(CslParser *self, const char *expected);
/* The text of the token, interned, which is taken. */
const char *csl_parser_take_text(CslParser *self);
/* A name, which is taken; NULL with a report if there is none. */
const char *csl_parser_take_name(CslParser *self, const char *what);

/* Nodes: children are pushed behind a mark, then made a node's. */
CslNode *csl_parser_node(CslParser *self, CslNodeKind kind, uint32_t offset);
static inline guint csl_parser_mark(const CslParser *self)
{
    return self->pending->len;
}
static inline void csl_parser_push(CslParser *self, CslNode *child)
{
    g_ptr_array_add(self->pending, child);
}
/* Gives the node all children behind the mark. NULL, with a report, if it gets too
 * high. */
CslNode *csl_parser_close(CslParser *self, CslNode *node, guint mark);
/* A node with these children. */
CslNode *csl_parser_pair(
    CslParser *self, CslNodeKind kind, uint32_t offset, CslNode *left, CslNode *right);

/* Every nested construct enters and leaves; false, with a report, if there are too
 * many. To be left only after true. */
bool csl_parser_enter(CslParser *self);
void csl_parser_leave(CslParser *self);

/* Grammar. All return NULL after a report. */
CslNode *csl_parse_expression(CslParser *self);
/* An expression before a body: `fn f() T {`. */
CslNode *csl_parse_type(CslParser *self);
CslNode *csl_parse_primary(CslParser *self);
CslNode *csl_parse_postfix(CslParser *self);
CslNode *csl_parse_block(CslParser *self);
CslNode *csl_parse_variable(CslParser *self, guint flags);
CslNode *csl_parse_switch(CslParser *self);
/* Pushes what `parse` gives until `close`, which is taken; commas between. */
bool csl_parse_list(CslParser *self,
                    CslNode *(*parse)(CslParser *self),
                    CslTokenKind close,
                    const char *where);
