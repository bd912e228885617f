/* JSON objects as lists of named values. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

typedef enum {
    RECORD_VALUE_REAL,
    RECORD_VALUE_WHOLE,
    RECORD_VALUE_BOOL,
    RECORD_VALUE_TEXT,
    RECORD_VALUE_OBJECT,
    RECORD_VALUE_ARRAY,
    RECORD_VALUE_END,
} RecordValueKind;

/* A member of an object. Texts are borrowed; objects and arrays are taken. */
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

/* VALUE("name", x) picks the constructor by the type of x. A comparison is an int in C:
 * cast it, or a gboolean, to bool to get a boolean. */
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

/* A list of VALUE() in the order of the members, with the mark that ends it. */
#define VALUES(...) ((const RecordValue[]){__VA_ARGS__, {.kind = RECORD_VALUE_END}})

void record_add_values(JsonObject *object, const RecordValue *values);
JsonObject *record_json(const RecordValue *values);

/* Makes an object from VALUE()s, and adds VALUE()s to an object. */
#define RECORD(...)             record_json(VALUES(__VA_ARGS__))
#define RECORD_ADD(object, ...) record_add_values(object, VALUES(__VA_ARGS__))

/* An array of `to_json` of each item, of whole numbers below 2^63, of numbers that lie
 * `stride` apart, and of texts. */
typedef JsonObject *(*RecordFunc)(gconstpointer item, gconstpointer context);
JsonArray *record_list(const GArray *items, RecordFunc to_json, gconstpointer context);
JsonArray *record_counts(const uint64_t *counts, guint count);
JsonArray *record_reals(const double *reals, guint count, gsize stride);
JsonArray *record_texts(const char *const *texts, guint count);
