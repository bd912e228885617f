/* Parses what operators join: literals, names, calls, aggregates, types. */
#include "sim/narrow.h"
#include "workloads/csl/syntax/literal.h"
#include "workloads/csl/syntax/parser_state.h"

static CslNode *finish(CslParser *self, CslNode *node, guint mark, bool is_well)
{
    return is_well ? csl_parser_close(self, node, mark) : NULL;
}

static CslNode *parse_integer(CslParser *self)
{
    const char *spelling = csl_source_text(self->lexer.source) + self->token.offset;
    CslInteger *value = CSL_ARENA_ARRAY(self->tree->arena, CslInteger, 1);
    CslNode *node = csl_parser_node(self, CSL_INTEGER, self->token.offset);

    if (!csl_literal_integer(spelling, self->token.length, value)) {
        return csl_parser_refuse(self, "an integer of at most 127 bits");
    }
    node->integer = value;
    csl_parser_advance(self);
    return node;
}

static CslNode *parse_character(CslParser *self)
{
    const char *spelling = csl_source_text(self->lexer.source) + self->token.offset;
    const CslText *text =
        csl_literal_text(self->tree->arena, spelling, self->token.length);
    CslInteger *value = CSL_ARENA_ARRAY(self->tree->arena, CslInteger, 1);
    CslNode *node = csl_parser_node(self, CSL_INTEGER, self->token.offset);

    if (text->length != 1) {
        return csl_parser_refuse(self, "one character between quotes");
    }
    *value = (guchar) text->bytes[0];
    node->integer = value;
    csl_parser_advance(self);
    return node;
}

static CslNode *parse_literal(CslParser *self)
{
    const char *spelling = csl_source_text(self->lexer.source) + self->token.offset;
    const uint32_t length = self->token.length;
    CslNode *node = csl_parser_node(self, CSL_BOOL, self->token.offset);

    if (self->token.kind == CSL_TOKEN_REAL) {
        node->kind = CSL_REAL;
        node->real = csl_literal_real(spelling, length);
    } else if (self->token.kind == CSL_TOKEN_STRING) {
        node->kind = CSL_STRING;
        node->text = csl_literal_text(self->tree->arena, spelling, length);
    } else {
        node->token = sim_u8(self->token.kind);
    }
    csl_parser_advance(self);
    return node;
}

/* After the function or builtin: ( arguments ). */
static CslNode *parse_arguments(CslParser *self, CslNode *node, guint mark)
{
    const bool had_braces = self->has_braces;
    bool is_well;

    self->has_braces = true;
    is_well = csl_parser_expect(self, CSL_TOKEN_OPEN_PAREN, "before the arguments") &&
              csl_parse_list(self, csl_parse_expression, CSL_TOKEN_CLOSE_PAREN,
                             "or ',' after an argument");
    self->has_braces = had_braces;
    return finish(self, node, mark, is_well);
}

static CslNode *parse_item(CslParser *self)
{
    CslNode *node = csl_parser_node(self, CSL_ITEM, self->next.offset);
    const guint mark = csl_parser_mark(self);
    CslNode *value;

    if (self->token.kind != CSL_TOKEN_DOT) {
        return csl_parser_refuse(self, "'.' and the name of a field");
    }
    csl_parser_advance(self);
    if (self->token.kind != CSL_TOKEN_NAME && !csl_token_is_keyword(self->token.kind)) {
        return csl_parser_refuse(self, "the name of a field after '.'");
    }
    node->name = csl_parser_take_text(self);
    if (!csl_parser_expect(self, CSL_TOKEN_ASSIGN, "after the name of a field")) {
        return NULL;
    }
    value = csl_parse_expression(self);
    csl_parser_push(self, value);
    return finish(self, node, mark, value != NULL);
}

