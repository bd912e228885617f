/* Parses statements and blocks; after an error it goes on behind the next ; or }. */
#include "workloads/csl/syntax/statement.h"

#include "sim/narrow.h"
#include "workloads/csl/syntax/parser_state.h"

static CslNode *parse_statement(CslParser *self);

void csl_parser_recover(CslParser *self)
{
    guint depth = 0;

    while (self->token.kind != CSL_TOKEN_END) {
        if (self->token.kind == CSL_TOKEN_OPEN_BRACE) {
            depth++;
        } else if (self->token.kind == CSL_TOKEN_CLOSE_BRACE) {
            if (depth == 0) {
                return;
            }
            depth--;
            if (depth == 0) {
                csl_parser_advance(self);
                (void) csl_parser_accept(self, CSL_TOKEN_SEMICOLON);
                return;
            }
        } else if (self->token.kind == CSL_TOKEN_SEMICOLON && depth == 0) {
            csl_parser_advance(self);
            return;
        }
        csl_parser_advance(self);
    }
}

CslNode *csl_parse_block(CslParser *self)
{
    CslNode *node = csl_parser_node(self, CSL_BLOCK, self->token.offset);
    const guint mark = csl_parser_mark(self);
    const bool had_braces = self->has_braces;

    if (!csl_parser_expect(self, CSL_TOKEN_OPEN_BRACE, "before statements")) {
        return NULL;
    }
    self->has_braces = true;
    while (self->token.kind != CSL_TOKEN_CLOSE_BRACE &&
           self->token.kind != CSL_TOKEN_END) {
        const guint count = csl_parser_mark(self);
        CslNode *statement;

        if (csl_parser_accept(self, CSL_TOKEN_SEMICOLON)) {
            continue;
        }
        statement = parse_statement(self);
        if (statement != NULL) {
            csl_parser_push(self, statement);
        } else {
            g_ptr_array_set_size(self->pending, sim_i32(count));
            csl_parser_recover(self);
        }
    }
    self->has_braces = had_braces;
    if (!csl_parser_expect(self, CSL_TOKEN_CLOSE_BRACE, "at the end of a block")) {
        csl_report(self->to, CSL_NOTE, (CslPlace){self->lexer.source, node->offset},
                   "the block begins here");
        return NULL;
    }
    return csl_parser_close(self, node, mark);
}

static CslNode *parse_body(CslParser *self)
{
    return self->token.kind == CSL_TOKEN_OPEN_BRACE ? csl_parse_block(self)
                                                    : parse_statement(self);
}

/* ( expression ) behind a keyword. */
static CslNode *parse_condition(CslParser *self, const char *where)
{
    CslNode *condition = NULL;

    if (csl_parser_expect(self, CSL_TOKEN_OPEN_PAREN, where)) {
        condition = csl_parse_expression(self);
    }
    if (condition == NULL ||
        !csl_parser_expect(self, CSL_TOKEN_CLOSE_PAREN, "after the expression")) {
        return NULL;
    }
    return condition;
}

static CslNode *parse_if(CslParser *self)
{
    CslNode *node = csl_parser_node(self, CSL_IF, self->token.offset);
    const guint mark = csl_parser_mark(self);
    CslNode *part;

    csl_parser_advance(self);
    part = parse_condition(self, "after 'if'");
    if (part == NULL) {
        return NULL;
    }
    csl_parser_push(self, part);
    part = parse_body(self);
    csl_parser_push(self, part);
    if (part != NULL && csl_parser_accept(self, CSL_TOKEN_ELSE)) {
        part = parse_body(self);
        csl_parser_push(self, part);
    }
    return part == NULL ? NULL : csl_parser_close(self, node, mark);
}

static CslTokenKind assigned_operator(CslTokenKind kind)
{
    static const CslTokenKind operators[CSL_TOKEN_COUNT] = {
        [CSL_TOKEN_ASSIGN] = CSL_TOKEN_ASSIGN,
        [CSL_TOKEN_ADD_ASSIGN] = CSL_TOKEN_PLUS,
        [CSL_TOKEN_SUBTRACT_ASSIGN] = CSL_TOKEN_MINUS,
        [CSL_TOKEN_MULTIPLY_ASSIGN] = CSL_TOKEN_STAR,
        [CSL_TOKEN_DIVIDE_ASSIGN] = CSL_TOKEN_SLASH,
        [CSL_TOKEN_REMAINDER_ASSIGN] = CSL_TOKEN_PERCENT,
        [CSL_TOKEN_SHIFT_LEFT_ASSIGN] = CSL_TOKEN_SHIFT_LEFT,
        [CSL_TOKEN_SHIFT_RIGHT_ASSIGN] = CSL_TOKEN_SHIFT_RIGHT,
        [CSL_TOKEN_BIT_AND_ASSIGN] = CSL_TOKEN_AMPERSAND,
        [CSL_TOKEN_BIT_OR_ASSIGN] = CSL_TOKEN_BAR,
        [CSL_TOKEN_BIT_XOR_ASSIGN] = CSL_TOKEN_CARET,
    };

    return operators[kind];
}

