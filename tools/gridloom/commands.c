/* The list of all commands, which menus, manual pages and completion read. */
#include "tools/gridloom/commands.h"

static const CommandMenu noc = {
    .name = "noc",
    .noun = "experiment",
    .above = "Usage: gridloom noc EXPERIMENT ...\n\n"
             "Experiments with networks on chip, without a workload.\n\n",
    .below = "\n'gridloom noc EXPERIMENT --help' tells more.\n",
    .entries =
        (const CommandMenuEntry[]){
            {"traffic", "synthetic traffic: latency and throughput by load",
             .command = &cmd_noc_traffic},
            {"transfer", "commands of a chip's cores, timed as on silicon",
             .command = &cmd_noc_transfer},
            {"replay", "events recorded on silicon, and how well they are predicted",
             .command = &cmd_noc_replay},
            {0},
        },
};

static const CommandMenu gpu = {
    .name = "gpu",
    .noun = "model",
    .above = "Usage: gridloom gpu MODEL ...\n\n"
             "Models of GPUs. No program runs on them here: these are formulas.\n\n",
    .below = "\n'gridloom gpu MODEL --help' tells more.\n",
    .entries =
        (const CommandMenuEntry[]){
            {"figure",
             "figures of the paper on it, from the model and from what is published",
             .command = &cmd_gpu_figure},
            {"stencil",
             "the enhanced roofline: CUDA cores or tensor cores for a stencil",
             .command = &cmd_gpu_stencil},
            {"transform",
             "the matrices that a stencil becomes on tensor cores, run on numbers",
             .command = &cmd_gpu_transform},
            {0},
        },
};

/* Codesigns of GPUs are formulas, those of a sweep's file have programs that run. */
static const CommandMenu model = {
    .name = "model",
    .noun = "model",
    .above = "Usage: gridloom model MODEL ...\n\n"
             "Analytical cost models: formulas that stand beside the simulator. "
             "Nothing runs,\nbut for 'codesign FILE.lua'.\n\n",
    .below = "\n'gridloom model MODEL --help' tells more.\n",
    .entries =
        (const CommandMenuEntry[]){
            {"time", "how long a tiled stencil takes on a GPU, and which tile",
             .command = &cmd_model_time},
            {"energy", "what a tiled program costs in joules",
             .command = &cmd_model_energy},
            {"area", "silicon that a GPU, a core or a PE takes",
             .command = &cmd_model_area},
            {"codesign",
             "the best GPU for stencils in an area; of FILE.lua, SRAM or cores",
             .command = &cmd_model_codesign, .of_file = &cmd_model_spatial},
            {"chain", "traffic of a chain of matrix products, fused or not",
             .command = &cmd_model_chain},
            {0},
        },
};

static const CommandMenu plot = {
    .name = "plot",
    .noun = "picture",
    .above = "Usage: gridloom plot PICTURE RUN... -o FILE.svg|FILE.png\n\n"
             "Draws runs that are over. A RUN is a trace, a result.json, or a folder "
             "of --out.\n\n",
    .below = "\n'gridloom plot PICTURE --help' tells more.\n",
    .entries =
        (const CommandMenuEntry[]){
            {"timeline", "what the units of some cores did, and when",
             .command = &cmd_plot_timeline},
            {"heatmap", "how busy places and links were over the chip",
             .command = &cmd_plot_heatmap},
            {"roofline", "how near runs came to the roofs of their chips",
             .command = &cmd_plot_roofline},
            {"scaling", "time of several runs over one of their parameters",
             .command = &cmd_plot_scaling},
            {"latency", "latency of network traffic over its rate",
             .command = &cmd_plot_latency},
            {0},
        },
};

static const CommandMenu csl = {
    .name = "csl",
    .noun = "action",
    .above = "Usage: gridloom csl ACTION ...\n\n"
             "CSL programs as they are.\n\n",
    .below = "\n'gridloom csl ACTION --help' tells more.\n",
    .entries =
        (const CommandMenuEntry[]){
            {"run", "run the command file of a program's folder",
             .command = &cmd_csl_run},
            {"compile", "make a program ready to run, as cslc does",
             .command = &cmd_csl_compile},
            {"python", "run a host program in Python, as cs_python does",
             .command = &cmd_csl_python},
            {"check", "say what is wrong with a program", .command = &cmd_csl_check},
            {0},
        },
};

const CommandMenu commands = {
    .name = "",
    .noun = "command",
    .above = "Usage: gridloom COMMAND ...\n\n"
             "Runs numerical programs on simulated spatial dataflow chips.\n\n",
    .below = "\n'gridloom COMMAND --help' tells more. A first run:\n"
             "  gridloom run pcg --out pcg\n",
    .entries =
        (const CommandMenuEntry[]){
            {"run", "run a workload script on a simulated chip", .command = &cmd_run},
            {"metal", "run a tt-metal program, host and kernels as they are",
             .command = &cmd_metal},
            {"csl", "run CSL programs, layout, PEs and host as they are", .menu = &csl},
            {"chips", "list the chips", .command = &cmd_chips},
            {"workloads", "list the workload scripts and their parameters",
             .command = &cmd_workloads},
            {"describe", "explain a chip or a workload: every number, its source",
             .command = &cmd_describe},
            {"new", "write a working start for a program of your own",
             .command = &cmd_new},
            {"noc", "experiments with networks on chip, without a workload",
             .menu = &noc},
            {"gpu", "models of GPUs: stencils on CUDA and tensor cores", .menu = &gpu},
            {"model", "cost models: time, energy, area, codesign, matrix chains",
             .menu = &model},
            {"compare", "run one problem on several chips, side by side",
             .command = &cmd_compare},
            {"diff", "numbers that differ between two runs, for tests of changes",
             .command = &cmd_diff},
            {"sweep", "do many runs, of all that may vary, into one database",
             .command = &cmd_sweep},
            {"tune", "find the window of a grid that gives most for least",
             .command = &cmd_tune},
            {"roofline",
             "runs of chips and GPUs under their roofs: what bounds each, and how near",
             .command = &cmd_roofline},
            {"explain", "say what bounds a run, and what its removal would gain",
             .command = &cmd_explain},
            {"report", "show runs on a page: timelines, maps, tables",
             .command = &cmd_report},
            {"export", "write a trace for Chrome, ViTE, ttnn-visualizer, or as CSV",
             .command = &cmd_export},
            {"plot", "draw timelines, heat maps, rooflines and scaling of runs",
             .menu = &plot},
            {"validate", "compare published figures with simulated ones",
             .command = &cmd_validate},
            {"schema", "say what the JSON of commands holds, and check files",
             .command = &cmd_schema},
            {0},
        },
};
