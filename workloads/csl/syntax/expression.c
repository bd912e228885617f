/* Parses expressions: operators by precedence, and what takes all that follows. */
#include "sim/narrow.h"
#include "workloads/csl/syntax/parser_state.h"

enum {
    NOT_BINARY,
    OR,
    AND,
    COMPARISON, /* does not chain */
    BITS,
    SHIFT,
    SUM,
    PRODUCT,
};

static int precedence(CslTokenKind kind)
{
    /* Other tokens are no operators. */
    switch (+kind) {
    case CSL_TOKEN_OR:
        return OR;
    case CSL_TOKEN_AND:
        return AND;
    case CSL_TOKEN_EQUAL:
    case CSL_TOKEN_UNEQUAL:
    case CSL_TOKEN_LESS:
    case CSL_TOKEN_GREATER:
    case CSL_TOKEN_LESS_EQUAL:
    case CSL_TOKEN_GREATER_EQUAL:
        return COMPARISON;
    case CSL_TOKEN_AMPERSAND:
    case CSL_TOKEN_BAR:
    case CSL_TOKEN_CARET:
        return BITS;
    case CSL_TOKEN_SHIFT_LEFT:
    case CSL_TOKEN_SHIFT_RIGHT:
        return SHIFT;
    case CSL_TOKEN_PLUS:
    case CSL_TOKEN_MINUS:
        return SUM;
    case CSL_TOKEN_STAR:
    case CSL_TOKEN_SLASH:
    case CSL_TOKEN_PERCENT:
        return PRODUCT;
    default:
        return NOT_BINARY;
    }
}

static CslNode *parse_if(CslParser *self)
{
    CslNode *node = csl_parser_node(self, CSL_IF, self->token.offset);
    const guint mark = csl_parser_mark(self);
    const bool had_braces = self->has_braces;
    CslNode *part = NULL;

    csl_parser_advance(self);
    self->has_braces = true;
    if (csl_parser_expect(self, CSL_TOKEN_OPEN_PAREN, "after 'if'")) {
        part = csl_parse_expression(self);
    }
    self->has_braces = had_braces;
    if (part == NULL ||
        !csl_parser_expect(self, CSL_TOKEN_CLOSE_PAREN, "after the condition")) {
        return NULL;
    }
    csl_parser_push(self, part);
    part = csl_parse_expression(self);
    csl_parser_push(self, part);
    if (part != NULL && csl_parser_accept(self, CSL_TOKEN_ELSE)) {
        part = csl_parse_expression(self);
        csl_parser_push(self, part);
    }
    return part == NULL ? NULL : csl_parser_close(self, node, mark);
}

static CslNode *parse_captured(CslParser *self)
{
    CslNode *node = csl_parser_node(self, CSL_NAME, self->token.offset);

    node->name = csl_parser_take_name(self, "the name of an access variable");
    return node->name == NULL ? NULL : node;
}

static CslNode *parse_extents(CslParser *self)
{
    CslNode *node = csl_parser_node(self, CSL_LIST, self->token.offset);
    const guint mark = csl_parser_mark(self);

    if (!csl_parser_expect(self, CSL_TOKEN_OPEN_BRACE, "before the extents") ||
        !csl_parse_list(self, csl_parse_expression, CSL_TOKEN_CLOSE_BRACE,
                        "or ',' after an extent")) {
        return NULL;
    }
    return csl_parser_close(self, node, mark);
}

