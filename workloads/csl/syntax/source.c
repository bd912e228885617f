/* Keeps a file's text and where its lines begin. */
#include "workloads/csl/syntax/source.h"

#include <string.h>

#include "sim/narrow.h"
#include "workloads/error.h"

struct CslSource {
    char *name;
    char *text;
    uint32_t length;
    GArray *line_starts; /* uint32_t */
};

static CslSource *take(const char *name, char *text, size_t length)
{
    CslSource *self = g_new0(CslSource, 1);
    uint32_t start = 0;

    self->name = g_strdup(name);
    self->text = text;
    self->length = sim_u32(length);
    self->line_starts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(self->line_starts, start);
    for (uint32_t i = 0; i < self->length; i++) {
        if (text[i] == '\n') {
            start = i + 1;
            g_array_append_val(self->line_starts, start);
        }
    }
    return self;
}

CslSource *csl_source_new(const char *name, const char *text, size_t length)
{
    char *copy;

    g_return_val_if_fail(length <= CSL_SOURCE_BYTES_MOST, NULL);
    copy = g_malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return take(name, copy, length);
}

CslSource *csl_source_read(const char *path, GError **error)
{
    g_autoptr(GError) failure = NULL;
    g_autofree char *text = NULL;
    size_t length = 0;

    if (!g_file_get_contents(path, &text, &length, &failure)) {
        const char *reason = strrchr(failure->message, ':');

        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX, "cannot read '%s'%s", path,
                    reason == NULL ? "" : reason);
        return NULL;
    }
    if (length > CSL_SOURCE_BYTES_MOST) {
        g_set_error(error, WL_ERROR, WL_ERROR_LIMIT, "%s: %zu bytes, at most %u", path,
                    length, CSL_SOURCE_BYTES_MOST);
        return NULL;
    }
    return take(path, g_steal_pointer(&text), length);
}

void csl_source_free(CslSource *self)
{
    if (self == NULL) {
        return;
    }
    g_array_free(self->line_starts, TRUE);
    g_free(self->text);
    g_free(self->name);
    g_free(self);
}

const char *csl_source_name(const CslSource *self)
{
    return self->name;
}

const char *csl_source_text(const CslSource *self)
{
    return self->text;
}

uint32_t csl_source_length(const CslSource *self)
{
    return self->length;
}

CslPosition csl_place_position(CslPlace place)
{
    const CslSource *source = place.source;
    const GArray *starts = source->line_starts;
    guint low = 0;
    guint high = starts->len;
    CslPosition position = {0};

    while (high - low > 1) {
        const guint middle = low + (high - low) / 2;

        if (g_array_index(starts, uint32_t, middle) <= place.offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    position.line = low + 1;
    position.line_start = g_array_index(starts, uint32_t, low);
    position.column = place.offset - position.line_start + 1;
    position.line_end =
        high < starts->len ? g_array_index(starts, uint32_t, high) - 1 : source->length;
    return position;
}
