/* Makes the chips of a system from their files. */
#include "tools/gridloom/run/chips.h"

#include "arch/chip.h"
#include "tools/gridloom/chip_numbers.h"
#include "workloads/connection.h"
#include "workloads/error.h"

struct CmdRunChips {
    const SimPlatform *platform;
    GArray *chips; /* of WlChip */
};

const char *cmd_run_chips_usual(const WlScript *script)
{
    return arch_family_find(wl_script_families(script)[0])->usual_chip;
}

/* The chip the user names, else the system's, else the script's usual one. */
static const char *
choose_chip(const char *of_system, const CmdRunOptions *options, const WlScript *script)
{
    if (options->chip != NULL) {
        return options->chip;
    }
    if (!g_str_equal(of_system, "any")) {
        return of_system;
    }
    return cmd_run_chips_usual(script);
}

static bool choose_family(WlScript *script, const ArchParams *params, GError **error)
{
    const char *family = arch_params_family(params);

    if (!wl_script_choose_family(script, family)) {
        g_autofree char *names = g_strjoinv(", ", (char **) wl_script_families(script));

        g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                    "%s: runs on chips of family %s, %s is of family %s",
                    wl_script_path(script), names, arch_params_name(params), family);
        return false;
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

static bool
check_family(const CmdRunChips *self, const ArchParams *params, GError **error)
{
    const ArchParams *first = arch_chip_params(cmd_run_chips_first(self));

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
static bool fit_script(const CmdRunChips *self,
                       const CmdRunOptions *options,
                       WlScript *script,
                       const ArchParams *params,
                       GError **error)
{
    return self->chips->len > 0 ? check_family(self, params, error)
                                : choose_family(script, params, error) &&
                                      set_words(script, options->words, error);
}

static bool add_chip(CmdRunChips *self,
                     const SimPlatformHost *host,
                     const CmdRunOptions *options,
                     WlScript *script,
                     GError **error)
{
    const char *name = choose_chip(host->chip, options, script);
    g_autoptr(ArchParams) params = chip_numbers_load_to_run(name, error);
    WlChip chip = {.host = host->name};

    if (params == NULL && name == host->chip) {
        g_prefix_error(error, "%s: %s: ", sim_platform_path(self->platform),
                       host->name);
    }
    if (params == NULL || !chip_numbers_override(params, options->overrides, error) ||
        !fit_script(self, options, script, params, error)) {
        return false;
    }
    chip.chip =
        arch_chip_new(g_steal_pointer(&params), (guint) options->threads, error);
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

CmdRunChips *cmd_run_chips_new(const SimPlatform *platform,
                               const CmdRunOptions *options,
                               WlScript *script,
                               GError **error)
{
    g_autoptr(CmdRunChips) self = g_new0(CmdRunChips, 1);

    self->platform = platform;
    self->chips = g_array_new(FALSE, FALSE, sizeof(WlChip));
    g_array_set_clear_func(self->chips, clear_chip);
    for (guint i = 0; i < sim_platform_host_count(platform); i++) {
        const SimPlatformHost *host = sim_platform_host(platform, i);

        if (host->chip != NULL && !add_chip(self, host, options, script, error)) {
            return NULL;
        }
    }
    if (!wl_connect(platform, cmd_run_chips_list(self), self->chips->len, error)) {
        return NULL;
    }
    return g_steal_pointer(&self);
}

void cmd_run_chips_free(CmdRunChips *self)
{
    if (self == NULL) {
        return;
    }
    g_array_unref(self->chips);
    g_free(self);
}

guint cmd_run_chips_count(const CmdRunChips *self)
{
    return self->chips->len;
}

const WlChip *cmd_run_chips_list(const CmdRunChips *self)
{
    return (const WlChip *) (const void *) self->chips->data;
}

ArchChip *cmd_run_chips_first(const CmdRunChips *self)
{
    return cmd_run_chips_list(self)[0].chip;
}

bool cmd_run_chips_set_links(const CmdRunChips *self, SimSystem *system, GError **error)
{
    for (guint i = 0; i < sim_platform_link_count(self->platform); i++) {
        const SimPlatformLink *link = sim_platform_link(self->platform, i);
        ArchLink numbers;

        if (g_str_equal(link->kind, SIM_PLATFORM_HOST_LINK)) {
            continue;
        }
        if (!arch_chip_link(cmd_run_chips_first(self), link->kind, &numbers, error)) {
            return false;
        }
        if (system != NULL) {
            sim_system_set_link(system, link->name, numbers.latency_seconds,
                                numbers.bytes_per_second * link->lanes);
        }
    }
    return true;
}
