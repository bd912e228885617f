/* How a struct becomes a row: of JSON, of a table for people. One table of fields says
 * it for both; a list of values says it of what is no struct. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/grid.h"

typedef enum {
    RECORD_REAL,
    RECORD_COUNT, /* uint64_t, below 2^63 */
    RECORD_WHOLE, /* guint */
    RECORD_INT,
    RECORD_BOOL,
    RECORD_TEXT, /* of any bytes; NULL is null */
} RecordKind;

/* A field is a member of the struct, or what one of the functions makes of it; they may
 * be NULL. */
typedef struct {
    const char *name;    /* of the JSON member; NULL: not there */
    const char *heading; /* of the column for people; NULL: not shown to them */
    const char *format;  /* of a real for people; NULL is %.6g */
    RecordKind kind;
    gsize offset;
    char *(*text)(gconstpointer record); /* the caller frees it; NULL: there is none */
    JsonNode *(*node)(gconstpointer record); /* of JSON alone: a list, an object */
    char *(*words)(gconstpointer record);    /* for people, in place of all others */
    bool (*has)(gconstpointer record);       /* where not: null, "-" for people */
} RecordField;

/* .kind and .offset of a member, for tables of fields. */
#define RECORD_MEMBER(type, member)                                                    \
    .kind = _Generic(((type *) NULL)->member, double                                   \
                     : RECORD_REAL, uint64_t                                           \
                     : RECORD_COUNT, guint                                             \
                     : RECORD_WHOLE, int                                               \
                     : RECORD_INT, bool                                                \
                     : RECORD_BOOL, char *                                             \
                     : RECORD_TEXT, const char *                                       \
                     : RECORD_TEXT),                                                   \
    .offset = offsetof(type, member)

typedef struct {
    const RecordField *fields;
    gsize count;
} RecordTable;

#define RECORD_TABLE(fields)                                                           \
    {                                                                                  \
        (fields), G_N_ELEMENTS(fields)                                                 \
    }

/* Sets the members of `object`, in the order of the table. */
void record_set(const RecordTable *self, gconstpointer record, JsonObject *object);

/* The same as an object of its own. */
JsonObject *record_to_json(const RecordTable *self, gconstpointer record);

/* For `node`; takes what it is given. */
JsonNode *record_array(JsonArray *array);
JsonNode *record_object(JsonObject *object);

/* A table for people with as many columns as fields have headings, and its first line.
 */
Grid *record_grid_new(const RecordTable *self);
void record_add_to_grid(const RecordTable *self, gconstpointer record, Grid *grid);

typedef enum {
    RECORD_VALUE_REAL,
    RECORD_VALUE_WHOLE,
    RECORD_VALUE_BOOL,
    RECORD_VALUE_TEXT,
    RECORD_VALUE_OBJECT,
    RECORD_VALUE_ARRAY,
    RECORD_VALUE_END,
} RecordValueKind;

/* A member of an object: text is borrowed, objects and arrays are taken. */
typedef struct {
    const char *name;
    RecordValueKind kind;
    union {
        double real;
        gint64 whole;
        const char *text;
        JsonObject *object;
        JsonArray *array;
    };
} RecordValue;

RecordValue record_real(const char *name, double real);
RecordValue record_whole(const char *name, gint64 whole);
RecordValue record_count(const char *name, uint64_t count); /* below 2^63 */
RecordValue record_bool(const char *name, bool is_true);
RecordValue record_text(const char *name, const char *text);
RecordValue record_value_object(const char *name,
                                JsonObject *object); /* NULL is null */
RecordValue record_value_array(const char *name, JsonArray *array);

/* VALUE("name", x): which of them the type of x says. What compares is an int in C:
 * (bool) (a < b) is a truth, and so is (bool) of a gboolean. */
#define VALUE(name, value)                                                             \
    _Generic((value), double                                                           \
             : record_real, int                                                        \
             : record_whole, guint                                                     \
             : record_count, gint64                                                    \
             : record_whole, uint64_t                                                  \
             : record_count, bool                                                      \
             : record_bool, char *                                                     \
             : record_text, const char *                                               \
             : record_text, JsonObject *                                               \
             : record_value_object, JsonArray *                                              \
             : record_value_array)(name, value)

/* A list of VALUE(), in the order of members. */
#define VALUES(...) ((const RecordValue[]){__VA_ARGS__, {.kind = RECORD_VALUE_END}})

void record_add_values(JsonObject *object, const RecordValue *values);
JsonObject *record_json(const RecordValue *values);

/* An object of VALUE()s, and one that gets them. */
#define RECORD(...)             record_json(VALUES(__VA_ARGS__))
#define RECORD_ADD(object, ...) record_add_values(object, VALUES(__VA_ARGS__))

/* An array of what `to_json` makes of each item, one of whole numbers below 2^63, and
 * one of texts. */
typedef JsonObject *(*RecordFunc)(gconstpointer item, gconstpointer context);
JsonArray *record_list(const GArray *items, RecordFunc to_json, gconstpointer context);
JsonArray *record_counts(const uint64_t *counts, guint count);
JsonArray *record_texts(const char *const *texts, guint count);
