/* The options of `gridloom run`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"
#include "tools/gridloom/option_table.h"
#include "tools/gridloom/run/trace_options.h"
#include "workloads/csl.h"
#include "workloads/metal.h"

enum {
    CMD_RUN_THREADS_MAXIMUM = 256,
    CMD_RUN_JOBS_MAXIMUM = 256,
    CMD_RUN_SAMPLES_MAXIMUM = 10000,
};

typedef struct {
    char **line;        /* the script, then words for it */
    const char *script; /* the first of `line` */
    char **words;       /* the rest of `line`: name=value, for the script */
    char *chip;
    char *system;
    char **overrides;
    char **inputs; /* name=FILE: arrays for the script; or NULL */
    char **saves;  /* name=FILE: arrays of the script; or NULL */
    char *out;
    char *json;
    char *progress; /* a file or pipe that is told how far the run is; or NULL */
    char *system_trace;
    char *report;
    char *heatmap;
    CmdTraceOptions trace;
    uint64_t threads;
    uint64_t seed;
    SimTime limit_cycles;
    SimTime livelock_cycles; /* 0: never */
    char *limit_memory;      /* as given, or NULL */
    uint64_t memory_bytes;   /* 0: the usual limit */
    char *memory_files;      /* a folder for large arrays; NULL: in memory */
    uint64_t limit_steps;    /* 0: the default */
    double limit_seconds;    /* 0: none */
    guint uncertainty;       /* samples of the chip's ranges; 0: none */
    guint jobs;              /* samples at a time */
    char **intervals;        /* more formulas over members of the result; or NULL */
    bool is_samples_only;    /* no runs at the ends of single ranges */
    bool is_timing_only;
    bool is_self_checked;
    guint check; /* 1: for races; 0: nothing */
    bool is_dry_run;
    bool is_quiet;
    WlMetal *metal;      /* a host program of its own to work for, or NULL; borrowed */
    WlCslRuntime *csl;   /* likewise, of a CSL program */
    const char *program; /* its path as given; NULL: there is none */
    const char *door;    /* the command that runs it: "metal" */
    char *const *again;  /* words to run it again, up to its options */
    char *const *arguments; /* words after them */
} CmdRunOptions;

/* What `gridloom metal` and `gridloom csl python` have in common with it: the rows,
 * their check, and what is to be freed. Both take CmdRunOptions, or what begins with
 * them. */
extern const Option cmd_run_rows[];
bool cmd_run_check(gpointer options, const OptionTexts *texts, GError **error);
void cmd_run_clear(gpointer options);

/* Takes CmdRunOptions. */
int cmd_run_run(gpointer options);

/* The exit code of a run with a host program of its own, which ended with `status`
 * (wl_host_wait()); says what is left to say. */
int cmd_run_judge(const CmdRunOptions *options, const char *name, int code, int status);
