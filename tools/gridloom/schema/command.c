/* gridloom schema: the schemas of all JSON that commands write, and whether files fit
 * them. */
#include <stdio.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/json_file.h"
#include "traces/file/json_member.h"
#include "traces/file/json_text.h"
#include "traces/file/output.h"
#include "traces/schema/catalog.h"
#include "traces/table/grid.h"

typedef struct {
    char **words; /* names of schemas, or files to check */
    char *out;
    bool is_check;
    bool is_partial;
    bool is_quiet;
} Options;

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    const Options *self = options;
    const guint count = self->words != NULL ? g_strv_length(self->words) : 0;

    (void) texts;
    if (self->is_check && self->out != NULL) {
        return option_fail(error, "--check writes nothing, leave --out away");
    }
    if (self->is_check && count == 0) {
        return option_fail(error, "--check: no file; give results, as --json and --out "
                                  "write them");
    }
    if (self->is_partial && !self->is_check) {
        return option_fail(error, "--partial belongs to --check, which is missing");
    }
    if (!self->is_check && self->out == NULL && count > 1) {
        return option_fail(error,
                           "schema: %u names, one is printed; --out DIR writes "
                           "several, --check takes files",
                           count);
    }
    return self->out == NULL || trace_output_check_folder(self->out, "--out", error);
}

/* A schema as text; the caller frees it. */
static char *text_of(const char *name, GError **error)
{
    g_autoptr(JsonNode) root = trace_catalog_read(name, error);
    g_autofree char *text = root != NULL ? trace_json_text(root, true) : NULL;

    return text != NULL ? g_strconcat(text, "\n", NULL) : NULL;
}

static bool list(GError **error)
{
    g_auto(GStrv) names = trace_catalog_names();
    g_autoptr(Grid) grid = grid_with("SCHEMA|OF");

    for (char **name = names; *name != NULL; name++) {
        g_autoptr(JsonNode) root = trace_catalog_read(*name, error);

        if (root == NULL) {
            return false;
        }
        grid_add(grid,
                 (const char *[]){*name, trace_json_string(json_node_get_object(root),
                                                           "title", "")});
    }
    grid_print(grid, stdout, 0);
    return true;
}

static bool print_one(const char *name, GError **error)
{
    g_autofree char *text = text_of(name, error);

    return text != NULL && trace_output_write("-", text, error);
}

/* Files of the named schemas, or of all; none if a name is wrong. */
static bool write_files(const Options *options, GError **error)
{
    g_auto(GStrv) all = trace_catalog_names();
    char **chosen = options->words != NULL ? options->words : all;
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

    for (char **name = chosen; *name != NULL; name++) {
        char *text = text_of(*name, error);

        if (text == NULL) {
            return false;
        }
        g_ptr_array_add(texts, text);
    }
    if (!trace_output_make_folder(options->out, error)) {
        return false;
    }
    for (guint i = 0; i < texts->len; i++) {
        g_autofree char *file = g_strconcat(chosen[i], ".json", NULL);
        g_autofree char *path = g_build_filename(options->out, file, NULL);

        if (!trace_output_write(path, g_ptr_array_index(texts, i), error)) {
            return false;
        }
    }
    return true;
}

static bool check_file(const char *path, const Options *options)
{
    const TraceSchemaStrictness strictness =
        options->is_partial ? TRACE_SCHEMA_PARTIAL : TRACE_SCHEMA_WHOLE;
    g_autoptr(GError) error = NULL;
    g_autoptr(JsonNode) root = trace_json_file_read(path, &error);

    if (root == NULL) {
        (void) complain_of(error);
        return false;
    }
    if (!trace_catalog_check(root, strictness, &error)) {
        (void) complain("%s: %s", path, error->message);
        return false;
    }
    if (!options->is_quiet) {
        g_autofree char *name = trace_catalog_name_of(root);

        printf("%s: fits schema %s\n", path, name);
    }
    return true;
}

/* All files, also after one that does not fit. */
static int check_files(const Options *options)
{
    bool is_right = true;

    for (char **path = options->words; *path != NULL; path++) {
        is_right = check_file(*path, options) && is_right;
    }
    return is_right ? EXIT_DONE : EXIT_INPUT;
}

static int run(gpointer data)
{
    const Options *options = data;
    g_autoptr(GError) error = NULL;
    bool is_done;

    if (options->is_check) {
        return check_files(options);
    }
    if (options->out != NULL) {
        is_done = write_files(options, &error);
    } else {
        is_done = options->words != NULL ? print_one(options->words[0], &error)
                                         : list(&error);
    }
    return is_done ? EXIT_DONE : complain_of(error);
}

static const char *const *names(void)
{
    static char **all;

    if (all == NULL) {
        all = trace_catalog_names();
    }
    return (const char *const *) all;
}

static const Option rows[] = {
    {"check", NULL, "words are files: does each fit the schema that it belongs to?",
     OPTION_FLAG(is_check)},
    {"partial", NULL, "with --check: members may be missing, as in older results",
     OPTION_FLAG(is_partial)},
    {"out", "DIR", "write the named schemas, or all, as files into a folder",
     OPTION_TEXT(out)},
    {"quiet", NULL, "no line for files that fit", OPTION_FLAG(is_quiet), .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words), .list = names},
    {0},
};

const Command cmd_schema = {
    .name = "schema",
    .words = "[NAME | FILE.json ...]",
    .purpose = "say what the JSON of commands holds, and check files",
    .help = "schema",
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .run = run,
    .check = check,
};
