/* Chooses grains, and simulates slices of a layout exactly. */
#include "workloads/wafer/slice.h"

#include "workloads/sandbox/arguments.h"

ArchWseGrain wafer_grain(const Session *session, guint columns, guint rows)
{
    if (g_str_equal(session->run->grain, "auto")) {
        return (uint64_t) columns * rows <= WAFER_AUTO_PES ? ARCH_WSE_GRAIN_WAVELET
                                                           : ARCH_WSE_GRAIN_STREAM;
    }
    return g_str_equal(session->run->grain, "stream") ? ARCH_WSE_GRAIN_STREAM
                                                      : ARCH_WSE_GRAIN_WAVELET;
}

const char *wafer_grain_name(ArchWseGrain grain)
{
    return grain == ARCH_WSE_GRAIN_STREAM ? "stream" : "wavelet";
}

guint wafer_slice_size(guint target, guint least, guint period)
{
    return target <= least ? target : least + (target - least) % period;
}

static bool is_wanted(gpointer data)
{
    const WaferBuilder *builder = data;

    return session_report(builder->session, NULL);
}

bool wafer_slice_measure(WaferSlice *self,
                         const WaferPattern *pattern,
                         const guint size[2],
                         WaferBuilder *builder,
                         const ArchWseLayout *whole,
                         GError **error)
{
    ArchChip *chip = builder->session->chip;

    builder->is_slice = true;
    self->columns = wafer_slice_size(size[0], pattern->least[0], pattern->period[0]);
    self->rows = wafer_slice_size(size[1], pattern->least[1], pattern->period[1]);
    self->iterations = pattern->iterations;
    ArchWseSlice slice = {
        .columns = self->columns,
        .rows = self->rows,
        .iterations = self->iterations,
        .build = wafer_layout_build,
        .data = builder,
        .is_wanted = is_wanted,
        .whole = whole,
        .thread_count = sim_crew_threads(sim_engine_crew(arch_chip_engine(chip))),
    };

    return arch_wse_measure(arch_chip_params(chip), &slice, &self->stretches, error);
}

static double factor_of(const ArchWseStretch *stretch)
{
    return (double) stretch->factor / 65536;
}

void wafer_slice_report(const WaferSlice *self, Session *session)
{
    JsonObject *metrics = session->outcome->metrics;
    const GArray *stretches = self->stretches.stretches;
    g_autoptr(GString) line = g_string_new("grain=stream: ");

    for (guint i = 0; i < stretches->len; i++) {
        const ArchWseStretch *stretch = &g_array_index(stretches, ArchWseStretch, i);
        g_autofree char *name = g_strconcat("stretch_", stretch->phase, NULL);

        json_object_set_double_member(metrics, name, factor_of(stretch));
        g_string_append_printf(line, "%s%s x%.3f", i > 0 ? ", " : "", stretch->phase,
                               factor_of(stretch));
    }
    if (stretches->len == 0) {
        g_string_append(line, "no phase is stretched");
    }
    json_object_set_int_member(metrics, "slice_columns", self->columns);
    json_object_set_int_member(metrics, "slice_rows", self->rows);
    json_object_set_int_member(metrics, "slice_iterations", self->iterations);
    json_object_set_double_member(metrics, "slice_error", self->stretches.error);
    json_object_set_double_member(metrics, "slice_exact_cycles",
                                  self->stretches.exact_cycles);
    g_string_append_printf(line, ", from an exact slice of %ux%u", self->columns,
                           self->rows);
    session_print(session, line->str);
}

void wafer_slice_push(lua_State *L, const WaferSlice *self)
{
    const GArray *stretches = self->stretches.stretches;

    lua_createtable(L, 0, 5);
    lua_newtable(L);
    for (guint i = 0; i < stretches->len; i++) {
        const ArchWseStretch *stretch = &g_array_index(stretches, ArchWseStretch, i);

        answer_number(L, stretch->phase, factor_of(stretch));
    }
    lua_setfield(L, -2, "factors");
    lua_createtable(L, 2, 0);
    lua_pushinteger(L, self->columns);
    lua_rawseti(L, -2, 1);
    lua_pushinteger(L, self->rows);
    lua_rawseti(L, -2, 2);
    lua_setfield(L, -2, "slice");
    answer_number(L, "exact_cycles", self->stretches.exact_cycles);
    answer_number(L, "stream_cycles", self->stretches.stream_cycles);
    answer_number(L, "error", self->stretches.error);
}
