/* Runs programs of tests on a wafer. */
#include "tests/workloads/csl/wafer_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Checks a program and generates its code; whether both went well. */
static bool compile(CslRig *self, const char *chip, const char *text)
{
    g_autofree char *path =
        g_strdup_printf("%s/arch/chips/%s.ini", GRIDLOOM_SOURCE_DIR, chip);

    *self = (CslRig){.checked = csl_checked_for(chip, text, NULL)};
    self->params = arch_params_load(path, NULL);
    assert_non_null(self->params);
    if (self->checked.is_well) {
        self->image = csl_image_new(self->checked.program, self->params);
    }
    return self->image != NULL;
}

static void open_on(CslRig *self, const char *chip, const char *text)
{
    g_autoptr(GError) error = NULL;
    const ArchWseOptions options = {.is_functional = true, .is_driven = true};

    if (!compile(self, chip, text)) {
        fail_msg("%s", csl_diagnostics_text(self->checked.to));
    }
    self->engine = sim_engine_new(sim_engine_config_default());
    self->wse = arch_wse_new(self->engine, self->params);
    if (!arch_wse_load(self->wse, g_steal_pointer(&self->image->layout), &options,
                       &error)) {
        fail_msg("%s", error->message);
    }
    arch_wse_start(self->wse);
}

void csl_rig_open(CslRig *self, const char *text)
{
    open_on(self, "wse2", text);
}

static char *
program_text(guint width, guint height, const char *layout, const char *code)
{
    return g_strdup_printf(
        "const memcpy = @import_module(\"<memcpy/get_params>\", .{ .width = %u, "
        ".height = %u });\n"
        "param sys_params: comptime_struct; param px: i16; param py: i16;\n"
        "const sys = @import_module(\"<memcpy/memcpy>\", sys_params);\n"
        "layout {\n"
        "  @set_rectangle(%u, %u);\n"
        "  for (@range(i16, %u)) |x| { for (@range(i16, %u)) |y| {\n"
        "    @set_tile_code(x, y, \"t.csl\", .{ .sys_params = memcpy.get_params(x), "
        ".px = x, .py = y });\n"
        "  } }\n"
        "  @export_name(\"f\", fn() void);\n"
        "%s\n"
        "}\n"
        "%s\n"
        "comptime { @export_symbol(f); }\n",
        width, height, width, height, width, height, layout, code);
}

void csl_rig_open_all(
    CslRig *self, guint width, guint height, const char *layout, const char *code)
{
    g_autofree char *text = program_text(width, height, layout, code);

    csl_rig_open(self, text);
}

void csl_rig_open_wse3(
    CslRig *self, guint width, guint height, const char *layout, const char *code)
{
    g_autofree char *text = program_text(width, height, layout, code);

    open_on(self, "wse3", text);
}

void csl_rig_open_pe(CslRig *self, const char *code)
{
    csl_rig_open_all(self, 1, 1, "", code);
}

void csl_rig_expect_refused(const char *code, const char *message)
{
    g_autofree char *text = program_text(1, 1, "", code);
    g_auto(CslRig) rig = {0};

    if (compile(&rig, "wse2", text)) {
        fail_msg("compiles, but is expected to say: %s", message);
    }
    if (strstr(csl_diagnostics_text(rig.checked.to), message) == NULL) {
        fail_msg("%s\nexpected: %s", csl_diagnostics_text(rig.checked.to), message);
    }
}

void csl_rig_close(CslRig *self)
{
    g_clear_pointer(&self->wse, arch_wse_free);
    g_clear_pointer(&self->engine, sim_engine_free);
    g_clear_pointer(&self->image, csl_image_free);
    csl_checked_clear(&self->checked);
    g_clear_pointer(&self->params, arch_params_free);
}

static ArchWseTiles all(const CslRig *self)
{
    const CslLayout *layout = self->checked.program->layout;

    return (ArchWseTiles){0, 0, layout->width - 1, layout->height - 1, 1, 1};
}

