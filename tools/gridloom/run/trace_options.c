/* Reads the options of traces. */
#include "tools/gridloom/run/trace_options.h"

#include "tools/gridloom/option_part.h"
#include "tools/gridloom/option_value.h"

static const char *const levels[] = {"auto", "full", "blocks", NULL};

void cmd_trace_options_clear(CmdTraceOptions *self)
{
    g_free(self->path);
    g_clear_pointer(&self->cores, g_array_unref);
    g_free(self->window_text);
    g_free(self->cores_text);
    g_free(self->level_text);
    g_free(self->limit_text);
}

void cmd_trace_options_add(CmdTraceOptions *self, GOptionContext *context)
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

/* Options that change nothing were meant to. */
static bool
check_use(const CmdTraceOptions *self, bool is_traced_anyway, GError **error)
{
    const struct {
        const char *option;
        const char *text;
    } parts[] = {{"--trace-window", self->window_text},
                 {"--trace-cores", self->cores_text},
                 {"--trace-level", self->level_text},
                 {"--trace-limit", self->limit_text}};

    if (self->is_off && self->path != NULL) {
        return option_fail(error,
                           "--no-trace: --trace %s asks for a trace, give one of them",
                           self->path);
    }
    if (self->path != NULL || (is_traced_anyway && !self->is_off)) {
        return true;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (parts[i].text != NULL) {
            return option_fail(
                error, "%s = %s: no trace is written, give --trace, --report or --out",
                parts[i].option, parts[i].text);
        }
    }
    return true;
}

bool cmd_trace_options_read(CmdTraceOptions *self,
                            bool is_traced_anyway,
                            GError **error)
{
    guint level = TRACE_LEVEL_AUTO;

    if (!option_window(self->window_text, "--trace-window", &self->from, &self->to,
                       error) ||
        !option_squares(self->cores_text, "--trace-cores", &self->cores, error) ||
        !option_word(self->level_text, "--trace-level", levels, &level, error) ||
        !option_count(self->limit_text, "--trace-limit", 1, G_MAXINT64,
                      &self->limit_bytes, error) ||
        !check_use(self, is_traced_anyway, error)) {
        return false;
    }
    self->level = (TraceLevel) level;
    return true;
}
