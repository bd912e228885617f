/* Files of NumPy: what is read and written, and what is refused with which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/workloads/folder.h"
#include "workloads/buffer/npy_file.h"
#include "workloads/error.h"

/* A file of version 1 with this dictionary and these numbers. */
static GByteArray *file_of(const char *header, const void *numbers, gsize bytes)
{
    GByteArray *file = g_byte_array_new();
    const guint8 front[] = {0x93,
                            'N',
                            'U',
                            'M',
                            'P',
                            'Y',
                            1,
                            0,
                            (guint8) (strlen(header) & 0xff),
                            (guint8) (strlen(header) >> 8)};

    g_byte_array_append(file, front, sizeof front);
    g_byte_array_append(file, (const guint8 *) header, (guint) strlen(header));
    if (bytes > 0) {
        g_byte_array_append(file, numbers, (guint) bytes);
    }
    return file;
}

#define HEADER(descr, shape)                                                           \
    "{'descr': '" descr "', 'fortran_order': False, 'shape': " shape ", }\n"

static bool read_file(const GByteArray *file, NpyArray *array, GError **error)
{
    uint64_t offset = 0;

    return npy_read(array, file->data, file->len, file->len, &offset, error);
}

static void
assert_reads(const char *header, gsize bytes, NpyType type, const char *shape)
{
    guint8 zeros[64] = {0};
    g_autoptr(GByteArray) file = file_of(header, zeros, bytes);
    g_autoptr(GError) error = NULL;
    NpyArray array;

    if (!read_file(file, &array, &error)) {
        fail_msg("%s: %s", header, error->message);
    }
    g_autofree char *text = npy_shape_text(array.shape, array.dimension_count);

    assert_int_equal(array.type, type);
    assert_string_equal(text, shape);
    assert_int_equal(array.count * npy_type_bytes(type), bytes);
}

static void assert_refused(const char *header, gsize bytes, const char *message)
{
    guint8 zeros[64] = {0};
    g_autoptr(GByteArray) file = file_of(header, zeros, bytes);
    g_autoptr(GError) error = NULL;
    NpyArray array;

    if (read_file(file, &array, &error)) {
        fail_msg("%s is taken", header);
    }
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_KEY));
    assert_string_equal(error->message, message);
}

static void types_and_shapes_are_read(void **state)
{
    (void) state;
    assert_reads(HEADER("<f4", "(2, 3)"), 24, NPY_FLOAT32, "(2, 3)");
    assert_reads(HEADER("<f2", "(2,)"), 4, NPY_FLOAT16, "(2,)");
    assert_reads(HEADER("<f8", "()"), 8, NPY_FLOAT64, "()");
    assert_reads(HEADER("<i4", "(1, 1, 1)"), 4, NPY_INT32, "(1, 1, 1)");
    assert_reads(HEADER("<i8", "(3,)"), 24, NPY_INT64, "(3,)");
    assert_reads(HEADER("<u2", "(3,)"), 6, NPY_UINT16, "(3,)");
    assert_reads(HEADER("<u4", "(0, 7)"), 0, NPY_UINT32, "(0, 7)");
    assert_reads("{\"shape\":(2,1,),\"descr\":\"<f4\",\"fortran_order\":False}", 8,
                 NPY_FLOAT32, "(2, 1)");
}

static void other_arrays_are_refused(void **state)
{
    (void) state;
    assert_refused(HEADER(">f4", "(2,)"), 8,
                   "numbers in byte order '>', expected little-endian ('<f4')");
    assert_refused("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", 16,
                   "an array in Fortran order, expected C order: save "
                   "numpy.ascontiguousarray(a)");
    assert_refused(HEADER("<c8", "(2,)"), 16,
                   "type '<c8', expected float16, float32, float64, int32, int64, "
                   "uint16 or uint32");
    assert_refused("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
                   4, "an array of records, expected one of numbers");
}

static void sizes_must_be_exact(void **state)
{
    (void) state;
    assert_refused(HEADER("<f4", "(3,)"), 8,
                   "truncated: float32 numbers of shape (3,) are more than the 8 bytes "
                   "after the header");
    assert_refused(HEADER("<f4", "(3,)"), 13,
                   "longer than its numbers: of shape (3,) they are 12 bytes, and 13 "
                   "follow the header");
    assert_refused(HEADER("<f4", "(4294967296, 4294967296, 4294967296)"), 8,
                   "a shape of more numbers than any file has");
    assert_refused(HEADER("<f4", "(1152921504606846976,)"), 8,
                   "truncated: float32 numbers of shape (1152921504606846976,) are "
                   "more than the 8 bytes after the header");
}

