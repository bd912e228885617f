/* Makes the chips of a system from their files. */
#include "workloads/chips.h"

#include "arch/chip.h"
#include "sim/counter.h"
#include "workloads/chip_file.h"
#include "workloads/connection.h"
#include "workloads/error.h"

struct WlChips {
    const SimPlatform *platform;
    GArray *chips; /* of WlChip */
};

char *wl_chips_carried(const SimPlatform *platform)
{
    const char *first = sim_platform_first_chip(platform)->chip;
    guint count = 0;

    for (guint i = 0; i < sim_platform_host_count(platform); i++) {
        count += sim_platform_host(platform, i)->chip != NULL;
    }
    return g_strdup_printf("%u x %s", count,
                           g_str_equal(first, "any") ? "any chip (--chip)" : first);
}

const char *wl_chips_usual(const WlScript *script)
{
    return arch_family_find(wl_script_families(script)[0])->usual_chip;
}

/* The chip the user names, else the system's, else the script's usual one. */
static const char *
choose_chip(const char *of_system, const WlChipsOrder *order, const WlScript *script)
{
    if (order->chip != NULL) {
        return order->chip;
    }
    if (!g_str_equal(of_system, "any")) {
        return of_system;
    }
    return wl_chips_usual(script);
}

bool wl_chips_fit_script(WlScript *script, const ArchParams *params, GError **error)
{
    const char *family = arch_params_family(params);

    if (!wl_script_choose_family(script, family)) {
        g_autofree char *names = g_strjoinv(", ", (char **) wl_script_families(script));

        return sim_fail(error, WL_ERROR, WL_ERROR_FIT,
                        "%s: runs on chips of family %s, %s is of family %s",
                        wl_script_path(script), names, arch_params_name(params),
                        family);
    }
    return true;
}

static bool set_words(WlScript *script, char **words, GError **error)
{
    for (char **word = words; *word != NULL; word++) {
        if (!wl_script_set(script, *word, error)) {
            return false;
        }
    }
    return true;
}

static bool check_family(const WlChips *self, const ArchParams *params, GError **error)
{
    const ArchParams *first = arch_chip_params(wl_chips_first(self));

    if (g_str_equal(arch_params_family(params), arch_params_family(first))) {
        return true;
    }
    g_set_error(
        error, WL_ERROR, WL_ERROR_FIT,
        "%s: chips %s of family %s and %s of family %s, those of one family can "
        "run a script",
        sim_platform_path(self->platform), arch_params_name(first),
        arch_params_family(first), arch_params_name(params),
        arch_params_family(params));
    return false;
}

/* What words mean depends on the chip's family. */
static bool fit_script(const WlChips *self,
                       const WlChipsOrder *order,
                       WlScript *script,
                       const ArchParams *params,
                       GError **error)
{
    return self->chips->len > 0 ? check_family(self, params, error)
                                : wl_chips_fit_script(script, params, error) &&
                                      set_words(script, order->words, error);
}

static bool add_chip(WlChips *self,
                     const SimPlatformHost *host,
                     const WlChipsOrder *order,
                     WlScript *script,
                     GError **error)
{
    const char *name = choose_chip(host->chip, order, script);
    g_autoptr(ArchParams) params = wl_chip_load_to_run(name, error);
    WlChip chip = {.host = host->name};

    if (params == NULL && name == host->chip) {
        g_prefix_error(error, "%s: %s: ", sim_platform_path(self->platform),
                       host->name);
    }
    if (params == NULL || !wl_chip_override(params, order->overrides, error) ||
        !fit_script(self, order, script, params, error)) {
        return false;
    }
    chip.chip = arch_chip_new(g_steal_pointer(&params), order->threads, error);
    if (chip.chip == NULL) {
        return false;
    }
    g_array_append_val(self->chips, chip);
    return true;
}

static void clear_chip(gpointer data)
{
    arch_chip_free(((WlChip *) data)->chip);
}

WlChips *wl_chips_new(const SimPlatform *platform,
                      const WlChipsOrder *order,
                      WlScript *script,
                      GError **error)
{
    g_autoptr(WlChips) self = g_new0(WlChips, 1);

    self->platform = platform;
    self->chips = g_array_new(FALSE, FALSE, sizeof(WlChip));
    g_array_set_clear_func(self->chips, clear_chip);
    for (guint i = 0; i < sim_platform_host_count(platform); i++) {
        const SimPlatformHost *host = sim_platform_host(platform, i);

        if (host->chip != NULL && !add_chip(self, host, order, script, error)) {
            return NULL;
        }
    }
    return wl_connect(platform, wl_chips_list(self), self->chips->len, error)
               ? g_steal_pointer(&self)
               : NULL;
}

void wl_chips_free(WlChips *self)
{
    if (self != NULL) {
        g_array_unref(self->chips);
        g_free(self);
    }
}

guint wl_chips_count(const WlChips *self)
{
    return self->chips->len;
}

const WlChip *wl_chips_list(const WlChips *self)
{
    return (const WlChip *) (const void *) self->chips->data;
}

ArchChip *wl_chips_first(const WlChips *self)
{
    return wl_chips_list(self)[0].chip;
}

bool wl_chips_set_links(const WlChips *self, SimSystem *system, GError **error)
{
    for (guint i = 0; i < sim_platform_link_count(self->platform); i++) {
        const SimPlatformLink *link = sim_platform_link(self->platform, i);
        ArchLink numbers;

        if (g_str_equal(link->kind, SIM_PLATFORM_HOST_LINK)) {
            continue;
        }
        if (!arch_chip_link(wl_chips_first(self), link->kind, &numbers, error)) {
            return false;
        }
        if (system != NULL) {
            sim_system_set_link(system, link->name, numbers.latency_seconds,
                                numbers.bytes_per_second * link->lanes);
        }
    }
    return true;
}

JsonObject *wl_chips_counters(const WlChips *self)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < wl_chips_count(self); i++) {
        const SimEngine *engine = arch_chip_engine(wl_chips_list(self)[i].chip);

        for (guint k = 0; k < sim_engine_counter_count(engine); k++) {
            const char *name = sim_engine_counter_name(engine, k);
            const gint64 before =
                json_object_get_int_member_with_default(object, name, 0);

            json_object_set_int_member(
                object, name, before + (gint64) sim_engine_counter_total(engine, k));
        }
    }
    return object;
}

uint64_t wl_chips_events(const WlChips *self)
{
    uint64_t events = 0;

    for (guint i = 0; i < wl_chips_count(self); i++) {
        events += sim_engine_events(arch_chip_engine(wl_chips_list(self)[i].chip));
    }
    return events;
}
