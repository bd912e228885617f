/* The keywords of schemas that are known. */
#pragma once

#include <stdbool.h>

#include <json-glib/json-glib.h>

typedef enum {
    TRACE_KEYWORD_TEXT,    /* words for people: title, description */
    TRACE_KEYWORD_NUMBER,  /* minimum */
    TRACE_KEYWORD_COUNT,   /* minItems */
    TRACE_KEYWORD_VALUE,   /* const */
    TRACE_KEYWORD_VALUES,  /* enum */
    TRACE_KEYWORD_NAMES,   /* required */
    TRACE_KEYWORD_TYPES,   /* type: a name, or a list of names */
    TRACE_KEYWORD_REF,     /* $ref */
    TRACE_KEYWORD_SCHEMA,  /* items; true and false are schemas, too */
    TRACE_KEYWORD_LIST,    /* anyOf: a list of schemas */
    TRACE_KEYWORD_MEMBERS, /* properties: schemas by name */
} TraceKeywordKind;

/* False: there is no such keyword. */
bool trace_keyword_find(const char *name, TraceKeywordKind *kind);

/* Whether an operand has the form of its kind, apart from schemas inside. */
bool trace_keyword_takes(TraceKeywordKind kind, JsonNode *operand);

/* Whether a value has the type of this name; whole numbers are integers, also 2.0. */
bool trace_keyword_is_type(const char *type, JsonNode *value);

/* Whether it is one of the types; `list` is an operand of the keyword. */
bool trace_keyword_is_of(JsonNode *list, JsonNode *value);

/* "a number or null"; the caller frees it. */
char *trace_keyword_types_text(JsonNode *list);

/* "#/$defs/NAME" is NAME; NULL: another form. */
const char *trace_keyword_ref_name(JsonNode *operand);
