/* The commands of the program. */
#pragma once

/* Gets its own name and its arguments; returns the exit code. */
typedef int (*CommandFunc)(int argc, char **argv);

int cmd_run(int argc, char **argv);
int cmd_chips(int argc, char **argv);
int cmd_workloads(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_describe(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_noc(int argc, char **argv);
int cmd_gpu(int argc, char **argv);
int cmd_model(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_roofline(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_validate(int argc, char **argv);

/* The commands below `gridloom noc`. */
int cmd_noc_traffic(int argc, char **argv);
int cmd_noc_transfer(int argc, char **argv);
int cmd_noc_replay(int argc, char **argv);

/* The commands below `gridloom gpu`. */
int cmd_gpu_figure(int argc, char **argv);
int cmd_gpu_stencil(int argc, char **argv);

/* The commands below `gridloom model`. */
int cmd_model_time(int argc, char **argv);
int cmd_model_energy(int argc, char **argv);
int cmd_model_area(int argc, char **argv);
int cmd_model_codesign(int argc, char **argv);
int cmd_model_chain(int argc, char **argv);
int cmd_model_spatial(int argc, char **argv); /* codesign FILE.lua */

/* The commands below `gridloom plot`. */
int cmd_plot_timeline(int argc, char **argv);
int cmd_plot_heatmap(int argc, char **argv);
int cmd_plot_roofline(int argc, char **argv);
int cmd_plot_scaling(int argc, char **argv);
