/* Prints parts of tiles in the L1. */
#include "arch/tensix/riscv/print_tile.h"

#include <string.h>

#include "arch/tensix/core.h"

enum {
    SIDE = 32,
    FACE_SIDE = 16,
    FACE = 256,
};

/* struct TileSlice of the device's headers. */
typedef struct {
    uint32_t address;
    uint32_t format; /* tt-metal's number */
    guint8 row;
    guint8 row_end;
    guint8 row_step;
    guint8 column;
    guint8 column_end;
    guint8 column_step;
    guint8 has_lines;
    guint8 has_faces;
} Slice;

/* Bytes of an element; 0: formats with shared exponents. */
static guint bytes_of(uint32_t format)
{
    switch (format) {
    case 0:  /* Float32 */
    case 8:  /* Int32 */
    case 24: /* UInt32 */
        return 4;
    case 5: /* Float16_b */
    case 9: /* UInt16 */
        return 2;
    case 14: /* Int8 */
    case 30: /* UInt8 */
        return 1;
    default:
        return 0;
    }
}

static void add_real(GString *to, uint32_t bits)
{
    char letters[G_ASCII_DTOSTR_BUF_SIZE];
    float number;

    memcpy(&number, &bits, sizeof number);
    g_string_append(to,
                    g_ascii_formatd(letters, sizeof letters, "%.6g", (double) number));
}

static void add_element(GString *to, uint32_t format, uint32_t bits)
{
    gint32 integer;

    if (format == 0 || format == 5) {
        add_real(to, format == 5 ? bits << 16 : bits);
    } else if (format == 8) {
        memcpy(&integer, &bits, sizeof integer);
        g_string_append_printf(to, "%d", integer);
    } else {
        g_string_append_printf(to, "%u", bits);
    }
}

static guint place_of(const Slice *slice, guint row, guint column)
{
    return slice->has_faces == 0 ? row * SIDE + column
                                 : (row / FACE_SIDE * 2 + column / FACE_SIDE) * FACE +
                                       row % FACE_SIDE * FACE_SIDE + column % FACE_SIDE;
}

bool riscv_print_tile(const RiscvKernel *self,
                      ArchTensixCore *core,
                      uint32_t address,
                      GString *to,
                      GError **error)
{
    const guint8 *bytes = riscv_kernel_bytes(self, address, sizeof(Slice), error);
    Slice slice;

    if (bytes == NULL) {
        return false;
    }
    memcpy(&slice, bytes, sizeof slice);
    const guint size = bytes_of(slice.format);

    for (guint y = slice.row; size > 0 && y < MIN(slice.row_end, SIDE);
         y += MAX(slice.row_step, 1)) {
        for (guint x = slice.column; x < MIN(slice.column_end, SIDE);
             x += MAX(slice.column_step, 1)) {
            uint32_t bits = 0;

            if (!arch_tensix_read(core, slice.address + place_of(&slice, y, x) * size,
                                  &bits, size, error)) {
                return false;
            }
            add_element(to, slice.format, bits);
            g_string_append_c(to, ' ');
        }
        if (slice.has_lines != 0) {
            g_string_append_c(to, '\n');
        }
    }
    return true;
}
