/* The parameters that every script accepts besides its own. */
#include "workloads/error.h"
#include "workloads/script/parameter.h"

typedef struct {
    WlParameterSpec spec;
    const char *default_text;
} Word;

static const char *const grains[] = {"auto", "wavelet", "stream", NULL};
static const char *const arithmetics[] = {"chip", "ieee", NULL};

static const Word words[] = {
    {{.name = "grain",
      .help = "how streams move on the WSE: wavelet is exact, stream is fast",
      .type = WL_PARAM_CHOICE,
      .choices = grains},
     "auto"},
    {{.name = "arithmetic",
      .help = "rounding of the chip's own units, or of IEEE 754",
      .type = WL_PARAM_CHOICE,
      .choices = arithmetics},
     "chip"},
    {{.name = "extrapolate",
      .help = "simulate a part and scale the result to the whole",
      .type = WL_PARAM_SWITCH},
     "off"},
    {{.name = "unattributed",
      .help = "also charge a fitted constant that no public document explains",
      .type = WL_PARAM_SWITCH},
     "off"},
};

static bool keeps_meaning(const WlParam *declared, const WlParameterSpec *spec)
{
    if (declared->type != spec->type) {
        return false;
    }
    for (guint i = 0; spec->choices != NULL && declared->choices[i] != NULL; i++) {
        if (!g_strv_contains(spec->choices, declared->choices[i])) {
            return false;
        }
    }
    return true;
}

static bool append_word(GPtrArray *parameters, const Word *word, GError **error)
{
    g_autoptr(WlParameter) own = parameter_new(&word->spec, word->default_text, NULL);
    g_assert(own != NULL);
    const WlParameter *declared = assignment_find(parameters, word->spec.name);
    if (declared == NULL) {
        g_ptr_array_add(parameters, g_steal_pointer(&own));
        return true;
    }
    if (!keeps_meaning(parameter_view(declared), &word->spec)) {
        g_autofree char *allowed = parameter_allowed(own);
        return wl_refuse(
            error,
            "parameters: every script accepts %s = %s; declare it with the same "
            "type and no other choices",
            word->spec.name, allowed);
    }
    return true;
}

bool words_append(GPtrArray *parameters, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        if (!append_word(parameters, &words[i], error)) {
            return false;
        }
    }
    return true;
}