/* { items } behind `type`, which is NULL behind a dot. */
static CslNode *parse_aggregate(CslParser *self, CslNode *type, uint32_t offset)
{
    CslNode *node = csl_parser_node(self, CSL_AGGREGATE, offset);
    const guint mark = csl_parser_mark(self);
    const bool had_braces = self->has_braces;
    bool is_named;
    bool is_well;

    csl_parser_advance(self);
    is_named =
        self->token.kind == CSL_TOKEN_DOT &&
        (self->next.kind == CSL_TOKEN_NAME || csl_token_is_keyword(self->next.kind));
    node->flags = is_named ? CSL_IS_NAMED : 0;
    csl_parser_push(self, type);
    self->has_braces = true;
    is_well = csl_parse_list(self, is_named ? parse_item : csl_parse_expression,
                             CSL_TOKEN_CLOSE_BRACE, "or ',' after an item");
    self->has_braces = had_braces;
    return finish(self, node, mark, is_well);
}

/* What a pointer points to, or an element: a type without its aggregate. */
static CslNode *parse_target(CslParser *self)
{
    const bool had_braces = self->has_braces;
    CslNode *target;

    self->has_braces = false;
    target = csl_parse_postfix(self);
    self->has_braces = had_braces;
    return target;
}

static CslNode *parse_pointer(CslParser *self, uint32_t offset, guint flags)
{
    CslNode *node = csl_parser_node(self, CSL_POINTER_TYPE, offset);
    const guint mark = csl_parser_mark(self);
    CslNode *target;

    for (;;) {
        if (csl_parser_accept(self, CSL_TOKEN_CONST)) {
            flags |= CSL_IS_CONST;
        } else if (csl_parser_accept(self, CSL_TOKEN_VOLATILE)) {
            flags |= CSL_IS_VOLATILE;
        } else {
            break;
        }
    }
    node->flags = sim_u16(flags);
    target = parse_target(self);
    csl_parser_push(self, target);
    return finish(self, node, mark, target != NULL);
}

static CslNode *parse_bracket_type(CslParser *self)
{
    CslNode *node = csl_parser_node(self, CSL_ARRAY_TYPE, self->token.offset);
    const guint mark = csl_parser_mark(self);
    const bool had_braces = self->has_braces;
    CslNode *element;
    bool is_well;

    csl_parser_advance(self);
    if (self->token.kind == CSL_TOKEN_STAR &&
        self->next.kind == CSL_TOKEN_CLOSE_BRACKET) {
        csl_parser_advance(self);
        csl_parser_advance(self);
        return parse_pointer(self, node->offset, CSL_IS_MANY);
    }
    csl_parser_push(self, NULL);
    self->has_braces = true;
    is_well = csl_parse_list(self, csl_parse_expression, CSL_TOKEN_CLOSE_BRACKET,
                             "or ',' after an extent");
    self->has_braces = had_braces;
    if (!is_well) {
        return NULL;
    }
    element = parse_target(self);
    self->pending->pdata[mark] = element;
    is_well = element != NULL;
    if (is_well && self->pending->len == mark + 1) {
        csl_report(self->to, CSL_ERROR, (CslPlace){self->lexer.source, node->offset},
                   "expected an extent between '[' and ']'");
        return NULL;
    }
    return finish(self, node, mark, is_well);
}

/* A type, perhaps behind a name that says what it is for. */
static CslNode *parse_parameter_type(CslParser *self)
{
    if (self->token.kind == CSL_TOKEN_NAME && self->next.kind == CSL_TOKEN_COLON) {
        csl_parser_advance(self);
        csl_parser_advance(self);
    }
    return csl_parse_expression(self);
}

