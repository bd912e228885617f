/* gridloom noc transfer: commands of one core or of many, timed as on silicon. */
#include <glib.h>

#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/noc_transfer_result.h"

static bool run(const NocTransferOptions *options,
                const NocChip *chip,
                const NocTransferPlan *plan,
                GError **error)
{
    const gint64 start = g_get_monotonic_time();
    g_auto(ArchTransferResult) outcome = {0};
    NocTransferResult result = {
        .options = options, .chip = chip, .plan = plan, .outcome = &outcome};

    if (!arch_transfer_run(&plan->config, noc_chip_params(chip), &outcome, error)) {
        return false;
    }
    result.wall_seconds = (double) (g_get_monotonic_time() - start) / G_USEC_PER_SEC;
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
    g_autoptr(GError) error = NULL;

    if (!noc_transfer_options_parse(&options, argc, argv, &error)) {
        return complain_of(error);
    }
    chip = noc_chip_load(options.chip, options.overrides, &error);
    if (chip == NULL || !noc_transfer_plan_init(&plan, &options, chip, &error) ||
        !noc_output_check(&options.output, &error) ||
        !run(&options, chip, &plan, &error)) {
        return complain_of(error);
    }
    return EXIT_DONE;
}
