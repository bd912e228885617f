/* gridloom noc transfer: commands of one core or of many, timed as on silicon. */
#include <glib.h>

#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/noc/transfer_result.h"
#include "tools/gridloom/vigil.h"

static bool run(const NocTransferOptions *options,
                const NocChip *chip,
                const NocTransferPlan *plan,
                Vigil *vigil,
                GError **error)
{
    ArchTransferConfig config = plan->config;
    g_auto(ArchTransferResult) outcome = {0};
    NocTransferResult result = {
        .options = options, .chip = chip, .plan = plan, .outcome = &outcome};

    config.monitor = vigil_observe;
    config.monitor_data = vigil;
    if (!arch_transfer_run(&config, noc_chip_params(chip), &outcome, error)) {
        return false;
    }
    vigil_hush(vigil);
    result.wall_seconds = vigil_seconds(vigil);
    result.events = outcome.events;
    if (!noc_transfer_result_write(&result, error)) {
        return false;
    }
    if (noc_output_has_text(&options->output)) {
        noc_transfer_result_print(&result);
    }
    return true;
}

int cmd_noc_transfer(int argc, char **argv)
{
    g_auto(NocTransferOptions) options = {0};
    g_autoptr(NocChip) chip = NULL;
    g_auto(NocTransferPlan) plan = {0};
    g_autoptr(Vigil) vigil = NULL;
    g_autoptr(GError) error = NULL;

    if (!noc_transfer_options_parse(&options, argc, argv, &error)) {
        return complain_of(error);
    }
    chip = noc_chip_load(options.chip, options.overrides, &error);
    if (chip == NULL || !noc_transfer_plan_init(&plan, &options, chip, &error) ||
        !noc_output_check(&options.output, &error)) {
        return complain_of(error);
    }
    vigil = vigil_new("noc transfer", noc_chip_hertz(chip), options.limit_seconds,
                      !options.output.is_quiet);
    return run(&options, chip, &plan, vigil, &error) ? EXIT_DONE
                                                     : vigil_complain(vigil, error);
}
