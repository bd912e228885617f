/* Reading the comment that says where a number comes from. */
#include "arch/provenance.h"

#include <string.h>

#include "arch/error.h"

static const char form[] =
    "expected \"# unit; documented|measured|calibrated|assumed; source\" above the key";
static const char rows_follow[] = "fitted to ";

static const char *const confidence_names[] = {
    [ARCH_CONFIDENCE_DOCUMENTED] = "documented",
    [ARCH_CONFIDENCE_MEASURED] = "measured",
    [ARCH_CONFIDENCE_CALIBRATED] = "calibrated",
    [ARCH_CONFIDENCE_ASSUMED] = "assumed",
};

static bool find_confidence(const char *word, ArchConfidence *confidence)
{
    for (guint i = 0; i < G_N_ELEMENTS(confidence_names); i++) {
        if (g_str_equal(confidence_names[i], word)) {
            *confidence = (ArchConfidence) i;
            return true;
        }
    }
    return false;
}

static bool names_rows(const char *source)
{
    const char *rows = strstr(source, rows_follow);

    return rows != NULL && rows[strlen(rows_follow)] != '\0';
}

bool arch_provenance_parse(const char *comment, ArchProvenance *self, GError **error)
{
    g_auto(GStrv) parts = NULL;
    ArchConfidence confidence;

    if (comment == NULL) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID, "comment is missing, %s",
                    form);
        return false;
    }
    parts = g_strsplit(comment, ";", 3);
    if (g_strv_length(parts) != 3 || *g_strstrip(parts[0]) == '\0' ||
        *g_strstrip(parts[1]) == '\0' || *g_strstrip(parts[2]) == '\0') {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID, "comment is malformed, %s",
                    form);
        return false;
    }
    if (!find_confidence(parts[1], &confidence)) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "unknown confidence in the comment, %s", form);
        return false;
    }
    if (confidence == ARCH_CONFIDENCE_CALIBRATED && !names_rows(parts[2])) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "calibrated without rows, expected a source with \"%s...\"",
                    rows_follow);
        return false;
    }
    *self = (ArchProvenance){.unit = g_strdup(parts[0]),
                             .confidence = confidence,
                             .source = g_strdup(parts[2])};
    return true;
}

void arch_provenance_clear(ArchProvenance *self)
{
    g_free(self->unit);
    g_free(self->source);
    *self = (ArchProvenance){0};
}

const char *arch_confidence_name(ArchConfidence confidence)
{
    g_return_val_if_fail(confidence < G_N_ELEMENTS(confidence_names), "");
    return confidence_names[confidence];
}
