/* Packs numbers into bytes. */
#include "traces/report/page/bytes.h"

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
