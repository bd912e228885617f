/* Loads, checks and runs what users name: lines for the command. */
#include <string.h>

#include <glib/gstdio.h>

#include "tools/library/state.h"

static void add(GPtrArray *line, const char *before, const char *text)
{
    g_ptr_array_add(line, g_strconcat(before, text, NULL));
}

static void add_each(GPtrArray *line, const char *before, const GPtrArray *texts)
{
    for (guint i = 0; i < texts->len; i++) {
        add(line, before, g_ptr_array_index(texts, i));
    }
}

/* The command that runs it. */
static void add_command(const Gridloom *self, GPtrArray *line)
{
    static const char *const commands[] = {
        [GRIDLOOM_SCRIPT] = "run", [GRIDLOOM_METAL] = "metal", [GRIDLOOM_CSL] = "csl"};

    add(line, self->program, NULL);
    add(line, commands[self->kind], NULL);
    if (self->kind == GRIDLOOM_CSL) {
        add(line, g_file_test(self->name, G_FILE_TEST_IS_DIR) ? "run" : "python", NULL);
    }
}

/* Everything up to the files of this run. */
static GPtrArray *line_new(const Gridloom *self)
{
    GPtrArray *line = g_ptr_array_new_with_free_func(g_free);

    add_command(self, line);
    add(line, "--quiet", NULL);
    if (self->chip != NULL) {
        add(line, "--chip=", self->chip);
    }
    add_each(line, "--set=", self->settings);
    add_each(line, "--", self->options);
    if (self->kind == GRIDLOOM_SCRIPT) {
        add_each(line, "--in=", self->inputs);
        add_each(line, "--save=", self->outputs);
    }
    return line;
}

/* Ends the line with what is run. */
static char *const *line_end(const Gridloom *self, GPtrArray *line)
{
    if (self->kind == GRIDLOOM_SCRIPT) {
        add(line, "--", NULL);
    }
    add(line, self->name, NULL);
    if (self->kind == GRIDLOOM_METAL) {
        add(line, "--", NULL);
    }
    add_each(line, "", self->kind == GRIDLOOM_SCRIPT ? self->params : self->arguments);
    g_ptr_array_add(line, NULL);
    return (char *const *) line->pdata;
}

/* Is there something to run, and someone who runs it? */
static int check_loaded(Gridloom *self)
{
    if (self->folder == NULL) {
        return library_fail(self, GRIDLOOM_INPUT, "nothing is open");
    }
    return self->name != NULL ? GRIDLOOM_DONE
                              : library_fail(self, GRIDLOOM_INPUT, "nothing is loaded");
}

static int try_it(Gridloom *self)
{
    g_autoptr(GPtrArray) line = line_new(self);
    LibraryAnswer answer = {0};
    int code;

    add(line, "--dry-run", NULL);
    code = library_call(
        self, &answer,
        (LibraryCall){.words = line_end(self, line), .has_no_result = true});
    library_answer_clear(&answer);
    return code;
}

int gridloom_check(Gridloom *self)
{
    const int code = check_loaded(self);

    if (code != GRIDLOOM_DONE) {
        return code;
    }
    return self->kind == GRIDLOOM_SCRIPT
               ? try_it(self)
               : library_fail(self, GRIDLOOM_UNMODELLED,
                              "%s: a host program cannot be tried without running it",
                              self->name);
}

static int load(Gridloom *self, int kind, const char *name)
{
    GPtrArray *const lists[] = {self->params, self->inputs, self->outputs,
                                self->arguments};

    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_ptr_array_set_size(lists[i], 0);
    }
    library_forget(self);
    g_free(self->name);
    self->name = g_strdup(name);
    self->kind = kind;
    if (kind != GRIDLOOM_SCRIPT) {
        return g_file_test(name, G_FILE_TEST_EXISTS)
                   ? library_done(self)
                   : library_fail(self, GRIDLOOM_INPUT, "%s: no such file", name);
    }
    return try_it(self);
}

int gridloom_load(Gridloom *self, int kind, const char *name)
{
    int code;

    if (kind < GRIDLOOM_SCRIPT || kind > GRIDLOOM_CSL) {
        return library_fail(self, GRIDLOOM_INPUT,
                            "kind %d, allowed is a GridloomKind, %d to %d", kind,
                            GRIDLOOM_SCRIPT, GRIDLOOM_CSL);
    }
    if (name == NULL || *name == '\0' || self->folder == NULL) {
        return library_fail(self, GRIDLOOM_INPUT, "nothing is %s",
                            self->folder == NULL ? "open" : "named");
    }
    code = load(self, kind, name);
    if (code != GRIDLOOM_DONE) {
        g_clear_pointer(&self->name, g_free);
    }
    return code;
}

/* Outputs of an earlier run must not be taken for this one's. */
static void remove_outputs(const Gridloom *self)
{
    for (guint i = 0; i < self->outputs->len; i++) {
        const char *word = g_ptr_array_index(self->outputs, i);

        (void) g_unlink(strchr(word, '=') + 1);
    }
}

int gridloom_run(Gridloom *self, GridloomProgressFunc progress, void *data)
{
    const int code = check_loaded(self);

    if (code != GRIDLOOM_DONE) {
        return code;
    }
    g_autoptr(GPtrArray) line = line_new(self);
    g_autofree char *result = g_build_filename(self->folder, "result", NULL);
    g_autofree char *pipe = g_build_filename(self->folder, "progress", NULL);

    library_forget(self);
    remove_outputs(self);
    add(line, "--json=", result);
    add(line, "--progress=", pipe);
    return library_call(self, &self->answer,
                        (LibraryCall){.words = line_end(self, line),
                                      .pipe = pipe,
                                      .progress = progress,
                                      .data = data});
}
