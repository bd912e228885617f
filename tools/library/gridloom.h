/* libgridloom: simulated chips for programs of your own.
 *
 * A Gridloom is one chip and one program for it. Open it, load a script, set what you
 * want, run, read; then set something else and run again. example.c is a whole program.
 *
 * Processes. SimGrid, which simulates hosts and links, allows one engine in a process.
 * So every run is a process of its own: the program `gridloom` that is installed with
 * this library ($GRIDLOOM names another one). Runs may follow one another and go on
 * side by side, and one that crashes or lacks memory leaves your process alone. Results
 * are those of the command, to the byte, but for the member "host" and paths of arrays.
 *
 * Threads. A Gridloom belongs to one thread at a time; several threads may each have
 * their own. Do not wait for children that you have not started (waitpid(-1, ...)), and
 * do not ignore SIGCHLD: the library waits for its own.
 *
 * Errors. Functions return 0 or one of the codes below, which are the exit codes of the
 * command; gridloom_error() has the line. Texts and numbers that functions give are the
 * library's; they last until the next run, or until the Gridloom is closed. */
#pragma once

#include <stdint.h>

#if defined(__GNUC__)
#define GRIDLOOM_PUBLIC __attribute__((visibility("default")))
#else
#define GRIDLOOM_PUBLIC
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Gridloom Gridloom;

typedef enum {
    GRIDLOOM_DONE = 0,
    GRIDLOOM_INPUT = 1,         /* what was given is wrong */
    GRIDLOOM_UNMODELLED = 2,    /* the model does not cover it */
    GRIDLOOM_STOPPED = 3,       /* deadlock, livelock, a limit, or a crash */
    GRIDLOOM_CHECK = 4,         /* the numerical check failed; there is a result */
    GRIDLOOM_INTERRUPTED = 130, /* by the progress function, or by a signal */
} GridloomCode;

/* What is loaded. */
typedef enum {
    GRIDLOOM_SCRIPT = 0, /* in Lua: the name of a workload ("pcg"), or a file */
    GRIDLOOM_METAL = 1,  /* a tt-metal host program: C++, or compiled */
    GRIDLOOM_CSL = 2, /* a CSL host program in Python, or a folder with commands.sh */
} GridloomKind;

/* Types of arrays. A bf16 is a float32 or, as its bits, a uint16. */
typedef enum {
    GRIDLOOM_FLOAT16 = 0,
    GRIDLOOM_FLOAT32 = 1,
    GRIDLOOM_FLOAT64 = 2,
    GRIDLOOM_INT32 = 3,
    GRIDLOOM_INT64 = 4,
    GRIDLOOM_UINT16 = 5,
    GRIDLOOM_UINT32 = 6,
} GridloomType;

/* An array in C order: the last index runs fastest. */
typedef struct {
    int type;              /* a GridloomType */
    int dimension_count;   /* 0..32; 0: a single number */
    const uint64_t *shape; /* one length for each dimension */
    const void *data;
} GridloomArray;

/* How far a run is. */
typedef struct {
    uint64_t cycles;     /* of the slowest part of the chip */
    double seconds;      /* simulated */
    double wall_seconds; /* real, since the run began */
    double fraction;     /* done, 0..1; negative: the script does not say */
} GridloomProgress;

/* Called in the thread of gridloom_run(), about ten times a second. Not 0 stops the run
 * with GRIDLOOM_INTERRUPTED. It must not use the Gridloom that runs. */
typedef int (*GridloomProgressFunc)(void *data, const GridloomProgress *progress);

/* The version of the library: "0.1.0". */
GRIDLOOM_PUBLIC const char *gridloom_version(void);

/* Opens a chip by its name or file; NULL: the usual one of what is loaded later. Sets
 * `self` also on failure, for gridloom_error(); close it in any case. */
GRIDLOOM_PUBLIC int gridloom_open(Gridloom **self, const char *chip);
GRIDLOOM_PUBLIC void gridloom_close(Gridloom *self);

/* Why the last call failed, in one line; "" if it did not. */
GRIDLOOM_PUBLIC const char *gridloom_error(const Gridloom *self);

/* All numbers of the chip as JSON, before any gridloom_set(), each with unit, source
 * and confidence. NULL if none was named. */
GRIDLOOM_PUBLIC const char *gridloom_chip(const Gridloom *self);

/* Loads a script or program instead of the one before, whose parameters, arguments and
 * arrays are forgotten. Of programs it checks only that they are there. */
GRIDLOOM_PUBLIC int gridloom_load(Gridloom *self, int kind, const char *name);

/* These four take texts; NULL as value takes the setting back. Names and values are
 * checked by gridloom_check() and gridloom_run(). */

/* A number of the chip: "noc.hop_cycles", "36". */
GRIDLOOM_PUBLIC int gridloom_set(Gridloom *self, const char *key, const char *value);
/* A parameter of the script: "nx", "64". */
GRIDLOOM_PUBLIC int gridloom_param(Gridloom *self, const char *name, const char *value);
/* An option of `gridloom run` without its dashes: "threads", "4"; "" for options
 * without a value: "timing-only". Those that the library uses itself are refused. */
GRIDLOOM_PUBLIC int
gridloom_option(Gridloom *self, const char *name, const char *value);
/* One more argument of a program that is no script. NULL: none any more. */
GRIDLOOM_PUBLIC int gridloom_argument(Gridloom *self, const char *word);

/* Gives the script an input; copies the numbers. NULL takes it back. */
GRIDLOOM_PUBLIC int
gridloom_input(Gridloom *self, const char *name, const GridloomArray *array);
/* Has the next runs keep an output of the script for gridloom_array(). */
GRIDLOOM_PUBLIC int gridloom_output(Gridloom *self, const char *name);

/* Reads and checks script, chip, settings and names of arrays as a run does, and runs
 * nothing. Programs that are no scripts cannot be tried so: GRIDLOOM_UNMODELLED. */
GRIDLOOM_PUBLIC int gridloom_check(Gridloom *self);

/* Runs it to its end. `progress` may be NULL. */
GRIDLOOM_PUBLIC int
gridloom_run(Gridloom *self, GridloomProgressFunc progress, void *data);

/* Of the last run. The whole result as JSON, or NULL; what the program printed. */
GRIDLOOM_PUBLIC const char *gridloom_result(const Gridloom *self);
GRIDLOOM_PUBLIC const char *gridloom_printed(const Gridloom *self);

/* One member of the result by its JSON pointer (RFC 6901),
 * "/metrics/residual_history/0": a number; or a text, where anything but a string is
 * given as JSON. */
GRIDLOOM_PUBLIC int gridloom_number(Gridloom *self, const char *pointer, double *value);
GRIDLOOM_PUBLIC int
gridloom_text(Gridloom *self, const char *pointer, const char **text);

/* An output that gridloom_output() asked for. */
GRIDLOOM_PUBLIC int
gridloom_array(Gridloom *self, const char *name, GridloomArray *array);

#ifdef __cplusplus
}
#endif
