/* Parses declarations and files. */
#include "workloads/csl/syntax/parser.h"

#include "sim/narrow.h"
#include "workloads/csl/syntax/bind.h"
#include "workloads/csl/syntax/parser_state.h"
#include "workloads/csl/syntax/statement.h"

/* align(n), linksection("s") and linkname("n") in any order, into three places. */
static bool parse_attributes(CslParser *self, CslNode **attributes)
{
    for (;;) {
        CslNode **attribute = NULL;

        if (self->token.kind == CSL_TOKEN_ALIGN) {
            attribute = &attributes[0];
        } else if (self->token.kind == CSL_TOKEN_LINKSECTION) {
            attribute = &attributes[1];
        } else if (self->token.kind == CSL_TOKEN_LINKNAME) {
            attribute = &attributes[2];
        } else {
            return true;
        }
        csl_parser_advance(self);
        if (!csl_parser_expect(self, CSL_TOKEN_OPEN_PAREN, "after an attribute")) {
            return false;
        }
        *attribute = csl_parse_expression(self);
        if (*attribute == NULL ||
            !csl_parser_expect(self, CSL_TOKEN_CLOSE_PAREN, "after the attribute")) {
            return false;
        }
    }
}

CslNode *csl_parse_variable(CslParser *self, guint flags)
{
    CslNode *node = csl_parser_node(self, CSL_VARIABLE, self->next.offset);
    const guint mark = csl_parser_mark(self);
    CslNode *type = NULL;
    CslNode *value = NULL;
    CslNode *attributes[3] = {NULL};

    node->token = sim_u8(self->token.kind);
    node->flags = sim_u16(flags);
    csl_parser_advance(self);
    node->name = csl_parser_take_name(self, "the name of a variable");
    if (node->name == NULL) {
        return NULL;
    }
    if (csl_parser_accept(self, CSL_TOKEN_COLON)) {
        type = csl_parse_type(self);
        if (type == NULL) {
            return NULL;
        }
    }
    if (!parse_attributes(self, attributes)) {
        return NULL;
    }
    if (csl_parser_accept(self, CSL_TOKEN_ASSIGN)) {
        value = csl_parse_expression(self);
        if (value == NULL) {
            return NULL;
        }
    }
    if (!csl_parser_expect(self, CSL_TOKEN_SEMICOLON, "after the declaration")) {
        return NULL;
    }
    csl_parser_push(self, type);
    csl_parser_push(self, value);
    for (guint i = 0; i < G_N_ELEMENTS(attributes); i++) {
        csl_parser_push(self, attributes[i]);
    }
    return csl_parser_close(self, node, mark);
}

static CslNode *parse_parameter(CslParser *self)
{
    const bool is_comptime = csl_parser_accept(self, CSL_TOKEN_COMPTIME);
    CslNode *node = csl_parser_node(self, CSL_PARAMETER, self->token.offset);
    const guint mark = csl_parser_mark(self);

    node->flags = is_comptime ? CSL_IS_COMPTIME : 0;
    node->name = csl_parser_take_name(self, "the name of a parameter");
    if (node->name == NULL ||
        !csl_parser_expect(self, CSL_TOKEN_COLON, "after the name of a parameter")) {
        return NULL;
    }
    if (!csl_parser_accept(self, CSL_TOKEN_ANYTYPE)) {
        CslNode *type = csl_parse_expression(self);

        if (type == NULL) {
            return NULL;
        }
        csl_parser_push(self, type);
    }
    return csl_parser_close(self, node, mark);
}

