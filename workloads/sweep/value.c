/* Reads, compares and prints the values of axes. */
#include "workloads/sweep/value.h"

#include <math.h>
#include <string.h>

#include "workloads/error.h"
#include "workloads/script/number.h"

/* Whole numbers up to here are exact. */
static const double exact_maximum = 9007199254740992.0;

void sweep_value_clear(gpointer value)
{
    SweepValue *self = value;

    g_clear_pointer(&self->text, g_free);
}

SweepValue sweep_value_integer(gint64 integer)
{
    return (SweepValue){.text = g_strdup_printf("%" G_GINT64_FORMAT, integer),
                        .type = SWEEP_INTEGER,
                        .integer = integer};
}

static SweepValue exact_number(double number)
{
    SweepValue value = {.type = SWEEP_NUMBER, .number = number};

    /* Chip files want 1000000, not 1e+06. */
    value.text = trunc(number) == number && fabs(number) <= exact_maximum
                     ? g_strdup_printf("%.0f", number)
                     : number_format_double(number);
    return value;
}

SweepValue sweep_value_number(double number, int digits)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    char format[8];

    g_snprintf(format, sizeof format, "%%.%dg", digits);
    return exact_number(
        g_ascii_strtod(g_ascii_formatd(text, sizeof text, format, number), NULL));
}

static bool read_text(lua_State *L, int index, SweepValue *value, GError **error)
{
    size_t length = 0;
    const char *text = lua_tolstring(L, index, &length);

    if (length == 0 || strlen(text) != length || strpbrk(text, "\r\n") != NULL ||
        !g_utf8_validate(text, -1, NULL)) {
        return wl_refuse(error, "is a text that is empty or has more than one line");
    }
    *value = (SweepValue){.text = g_strdup(text), .type = SWEEP_TEXT};
    return true;
}

bool sweep_value_read(lua_State *L, int index, SweepValue *value, GError **error)
{
    const int type = lua_type(L, index);

    if (type == LUA_TSTRING) {
        return read_text(L, index, value, error);
    }
    if (type == LUA_TBOOLEAN) {
        const bool is_on = lua_toboolean(L, index) != 0;

        *value = (SweepValue){.text = g_strdup(is_on ? "on" : "off"),
                              .type = SWEEP_SWITCH,
                              .is_on = is_on};
        return true;
    }
    if (type != LUA_TNUMBER) {
        return wl_refuse(error, "is a %s, expected a number, a text or true or false",
                         lua_typename(L, type));
    }
    if (lua_isinteger(L, index) != 0) {
        *value = sweep_value_integer(lua_tointeger(L, index));
        return true;
    }
    if (!isfinite(lua_tonumber(L, index))) {
        return wl_refuse(error, "is no finite number");
    }
    *value = exact_number(lua_tonumber(L, index));
    return true;
}

void sweep_value_push(lua_State *L, const SweepValue *value)
{
    switch (value->type) {
    case SWEEP_INTEGER:
        lua_pushinteger(L, value->integer);
        return;
    case SWEEP_NUMBER:
        lua_pushnumber(L, value->number);
        return;
    case SWEEP_TEXT:
        lua_pushstring(L, value->text);
        return;
    case SWEEP_SWITCH:
        lua_pushboolean(L, value->is_on);
        return;
    }
    g_assert_not_reached();
}