/* |i, j|{n, m} -> a[i, j] */
static CslNode *parse_access(CslParser *self)
{
    CslNode *node = csl_parser_node(self, CSL_ACCESS, self->token.offset);
    const guint mark = csl_parser_mark(self);
    const bool had_braces = self->has_braces;
    bool is_well;

    csl_parser_advance(self);
    csl_parser_push(self, NULL);
    csl_parser_push(self, NULL);
    self->has_braces = true;
    is_well = csl_parse_list(self, parse_captured, CSL_TOKEN_BAR,
                             "or ',' after an access variable");
    if (is_well) {
        CslNode *extents = parse_extents(self);

        self->pending->pdata[mark + 1] = extents;
        is_well = extents != NULL &&
                  csl_parser_expect(self, CSL_TOKEN_ARROW, "after the extents");
    }
    if (is_well) {
        CslNode *target = csl_parse_postfix(self);

        self->pending->pdata[mark] = target;
        is_well = target != NULL;
    }
    self->has_braces = had_braces;
    return is_well ? csl_parser_close(self, node, mark) : NULL;
}

static CslNode *parse_comptime(CslParser *self)
{
    const uint32_t offset = self->token.offset;
    CslNode *inner;

    csl_parser_advance(self);
    inner = csl_parse_expression(self);
    return inner == NULL ? NULL
                         : csl_parser_pair(self, CSL_COMPTIME, offset, inner, NULL);
}

static CslNode *parse_labelled(CslParser *self)
{
    const char *label = csl_parser_take_text(self);
    CslNode *block;

    csl_parser_advance(self);
    block = csl_parse_block(self);
    if (block != NULL) {
        block->name = label;
    }
    return block;
}

static CslNode *parse_unary(CslParser *self)
{
    CslNode *operand;
    CslNode *node;

    /* Others begin an operand. */
    switch (+self->token.kind) {
    case CSL_TOKEN_IF:
        return parse_if(self);
    case CSL_TOKEN_SWITCH:
        return csl_parse_switch(self);
    case CSL_TOKEN_COMPTIME:
        return parse_comptime(self);
    case CSL_TOKEN_BAR:
        return parse_access(self);
    case CSL_TOKEN_OPEN_BRACE:
        return csl_parse_block(self);
    case CSL_TOKEN_NAME:
        return self->next.kind == CSL_TOKEN_COLON ? parse_labelled(self)
                                                  : csl_parse_postfix(self);
    case CSL_TOKEN_MINUS:
    case CSL_TOKEN_EXCLAMATION:
    case CSL_TOKEN_TILDE:
    case CSL_TOKEN_AMPERSAND:
        break;
    default:
        return csl_parse_postfix(self);
    }
    if (!csl_parser_enter(self)) {
        return NULL;
    }
    const CslToken token = self->token;

    csl_parser_advance(self);
    operand = parse_unary(self);
    csl_parser_leave(self);
    if (operand == NULL) {
        return NULL;
    }
    node = csl_parser_pair(self, CSL_UNARY, token.offset, operand, NULL);
    if (node != NULL) {
        node->token = sim_u8(token.kind);
    }
    return node;
}

static CslNode *parse_binary(CslParser *self, int least)
{
    CslNode *left = parse_unary(self);

    while (left != NULL) {
        const CslToken token = self->token;
        const int level = precedence(token.kind);
        CslNode *right;

        if (level == NOT_BINARY || level < least) {
            break;
        }
        csl_parser_advance(self);
        right = parse_binary(self, level + 1);
        if (right == NULL) {
            return NULL;
        }
        left = csl_parser_pair(self, CSL_BINARY, token.offset, left, right);
        if (left != NULL) {
            left->token = sim_u8(token.kind);
        }
        if (level == COMPARISON && precedence(self->token.kind) == COMPARISON) {
            (void) csl_parser_refuse(self, "one comparison at a time");
            csl_report_hint(self->to, "join comparisons with 'and': a < b and b < c");
            return NULL;
        }
    }
    return left;
}

CslNode *csl_parse_expression(CslParser *self)
{
    CslNode *node;

    if (!csl_parser_enter(self)) {
        return NULL;
    }
    node = parse_binary(self, OR);
    csl_parser_leave(self);
    return node;
}

CslNode *csl_parse_type(CslParser *self)
{
    const bool had_braces = self->has_braces;
    CslNode *node;

    self->has_braces = false;
    node = csl_parse_expression(self);
    self->has_braces = had_braces;
    return node;
}