/* An expression or an assignment, without a semicolon. */
static CslNode *parse_assignment(CslParser *self)
{
    CslNode *target = csl_parse_expression(self);
    const CslToken token = self->token;
    const CslTokenKind sign = assigned_operator(token.kind);
    CslNode *value;
    CslNode *node;

    if (target == NULL || sign == CSL_TOKEN_END) {
        return target;
    }
    csl_parser_advance(self);
    value = csl_parse_expression(self);
    if (value == NULL) {
        return NULL;
    }
    node = csl_parser_pair(self, CSL_ASSIGN, token.offset, target, value);
    if (node != NULL) {
        node->token = sim_u8(sign);
    }
    return node;
}

static CslNode *parse_while(CslParser *self, uint32_t offset)
{
    CslNode *node = csl_parser_node(self, CSL_WHILE, offset);
    const guint mark = csl_parser_mark(self);
    CslNode *condition;
    CslNode *step = NULL;
    CslNode *body;

    csl_parser_advance(self);
    condition = parse_condition(self, "after 'while'");
    if (condition == NULL) {
        return NULL;
    }
    if (csl_parser_accept(self, CSL_TOKEN_COLON)) {
        if (csl_parser_expect(self, CSL_TOKEN_OPEN_PAREN, "after ':'")) {
            step = parse_assignment(self);
        }
        if (step == NULL ||
            !csl_parser_expect(self, CSL_TOKEN_CLOSE_PAREN, "after the step")) {
            return NULL;
        }
    }
    body = parse_body(self);
    csl_parser_push(self, condition);
    csl_parser_push(self, body);
    csl_parser_push(self, step);
    return body == NULL ? NULL : csl_parser_close(self, node, mark);
}

static CslNode *parse_capture(CslParser *self)
{
    CslNode *node = csl_parser_node(self, CSL_NAME, self->token.offset);

    node->name = csl_parser_take_name(self, "the name of a capture");
    return node->name == NULL ? NULL : node;
}

static CslNode *parse_for(CslParser *self, uint32_t offset)
{
    CslNode *node = csl_parser_node(self, CSL_FOR, offset);
    const guint mark = csl_parser_mark(self);
    CslNode *iterable;
    CslNode *element;
    CslNode *index = NULL;
    CslNode *body;

    csl_parser_advance(self);
    iterable = parse_condition(self, "after 'for'");
    if (iterable == NULL ||
        !csl_parser_expect(self, CSL_TOKEN_BAR, "before the capture of 'for'")) {
        return NULL;
    }
    element = parse_capture(self);
    if (element != NULL && csl_parser_accept(self, CSL_TOKEN_COMMA)) {
        index = parse_capture(self);
        element = index == NULL ? NULL : element;
    }
    if (element == NULL ||
        !csl_parser_expect(self, CSL_TOKEN_BAR, "after the capture of 'for'")) {
        return NULL;
    }
    body = parse_body(self);
    csl_parser_push(self, iterable);
    csl_parser_push(self, body);
    csl_parser_push(self, element);
    csl_parser_push(self, index);
    return body == NULL ? NULL : csl_parser_close(self, node, mark);
}

static CslNode *parse_loop(CslParser *self)
{
    const uint32_t offset = self->token.offset;
    const bool is_inline = csl_parser_accept(self, CSL_TOKEN_INLINE);
    CslNode *node;

    if (self->token.kind == CSL_TOKEN_FOR) {
        node = parse_for(self, offset);
    } else if (self->token.kind == CSL_TOKEN_WHILE) {
        node = parse_while(self, offset);
    } else {
        return csl_parser_refuse(self, "'for' or 'while'");
    }
    if (node != NULL && is_inline) {
        node->flags |= CSL_IS_INLINE;
    }
    return node;
}

static CslNode *parse_labelled(CslParser *self)
{
    const char *label = csl_parser_take_text(self);
    CslNode *node;

    csl_parser_advance(self);
    node = self->token.kind == CSL_TOKEN_OPEN_BRACE ? csl_parse_block(self)
                                                    : parse_loop(self);
    if (node != NULL) {
        node->name = label;
    }
    return node;
}

/* return, break, continue, without a semicolon. */
static CslNode *parse_jump(CslParser *self)
{
    const CslTokenKind kind = self->token.kind;
    CslNode *node = csl_parser_node(self, CSL_CONTINUE, self->token.offset);
    const guint mark = csl_parser_mark(self);
    CslNode *value = NULL;

    csl_parser_advance(self);
    if (kind == CSL_TOKEN_CONTINUE) {
        return csl_parser_close(self, node, mark);
    }
    node->kind = kind == CSL_TOKEN_RETURN ? CSL_RETURN : CSL_BREAK;
    if (kind == CSL_TOKEN_BREAK && csl_parser_accept(self, CSL_TOKEN_COLON)) {
        node->name = csl_parser_take_name(self, "a label after ':'");
        if (node->name == NULL) {
            return NULL;
        }
    }
    if (self->token.kind != CSL_TOKEN_SEMICOLON &&
        self->token.kind != CSL_TOKEN_COMMA &&
        self->token.kind != CSL_TOKEN_CLOSE_BRACE) {
        value = csl_parse_expression(self);
        if (value == NULL) {
            return NULL;
        }
        csl_parser_push(self, value);
    }
    return csl_parser_close(self, node, mark);
}

