/* All commands of the program: the one list of them. */
#pragma once

#include "tools/gridloom/command.h"

extern const CommandMenu commands;

extern const Command cmd_run;
extern const Command cmd_chips;
extern const Command cmd_workloads;
extern const Command cmd_describe;
extern const Command cmd_metal;
extern const Command cmd_new;
extern const Command cmd_compare;
extern const Command cmd_diff;
extern const Command cmd_sweep;
extern const Command cmd_tune;
extern const Command cmd_roofline;
extern const Command cmd_report;
extern const Command cmd_explain;
extern const Command cmd_export;
extern const Command cmd_schema;
extern const Command cmd_validate;

extern const Command cmd_csl_check;
extern const Command cmd_csl_compile;
extern const Command cmd_csl_python;
extern const Command cmd_csl_run;

extern const Command cmd_noc_traffic;
extern const Command cmd_noc_transfer;
extern const Command cmd_noc_replay;

extern const Command cmd_gpu_figure;
extern const Command cmd_gpu_stencil;
extern const Command cmd_gpu_transform;

extern const Command cmd_model_time;
extern const Command cmd_model_energy;
extern const Command cmd_model_area;
extern const Command cmd_model_codesign;
extern const Command cmd_model_spatial; /* codesign FILE.lua */
extern const Command cmd_model_chain;

extern const Command cmd_plot_timeline;
extern const Command cmd_plot_heatmap;
extern const Command cmd_plot_roofline;
extern const Command cmd_plot_scaling;
extern const Command cmd_plot_latency;