static CslNode *parse_function_type(CslParser *self)
{
    CslNode *node = csl_parser_node(self, CSL_FUNCTION_TYPE, self->token.offset);
    const guint mark = csl_parser_mark(self);
    const bool had_braces = self->has_braces;
    CslNode *result;
    bool is_well;

    node->token = sim_u8(self->token.kind);
    csl_parser_advance(self);
    csl_parser_push(self, NULL);
    self->has_braces = true;
    is_well = csl_parser_expect(self, CSL_TOKEN_OPEN_PAREN, "before parameter types") &&
              csl_parse_list(self, parse_parameter_type, CSL_TOKEN_CLOSE_PAREN,
                             "or ',' after a parameter type");
    self->has_braces = had_braces;
    if (!is_well) {
        return NULL;
    }
    result = parse_target(self);
    self->pending->pdata[mark] = result;
    return finish(self, node, mark, result != NULL);
}

static CslNode *parse_member(CslParser *self, CslNodeKind kind, CslTokenKind before)
{
    CslNode *node = csl_parser_node(self, kind, self->token.offset);
    const guint mark = csl_parser_mark(self);

    node->name = csl_parser_take_name(self, "the name of a member");
    if (node->name == NULL) {
        return NULL;
    }
    if (csl_parser_accept(self, before)) {
        CslNode *value = csl_parse_expression(self);

        if (value == NULL) {
            return NULL;
        }
        csl_parser_push(self, value);
    } else if (kind == CSL_STRUCT_MEMBER) {
        return csl_parser_refuse(self, "':' and the type of the member");
    }
    return csl_parser_close(self, node, mark);
}

static CslNode *parse_enum_member(CslParser *self)
{
    return parse_member(self, CSL_ENUM_MEMBER, CSL_TOKEN_ASSIGN);
}

static CslNode *parse_struct_member(CslParser *self)
{
    return parse_member(self, CSL_STRUCT_MEMBER, CSL_TOKEN_COLON);
}

static CslNode *parse_enum_or_struct(CslParser *self)
{
    const bool is_enum = self->token.kind == CSL_TOKEN_ENUM;
    CslNode *node =
        csl_parser_node(self, is_enum ? CSL_ENUM : CSL_STRUCT, self->token.offset);
    const guint mark = csl_parser_mark(self);

    csl_parser_advance(self);
    if (is_enum) {
        CslNode *type = NULL;

        if (csl_parser_expect(self, CSL_TOKEN_OPEN_PAREN,
                              "before the type of an enum")) {
            type = csl_parse_expression(self);
        }
        if (type == NULL || !csl_parser_expect(self, CSL_TOKEN_CLOSE_PAREN,
                                               "after the type of an enum")) {
            return NULL;
        }
        csl_parser_push(self, type);
    }
    return finish(self, node, mark,
                  csl_parser_expect(self, CSL_TOKEN_OPEN_BRACE, "before the members") &&
                      csl_parse_list(self,
                                     is_enum ? parse_enum_member : parse_struct_member,
                                     CSL_TOKEN_CLOSE_BRACE, "or ',' after a member"));
}

static CslNode *parse_group(CslParser *self)
{
    const bool had_braces = self->has_braces;
    CslNode *inner;

    csl_parser_advance(self);
    self->has_braces = true;
    inner = csl_parse_expression(self);
    self->has_braces = had_braces;
    if (inner == NULL ||
        !csl_parser_expect(self, CSL_TOKEN_CLOSE_PAREN, "after the expression")) {
        return NULL;
    }
    return inner;
}

static CslNode *parse_word(CslParser *self)
{
    const bool is_builtin = self->token.kind == CSL_TOKEN_BUILTIN;
    CslNode *node =
        csl_parser_node(self, is_builtin ? CSL_BUILTIN : CSL_NAME, self->token.offset);

    node->name = csl_parser_take_text(self);
    return is_builtin ? parse_arguments(self, node, csl_parser_mark(self)) : node;
}

