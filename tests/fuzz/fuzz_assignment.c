/* Fuzzes the words name=value: no input may crash, and accepted values stay allowed. */
#include <stdint.h>
#include <string.h>

#include <glib.h>

#include "workloads/script/parameter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const dtypes[] = {"bf16", "fp32", NULL};

static const WlParameterSpec specs[] = {
    {.name = "tiles",
     .help = "h",
     .type = WL_PARAM_INTEGER,
     .has_minimum = true,
     .has_maximum = true,
     .least = 1,
     .most = 164},
    {.name = "any", .help = "h", .type = WL_PARAM_INTEGER},
    {.name = "dtype", .help = "h", .type = WL_PARAM_CHOICE, .choices = dtypes},
    {.name = "halo", .help = "h", .type = WL_PARAM_SWITCH},
    {.name = "x", .help = "h", .type = WL_PARAM_NUMBER},
    {.name = "label", .help = "h", .type = WL_PARAM_TEXT},
};
static const char *const defaults[] = {"64", "0", "bf16", "on", "0.5", ""};

/* What was accepted must be accepted again in the spelling it is shown in. */
static void check_round_trip(const WlParameter *parameter, guint index)
{
    const char *text = parameter_view(parameter)->value_text;
    g_autoptr(WlParameter) again = parameter_new(&specs[index], text, NULL);
    g_assert(again != NULL);
    g_assert_cmpstr(parameter_view(again)->value_text, ==, text);
}

static void check_error(const GError *error)
{
    g_assert(error != NULL);
    g_assert(g_utf8_validate(error->message, -1, NULL));
    g_assert(strpbrk(error->message, "\r\n") == NULL);
    g_assert_cmpuint(strlen(error->message), <, 1000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GPtrArray) parameters =
        g_ptr_array_new_with_free_func((GDestroyNotify) parameter_free);
    for (guint i = 0; i < G_N_ELEMENTS(specs); i++) {
        g_ptr_array_add(parameters, parameter_new(&specs[i], defaults[i], NULL));
    }
    words_append(parameters, NULL);
    g_autofree char *input = g_strndup((const char *) data, size);
    g_auto(GStrv) words = g_strsplit(input, "\n", -1);
    for (guint i = 0; words[i] != NULL; i++) {
        g_autoptr(GError) error = NULL;
        if (!assignment_apply(parameters, words[i], &error)) {
            check_error(error);
        }
    }
    for (guint i = 0; i < G_N_ELEMENTS(specs); i++) {
        check_round_trip(parameters->pdata[i], i);
    }
    return 0;
}
