/* The bytes before the numbers: a magic word, a version, and a Python dictionary. */
#include "workloads/npy/npy.h"

#include <stdarg.h>
#include <string.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sandbox/quote.h"

enum {
    MAGIC_BYTES = 6,
    SHORT_BYTES = 10, /* of magic, version and length in version 1 */
    LONG_BYTES = 12,  /* in versions 2 and 3 */
    ALIGNMENT_BYTES = 64,
};

static const guint8 magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

typedef struct {
    const char *name;
    const char *code; /* in the dictionary */
    gsize bytes;
} TypeRow;

static const TypeRow types[] = {
    [NPY_FLOAT16] = {"float16", "f2", 2}, [NPY_FLOAT32] = {"float32", "f4", 4},
    [NPY_FLOAT64] = {"float64", "f8", 8}, [NPY_INT32] = {"int32", "i4", 4},
    [NPY_INT64] = {"int64", "i8", 8},     [NPY_UINT16] = {"uint16", "u2", 2},
    [NPY_UINT32] = {"uint32", "u4", 4},
};

static bool refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool refuse(GError **error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_propagate_error(error,
                      g_error_new_valist(WL_ERROR, WL_ERROR_KEY, format, arguments));
    va_end(arguments);
    return false;
}

gsize npy_type_bytes(NpyType type)
{
    return types[type].bytes;
}

const char *npy_type_name(NpyType type)
{
    return types[type].name;
}

char *npy_shape_text(const uint64_t *shape, guint dimension_count)
{
    GString *text = g_string_new("(");

    for (guint i = 0; i < dimension_count; i++) {
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, i == 0 ? "" : ", ",
                               shape[i]);
    }
    g_string_append(text, dimension_count == 1 ? ",)" : ")");
    return g_string_free(text, FALSE);
}

bool npy_has_shape(const NpyArray *self, const uint64_t *shape, guint dimension_count)
{
    return self->dimension_count == dimension_count &&
           memcmp(self->shape, shape, dimension_count * sizeof *shape) == 0;
}

/* A text that is read from its front; it ends with a NUL. */
typedef struct {
    const char *at;
    NpyArray *array;
    bool is_fortran;
    bool has_type;
    bool has_order;
    bool has_shape;
} Reader;

static void skip_blanks(Reader *self)
{
    self->at += strspn(self->at, " \t\n");
}

/* Takes the word, after blanks, if it is next. */
static bool take(Reader *self, const char *word)
{
    skip_blanks(self);
    if (!g_str_has_prefix(self->at, word)) {
        return false;
    }
    self->at += strlen(word);
    return true;
}

/* string: "'" ... "'" | '"' ... '"'. NULL if there is none; the caller frees it. */
static char *take_string(Reader *self)
{
    skip_blanks(self);
    const char quote = *self->at;
    const char *end =
        quote == '\'' || quote == '"' ? strchr(self->at + 1, quote) : NULL;
    const char *begin = self->at + 1;

    if (end == NULL) {
        return NULL;
    }
    self->at = end + 1;
    return g_strndup(begin, (gsize) (end - begin));
}

static bool set_type(Reader *self, const char *code, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(types); i++) {
        if (*code != '\0' && g_str_equal(code + 1, types[i].code)) {
            self->array->type = (NpyType) i;
            self->has_type = true;
            return *code == '<' ||
                   refuse(error,
                          "numbers in byte order '%c', expected little-endian "
                          "('<%s')",
                          g_ascii_isprint(*code) ? *code : '?', types[i].code);
        }
    }
    g_autofree char *shown = quote_word(code);

    return refuse(error,
                  "type '%s', expected float16, float32, float64, int32, int64, uint16 "
                  "or uint32",
                  shown);
}

/* The type: a string, or, of records, a list. */
static bool read_type(Reader *self, GError **error)
{
    g_autofree char *code = take_string(self);

    if (code == NULL && take(self, "[")) {
        return refuse(error, "an array of records, expected one of numbers");
    }
    if (code == NULL) {
        return refuse(error, "a header without a type");
    }
    return set_type(self, code, error);
}

static bool read_order(Reader *self, GError **error)
{
    self->has_order = true;
    self->is_fortran = take(self, "True");
    return self->is_fortran || take(self, "False") ||
           refuse(error, "a header whose fortran_order is neither True nor False");
}

static bool read_length(Reader *self, uint64_t *length)
{
    char *end = NULL;

    skip_blanks(self);
    if (!g_ascii_isdigit(*self->at)) {
        return false;
    }
    *length = g_ascii_strtoull(self->at, &end, 10);
    self->at = end;
    return *length < G_MAXINT64;
}

/* shape: "(" [ length { "," length } [ "," ] ] ")" */
static bool read_shape(Reader *self, GError **error)
{
    NpyArray *array = self->array;
    bool is_good = take(self, "(");
    bool is_open = is_good && !take(self, ")");

    self->has_shape = true;
    while (is_good && is_open) {
        if (array->dimension_count == NPY_DIMENSIONS) {
            return refuse(error, "more than %d dimensions", NPY_DIMENSIONS);
        }
        is_good = read_length(self, &array->shape[array->dimension_count]);
        array->dimension_count += 1;
        const bool has_comma = take(self, ",");

        is_open = !take(self, ")");
        is_good = is_good && (has_comma || !is_open) &&
                  (has_comma || array->dimension_count > 1);
    }
    return is_good || refuse(error, "a header with a malformed shape");
}

