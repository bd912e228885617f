/* Reads the options of traces. */
#include "tools/gridloom/run/trace_options.h"

#include "tools/gridloom/option_value.h"

typedef CmdTraceOptions Options;

static const char *const levels[] = {"auto", "full", "blocks", NULL};

void cmd_trace_options_clear(CmdTraceOptions *self)
{
    g_clear_pointer(&self->cores, g_array_unref);
}

const Option cmd_trace_rows[] = {
    {"trace", "FILE.pftrace",
     "write a timeline for ui.perfetto.dev and gridloom report", OPTION_TEXT(path)},
    {"trace-window", "FROM:TO", "trace these cycles only; either may be left out",
     OPTION_OTHER(TEXT)},
    {"trace-cores", "SPEC",
     "trace these cores or PEs only: 3,4 or 0:3,0:6, several with ;",
     OPTION_TEXT(cores_text)},
    {"trace-level", "LEVEL",
     "full has every slice, blocks has use by time; auto is full up to 4096 places "
     "(default: auto)",
     OPTION_WORD(level, levels)},
    {"trace-limit", "BYTES",
     "end slices at this size (default: 1000000000, of --out 64000000)",
     OPTION_COUNT(limit_bytes, 1, G_MAXINT64)},
    {"no-trace", NULL, "no trace for --report, no trace and no report for --out",
     OPTION_FLAG(is_off)},
    {0},
};

/* Options that change nothing were meant to. */
static bool check_use(const CmdTraceOptions *self,
                      const OptionTexts *texts,
                      bool is_traced_anyway,
                      GError **error)
{
    static const char *const parts[] = {"trace-window", "trace-cores", "trace-level",
                                        "trace-limit"};

    if (self->is_off && self->path != NULL) {
        return option_fail(error,
                           "--no-trace: --trace %s asks for a trace, give one of them",
                           self->path);
    }
    if (self->path != NULL || (is_traced_anyway && !self->is_off)) {
        return true;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (option_is_given(texts, parts[i])) {
            return option_fail(
                error,
                "--%s = %s: no trace is written, give --trace, --report or --out",
                parts[i], option_text(texts, parts[i]));
        }
    }
    return true;
}

bool cmd_trace_options_read(CmdTraceOptions *self,
                            const OptionTexts *texts,
                            bool is_traced_anyway,
                            GError **error)
{
    return option_window(option_text(texts, "trace-window"), "--trace-window",
                         &self->from, &self->to, error) &&
           option_squares(self->cores_text, "--trace-cores", &self->cores, error) &&
           check_use(self, texts, is_traced_anyway, error);
}