static void malformed_headers_are_refused(void **state)
{
    static const char *const headers[] = {
        "",
        "{}",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
        "{'other': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{descr: '<f4', 'fortran_order': False, 'shape': (1,)}",
        "[]",
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(headers); i++) {
        assert_refused(headers[i], 4, "a malformed header");
    }
    assert_refused(HEADER("<f4", "(1)"), 4, "a header with a malformed shape");
    assert_refused(HEADER("<f4", "(-1,)"), 4, "a header with a malformed shape");
    assert_refused(HEADER("<f4", "(1 2)"), 4, "a header with a malformed shape");
    assert_refused(HEADER("<f4", "(,)"), 4, "a header with a malformed shape");
    assert_refused(HEADER("<f4", "(99999999999999999999,)"), 4,
                   "a header with a malformed shape");
    assert_refused("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", 4,
                   "a header whose fortran_order is neither True nor False");
}

static void foreign_files_are_refused(void **state)
{
    static const struct {
        const char *bytes;
        gsize count;
        const char *message;
    } cases[] = {
        {"", 0, "an empty file"},
        {"0.5 1.5\n", 8, "not an .npy file"},
        {"\x93NUM", 4, "truncated: the header is not whole"},
        {"\x93NUMPY\x01\x00\xff\xff{}", 12, "truncated: the header is not whole"},
        {"\x93NUMPY\x04\x00\x02\x00{}", 12,
         "an .npy file of version 4.0, expected 1.0, 2.0 or 3.0"},
        {"\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12, "a header of more than 65535 bytes"},
        {"PK\x03\x04 and more of it", 20,
         "not an .npy file, but an archive, as .npz files are: save its arrays one by "
         "one"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        uint64_t offset = 0;
        NpyArray array;

        assert_false(npy_read(&array, (const guint8 *) cases[i].bytes, cases[i].count,
                              cases[i].count, &offset, &error));
        assert_string_equal(error->message, cases[i].message);
    }
}

/* Takes one number; its text, or the error's. The caller frees it. */
static char *taken(NpyType type, const void *number, NumberFormat format)
{
    const NpyArray array = {
        .type = type, .dimension_count = 2, .shape = {1, 1}, .count = 1};
    g_autoptr(GError) error = NULL;
    guint8 to[4] = {0};

    return npy_take(&array, (NpyPart){number, 0, 1}, format, to, &error)
               ? g_strdup_printf("%.9g", number_format_get(format, to, 0))
               : g_strdup(error->message);
}

static void assert_taken(NpyType type,
                         const void *number,
                         NumberFormat format,
                         const char *expected)
{
    g_autofree char *text = taken(type, number, format);

    assert_string_equal(text, expected);
}

static void floats_are_rounded_once(void **state)
{
    const double third = 1.0 / 3;
    /* Half way between two bf16 but for the last bit of a double. */
    const double above_half = 1 + 0x1p-8 + 0x1p-52;
    const uint16_t bits = 0x3f81;
    const int64_t large = (1 << 24) + 1;

    (void) state;
    assert_taken(NPY_FLOAT64, &third, NUMBER_FP32, "0.333333343");
    assert_taken(NPY_FLOAT64, &above_half, NUMBER_BF16, "1.0078125");
    assert_taken(NPY_UINT16, &bits, NUMBER_BF16, "1.0078125");
    assert_taken(NPY_UINT16, &bits, NUMBER_UINT16, "16257");
    assert_taken(NPY_INT64, &large, NUMBER_FP32, "16777216");
}

static void numbers_that_do_not_fit_are_refused(void **state)
{
    const float nan = NAN;
    const float infinite = -INFINITY;
    const double large = 1e300;
    const int64_t negative = -1;
    const int32_t short_of = 70000;
    const uint16_t bits = 0x7f80;

    (void) state;
    assert_taken(NPY_FLOAT32, &nan, NUMBER_FP32, "the number at [0, 0] is a NaN");
    assert_taken(NPY_FLOAT32, &infinite, NUMBER_BF16,
                 "the number at [0, 0] is infinite");
    assert_taken(NPY_UINT16, &bits, NUMBER_BF16, "the number at [0, 0] is infinite");
    assert_taken(NPY_UINT16, &bits, NUMBER_FP32,
                 "type uint16 has the bits of bf16, expected numbers for fp32: float32 "
                 "or int32");
    assert_taken(NPY_FLOAT64, &large, NUMBER_FP32,
                 "the number at [0, 0], 1.0000000000000001e+300, does not fit fp32");
    assert_taken(NPY_INT64, &negative, NUMBER_UINT32,
                 "the number at [0, 0], -1, does not fit uint32");
    assert_taken(NPY_INT32, &short_of, NUMBER_UINT16,
                 "the number at [0, 0], 70000, does not fit uint16");
    assert_taken(NPY_INT32, &short_of, NUMBER_FP16,
                 "the number at [0, 0], 70000, does not fit fp16");
    assert_false(npy_fits(NPY_FLOAT32, NUMBER_INT32));
    assert_true(npy_fits(NPY_INT64, NUMBER_FP16));
}

/* NumPy reads them; it may write more blanks itself. */
static void a_written_file_has_these_bytes(void **state)
{
    static const char expected[] =
        "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, "
        "1), }                                                          \n"
        "\x00\x00\x80\x3f\x00\x00\x00\xc0";
    const float numbers[] = {1, -2};
    const NpyArray array = {
        .type = NPY_FLOAT32, .dimension_count = 2, .shape = {2, 1}, .count = 2};
    g_autoptr(GBytes) file =
        npy_file_bytes(&array, NUMBER_FP32, (const guint8 *) numbers);

    (void) state;
    assert_int_equal(g_bytes_get_size(file), sizeof expected - 1);
    assert_memory_equal(g_bytes_get_data(file, NULL), expected, sizeof expected - 1);
}

static void bf16_is_written_as_floats_or_as_bits(void **state)
{
    const uint16_t halves[] = {0x3f81, 0xc000};
    const float floats[] = {1.0078125F, -2};
    guint8 to[8];

    (void) state;
    npy_give(NUMBER_BF16, (const guint8 *) halves, 2, npy_type(NUMBER_BF16, false), to);
    assert_memory_equal(to, floats, sizeof floats);
    npy_give(NUMBER_BF16, (const guint8 *) halves, 2, npy_type(NUMBER_BF16, true), to);
    assert_memory_equal(to, halves, sizeof halves);
}

/* More than a block is read at a time. */
static void a_long_file_comes_back_whole(void **state)
{
    enum {
        COUNT = 200000,
    };
    g_auto(Folder) folder = folder_new();
    g_autofree float *numbers = g_new(float, COUNT);
    g_autofree float *again = g_new0(float, COUNT);
    g_autofree char *digest = NULL;
    g_autofree char *expected = NULL;
    g_autoptr(GError) error = NULL;
    const NpyArray array = {
        .type = NPY_FLOAT32, .dimension_count = 1, .shape = {COUNT}, .count = COUNT};
    NpyArray looked;

    (void) state;
    for (guint i = 0; i < COUNT; i++) {
        numbers[i] = (float) i;
    }
    g_autoptr(GBytes) file =
        npy_file_bytes(&array, NUMBER_FP32, (const guint8 *) numbers);
    const char *path = folder_write(&folder, "x.npy", g_bytes_get_data(file, NULL),
                                    (gssize) g_bytes_get_size(file));

    assert_true(npy_file_look(path, &looked, &error));
    assert_true(
        npy_file_load(path, &looked, NUMBER_FP32, (guint8 *) again, &digest, &error));
    assert_memory_equal(again, numbers, COUNT * sizeof *numbers);
    expected = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, file);
    assert_string_equal(digest, expected);
    looked.shape[0] = 1;
    g_clear_pointer(&digest, g_free);
    assert_false(
        npy_file_load(path, &looked, NUMBER_FP32, (guint8 *) again, &digest, &error));
    assert_true(g_str_has_suffix(error->message, "x.npy: changed while it was read"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_and_shapes_are_read),
        cmocka_unit_test(other_arrays_are_refused),
        cmocka_unit_test(sizes_must_be_exact),
        cmocka_unit_test(malformed_headers_are_refused),
        cmocka_unit_test(foreign_files_are_refused),
        cmocka_unit_test(floats_are_rounded_once),
        cmocka_unit_test(numbers_that_do_not_fit_are_refused),
        cmocka_unit_test(a_written_file_has_these_bytes),
        cmocka_unit_test(bf16_is_written_as_floats_or_as_bits),
        cmocka_unit_test(a_long_file_comes_back_whole),
    };

    return cmocka_run_group_tests_name("workloads.buffer/npy", tests, NULL, NULL);
}
