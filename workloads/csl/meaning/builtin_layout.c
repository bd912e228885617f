/* Builtins of layouts: the rectangle, code of PEs, routes, names for the host. */
#include "sim/narrow.h"
#include "workloads/csl/meaning/builtin.h"

/* The most PEs that a layout may have; a WSE-3 has 762 x 1176. */
#define PES_MOST (1U << 22)

CslValue csl_builtin_set_rectangle(CslEvaluator *self,
                                   const CslNode *node,
                                   const CslValue *arguments)
{
    CslLayout *layout = self->program->layout;
    uint32_t width = 0;
    uint32_t height = 0;
    uint64_t count;

    if (layout->width != 0) {
        csl_complain(self, node, "@set_rectangle is called twice");
        return csl_no_value();
    }
    if (!csl_argument_integer(self, node->children[0], &arguments[0], UINT16_MAX,
                              &width) ||
        !csl_argument_integer(self, node->children[1], &arguments[1], UINT16_MAX,
                              &height)) {
        return csl_no_value();
    }
    count = (uint64_t) width * height;
    if (count == 0 || count > PES_MOST) {
        csl_complain(self, node, "a rectangle of %u x %u PEs; 1 to %u PEs are possible",
                     width, height, PES_MOST);
        return csl_no_value();
    }
    layout->width = width;
    layout->height = height;
    layout->tiles = g_new(uint32_t, count);
    layout->colors = g_new(uint32_t, count);
    for (uint64_t i = 0; i < count; i++) {
        layout->tiles[i] = CSL_NO_INDEX;
        layout->colors[i] = CSL_NO_INDEX;
    }
    return csl_value_void();
}

/* The PE at coordinates that are the first two arguments; false after a report. */
static bool read_pe(CslEvaluator *self,
                    const CslNode *node,
                    const CslValue *arguments,
                    uint32_t *pe)
{
    const CslLayout *layout = self->program->layout;
    uint32_t at[2] = {0};
    const uint32_t sizes[2] = {layout->width, layout->height};

    if (layout->width == 0) {
        csl_complain(self, node, "%s comes before @set_rectangle", node->name);
        return false;
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (!csl_argument_integer(self, node->children[i], &arguments[i], UINT16_MAX,
                                  &at[i])) {
            return false;
        }
        if (at[i] >= sizes[i]) {
            csl_complain(self, node->children[i], "%s = %u, the rectangle has 0 to %u",
                         i == 0 ? "x" : "y", at[i], sizes[i] - 1);
            return false;
        }
    }
    *pe = at[0] + layout->width * at[1];
    return true;
}

/* The file that a path means here; NULL after a report. */
static const CslFile *
find_file(CslEvaluator *self, const CslNode *node, const CslValue *path)
{
    const CslFile *from = self->frame->module->file;
    const char *text = csl_argument_text(self, node, path);
    g_autofree char *found = NULL;

    if (text == NULL) {
        return NULL;
    }
    if (self->cached_text == path->text && self->cached_from == from) {
        return self->cached_file;
    }
    found = csl_program_find(self->program, from, text);
    if (found == NULL) {
        csl_complain(self, node, "there is no file '%s'", text);
        if (text[0] == '<') {
            csl_report_hint(self->program->to,
                            "--import-path names folders of libraries");
        } else {
            csl_report_hint(self->program->to, "paths start from the folder of %s",
                            from->path);
        }
        return NULL;
    }
    self->cached_text = path->text;
    self->cached_from = from;
    self->cached_file = csl_program_file(self->program, found, csl_here(self, node));
    return self->cached_file;
}

/* Named values for the params of a module; false after a report. */
static bool
read_bindings(CslEvaluator *self, const CslNode *node, const CslValue *value)
{
    if (value->type->kind == CSL_KIND_RECORD) {
        return true;
    }
    if (value->type->kind == CSL_KIND_STRUCT &&
        (!value->members->is_tuple || value->members->count == 0)) {
        return true;
    }
    csl_complain(self, node, "expected a struct of parameters, found %s",
                 value->type->kind == CSL_KIND_STRUCT ? "a tuple" : value->type->name);
    csl_report_hint(self->program->to, ".{ .name = value, ... }");
    return false;
}

CslValue csl_builtin_set_tile_code(CslEvaluator *self,
                                   const CslNode *node,
                                   const CslValue *arguments)
{
    CslLayout *layout = self->program->layout;
    const CslFile *file = self->frame->module->file;
    const CslStruct *bindings = NULL;
    uint32_t pe = 0;

    if (!read_pe(self, node, arguments, &pe)) {
        return csl_no_value();
    }
    if (layout->tiles[pe] != CSL_NO_INDEX) {
        csl_complain(self, node, "PE (%u, %u) gets code twice", pe % layout->width,
                     pe / layout->width);
        return csl_no_value();
    }
    if (node->count > 2) {
        file = find_file(self, node->children[2], &arguments[2]);
        if (file == NULL) {
            return csl_no_value();
        }
    }
    if (node->count > 3) {
        if (!read_bindings(self, node->children[3], &arguments[3])) {
            return csl_no_value();
        }
        bindings = arguments[3].members;
    }
    layout->tiles[pe] = csl_layout_tile(layout, file, bindings, csl_here(self, node));
    return csl_value_void();
}

