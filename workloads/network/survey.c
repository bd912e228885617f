/* Asks functions of users' files about nodes. */
#include "workloads/network/survey.h"

#include <string.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sandbox/field.h"

/* Where things lie on the Lua stack of a call of ask_all(). */
enum {
    ROUND = 1,
    FUNCTION = 2,
    GRID = 3,
};

/* All questions about one node, and the one that was asked last. */
typedef struct {
    const Survey *survey;
    uint32_t fixed;
    SurveyAnswerFunc func;
    gpointer data;
    uint32_t node;
    uint32_t other;
    GError *failure; /* an answer that is no good */
} Round;

/* The question as Lua would write it. The caller frees it. */
static char *question_text(const Round *self)
{
    const guint width = self->survey->grid.width;
    g_autofree char *other =
        self->survey->kind != SURVEY_NODES
            ? g_strdup_printf(", %u, %u", self->other % width, self->other / width)
            : g_strdup("");

    return g_strdup_printf("%s(%u, %u%s)", self->survey->function, self->node % width,
                           self->node / width, other);
}

static void push_node(const Round *self, lua_State *L, uint32_t node)
{
    lua_pushinteger(L, node % self->survey->grid.width);
    lua_pushinteger(L, node / self->survey->grid.width);
}

/* Pushes the arguments of a question and returns how many there are. */
static int push_question(const Round *self, lua_State *L)
{
    const bool is_pair = self->survey->kind != SURVEY_NODES;

    push_node(self, L, self->node);
    if (is_pair) {
        push_node(self, L, self->other);
    }
    lua_pushvalue(L, GRID);
    return is_pair ? 5 : 3;
}

/* Lua function: one protected call for all questions, each of which costs as much as a
 * short answer. */
static int ask_all(lua_State *L)
{
    Round *self = lua_touserdata(L, ROUND);
    const SurveyKind kind = self->survey->kind;
    const uint32_t node_count = self->survey->grid.width * self->survey->grid.height;
    const bool is_fixed_first = kind == SURVEY_OF_FIXED || kind == SURVEY_TO_ALL;
    const bool has_itself = kind != SURVEY_OF_FIXED && kind != SURVEY_TO_FIXED;

    for (uint32_t i = 0; i < node_count; i++) {
        self->node = is_fixed_first ? self->fixed : i;
        self->other = is_fixed_first ? i : self->fixed;
        if (i == self->fixed && !has_itself) {
            continue;
        }
        lua_pushvalue(L, FUNCTION);
        lua_call(L, push_question(self, L), self->survey->answers);
        if (!self->func(self->data, L, GRID + 1, self->node, self->other,
                        &self->failure)) {
            return 0;
        }
        lua_settop(L, GRID);
    }
    return 0;
}

/* Says in the error's first line, before the traceback, which question it was. */
static void add_question(const Round *self, GError *error)
{
    g_autofree char *question = question_text(self);
    int length = sim_i32(strcspn(error->message, "\n"));
    char *message = g_strdup_printf("%.*s in %s%s", length, error->message, question,
                                    error->message + length);

    g_free(error->message);
    error->message = message;
}

bool survey_ask(
    Survey *self, uint32_t fixed, SurveyAnswerFunc func, gpointer data, GError **error)
{
    lua_State *L = sandbox_state(self->sandbox);
    Round round = {.survey = self, .fixed = fixed, .func = func, .data = data};
    GError *raised = NULL;

    sandbox_progress(self->sandbox);
    lua_pushcfunction(L, ask_all);
    lua_pushlightuserdata(L, &round);
    lua_pushvalue(L, SURVEY_FUNCTION);
    lua_pushvalue(L, SURVEY_GRID);
    if (!sandbox_call(L, 3, 0, &raised)) {
        g_clear_error(&round.failure);
        if (g_error_matches(raised, WL_ERROR, WL_ERROR_RUNTIME)) {
            add_question(&round, raised);
        }
        g_propagate_error(error, raised);
        return false;
    }
    if (round.failure != NULL) {
        g_autofree char *question = question_text(&round);

        g_propagate_prefixed_error(error, round.failure, "%s: %s ",
                                   sandbox_path(self->sandbox), question);
        return false;
    }
    return true;
}

bool survey_open(Survey *self,
                 const SurveyFile *file,
                 SurveyReadFunc read,
                 gpointer data,
                 GError **error)
{
    *self = (Survey){.grid = file->grid};
    if ((uint64_t) file->grid.width * file->grid.height > file->most_nodes) {
        return sim_fail(error, WL_ERROR, WL_ERROR_FIT,
                        "%s: a grid of %ux%u nodes, %s files are for at most %u nodes",
                        file->path, file->grid.width, file->grid.height, file->noun,
                        file->most_nodes);
    }
    self->sandbox = loader_open(file->path, file->config, NULL, error);
    if (self->sandbox == NULL) {
        return false;
    }
    lua_State *L = sandbox_state(self->sandbox);

    if (!read(data, self, L, error)) {
        g_prefix_error(error, "%s: ", file->path);
        return false;
    }
    lua_pushcfunction(L, neighbour_push_grid);
    lua_pushlightuserdata(L, &self->grid);
    return sandbox_call(L, 1, 1, error);
}

bool survey_turn_to(Survey *self, const char *function, int answers, GError **error)
{
    lua_State *L = sandbox_state(self->sandbox);

    if (field_push(L, SURVEY_TABLE, function) != LUA_TFUNCTION) {
        return wl_refuse(error, "%s: %s is not a function", sandbox_path(self->sandbox),
                         function);
    }
    lua_replace(L, SURVEY_FUNCTION);
    self->function = function;
    self->answers = answers;
    return true;
}

void survey_clear(Survey *self)
{
    g_clear_pointer(&self->sandbox, sandbox_free);
}