/* A statement that a semicolon ends, without it. */
static CslNode *parse_short(CslParser *self)
{
    return self->token.kind == CSL_TOKEN_RETURN ||
                   self->token.kind == CSL_TOKEN_BREAK ||
                   self->token.kind == CSL_TOKEN_CONTINUE
               ? parse_jump(self)
               : parse_assignment(self);
}

static CslNode *parse_arm(CslParser *self)
{
    CslNode *node = csl_parser_node(self, CSL_ARM, self->token.offset);
    const guint mark = csl_parser_mark(self);
    CslNode *body;

    csl_parser_push(self, NULL);
    if (!csl_parser_accept(self, CSL_TOKEN_ELSE)) {
        do {
            CslNode *pattern = csl_parse_expression(self);

            if (pattern == NULL) {
                return NULL;
            }
            csl_parser_push(self, pattern);
        } while (csl_parser_accept(self, CSL_TOKEN_COMMA) &&
                 self->token.kind != CSL_TOKEN_ARM);
    }
    if (!csl_parser_expect(self, CSL_TOKEN_ARM, "after what an arm is for")) {
        return NULL;
    }
    body = parse_short(self);
    self->pending->pdata[mark] = body;
    return body == NULL ? NULL : csl_parser_close(self, node, mark);
}

CslNode *csl_parse_switch(CslParser *self)
{
    CslNode *node = csl_parser_node(self, CSL_SWITCH, self->token.offset);
    const guint mark = csl_parser_mark(self);
    const bool had_braces = self->has_braces;
    CslNode *subject;
    bool is_well;

    csl_parser_advance(self);
    self->has_braces = true;
    subject = parse_condition(self, "after 'switch'");
    csl_parser_push(self, subject);
    is_well = subject != NULL &&
              csl_parser_expect(self, CSL_TOKEN_OPEN_BRACE, "before the arms") &&
              csl_parse_list(self, parse_arm, CSL_TOKEN_CLOSE_BRACE,
                             "or ',' after an arm of 'switch'");
    self->has_braces = had_braces;
    return is_well ? csl_parser_close(self, node, mark) : NULL;
}

/* A statement that a block ends, or NULL and false if this begins none. */
static bool parse_long(CslParser *self, CslNode **node)
{
    /* Others begin an expression. */
    switch (+self->token.kind) {
    case CSL_TOKEN_OPEN_BRACE:
        *node = csl_parse_block(self);
        return true;
    case CSL_TOKEN_IF:
        *node = parse_if(self);
        return true;
    case CSL_TOKEN_SWITCH:
        *node = csl_parse_switch(self);
        return true;
    case CSL_TOKEN_FOR:
    case CSL_TOKEN_WHILE:
    case CSL_TOKEN_INLINE:
        *node = parse_loop(self);
        return true;
    case CSL_TOKEN_NAME:
        if (self->next.kind != CSL_TOKEN_COLON) {
            return false;
        }
        *node = parse_labelled(self);
        return true;
    case CSL_TOKEN_COMPTIME:
        if (self->next.kind != CSL_TOKEN_OPEN_BRACE) {
            return false;
        }
        *node = csl_parse_comptime_block(self);
        return true;
    default:
        return false;
    }
}

CslNode *csl_parse_comptime_block(CslParser *self)
{
    const uint32_t offset = self->token.offset;
    CslNode *block;

    csl_parser_advance(self);
    block = csl_parse_block(self);
    return block == NULL
               ? NULL
               : csl_parser_pair(self, CSL_COMPTIME_BLOCK, offset, block, NULL);
}

static CslNode *parse_entered(CslParser *self)
{
    CslNode *node = NULL;

    if (self->token.kind == CSL_TOKEN_VAR || self->token.kind == CSL_TOKEN_CONST) {
        return csl_parse_variable(self, 0);
    }
    if (self->token.kind == CSL_TOKEN_COMPTIME &&
        (self->next.kind == CSL_TOKEN_VAR || self->next.kind == CSL_TOKEN_CONST)) {
        csl_parser_advance(self);
        return csl_parse_variable(self, CSL_IS_COMPTIME);
    }
    if (parse_long(self, &node)) {
        return node;
    }
    node = parse_short(self);
    /* A body before else needs no semicolon. */
    if (node == NULL || self->token.kind == CSL_TOKEN_ELSE) {
        return node;
    }
    return csl_parser_expect(self, CSL_TOKEN_SEMICOLON, "after the statement") ? node
                                                                               : NULL;
}

static CslNode *parse_statement(CslParser *self)
{
    CslNode *node;

    if (!csl_parser_enter(self)) {
        return NULL;
    }
    node = parse_entered(self);
    csl_parser_leave(self);
    return node;
}
