/* Puts together what compiled kernels print. */
#include "arch/tensix/riscv/print.h"

#include <math.h>
#include <string.h>

#include "arch/error.h"
#include "arch/tensix/riscv/print_tile.h"
#include "sim/narrow.h"

enum {
    WORDS = 3,           /* of a value */
    NUMBER_BYTES = 64,   /* of a number as a text */
    WIDTH_MOST = 256,    /* columns that a value may be given */
    PRECISION_MOST = 40, /* digits */
    FLOAT_DIGITS = 9,    /* tell all floats apart */
    TEXT_MOST = 4096,    /* bytes of a text among the values */
};

typedef struct {
    uint32_t kind;
    uint32_t low;
    uint32_t high;
} Value;

/* How a place wants its value. */
typedef struct {
    char fill;
    char align; /* < > ^, or 0 */
    bool has_prefix;
    guint width;
    int precision; /* -1: as many digits as needed */
    char type;     /* 0: as the value is */
} Form;

typedef struct {
    const RiscvKernel *kernel;
    ArchTensixCore *core;
    const guint8 *values;
    guint count;
    guint next; /* value */
    GString *text;
} Print;

static guint take_number(const char **at, guint most)
{
    guint number = 0;

    while (g_ascii_isdigit(**at)) {
        number = MIN(10 * number + sim_u32(**at - '0'), most);
        (*at)++;
    }
    return number;
}

static bool is_align(char letter)
{
    return letter == '<' || letter == '>' || letter == '^';
}

/* What is between the colon and the brace. */
static Form take_form(const char **at)
{
    Form form = {.fill = ' ', .precision = -1};

    if (**at != '\0' && is_align((*at)[1])) {
        form.fill = *(*at)++;
    }
    if (is_align(**at)) {
        form.align = *(*at)++;
    }
    if (**at == '+' || **at == '-' || **at == ' ') {
        (*at)++;
    }
    if (**at == '#') {
        form.has_prefix = true;
        (*at)++;
    }
    if (**at == '0') {
        form.fill = '0';
        (*at)++;
    }
    form.width = take_number(at, WIDTH_MOST);
    if (**at == '.') {
        (*at)++;
        form.precision = sim_i32(take_number(at, PRECISION_MOST));
    }
    if (g_ascii_isalpha(**at)) {
        form.type = *(*at)++;
    }
    return form;
}

/* With the digits asked for, or as few as tell it from others. */
static void add_real(GString *to, double number, const Form *form, guint digits)
{
    char letters[NUMBER_BYTES];
    char how[NUMBER_BYTES];
    char type = 'g';

    if (form->type != '\0' && strchr("eEfFgG", form->type) != NULL) {
        type = form->type;
    }
    for (guint i = 1; i <= digits; i++) {
        (void) g_snprintf(how, sizeof how, "%%.%d%c",
                          form->precision >= 0 ? form->precision
                          : type == 'g'        ? sim_i32(i)
                                               : 6,
                          type);
        (void) g_ascii_formatd(letters, sizeof letters, how, number);
        const double back = g_ascii_strtod(letters, NULL);

        if (form->precision >= 0 || type != 'g' || back == number ||
            (digits == FLOAT_DIGITS && (float) back == (float) number)) {
            break;
        }
    }
    /* Ten is 10, not 1e+01. */
    if (type == 'g' && form->precision < 0 && strchr(letters, '+') != NULL &&
        fabs(number) < 1e16) {
        (void) g_ascii_formatd(letters, sizeof letters, "%.0f",
                               g_ascii_strtod(letters, NULL));
    }
    g_string_append(to, letters);
}

static void add_integer(GString *to, const Value *value, const Form *form)
{
    const uint64_t bits = (uint64_t) value->high << 32 | value->low;
    const bool is_negative = value->kind == 'i' && bits >> 63 != 0;
    const uint64_t size = is_negative ? 0 - bits : bits;
    char letters[NUMBER_BYTES];
    guint used = NUMBER_BYTES;
    const bool is_hexadecimal =
        form->type == 'x' || form->type == 'X' || form->type == 'p';
    const guint radix = is_hexadecimal      ? 16
                        : form->type == 'o' ? 8
                        : form->type == 'b' ? 2
                                            : 10;
    uint64_t rest = size;

    letters[--used] = '\0';
    do {
        letters[--used] = "0123456789abcdef"[rest % radix];
        rest /= radix;
    } while (rest != 0 && used > 0);
    if (form->type == 'X') {
        for (guint i = used; letters[i] != '\0'; i++) {
            letters[i] = g_ascii_toupper(letters[i]);
        }
    }
    g_string_append_printf(to, "%s%s%s", is_negative ? "-" : "",
                           is_hexadecimal && form->has_prefix ? "0x" : "",
                           letters + used);
}