static CslNode *parse_function(CslParser *self, guint flags)
{
    CslNode *node = csl_parser_node(self, CSL_FUNCTION, self->next.offset);
    const guint mark = csl_parser_mark(self);
    CslNode *attributes[3] = {NULL};
    CslNode *part;

    node->token = sim_u8(self->token.kind);
    node->flags = sim_u16(flags);
    csl_parser_advance(self);
    csl_parser_push(self, NULL);
    csl_parser_push(self, NULL);
    node->name = csl_parser_take_name(self, "the name of a function");
    if (node->name == NULL ||
        !csl_parser_expect(self, CSL_TOKEN_OPEN_PAREN, "before the parameters") ||
        !csl_parse_list(self, parse_parameter, CSL_TOKEN_CLOSE_PAREN,
                        "or ',' after a parameter") ||
        !parse_attributes(self, attributes)) {
        return NULL;
    }
    if (self->token.kind == CSL_TOKEN_OPEN_BRACE ||
        self->token.kind == CSL_TOKEN_SEMICOLON) {
        (void) csl_parser_refuse(self, "the type of the result");
        csl_report_hint(self->to, "a function without a result returns void");
        return NULL;
    }
    part = csl_parse_type(self);
    self->pending->pdata[mark] = part;
    if (part == NULL) {
        return NULL;
    }
    if (!csl_parser_accept(self, CSL_TOKEN_SEMICOLON)) {
        part = csl_parse_block(self);
        self->pending->pdata[mark + 1] = part;
    }
    return part == NULL ? NULL : csl_parser_close(self, node, mark);
}

static CslNode *parse_layout(CslParser *self)
{
    const uint32_t offset = self->token.offset;
    CslNode *block;

    csl_parser_advance(self);
    block = csl_parse_block(self);
    return block == NULL ? NULL
                         : csl_parser_pair(self, CSL_LAYOUT, offset, block, NULL);
}

static CslNode *parse_declaration(CslParser *self)
{
    guint flags = 0;

    if (self->token.kind == CSL_TOKEN_LAYOUT) {
        return parse_layout(self);
    }
    if (self->token.kind == CSL_TOKEN_COMPTIME &&
        self->next.kind == CSL_TOKEN_OPEN_BRACE) {
        return csl_parse_comptime_block(self);
    }
    if (csl_parser_accept(self, CSL_TOKEN_EXPORT)) {
        flags |= CSL_IS_EXPORT;
    } else if (csl_parser_accept(self, CSL_TOKEN_EXTERN)) {
        flags |= CSL_IS_EXTERN;
    }
    if (csl_parser_accept(self, CSL_TOKEN_INLINE)) {
        flags |= CSL_IS_INLINE;
    }
    if (csl_parser_accept(self, CSL_TOKEN_COMPTIME)) {
        flags |= CSL_IS_COMPTIME;
    }
    if (self->token.kind == CSL_TOKEN_FN || self->token.kind == CSL_TOKEN_TASK) {
        return parse_function(self, flags);
    }
    if (self->token.kind == CSL_TOKEN_VAR || self->token.kind == CSL_TOKEN_CONST ||
        self->token.kind == CSL_TOKEN_PARAM) {
        return csl_parse_variable(self, flags);
    }
    (void) csl_parser_refuse(self, "a declaration");
    csl_report_hint(self->to,
                    "a file holds param, const, var, fn, task, comptime and layout");
    return NULL;
}

static void parse_file(CslParser *self)
{
    CslNode *file = csl_parser_node(self, CSL_FILE, 0);

    while (self->token.kind != CSL_TOKEN_END) {
        const guint count = csl_parser_mark(self);
        CslNode *declaration;

        if (csl_parser_accept(self, CSL_TOKEN_SEMICOLON)) {
            continue;
        }
        declaration = parse_declaration(self);
        if (declaration != NULL) {
            csl_parser_push(self, declaration);
            continue;
        }
        g_ptr_array_set_size(self->pending, sim_i32(count));
        csl_parser_recover(self);
        (void) csl_parser_accept(self, CSL_TOKEN_CLOSE_BRACE);
    }
    self->tree->file = csl_parser_close(self, file, 0);
    g_assert(self->tree->file != NULL);
}

CslTree *csl_parse(const CslSource *source, GStringChunk *names, CslDiagnostics *to)
{
    CslTree *tree = g_new0(CslTree, 1);
    g_autoptr(GPtrArray) pending = g_ptr_array_new();
    CslParser parser = {
        .lexer = {.source = source},
        .next = {.kind = CSL_TOKEN_BAD},
        .tree = tree,
        .names = names,
        .to = to,
        .pending = pending,
        .has_braces = true,
    };

    tree->source = source;
    tree->arena = csl_arena_new();
    csl_parser_advance(&parser);
    csl_parser_advance(&parser);
    parse_file(&parser);
    csl_tree_bind(tree, to);
    return tree;
}
