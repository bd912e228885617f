/* Parses the comment that says where a number comes from. */
#include "arch/chipfile/provenance.h"

#include <string.h>

#include "arch/error.h"

static const char form[] =
    "expected \"# unit; documented|measured|calibrated|assumed; source\" above the key";
static const char rows_follow[] = "fitted to ";
static const char range_follows[] = "range ";

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

/* Cuts "; range ..." off the end of a source and returns the text after "range"; NULL
 * if there is none. */
static char *cut_range(char *source)
{
    char *last = strrchr(source, ';');
    const char *range = last == NULL ? NULL : last + 1 + strspn(last + 1, " \t");

    if (range == NULL || !g_str_has_prefix(range, range_follows)) {
        return NULL;
    }
    *last = '\0';
    return g_strstrip(g_strdup(range + strlen(range_follows)));
}

static bool needs_range(ArchConfidence confidence)
{
    return confidence == ARCH_CONFIDENCE_CALIBRATED ||
           confidence == ARCH_CONFIDENCE_ASSUMED;
}

bool arch_provenance_parse(const char *comment, ArchProvenance *self, GError **error)
{
    g_auto(GStrv) parts = NULL;
    g_autofree char *range = NULL;
    ArchConfidence confidence;

    if (comment == NULL) {
        return arch_refuse(error, "comment is missing, %s", form);
    }
    parts = g_strsplit(comment, ";", 3);
    if (g_strv_length(parts) == 3) {
        range = cut_range(parts[2]);
    }
    if (g_strv_length(parts) != 3 || *g_strstrip(parts[0]) == '\0' ||
        *g_strstrip(parts[1]) == '\0' || *g_strstrip(parts[2]) == '\0' ||
        g_str_has_prefix(parts[2], range_follows)) {
        return arch_refuse(error, "comment is malformed, %s", form);
    }
    if (!find_confidence(parts[1], &confidence)) {
        return arch_refuse(error, "unknown confidence in the comment, %s", form);
    }
    if (confidence == ARCH_CONFIDENCE_CALIBRATED && !names_rows(parts[2])) {
        return arch_refuse(error,
                           "calibrated without rows, expected a source with \"%s...\"",
                           rows_follow);
    }
    if (range == NULL && needs_range(confidence)) {
        return arch_refuse(
            error,
            "%s without a range, expected \"; range LOW..HIGH\" (a|b of "
            "words, xLOW..xHIGH of a list, fixed) at the end of the comment",
            parts[1]);
    }
    *self = (ArchProvenance){.unit = g_strdup(parts[0]),
                             .confidence = confidence,
                             .source = g_strdup(parts[2]),
                             .range = g_steal_pointer(&range)};
    return true;
}

void arch_provenance_clear(ArchProvenance *self)
{
    g_free(self->unit);
    g_free(self->source);
    g_free(self->range);
    *self = (ArchProvenance){0};
}

const char *arch_confidence_name(ArchConfidence confidence)
{
    g_return_val_if_fail(confidence < G_N_ELEMENTS(confidence_names), "");
    return confidence_names[confidence];
}