static bool add_text(const Print *self, GString *to, uint32_t address, GError **error)
{
    for (guint i = 0; i < TEXT_MOST; i++) {
        const guint8 *letter = riscv_kernel_bytes(self->kernel, address + i, 1, error);

        if (letter == NULL) {
            return false;
        }
        if (*letter == 0) {
            break;
        }
        g_string_append_c(to, (char) *letter);
    }
    return true;
}

static bool add_value(const Print *self,
                      GString *to,
                      const Value *value,
                      const Form *form,
                      GError **error)
{
    Form pointer = *form;
    float number;
    double real;

    switch (value->kind) {
    case 'b':
        g_string_append(to, value->low != 0 ? "true" : "false");
        return true;
    case 'c':
        g_string_append_c(to, (char) value->low);
        return true;
    case 'f':
        memcpy(&number, &value->low, sizeof number);
        add_real(to, (double) number, form, FLOAT_DIGITS);
        return true;
    case 'd':
        memcpy(&real, &value->low, sizeof real);
        add_real(to, real, form, 2 * FLOAT_DIGITS - 1);
        return true;
    case 's':
        return add_text(self, to, value->low, error);
    case 't':
        return riscv_print_tile(self->kernel, self->core, value->low, to, error);
    case 'p':
        pointer.type = 'p';
        pointer.has_prefix = true;
        add_integer(to, value, &pointer);
        return true;
    default:
        add_integer(to, value, form);
        return true;
    }
}

/* Numbers to the right, others to the left, unless the place says. */
static void
add_padded(const Print *self, const char *text, bool is_number, const Form *form)
{
    const guint length = sim_u32(strlen(text));
    const guint space = form->width > length ? form->width - length : 0;
    guint before = is_number ? space : 0;

    if (form->align != 0) {
        before = form->align == '<' ? 0 : form->align == '>' ? space : space / 2;
    }
    for (guint i = 0; i < before; i++) {
        g_string_append_c(self->text, form->fill);
    }
    g_string_append(self->text, text);
    for (guint i = before; i < space; i++) {
        g_string_append_c(self->text, form->fill);
    }
}

/* Behind an open brace; true unless a value has an address that is not there. */
static bool take_place(Print *self, const char **at, GError **error)
{
    const bool has_number = g_ascii_isdigit(**at);
    const guint number = has_number ? take_number(at, self->count) : self->next++;
    g_autoptr(GString) text = g_string_new(NULL);
    Form form = {.fill = ' ', .precision = -1};
    Value value;

    if (**at == ':') {
        (*at)++;
        form = take_form(at);
    }
    while (**at != '\0' && *(*at)++ != '}') {
    }
    if (number >= self->count) {
        g_string_append(self->text, "{}");
        return true;
    }
    memcpy(&value, self->values + number * sizeof value, sizeof value);
    if (!add_value(self, text, &value, &form, error)) {
        return false;
    }
    add_padded(self, text->str, value.kind != 's' && value.kind != 'c', &form);
    return true;
}

static bool put_together(Print *self, const char *at, GError **error)
{
    while (*at != '\0') {
        const char letter = *at++;
        const bool is_brace = letter == '{' || letter == '}';

        if (is_brace && *at == letter) {
            g_string_append_c(self->text, *at++);
        } else if (letter != '{') {
            g_string_append_c(self->text, letter);
        } else if (!take_place(self, &at, error)) {
            return false;
        }
    }
    return true;
}

char *riscv_print_text(const RiscvKernel *self, ArchTensixCore *core, GError **error)
{
    g_autofree char *text = riscv_kernel_text(self, error);
    const uint32_t count = riscv_kernel_argument(self, 3);
    Print print = {.kernel = self, .core = core, .count = count};

    if (text == NULL) {
        return NULL;
    }
    if (count > 0) {
        print.values = count > TEXT_MOST
                           ? NULL
                           : riscv_kernel_bytes(self, riscv_kernel_argument(self, 2),
                                                count * WORDS * 4, error);
        if (print.values == NULL) {
            return NULL;
        }
    }
    print.text = g_string_new(NULL);
    if (!put_together(&print, text, error)) {
        g_string_free(print.text, TRUE);
        return NULL;
    }
    return g_string_free(print.text, FALSE);
}
