/* Owns a program: finds files, makes modules, runs the layout. */
#include "workloads/csl/meaning/program.h"

#include <string.h>

#include "sim/narrow.h"
#include "workloads/csl/meaning/builtin.h"
#include "workloads/csl/meaning/classify.h"
#include "workloads/csl/meaning/evaluator.h"
#include "workloads/csl/meaning/memo.h"
#include "workloads/csl/meaning/value_text.h"
#include "workloads/csl/syntax/parser.h"

void csl_file_free(CslFile *self)
{
    if (self == NULL) {
        return;
    }
    csl_tree_free(self->tree);
    csl_source_free(self->source);
    g_free(self->path);
    g_free(self->folder);
    g_free(self);
}

const char *csl_name(CslProgram *self, const char *text)
{
    return g_string_chunk_insert_const(self->names, text);
}

static void predeclare(CslProgram *self, const char *name, CslValue value)
{
    CslValue *kept = CSL_ARENA_ARRAY(self->arena, CslValue, 1);

    *kept = value;
    g_hash_table_insert(self->predeclared, (gpointer) csl_name(self, name), kept);
}

CslProgram *csl_program_new(const CslOptions *options, CslDiagnostics *to)
{
    CslProgram *self = g_new0(CslProgram, 1);

    self->options = *options;
    self->to = to;
    self->names = g_string_chunk_new(4096);
    self->arena = csl_arena_new();
    self->types = csl_types_new(self->arena);
    self->values = csl_values_new(self->arena);
    self->predeclared = g_hash_table_new(g_direct_hash, g_direct_equal);
    self->files = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                        (GDestroyNotify) csl_file_free);
    self->modules = g_ptr_array_new();
    self->layout = csl_layout_new();
    self->classes = g_ptr_array_new_with_free_func((GDestroyNotify) csl_pe_class_free);
    for (guint i = 0; i < CSL_TYPE_INDEX_RANGE; i++) {
        predeclare(self, csl_named_types[i].name, csl_value_type(&csl_named_types[i]));
    }
    for (guint i = CSL_NORTH; i <= CSL_RAMP; i++) {
        predeclare(self, csl_direction_names[i],
                   csl_value_integer(CSL_T(DIRECTION), i));
    }
    return self;
}

void csl_program_free(CslProgram *self)
{
    if (self == NULL) {
        return;
    }
    g_ptr_array_free(self->classes, TRUE);
    csl_layout_free(self->layout);
    g_ptr_array_free(self->modules, TRUE);
    g_hash_table_destroy(self->files);
    g_hash_table_destroy(self->predeclared);
    csl_values_free(self->values);
    csl_types_free(self->types);
    csl_arena_free(self->arena);
    g_string_chunk_free(self->names);
    g_free(self);
}

static const CslFile *add_file(CslProgram *self, const char *path, CslSource *source)
{
    CslFile *file = g_new0(CslFile, 1);

    file->path = g_strdup(path);
    file->folder = g_path_get_dirname(path);
    file->source = source;
    file->tree = csl_parse(source, self->names, self->to);
    csl_builtin_bind(file->tree->file);
    csl_memo_bind(file->tree->file, &self->memo_count);
    g_hash_table_insert(self->files, file->path, file);
    return file;
}

const CslFile *csl_program_file(CslProgram *self, const char *path, CslPlace place)
{
    const guint error_count = csl_diagnostics_error_count(self->to);
    const CslFile *file = g_hash_table_lookup(self->files, path);
    g_autoptr(GError) error = NULL;
    CslSource *source;

    if (file != NULL) {
        return file;
    }
    source = csl_source_read(path, &error);
    if (source == NULL) {
        csl_report(self->to, CSL_ERROR, place, "%s", error->message);
        return NULL;
    }
    file = add_file(self, path, source);
    return csl_diagnostics_error_count(self->to) == error_count ? file : NULL;
}

/* The path with or without the ending, if there is such a file. Takes the path. */
static char *existing(const CslProgram *self, char *path)
{
    g_autofree char *bare = path;
    g_autofree char *ended = g_strconcat(path, ".csl", NULL);

    if (g_hash_table_contains(self->files, bare) ||
        g_file_test(bare, G_FILE_TEST_IS_REGULAR)) {
        return g_steal_pointer(&bare);
    }
    if (g_file_test(ended, G_FILE_TEST_IS_REGULAR)) {
        return g_steal_pointer(&ended);
    }
    return NULL;
}

/* A file of the working folder keeps the name that it was given. */
static char *find_beside(const CslProgram *self, const CslFile *from, const char *path)
{
    return existing(self, g_path_is_absolute(path) || g_strcmp0(from->folder, ".") == 0
                              ? g_strdup(path)
                              : g_build_filename(from->folder, path, NULL));
}

char *csl_program_find(const CslProgram *self, const CslFile *from, const char *path)
{
    const char *const *folders = self->options.import_paths;
    g_autofree char *library = NULL;
    char *found = NULL;

    if (path[0] != '<') {
        found = find_beside(self, from, path);
        return found != NULL ? found : find_beside(self, self->root->file, path);
    }
    library = g_strndup(path + 1, strlen(path) - (g_str_has_suffix(path, ">") ? 2 : 1));
    for (; folders != NULL && *folders != NULL && found == NULL; folders++) {
        found = existing(self, g_build_filename(*folders, library, NULL));
    }
    return found;
}