/* entry: string ":" value. Each of the three once. */
static bool read_entry(Reader *self, GError **error)
{
    g_autofree char *key = take_string(self);

    if (key != NULL && take(self, ":")) {
        if (g_str_equal(key, "descr") && !self->has_type) {
            return read_type(self, error);
        }
        if (g_str_equal(key, "fortran_order") && !self->has_order) {
            return read_order(self, error);
        }
        if (g_str_equal(key, "shape") && !self->has_shape) {
            return read_shape(self, error);
        }
    }
    return refuse(error, "a malformed header");
}

/* header: "{" [ entry { "," entry } [ "," ] ] "}" */
static bool read_header(Reader *self, GError **error)
{
    bool is_open = take(self, "{") ? !take(self, "}") : false;

    while (is_open) {
        if (!read_entry(self, error)) {
            return false;
        }
        const bool has_comma = take(self, ",");

        is_open = !take(self, "}");
        if (is_open && !has_comma) {
            return refuse(error, "a malformed header");
        }
    }
    skip_blanks(self);
    if (*self->at != '\0' || !self->has_type || !self->has_order || !self->has_shape) {
        return refuse(error, "a malformed header");
    }
    return true;
}

static bool count_numbers(NpyArray *self, GError **error)
{
    self->count = 1;
    for (guint i = 0; i < self->dimension_count; i++) {
        /* A file never has as many; 0 in any place is none at all. */
        if (self->shape[i] != 0 && self->count > G_MAXINT64 / self->shape[i]) {
            return refuse(error, "a shape of more numbers than any file has");
        }
        self->count *= self->shape[i];
    }
    return true;
}

static bool check_size(const NpyArray *self, uint64_t bytes, GError **error)
{
    const uint64_t each = npy_type_bytes(self->type);
    g_autofree char *shape = npy_shape_text(self->shape, self->dimension_count);

    if (bytes / each < self->count) {
        return refuse(
            error,
            "truncated: %s numbers of shape %s are more than the %" G_GUINT64_FORMAT
            " bytes after the header",
            npy_type_name(self->type), shape, bytes);
    }
    return bytes == self->count * each ||
           refuse(error,
                  "longer than its numbers: of shape %s they are %" G_GUINT64_FORMAT
                  " bytes, and %" G_GUINT64_FORMAT " follow the header",
                  shape, self->count * each, bytes);
}

/* The length of magic, version and length, or 0. */
static gsize read_front(const guint8 *bytes, gsize count, gsize *length, GError **error)
{
    const gsize shared = MIN(count, MAGIC_BYTES);

    if (count == 0) {
        refuse(error, "an empty file");
        return 0;
    }
    if (memcmp(bytes, magic, shared) != 0) {
        refuse(error, "not an .npy file%s",
               count > 2 && memcmp(bytes, "PK", 2) == 0
                   ? ", but an archive, as .npz files are: save its arrays one by one"
                   : "");
        return 0;
    }
    if (count < LONG_BYTES) {
        refuse(error, "truncated: the header is not whole");
        return 0;
    }
    if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0) {
        refuse(error, "an .npy file of version %d.%d, expected 1.0, 2.0 or 3.0",
               bytes[6], bytes[7]);
        return 0;
    }
    *length = bytes[8] | (gsize) bytes[9] << 8;
    if (bytes[6] == 1) {
        return SHORT_BYTES;
    }
    *length |= (gsize) bytes[10] << 16 | (gsize) bytes[11] << 24;
    return LONG_BYTES;
}

bool npy_read(NpyArray *self,
              const guint8 *bytes,
              gsize count,
              uint64_t file_bytes,
              uint64_t *offset,
              GError **error)
{
    gsize length = 0;
    const gsize front = read_front(bytes, count, &length, error);
    Reader reader = {.array = self};

    *self = (NpyArray){0};
    if (front == 0) {
        return false;
    }
    if (length > NPY_HEADER_BYTES - LONG_BYTES) {
        return refuse(error, "a header of more than %d bytes",
                      NPY_HEADER_BYTES - LONG_BYTES);
    }
    if (length > count - front) {
        return refuse(error, "truncated: the header is not whole");
    }
    g_autofree char *text = g_strndup((const char *) bytes + front, length);

    reader.at = text;
    if (memchr(bytes + front, '\0', length) != NULL) {
        return refuse(error, "a malformed header");
    }
    *offset = front + length;
    if (!read_header(&reader, error) || !count_numbers(self, error)) {
        return false;
    }
    if (reader.is_fortran) {
        return refuse(error, "an array in Fortran order, expected C order: save "
                             "numpy.ascontiguousarray(a)");
    }
    return check_size(self, file_bytes - *offset, error);
}

void npy_write(const NpyArray *self, GByteArray *bytes)
{
    g_autofree char *shape = npy_shape_text(self->shape, self->dimension_count);
    g_autoptr(GString) text = g_string_new(NULL);
    guint8 front[SHORT_BYTES] = {[6] = 1};

    g_string_printf(text, "{'descr': '<%s', 'fortran_order': False, 'shape': %s, }",
                    types[self->type].code, shape);
    while ((SHORT_BYTES + text->len + 1) % ALIGNMENT_BYTES != 0) {
        g_string_append_c(text, ' ');
    }
    g_string_append_c(text, '\n');
    memcpy(front, magic, sizeof magic);
    front[8] = sim_u8(text->len & 0xff);
    front[9] = sim_u8(text->len >> 8);
    g_byte_array_append(bytes, front, sizeof front);
    g_byte_array_append(bytes, (const guint8 *) text->str, sim_u32(text->len));
}