static bool launch(CslRig *self,
                   const char *function,
                   const int32_t *values,
                   guint count,
                   GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < count; i++) {
        g_ptr_array_add(names, g_strdup_printf("%s:%u", function, i));
    }
    const ArchWseLaunch call = {
        .tiles = all(self),
        .function = function,
        .names = (const char *const *) names->pdata,
        .values = values,
        .count = count,
    };

    return arch_wse_launch(self->wse, &call, error) &&
           sim_engine_run(self->engine, SIM_TIME_NEVER, error);
}

void csl_rig_launch(CslRig *self,
                    const char *function,
                    const int32_t *values,
                    guint count)
{
    g_autoptr(GError) error = NULL;

    if (!launch(self, function, values, count, &error)) {
        fail_msg("%s", error->message);
    }
}

char *csl_rig_launch_badly(CslRig *self, const char *function)
{
    g_autoptr(GError) error = NULL;

    assert_false(launch(self, function, NULL, 0, &error));
    return g_strdup(error->message);
}

/* Bytes of one number. */
static uint64_t
read_bits(CslRig *self, guint x, guint y, const char *name, guint index, guint bytes)
{
    const ArchWsePart part = {
        .tiles = {x, y, x, y, 1, 1}, .name = name, .first = index, .count = 1};
    uint64_t bits = 0;
    g_autoptr(GError) error = NULL;

    if (!arch_wse_read(self->wse, &part, &bits, bytes, &error)) {
        fail_msg("%s", error->message);
    }
    return bits;
}

int64_t csl_rig_integer(CslRig *self, guint x, guint y, const char *name, guint index)
{
    const CslTile *tile =
        &g_array_index(self->checked.program->layout->all, CslTile,
                       self->checked.program->layout
                           ->tiles[x + self->checked.program->layout->width * y]);
    const CslPeClass *pe = self->checked.program->classes->pdata[tile->pe_class];
    const CslGlobal *global =
        csl_module_find(pe->root, csl_name(self->checked.program, name));
    const CslType *type;
    uint64_t bits;
    guint unused;

    assert_non_null(global);
    type = global->type->kind == CSL_KIND_ARRAY ? global->type->element : global->type;
    if (csl_type_bytes(type) == 8) {
        return (int64_t) (read_bits(self, x, y, name, 2 * index, 4) |
                          read_bits(self, x, y, name, 2 * index + 1, 4) << 32);
    }
    bits = read_bits(self, x, y, name, index, (guint) csl_type_bytes(type));
    unused = 64 - 8 * (guint) csl_type_bytes(type);
    return type->kind == CSL_KIND_SIGNED ? (int64_t) (bits << unused) >> unused
                                         : (int64_t) bits;
}

float csl_rig_float(CslRig *self, guint x, guint y, const char *name, guint index)
{
    const uint32_t bits = (uint32_t) read_bits(self, x, y, name, index, 4);
    float number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

void csl_rig_expect(CslRig *self,
                    CslRigPlace place,
                    const char *name,
                    const double *numbers,
                    guint count)
{
    for (guint i = 0; i < count; i++) {
        const double found =
            place.is_float ? (double) csl_rig_float(self, place.x, place.y, name, i)
                           : (double) csl_rig_integer(self, place.x, place.y, name, i);

        if (found != numbers[i]) {
            fail_msg("PE (%u, %u): %s[%u] is %.9g, expected %.9g", place.x, place.y,
                     name, i, found, numbers[i]);
        }
    }
}

void csl_rig_run(const char *code, const int64_t *numbers, guint count)
{
    g_auto(CslRig) rig = {0};

    csl_rig_open_pe(&rig, code);
    csl_rig_launch(&rig, "f", NULL, 0);
    for (guint i = 0; i < count; i++) {
        assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", i), numbers[i]);
    }
}
