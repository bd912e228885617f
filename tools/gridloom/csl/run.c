/* gridloom csl run: the command file of a folder, with our cslc and cs_python. */
#include "workloads/run.h"

#include <sys/wait.h>

#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/csl/place.h"
#include "tools/gridloom/run/options.h"

typedef struct {
    CmdRunOptions run; /* its line: the folder */
    GPtrArray *words;  /* the options, for cs_python */
} Options;

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    if (!cmd_run_check(&self->run, texts, error)) {
        return false;
    }
    self->words = g_ptr_array_new_with_free_func(g_free);
    option_texts_repeat(texts, self->words);
    return true;
}

static void clear(gpointer options)
{
    Options *self = options;

    g_clear_pointer(&self->words, g_ptr_array_unref);
    cmd_run_clear(&self->run);
}

/* The options as a shell reads them. The caller frees it. */
static char *quote(const GPtrArray *words)
{
    GString *text = g_string_new(g_getenv("GRIDLOOM_CSL_OPTIONS"));

    for (guint i = 0; i < words->len; i++) {
        g_autofree char *word = g_shell_quote(g_ptr_array_index(words, i));

        g_string_append_printf(text, " %s", word);
    }
    return g_string_free(text, FALSE);
}

static const char wse3_commands[] = "commands_wse3.sh";

/* Its command file for the chip; NULL: there is none. */
static const char *find_commands(const char *folder, const char *chip)
{
    const char *const names[] = {g_strcmp0(chip, "wse3") == 0 ? wse3_commands : "",
                                 "commands_wse2.sh", "commands.sh", wse3_commands};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);

        if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
            return names[i];
        }
    }
    return NULL;
}

static int run(gpointer data)
{
    const Options *self = data;
    const char *folder = self->run.line[0];
    const char *file = find_commands(folder, self->run.chip);

    if (file == wse3_commands && self->run.chip == NULL) {
        g_ptr_array_add(self->words, g_strdup("--chip=wse3"));
    }
    g_autofree char *options = quote(self->words);
    g_auto(GStrv) variables =
        g_environ_setenv(cmd_csl_environment(), "GRIDLOOM_CSL_OPTIONS", options, TRUE);
    const char *const words[] = {"/bin/bash", file, NULL};
    g_autoptr(GError) error = NULL;
    int status = 0;

    if (file == NULL) {
        return complain("%s: no commands_wse2.sh and no commands.sh in it", folder);
    }
    if (!g_spawn_sync(folder, (char **) words, variables, G_SPAWN_CHILD_INHERITS_STDIN,
                      NULL, NULL, NULL, NULL, &status, &error)) {
        return complain_of(error);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_STOPPED;
}

const Command cmd_csl_run = {
    .name = "csl run",
    .words = "DIR",
    .purpose = "run the command file of a CSL program's folder",
    .help = "csl-run",
    .missing = "no folder; give one with commands_wse2.sh",
    .most_words = 1,
    .tables = {{cmd_run_rows, 0}, {cmd_trace_rows, offsetof(Options, run.trace)}},
    COMMAND_OPTIONS(Options,
                    .run = {.threads = 1,
                            .seed = 1,
                            .limit_cycles = SIM_TIME_NEVER,
                            .livelock_cycles = WL_LIVELOCK_CYCLES}),
    .check = check,
    .clear = clear,
    .run = run,
};
