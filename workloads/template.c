/* Writes templates: workloads/templates/KIND.lua with the file's own name in it. */
#include "workloads/template.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#include "arch/chipfile/spelling.h"
#include "workloads/annotations.h"
#include "workloads/sandbox/quote.h"
#include "workloads/search.h"

const char *const wl_template_kinds[] = {"tensix", "wafer",       "noc-routing",
                                         "sweep",  "annotations", NULL};

/* By kind: what to do with the file. */
static const char *const hints[] = {
    "run it: gridloom run %s",
    "run it: gridloom run %s",
    "run it: gridloom noc traffic --routing %s",
    "run it: gridloom sweep %s",
    "keep %s beside your scripts: the Lua language server reads it",
};
_Static_assert(G_N_ELEMENTS(hints) + 1 == G_N_ELEMENTS(wl_template_kinds), "kinds");

/* The text of a new file; FILE in it becomes the file's own name. */
static char *text_of(const char *kind, const char *name, GError **error)
{
    g_autofree char *path = NULL;
    g_autofree char *text = NULL;

    if (g_str_equal(kind, "annotations")) {
        return wl_annotations();
    }
    path = search_find_or_fail(SEARCH_TEMPLATE, "template", kind, error);
    if (path == NULL || !g_file_get_contents(path, &text, NULL, error)) {
        return NULL;
    }
    g_auto(GStrv) parts = g_strsplit(text, " FILE", -1);
    g_autofree char *space = g_strconcat(" ", name, NULL);

    return g_strjoinv(space, parts);
}

static bool fail(const char *name, GError **error)
{
    const int reason = errno;

    g_set_error(
        error, G_FILE_ERROR, g_file_error_from_errno(reason), "new: %s%s%s", name,
        reason == EEXIST ? " exists, choose another name" : " cannot be written: ",
        reason == EEXIST ? "" : g_strerror(reason));
    return false;
}

/* The file must not exist, not even since a moment ago. */
static bool
write_new(const char *path, const char *name, const char *text, GError **error)
{
    FILE *file = g_fopen(path, "wxe");

    if (file == NULL) {
        return fail(name, error);
    }
    const bool is_written = fputs(text, file) >= 0 && fflush(file) == 0;

    if (fclose(file) != 0 || !is_written) {
        (void) fail(name, error);
        (void) g_unlink(path);
        return false;
    }
    return true;
}

char *wl_template_write(const char *kind, const char *path, GError **error)
{
    g_autofree char *name = quote_word(path != NULL ? path : "");
    guint number = 0;

    while (wl_template_kinds[number] != NULL &&
           !g_str_equal(wl_template_kinds[number], kind)) {
        number++;
    }
    if (wl_template_kinds[number] == NULL) {
        g_autofree char *word = quote_word(kind);
        g_autofree char *known = g_strjoinv(", ", (char **) wl_template_kinds);

        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "new: no template '%s'; nearest: %s; known are %s", word,
                    arch_spelling_nearest(wl_template_kinds, kind), known);
        return NULL;
    }
    if (path == NULL || !g_str_has_suffix(path, ".lua")) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "new: %s%sexpected the name of a new file that ends in .lua", name,
                    path != NULL ? ": " : "");
        return NULL;
    }
    g_autofree char *text = text_of(kind, name, error);

    if (text == NULL || !write_new(path, name, text, error)) {
        return NULL;
    }
    g_auto(GStrv) parts = g_strsplit(hints[number], "%s", 2);

    return g_strjoinv(name, parts);
}
