/* Questions to a function of a user's file about every node of a grid: its answers
 * become tables of routes, trees or traffic. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lua.h>

#include "workloads/network/neighbour.h"
#include "workloads/sandbox/sandbox.h"

typedef enum {
    SURVEY_OF_FIXED, /* f(fixed, node, grid) for every other node */
    SURVEY_TO_FIXED, /* f(node, fixed, grid) for every other node */
    SURVEY_TO_ALL,   /* f(fixed, node, grid) for every node */
    SURVEY_FROM_ALL, /* f(node, fixed, grid) for every node */
    SURVEY_NODES,    /* f(node, grid) for every node */
} SurveyKind;

/* An open file. A node is its x and y. */
typedef struct {
    WlSandbox *sandbox;
    NeighbourGrid grid;
    const char *function; /* its name */
    SurveyKind kind;
    int answers; /* values that are taken of each answer, or LUA_MULTRET */
} Survey;

/* Reads what the file returned, a table at SURVEY_TABLE, and pushes the function that
 * is asked. Sets `function`, `kind` and `answers`. Must not raise. */
typedef bool (*SurveyReadFunc)(gpointer data,
                               Survey *self,
                               lua_State *L,
                               GError **error);

/* Where things lie on the Lua stack of an open file. */
enum {
    SURVEY_TABLE = 1,
    SURVEY_FUNCTION, /* the one that is asked */
    SURVEY_GRID,     /* the last argument of all functions */
};

/* Runs the file at `path`. `noun` is for messages: "routing". Fails with
 * WL_ERROR_FIT (more nodes than `most_nodes`), as `read` does, or as loader_open()
 * does. */
typedef struct {
    const char *path;
    const WlSandboxConfig *config;
    NeighbourGrid grid;
    guint most_nodes;
    const char *noun;
} SurveyFile;
bool survey_open(Survey *self,
                 const SurveyFile *file,
                 SurveyReadFunc read,
                 gpointer data,
                 GError **error);
void survey_clear(Survey *self);

/* From now on asks another function of the file's table. Fails with WL_ERROR_SYNTAX if
 * that is not a function. */
bool survey_turn_to(Survey *self, const char *function, int answers, GError **error);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Survey, survey_clear)

/* Takes the answer: the values on the stack from `first` on. `node` is the first that
 * was asked about, `other` the second. On failure the message goes on after the
 * question. Must not raise. */
typedef bool (*SurveyAnswerFunc)(gpointer data,
                                 lua_State *L,
                                 int first,
                                 uint32_t node,
                                 uint32_t other,
                                 GError **error);

/* Asks about one `fixed` node and each node in turn. The limit of steps is for all of
 * them together. Fails with WL_ERROR_RUNTIME, WL_ERROR_LIMIT, or as `func` does. */
bool survey_ask(
    Survey *self, uint32_t fixed, SurveyAnswerFunc func, gpointer data, GError **error);