CslValue csl_builtin_set_color_config(CslEvaluator *self,
                                      const CslNode *node,
                                      const CslValue *arguments)
{
    CslLayout *layout = self->program->layout;
    CslColorConfig config;
    uint32_t pe = 0;
    uint32_t index;
    const CslValue color =
        csl_coerce(self, node->children[2], arguments[2], CSL_T(COLOR));
    const CslValue given =
        csl_coerce(self, node->children[3], arguments[3], CSL_T(COMPTIME_STRUCT));

    if (color.type == NULL || given.type == NULL ||
        !read_pe(self, node, arguments, &pe)) {
        return csl_no_value();
    }
    index = csl_layout_config(layout, given.members);
    if (index == CSL_NO_INDEX) {
        if (!csl_color_config_read(self, node->children[3], given.members, &config)) {
            return csl_no_value();
        }
        index = csl_layout_add_config(layout, given.members, &config);
    }
    if (!csl_layout_set_color(layout, pe, sim_u8((int64_t) color.integer), index)) {
        csl_complain(self, node, "color %u of PE (%u, %u) is configured twice",
                     sim_u8((int64_t) color.integer), pe % layout->width,
                     pe / layout->width);
        return csl_no_value();
    }
    return csl_value_void();
}

static bool is_exportable(const CslType *type)
{
    if (type->kind == CSL_KIND_FUNCTION) {
        return !type->is_task && type->element->kind == CSL_KIND_VOID &&
               type->count <= 15;
    }
    return type->kind == CSL_KIND_POINTER || csl_type_is_plain(type);
}

CslValue csl_builtin_export_name(CslEvaluator *self,
                                 const CslNode *node,
                                 const CslValue *arguments)
{
    GArray *names = self->program->layout->names;
    const char *text = csl_argument_text(self, node->children[0], &arguments[0]);
    CslExportName name = {.place = csl_here(self, node)};

    if (text == NULL) {
        return csl_no_value();
    }
    name.name = csl_name(self->program, text);
    if (arguments[1].type->kind != CSL_KIND_TYPE ||
        !is_exportable(arguments[1].meant)) {
        csl_complain(self, node->children[1], "'%s' needs a type that the host can use",
                     text);
        csl_report_hint(self->program->to,
                        "[*]T, or fn(...)void with at most 15 arguments");
        return csl_no_value();
    }
    name.type = arguments[1].meant;
    if (node->count == 3) {
        if (arguments[2].type->kind != CSL_KIND_BOOL) {
            csl_complain(self, node->children[2], "expected true or false, found %s",
                         arguments[2].type->name);
            return csl_no_value();
        }
        name.is_mutable = arguments[2].integer != 0;
    }
    for (guint i = 0; i < names->len; i++) {
        const CslExportName *other = &g_array_index(names, CslExportName, i);

        if (other->name == name.name) {
            csl_complain(self, node, "'%s' is exported twice", text);
            csl_report(self->program->to, CSL_NOTE, other->place, "first here");
            return csl_no_value();
        }
    }
    g_array_append_val(names, name);
    return csl_value_void();
}

static CslValue size(CslEvaluator *self, uint32_t width, uint32_t height)
{
    CslField fields[] = {
        {csl_name(self->program, "width"), csl_value_integer(CSL_T(U16), width)},
        {csl_name(self->program, "height"), csl_value_integer(CSL_T(U16), height)}};

    return (CslValue){.type = CSL_T(COMPTIME_STRUCT),
                      .members =
                          csl_struct_new(self->program->values, fields, 2, false)};
}

CslValue csl_builtin_get_rectangle(CslEvaluator *self,
                                   const CslNode *node,
                                   const CslValue *arguments)
{
    const CslLayout *layout = self->program->layout;
    const CslOptions *options = &self->program->options;
    const uint32_t width = layout->width;
    const uint32_t height = layout->height;

    (void) arguments;
    if (width == 0) {
        csl_complain(self, node, "@get_rectangle comes before @set_rectangle");
        return csl_no_value();
    }
    CslField fields[] = {
        {csl_name(self->program, "width"), csl_value_integer(CSL_T(U16), width)},
        {csl_name(self->program, "height"), csl_value_integer(CSL_T(U16), height)},
        {csl_name(self->program, "fabric"),
         size(self, MAX(options->fabric_width, width),
              MAX(options->fabric_height, height))},
        {csl_name(self->program, "offsets"),
         size(self, options->offset_x, options->offset_y)}};

    return (CslValue){.type = CSL_T(COMPTIME_STRUCT),
                      .members =
                          csl_struct_new(self->program->values, fields, 4, false)};
}

/* Bindings that no param of the file takes. */
static void
warn_of_strangers(CslEvaluator *self, const CslNode *node, const CslModule *module)
{
    const CslTree *tree = module->file->tree;

    for (uint32_t i = 0; module->bindings != NULL && i < module->bindings->count; i++) {
        const char *name = csl_struct_at(module->bindings, i)->name;
        const guint found =
            GPOINTER_TO_UINT(g_hash_table_lookup(tree->global_slots, name));

        if (found == 0 || tree->globals[found - 1]->token != CSL_TOKEN_PARAM) {
            csl_report(self->program->to, CSL_WARNING, csl_here(self, node),
                       "%s has no param '%s'", module->file->path, name);
        }
    }
}

CslValue csl_builtin_import_module(CslEvaluator *self,
                                   const CslNode *node,
                                   const CslValue *arguments)
{
    const CslFile *file = find_file(self, node->children[0], &arguments[0]);
    CslModule *module;

    if (file == NULL) {
        return csl_no_value();
    }
    if (node->count == 2 && !read_bindings(self, node->children[1], &arguments[1])) {
        return csl_no_value();
    }
    if (self->program->modules->len > self->module_limit) {
        csl_complain(self, node, "the program imports more than %u modules",
                     CSL_MODULES_MOST);
        csl_report_hint(self->program->to, "does a file import itself?");
        return csl_no_value();
    }
    module = csl_module_new(self->program, file,
                            node->count == 2 ? arguments[1].members : NULL, self->pe);
    warn_of_strangers(self, node, module);
    return (CslValue){.type = CSL_T(MODULE), .module = module};
}
