/* Finds known texts and rows. */
#include "traces/report/page/table.h"

#include <stdbool.h>

void trace_report_table_init(TraceReportTable *self)
{
    self->indices = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    self->rows = json_array_new();
}

void trace_report_table_clear(TraceReportTable *self)
{
    g_clear_pointer(&self->indices, g_hash_table_unref);
    g_clear_pointer(&self->rows, json_array_unref);
}

static bool find(const TraceReportTable *self, const char *key, guint *index)
{
    gpointer value;
    const bool is_there =
        g_hash_table_lookup_extended(self->indices, key, NULL, &value);

    *index = is_there ? GPOINTER_TO_UINT(value) : json_array_get_length(self->rows);
    return is_there;
}

guint trace_report_table_text(TraceReportTable *self, const char *text)
{
    guint index;

    text = text != NULL ? text : "";
    if (!find(self, text, &index)) {
        g_autofree char *valid = g_utf8_make_valid(text, -1);

        g_hash_table_insert(self->indices, g_strdup(text), GUINT_TO_POINTER(index));
        json_array_add_string_element(self->rows, valid);
    }
    return index;
}

guint trace_report_table_row(TraceReportTable *self, const gint64 *numbers, guint count)
{
    g_autoptr(GString) key = g_string_new(NULL);
    guint index;

    for (guint i = 0; i < count; i++) {
        g_string_append_printf(key, "%" G_GINT64_FORMAT " ", numbers[i]);
    }
    if (!find(self, key->str, &index)) {
        JsonArray *row = json_array_sized_new(count);

        for (guint i = 0; i < count; i++) {
            json_array_add_int_element(row, numbers[i]);
        }
        g_hash_table_insert(self->indices, g_strdup(key->str), GUINT_TO_POINTER(index));
        json_array_add_array_element(self->rows, row);
    }
    return index;
}

#define MORE 0x80U

void trace_report_bytes_add(GByteArray *self, uint64_t value)
{
    guint8 bytes[10];
    guint count = 0;

    while (value >= MORE) {
        bytes[count++] = (guint8) ((value & (MORE - 1)) | MORE);
        value >>= 7;
    }
    bytes[count++] = (guint8) value;
    g_byte_array_append(self, bytes, count);
}

void trace_report_bytes_add_signed(GByteArray *self, int64_t value)
{
    const uint64_t twice = (uint64_t) value << 1;

    trace_report_bytes_add(self, value < 0 ? ~twice : twice);
}

char *trace_report_bytes_text(const GByteArray *self)
{
    return g_base64_encode(self->data, self->len);
}
