/* Reads the options of traces. */
#include "tools/gridloom/trace_options.h"

#include <string.h>

#include "tools/gridloom/option_value.h"

static const char *const levels[] = {"auto", "full", "blocks", NULL};

void trace_options_clear(TraceOptions *self)
{
    g_free(self->path);
    g_clear_pointer(&self->cores, g_array_unref);
    g_free(self->window_text);
    g_free(self->cores_text);
    g_free(self->level_text);
    g_free(self->limit_text);
}

void trace_options_add(TraceOptions *self, GOptionContext *context)
{
    const GOptionEntry entries[] = {
        {"trace", 0, 0, G_OPTION_ARG_FILENAME, &self->path,
         "write a timeline for ui.perfetto.dev and gridloom report", "FILE.pftrace"},
        {"trace-window", 0, 0, G_OPTION_ARG_FILENAME, &self->window_text,
         "trace these cycles only; either may be left out", "FROM:TO"},
        {"trace-cores", 0, 0, G_OPTION_ARG_FILENAME, &self->cores_text,
         "trace these cores or PEs only: 3,4 or 0:3,0:6, several with ;", "SPEC"},
        {"trace-level", 0, 0, G_OPTION_ARG_FILENAME, &self->level_text,
         "full has every slice, blocks has use by time; auto is full up to 4096 places "
         "(default: auto)",
         "LEVEL"},
        {"trace-limit", 0, 0, G_OPTION_ARG_FILENAME, &self->limit_text,
         "end slices at this size (default: 1000000000, of --out 64000000)", "BYTES"},
        {"no-trace", 0, 0, G_OPTION_ARG_NONE, &self->is_off,
         "no trace for --report, no trace and no report for --out", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static bool read_window(TraceOptions *self, GError **error)
{
    static const char allowed[] = "FROM:TO in cycles, FROM below TO, either may be "
                                  "left out";
    g_auto(GStrv) ends = NULL;
    guint64 from = 0;
    guint64 to = 0;

    if (self->window_text == NULL) {
        return true;
    }
    ends = g_strsplit(self->window_text, ":", -1);
    if (g_strv_length(ends) != 2 ||
        (*ends[0] != '\0' &&
         !g_ascii_string_to_unsigned(ends[0], 10, 0, G_MAXINT64, &from, NULL)) ||
        (*ends[1] != '\0' &&
         !g_ascii_string_to_unsigned(ends[1], 10, from + 1, G_MAXINT64, &to, NULL))) {
        return option_refuse("--trace-window", self->window_text, allowed, error);
    }
    self->from = from;
    self->to = to;
    return true;
}

/* 3 or 0:3. */
static bool read_span(const char *text, guint *first, guint *last)
{
    guint pair[2];
    guint64 one = 0;

    if (strchr(text, ':') != NULL) {
        if (!option_is_pair(text, ":", pair) || pair[0] > pair[1]) {
            return false;
        }
        *first = pair[0];
        *last = pair[1];
        return true;
    }
    if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT32, &one, NULL)) {
        return false;
    }
    *first = (guint) one;
    *last = (guint) one;
    return true;
}

static bool read_square(const char *text, TraceSquare *square)
{
    g_auto(GStrv) spans = g_strsplit(text, ",", -1);

    return g_strv_length(spans) == 2 &&
           read_span(spans[0], &square->x, &square->x_end) &&
           read_span(spans[1], &square->y, &square->y_end);
}

static bool read_cores(TraceOptions *self, GError **error)
{
    g_auto(GStrv) squares = NULL;

    if (self->cores_text == NULL) {
        return true;
    }
    self->cores = g_array_new(FALSE, FALSE, sizeof(TraceSquare));
    squares = g_strsplit(self->cores_text, ";", -1);
    for (guint i = 0; squares[i] != NULL; i++) {
        TraceSquare square = {0};

        if (!read_square(squares[i], &square)) {
            return option_refuse("--trace-cores", self->cores_text,
                                 "x,y or first:last,first:last, several with ; between",
                                 error);
        }
        g_array_append_val(self->cores, square);
    }
    if (self->cores->len == 0) {
        return option_refuse("--trace-cores", self->cores_text,
                             "x,y or first:last,first:last, several with ; between",
                             error);
    }
    return true;
}

/* Options that change nothing were meant to. */
static bool check_use(const TraceOptions *self, bool is_traced_anyway, GError **error)
{
    const struct {
        const char *option;
        const char *text;
    } parts[] = {{"--trace-window", self->window_text},
                 {"--trace-cores", self->cores_text},
                 {"--trace-level", self->level_text},
                 {"--trace-limit", self->limit_text}};

    if (self->is_off && self->path != NULL) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                    "--no-trace: --trace %s asks for a trace, give one of them",
                    self->path);
        return false;
    }
    if (self->path != NULL || (is_traced_anyway && !self->is_off)) {
        return true;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (parts[i].text != NULL) {
            g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                        "%s = %s: no trace is written, give --trace, --report or --out",
                        parts[i].option, parts[i].text);
            return false;
        }
    }
    return true;
}

bool trace_options_read(TraceOptions *self, bool is_traced_anyway, GError **error)
{
    guint level = TRACE_LEVEL_AUTO;

    if (!read_window(self, error) || !read_cores(self, error) ||
        !option_word(self->level_text, "--trace-level", levels, &level, error) ||
        !option_count(self->limit_text, "--trace-limit", 1, G_MAXINT64,
                      &self->limit_bytes, error) ||
        !check_use(self, is_traced_anyway, error)) {
        return false;
    }
    self->level = (TraceLevel) level;
    return true;
}