CslModule *csl_module_new(CslProgram *self,
                          const CslFile *file,
                          const CslStruct *bindings,
                          CslPeClass *pe)
{
    const CslTree *tree = file->tree;
    CslModule *module = CSL_ARENA_ARRAY(self->arena, CslModule, 1);

    module->file = file;
    module->bindings = bindings;
    module->pe = pe;
    module->globals =
        CSL_ARENA_ARRAY(self->arena, CslGlobal, MAX(tree->global_count, 1));
    for (uint32_t i = 0; i < tree->global_count; i++) {
        module->globals[i].module = module;
        module->globals[i].node = tree->globals[i];
    }
    g_ptr_array_add(self->modules, module);
    if (pe != NULL) {
        g_ptr_array_add(pe->modules, module);
    }
    return module;
}

/* Adds the words name:number of an option; false after a report. */
static bool read_words(CslProgram *self,
                       const char *const *words,
                       const CslType *type,
                       GArray *fields)
{
    for (; words != NULL && *words != NULL; words++) {
        g_auto(GStrv) parts = g_strsplit(*words, ":", 2);
        const char *number = g_strv_length(parts) == 2 ? parts[1] : "";
        char *end = NULL;
        const gint64 value = g_ascii_strtoll(number, &end, 0);
        CslField field = {.value = csl_value_integer(type, value)};

        if (*number == '\0' || *end != '\0') {
            csl_report(self->to, CSL_ERROR, (CslPlace){0},
                       "'%s': expected name:number, as in size:12", *words);
            return false;
        }
        if (type == CSL_T(COLOR) && (value < 0 || value > 23)) {
            csl_report(self->to, CSL_ERROR, (CslPlace){0}, "'%s': colors are 0 to 23",
                       *words);
            return false;
        }
        field.name = csl_name(self, parts[0]);
        g_array_append_val(fields, field);
    }
    return true;
}

/* What the options bind to the params of the root file; false after a report. */
static bool
read_bindings(CslProgram *self, const CslFile *file, const CslStruct **bindings)
{
    g_autoptr(GArray) fields = g_array_new(FALSE, TRUE, sizeof(CslField));

    if (!read_words(self, self->options.parameters, CSL_T(COMPTIME_INT), fields) ||
        !read_words(self, self->options.colors, CSL_T(COLOR), fields)) {
        return false;
    }
    for (guint i = 0; i < fields->len; i++) {
        const char *name = g_array_index(fields, CslField, i).name;

        if (!g_hash_table_contains(file->tree->global_slots, name)) {
            csl_report(self->to, CSL_WARNING, (CslPlace){0}, "%s has no param '%s'",
                       file->path, name);
        }
    }
    *bindings = csl_struct_new(self->values, (CslField *) (void *) fields->data,
                               fields->len, false);
    return true;
}

static const CslNode *find_layout(CslProgram *self, const CslFile *file)
{
    const CslNode *found = NULL;

    for (uint32_t i = 0; i < file->tree->file->count; i++) {
        const CslNode *node = file->tree->file->children[i];

        if (node->kind == CSL_LAYOUT && found != NULL) {
            csl_report(self->to, CSL_ERROR, (CslPlace){file->source, node->offset},
                       "a file has one layout block; this is the second");
        }
        if (node->kind == CSL_LAYOUT) {
            found = node;
        }
    }
    return found;
}

/* Every PE has code. */
static void check_tiles(CslProgram *self, const CslNode *node)
{
    const CslLayout *layout = self->layout;
    const CslPlace place = {self->root->file->source, node->offset};

    if (layout->width == 0) {
        csl_report(self->to, CSL_ERROR, place, "the layout has no @set_rectangle");
        return;
    }
    for (uint32_t i = 0; i < layout->width * layout->height; i++) {
        if (layout->tiles[i] == CSL_NO_INDEX) {
            csl_report(self->to, CSL_ERROR, place, "PE (%u, %u) has no code",
                       i % layout->width, i / layout->width);
            csl_report_hint(self->to, "call @set_tile_code for every PE of %u x %u",
                            layout->width, layout->height);
            return;
        }
    }
}

/* A file without a layout is the code of one PE. */
static void lay_out_one(CslProgram *self)
{
    CslLayout *layout = self->layout;

    layout->width = 1;
    layout->height = 1;
    layout->tiles = g_new0(uint32_t, 1);
    layout->colors = g_new0(uint32_t, 1);
    layout->colors[0] = CSL_NO_INDEX;
    layout->tiles[0] =
        csl_layout_tile(layout, self->root->file, self->root->bindings, (CslPlace){0});
}

static bool load(CslProgram *self, const CslFile *file)
{
    const CslStruct *bindings = NULL;
    const CslNode *node;
    CslEvaluator evaluator;

    if (file == NULL || !read_bindings(self, file, &bindings)) {
        return false;
    }
    self->root = csl_module_new(self, file, bindings, NULL);
    node = find_layout(self, file);
    csl_evaluator_init(&evaluator, self);
    if (node == NULL) {
        lay_out_one(self);
    } else {
        evaluator.is_layout = true;
        self->layout->is_given = true;
        evaluator.module_limit = CSL_MODULES_MOST;
        if (csl_run_block(&evaluator, self->root, node)) {
            check_tiles(self, node);
        }
        evaluator.is_layout = false;
    }
    if (csl_diagnostics_error_count(self->to) == 0) {
        csl_classify(&evaluator);
    }
    csl_evaluator_clear(&evaluator);
    return csl_diagnostics_error_count(self->to) == 0;
}

bool csl_program_load(CslProgram *self, const char *path)
{
    return load(self, csl_program_file(self, path, (CslPlace){0}));
}

bool csl_program_load_text(CslProgram *self, const char *path, const char *text)
{
    const CslFile *file =
        add_file(self, path, csl_source_new(path, text, strlen(text)));

    return csl_diagnostics_error_count(self->to) == 0 && load(self, file);
}
