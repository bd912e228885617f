/* gridloom noc transfer: commands of one core or of many, timed as on silicon. */
#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/monitor.h"
#include "tools/gridloom/noc/transfer_result.h"

static bool run(const CmdNocTransferOptions *options,
                const CmdNocChip *chip,
                const CmdNocTransferPlan *plan,
                Monitor *monitor,
                GError **error)
{
    ArchTransferConfig config = plan->config;
    g_auto(ArchTransferResult) outcome = {0};
    CmdNocTransferResult result = {
        .options = options, .chip = chip, .plan = plan, .outcome = &outcome};

    config.monitor = monitor_observe;
    config.monitor_data = monitor;
    if (!arch_transfer_run(&config, cmd_noc_chip_params(chip), &outcome, error)) {
        return false;
    }
    monitor_silence(monitor);
    result.wall_seconds = monitor_seconds(monitor);
    result.events = outcome.events;
    if (!cmd_noc_transfer_result_write(&result, error)) {
        return false;
    }
    if (cmd_noc_output_has_text(&options->output)) {
        cmd_noc_transfer_result_print(&result);
    }
    return true;
}

int cmd_noc_transfer_run(gpointer data)
{
    const CmdNocTransferOptions *options = data;
    g_autoptr(CmdNocChip) chip = NULL;
    g_auto(CmdNocTransferPlan) plan = {0};
    g_autoptr(Monitor) monitor = NULL;
    g_autoptr(GError) error = NULL;

    chip = cmd_noc_chip_load(options->chip, options->overrides, &error);
    if (chip == NULL || !cmd_noc_transfer_plan_init(&plan, options, chip, &error) ||
        !cmd_noc_output_check(&options->output, &error)) {
        return complain_of(error);
    }
    monitor = monitor_new("noc transfer", cmd_noc_chip_hertz(chip),
                          options->output.limit_seconds, !options->output.is_quiet);
    return run(options, chip, &plan, monitor, &error)
               ? EXIT_DONE
               : monitor_complain(monitor, error);
}
