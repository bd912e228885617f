/* A workload script: loaded into a sandbox, with the parameters it declares. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/account.h"
#include "workloads/alarm.h"

typedef struct WlScript WlScript;

typedef enum {
    WL_PARAM_INTEGER,
    WL_PARAM_NUMBER,
    WL_PARAM_TEXT,
    WL_PARAM_SWITCH, /* on | off */
    WL_PARAM_CHOICE,
} WlParamType;

/* One declared parameter. Borrowed until the script is freed. */
typedef struct {
    const char *name;
    WlParamType type;
    const char *help;
    const char *default_text; /* as the user would type it */
    const char *value_text;   /* the default, or the value set */
    bool is_set;
    bool has_range; /* numbers and integers only; an open end is infinite */
    double minimum;
    double maximum;
    const char *const *choices; /* NULL-terminated; NULL if not a choice */
} WlParam;

/* An array that a script takes from a file that the user names, or puts into one.
 * Borrowed until the script is freed. */
typedef struct {
    const char *name;
    const char *help;
    const char *file; /* NULL: the user named none */
} WlScriptArray;

typedef enum {
    WL_INPUTS,
    WL_OUTPUTS,
    WL_ARRAY_WAYS,
} WlArrayWay;

typedef struct {
    /* Lua heap and host buffers together; 0: no limit. With an account, which is
     * borrowed, its limit counts for all states that share it instead. */
    uint64_t memory_bytes;
    SimAccount *account;
    /* Lua instructions without any simulated time passing; 0: no limit. */
    uint64_t steps;
    bool has_options; /* messages name the options of `gridloom run` that set both */
    /* Borrowed, or NULL. Without an alarm, or if few steps are allowed, instructions
     * are counted from the start: Lua then runs two to three times slower. */
    WlAlarm *alarm;
    uint64_t seed;            /* the seed of math.random */
    const char *library_path; /* folder of the installed lib/, or NULL */
    /* Asked every few thousand counted steps: true stops the script with
     * WL_ERROR_LIMIT. */
    bool (*is_interrupted)(gpointer data);
    gpointer interrupted_data;
    /* Receives print()'s lines, without line end; NULL drops them. */
    void (*print)(gpointer data, const char *line);
    gpointer print_data;
} WlSandboxConfig;

/* 4 GiB, 400 million steps, seed 1. */
WlSandboxConfig wl_sandbox_config_default(void);

/* Loads the script and reads its declaration; runs nothing of the workload.
 * Fails with WL_ERROR_SYNTAX, WL_ERROR_RUNTIME or WL_ERROR_LIMIT. */
WlScript *
wl_script_load(const char *path, const WlSandboxConfig *config, GError **error);
void wl_script_free(WlScript *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlScript, wl_script_free)

const char *wl_script_path(const WlScript *self);
const char *wl_script_name(const WlScript *self); /* file name without .lua */
/* Has it go under another name in results: it runs somebody's program. */
void wl_script_rename(WlScript *self, const char *name);
const char *wl_script_summary(const WlScript *self); /* one line */
/* Families of chips it runs on, NULL-terminated. */
const char *const *wl_script_families(const WlScript *self);

/* The family whose parameters the script shows and takes: the first, until another is
 * chosen. Choose it before setting a word: each family has its own values. Returns
 * false and changes nothing if the script does not run on that family. */
const char *wl_script_family(const WlScript *self);
bool wl_script_choose_family(WlScript *self, const char *family);

guint wl_script_param_count(const WlScript *self);
const WlParam *wl_script_param(const WlScript *self, guint index);

/* The parameter values by name: numbers as numbers, all others as texts. The caller
 * frees it. */
JsonObject *wl_script_values(const WlScript *self);
/* The same of those that the user has set. */
JsonObject *wl_script_given(const WlScript *self);

/* Applies "name=value". Fails with WL_ERROR_KEY and says what the family allows. */
bool wl_script_set(WlScript *self, const char *assignment, GError **error);

/* The arrays that the chosen family has. */
guint wl_script_array_count(const WlScript *self, WlArrayWay way);
const WlScriptArray *wl_script_array(const WlScript *self, WlArrayWay way, guint index);
/* The one of that name, or NULL. */
const WlScriptArray *
wl_script_find_array(const WlScript *self, WlArrayWay way, const char *name);

/* Applies "name=FILE", each name once. The file of an input has to be an .npy file.
 * Fails with WL_ERROR_KEY and says what is there. */
bool wl_script_set_file(WlScript *self,
                        WlArrayWay way,
                        const char *word,
                        GError **error);