CslNode *csl_parse_primary(CslParser *self)
{
    const uint32_t offset = self->token.offset;

    /* Other tokens begin no operand. */
    switch (+self->token.kind) {
    case CSL_TOKEN_INTEGER:
        return parse_integer(self);
    case CSL_TOKEN_CHARACTER:
        return parse_character(self);
    case CSL_TOKEN_REAL:
    case CSL_TOKEN_STRING:
    case CSL_TOKEN_TRUE:
    case CSL_TOKEN_FALSE:
        return parse_literal(self);
    case CSL_TOKEN_NAME:
    case CSL_TOKEN_BUILTIN:
        return parse_word(self);
    case CSL_TOKEN_OPEN_PAREN:
        return parse_group(self);
    case CSL_TOKEN_OPEN_BRACKET:
        return parse_bracket_type(self);
    case CSL_TOKEN_STAR:
        csl_parser_advance(self);
        return parse_pointer(self, offset, 0);
    case CSL_TOKEN_ENUM:
    case CSL_TOKEN_STRUCT:
        return parse_enum_or_struct(self);
    case CSL_TOKEN_FN:
    case CSL_TOKEN_TASK:
        return parse_function_type(self);
    case CSL_TOKEN_DOT:
        if (self->next.kind == CSL_TOKEN_OPEN_BRACE) {
            csl_parser_advance(self);
            return parse_aggregate(self, NULL, offset);
        }
        return csl_parser_refuse(self, "an expression");
    case CSL_TOKEN_ASM:
        csl_report(self->to, CSL_ERROR, (CslPlace){self->lexer.source, offset},
                   "'asm' is not simulated: instructions of PEs are not public");
        return NULL;
    default:
        return csl_parser_refuse(self, "an expression");
    }
}

static CslNode *parse_field(CslParser *self, CslNode *whole)
{
    CslNode *node;

    csl_parser_advance(self);
    if (self->token.kind == CSL_TOKEN_STAR) {
        const uint32_t offset = self->token.offset;

        csl_parser_advance(self);
        return csl_parser_pair(self, CSL_DEREFERENCE, offset, whole, NULL);
    }
    if (self->token.kind != CSL_TOKEN_NAME && !csl_token_is_keyword(self->token.kind)) {
        return csl_parser_refuse(self, "the name of a field or '*' after '.'");
    }
    node = csl_parser_pair(self, CSL_FIELD, self->token.offset, whole, NULL);
    if (node != NULL) {
        node->name = csl_parser_take_text(self);
    }
    return node;
}

static CslNode *parse_index(CslParser *self, CslNode *whole)
{
    CslNode *node = csl_parser_node(self, CSL_INDEX, self->token.offset);
    const guint mark = csl_parser_mark(self);
    const bool had_braces = self->has_braces;
    bool is_well;

    csl_parser_advance(self);
    csl_parser_push(self, whole);
    self->has_braces = true;
    is_well = csl_parse_list(self, csl_parse_expression, CSL_TOKEN_CLOSE_BRACKET,
                             "or ',' after an index");
    self->has_braces = had_braces;
    if (is_well && csl_parser_mark(self) == mark + 1) {
        csl_report(self->to, CSL_ERROR, (CslPlace){self->lexer.source, node->offset},
                   "expected an index between '[' and ']'");
        return NULL;
    }
    return finish(self, node, mark, is_well);
}

CslNode *csl_parse_postfix(CslParser *self)
{
    CslNode *node;

    if (!csl_parser_enter(self)) {
        return NULL;
    }
    node = csl_parse_primary(self);
    while (node != NULL) {
        if (self->token.kind == CSL_TOKEN_DOT) {
            node = parse_field(self, node);
        } else if (self->token.kind == CSL_TOKEN_OPEN_BRACKET) {
            node = parse_index(self, node);
        } else if (self->token.kind == CSL_TOKEN_OPEN_PAREN) {
            CslNode *call = csl_parser_node(self, CSL_CALL, node->offset);
            const guint mark = csl_parser_mark(self);

            csl_parser_push(self, node);
            node = parse_arguments(self, call, mark);
        } else if (self->token.kind == CSL_TOKEN_OPEN_BRACE && self->has_braces) {
            node = parse_aggregate(self, node, node->offset);
        } else {
            break;
        }
    }
    csl_parser_leave(self);
    return node;
}
