/* A Gridloom: what the user sets becomes words of the command's line. */
#include "tools/library/gridloom.h"

#include <stdarg.h>

#include <glib/gstdio.h>

#include "tools/library/state.h"

const char *gridloom_version(void)
{
    return GRIDLOOM_VERSION;
}

int library_done(Gridloom *self)
{
    *self->error = '\0';
    return GRIDLOOM_DONE;
}

int library_fail(Gridloom *self, int code, const char *format, ...)
{
    va_list arguments;

    g_free(self->error);
    va_start(arguments, format);
    self->error = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return code;
}

const char *gridloom_error(const Gridloom *self)
{
    return self->error;
}

char *library_array_file(const Gridloom *self, const char *way, const char *name)
{
    g_autofree char *file = g_strconcat(name, ".npy", NULL);

    return g_build_filename(self->folder, way, file, NULL);
}

int library_call(Gridloom *self, LibraryAnswer *answer, LibraryCall call)
{
    static const char *const ways[] = {"/in/", "/out/", "/"};

    call.folder = self->folder;
    *answer = library_program_call(&call);
    if (answer->process.code == GRIDLOOM_DONE) {
        return library_done(self);
    }
    g_autofree char *line = g_strdup(answer->process.why);

    for (guint i = 0; i < G_N_ELEMENTS(ways); i++) {
        g_autofree char *folder = g_strconcat(self->folder, ways[i], NULL);
        g_auto(GStrv) parts = g_strsplit(line, folder, -1);

        g_free(line);
        line = g_strjoinv(NULL, parts);
    }
    return library_fail(self, answer->process.code, "%s", line);
}

static int read_chip(Gridloom *self)
{
    g_autofree char *json = g_strdup_printf("--json=%s/result", self->folder);
    char *words[] = {self->program, (char *) "describe", json,
                     (char *) "--", self->chip,          NULL};
    LibraryAnswer answer = {0};
    const int code = library_call(self, &answer, (LibraryCall){.words = words});

    self->numbers = g_steal_pointer(&answer.result);
    library_answer_clear(&answer);
    return code;
}

static bool make_folder(Gridloom *self, GError **error)
{
    static const char *const ways[] = {"in", "out"};

    self->folder = g_dir_make_tmp("gridloom-XXXXXX", error);
    for (guint i = 0; self->folder != NULL && i < G_N_ELEMENTS(ways); i++) {
        g_autofree char *folder = g_build_filename(self->folder, ways[i], NULL);

        (void) g_mkdir(folder, 0700);
    }
    return self->folder != NULL;
}

int gridloom_open(Gridloom **self, const char *chip)
{
    Gridloom *made = g_new0(Gridloom, 1);
    GPtrArray **const lists[] = {&made->settings, &made->params,  &made->options,
                                 &made->inputs,   &made->outputs, &made->arguments,
                                 &made->texts};
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        *lists[i] = g_ptr_array_new_with_free_func(g_free);
    }
    made->arrays = g_ptr_array_new_with_free_func(library_array_free);
    made->error = g_strdup("");
    made->chip = g_strdup(chip);
    made->program = library_program_find();
    *self = made;
    if (made->program == NULL) {
        return library_fail(
            made, GRIDLOOM_INPUT,
            "the program gridloom is neither beside this library nor on "
            "the PATH; set GRIDLOOM to its path");
    }
    if (!make_folder(made, &error)) {
        return library_fail(made, GRIDLOOM_INPUT, "%s", error->message);
    }
    return chip != NULL ? read_chip(made) : GRIDLOOM_DONE;
}

/* Removes a folder with all its files, and folders of files. */
static void remove_folder(const char *path)
{
    GDir *folder = g_dir_open(path, 0, NULL);
    const char *name;

    while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
        g_autofree char *file = g_build_filename(path, name, NULL);

        if (g_file_test(file, G_FILE_TEST_IS_DIR)) {
            remove_folder(file);
        } else {
            (void) g_unlink(file);
        }
    }
    g_clear_pointer(&folder, g_dir_close);
    (void) g_rmdir(path);
}

void library_forget(Gridloom *self)
{
    library_answer_clear(&self->answer);
    g_ptr_array_set_size(self->texts, 0);
    g_ptr_array_set_size(self->arrays, 0);
}

void gridloom_close(Gridloom *self)
{
    if (self == NULL) {
        return;
    }
    library_forget(self);
    if (self->folder != NULL) {
        remove_folder(self->folder);
    }
    GPtrArray *const lists[] = {self->settings, self->params,  self->options,
                                self->inputs,   self->outputs, self->arguments,
                                self->texts,    self->arrays};
    char *const texts[] = {self->program, self->folder,  self->chip,
                           self->name,    self->numbers, self->error};

    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_ptr_array_unref(lists[i]);
    }
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_free(texts[i]);
    }
    g_free(self);
}

const char *gridloom_chip(const Gridloom *self)
{
    return self->numbers;
}
