/* Tokens, nodes and reports of the parser. */
#include "workloads/csl/syntax/parser_state.h"

#include <string.h>

#include "sim/narrow.h"
#include "workloads/csl/syntax/parser.h"

static CslPlace here(const CslParser *self)
{
    return (CslPlace){self->lexer.source, self->token.offset};
}

/* Words that C spells otherwise: reported, then taken for what they mean. */
static CslToken translate(CslParser *self, CslToken token)
{
    static const struct {
        CslTokenKind kind; /* twice without a blank between */
        CslTokenKind meant;
        const char *words;
        const char *hint;
    } rows[] = {
        {CSL_TOKEN_AMPERSAND, CSL_TOKEN_AND, "&&", "write 'and'"},
        {CSL_TOKEN_BAR, CSL_TOKEN_OR, "||", "write 'or'"},
        {CSL_TOKEN_PLUS, CSL_TOKEN_PLUS, "++", "write i += 1"},
        {CSL_TOKEN_MINUS, CSL_TOKEN_MINUS, "--", "write i -= 1"},
    };
    const char *text = csl_source_text(self->lexer.source) + token.offset;

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (token.kind != rows[i].kind || strncmp(text, rows[i].words, 2) != 0 ||
            (rows[i].meant == token.kind && strchr(";){", text[2]) == NULL)) {
            continue; /* a - -b may lack its blanks */
        }
        csl_report(self->to, CSL_ERROR, (CslPlace){self->lexer.source, token.offset},
                   "CSL has no '%s'", rows[i].words);
        csl_report_hint(self->to, "%s", rows[i].hint);
        token = csl_lexer_next(&self->lexer);
        token.kind = rows[i].meant;
        return token.kind == rows[i].kind ? csl_lexer_next(&self->lexer) : token;
    }
    return token;
}

/* The next good token; bad ones are reported and skipped. */
static CslToken read_token(CslParser *self)
{
    for (;;) {
        const CslToken token = csl_lexer_next(&self->lexer);

        if (token.kind != CSL_TOKEN_BAD) {
            return translate(self, token);
        }
        if (csl_diagnostics_is_full(self->to)) {
            self->has_stopped = true;
            return (CslToken){.kind = CSL_TOKEN_END, .offset = token.offset};
        }
        csl_report(self->to, CSL_ERROR, (CslPlace){self->lexer.source, token.offset},
                   "%s", token.fault);
    }
}

void csl_parser_advance(CslParser *self)
{
    self->token = self->next;
    if (self->next.kind != CSL_TOKEN_END) {
        self->next = read_token(self);
    }
}

bool csl_parser_accept(CslParser *self, CslTokenKind kind)
{
    if (self->token.kind != kind) {
        return false;
    }
    csl_parser_advance(self);
    return true;
}

/* The found token as messages show it, at most a few characters. */
static char *found_words(const CslParser *self)
{
    const char *text = csl_source_text(self->lexer.source) + self->token.offset;
    const uint32_t length = MIN(self->token.length, 30);

    if (self->token.kind == CSL_TOKEN_END) {
        return g_strdup(csl_token_words(CSL_TOKEN_END));
    }
    return g_strdup_printf("'%.*s'", sim_i32(length), text);
}

CslNode *csl_parser_refuse(CslParser *self, const char *expected)
{
    g_autofree char *found = found_words(self);

    if (!self->has_stopped) {
        csl_report(self->to, CSL_ERROR, here(self), "expected %s, found %s", expected,
                   found);
        if (self->token.kind == CSL_TOKEN_VAR) {
            csl_report_hint(self->to, "a declaration is a statement of its own; "
                                      "loops count as for (@range(i16, n)) |i| { }");
        }
    }
    return NULL;
}

bool csl_parser_expect(CslParser *self, CslTokenKind kind, const char *where)
{
    g_autofree char *expected = NULL;

    if (csl_parser_accept(self, kind)) {
        return true;
    }
    expected = g_strdup_printf("%s %s", csl_token_words(kind), where);
    (void) csl_parser_refuse(self, expected);
    if (kind == CSL_TOKEN_SEMICOLON && self->token.kind == CSL_TOKEN_ASSIGN) {
        csl_report_hint(self->to,
                        "only a variable, a field or an element is assigned to");
    }
    return false;
}

const char *csl_parser_take_text(CslParser *self)
{
    const char *text = csl_source_text(self->lexer.source) + self->token.offset;
    g_autofree char *copy = g_strndup(text, self->token.length);

    csl_parser_advance(self);
    return g_string_chunk_insert_const(self->names, copy);
}

const char *csl_parser_take_name(CslParser *self, const char *what)
{
    if (self->token.kind == CSL_TOKEN_NAME) {
        return csl_parser_take_text(self);
    }
    (void) csl_parser_refuse(self, what);
    if (csl_token_is_keyword(self->token.kind)) {
        csl_report_hint(self->to, "'%s' is a word of the language",
                        csl_token_spelling(self->token.kind));
    }
    return NULL;
}

CslNode *csl_parser_node(CslParser *self, CslNodeKind kind, uint32_t offset)
{
    CslNode *node = CSL_ARENA_ARRAY(self->tree->arena, CslNode, 1);

    node->kind = sim_u8(kind);
    node->offset = offset;
    return node;
}

CslNode *csl_parser_close(CslParser *self, CslNode *node, guint mark)
{
    GPtrArray *pending = self->pending;
    guint height = 0;

    node->count = pending->len - mark;
    node->children = CSL_ARENA_ARRAY(self->tree->arena, CslNode *, MAX(node->count, 1));
    for (guint i = 0; i < node->count; i++) {
        node->children[i] = pending->pdata[mark + i];
        if (node->children[i] != NULL) {
            height = MAX(height, node->children[i]->height);
        }
    }
    g_ptr_array_set_size(pending, sim_i32(mark));
    node->height = sim_u16(height + 1);
    if (height + 1 > CSL_HEIGHT_MOST && node->kind != CSL_FILE) {
        csl_report(self->to, CSL_ERROR, (CslPlace){self->lexer.source, node->offset},
                   "an expression of more than %d steps", CSL_HEIGHT_MOST);
        csl_report_hint(self->to, "name parts of it: const part = ...");
        return NULL;
    }
    return node;
}

CslNode *csl_parser_pair(
    CslParser *self, CslNodeKind kind, uint32_t offset, CslNode *left, CslNode *right)
{
    const guint mark = csl_parser_mark(self);

    csl_parser_push(self, left);
    if (right != NULL) {
        csl_parser_push(self, right);
    }
    return csl_parser_close(self, csl_parser_node(self, kind, offset), mark);
}

bool csl_parser_enter(CslParser *self)
{
    if (self->nesting >= CSL_NESTING_MOST) {
        csl_report(self->to, CSL_ERROR, here(self), "nested more than %d deep",
                   CSL_NESTING_MOST);
        self->has_stopped = true;
        self->token.kind = CSL_TOKEN_END;
        self->next.kind = CSL_TOKEN_END;
        return false;
    }
    self->nesting++;
    return true;
}

void csl_parser_leave(CslParser *self)
{
    self->nesting--;
}

bool csl_parse_list(CslParser *self,
                    CslNode *(*parse)(CslParser *self),
                    CslTokenKind close,
                    const char *where)
{
    while (self->token.kind != close) {
        CslNode *item = parse(self);

        if (item == NULL) {
            return false;
        }
        csl_parser_push(self, item);
        if (!csl_parser_accept(self, CSL_TOKEN_COMMA)) {
            break;
        }
    }
    return csl_parser_expect(self, close, where);
}
