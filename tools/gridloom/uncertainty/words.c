/* What a sample keeps of the run that was asked for. */
#include "tools/gridloom/uncertainty/words.h"

#include "tools/gridloom/run/words.h"

char **uncertainty_words(const CmdRunOptions *options,
                         char *const *assignments,
                         bool is_timing_only)
{
    GPtrArray *words = g_ptr_array_new();

    g_ptr_array_add(words, g_strdup("run"));
    g_ptr_array_add(words, g_strdup(options->script));
    for (char **word = options->words; *word != NULL; word++) {
        g_ptr_array_add(words, g_strdup(*word));
    }
    cmd_run_words_option(words, "--chip", options->chip);
    cmd_run_words_option(words, "--system", options->system);
    cmd_run_words_each(words, "--set", options->overrides);
    cmd_run_words_each(words, "--set", assignments);
    cmd_run_words_count(words, "--threads", options->threads);
    cmd_run_words_count(words, "--seed", options->seed);
    if (options->limit_cycles != SIM_TIME_NEVER) {
        cmd_run_words_count(words, "--limit-cycles", options->limit_cycles);
    }
    if (options->limit_steps > 0) {
        cmd_run_words_count(words, "--limit-steps", options->limit_steps);
    }
    if (is_timing_only) {
        g_ptr_array_add(words, g_strdup("--timing-only"));
    }
    g_ptr_array_add(words, g_strdup("--quiet"));
    return cmd_run_words_end(words);
}
