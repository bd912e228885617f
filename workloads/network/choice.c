/* Asks a Lua function which output a packet takes, and how much room there is. */
#include "workloads/network/choice.h"

#include <string.h>

#include "workloads/error.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/quote.h"

enum {
    OUTPUTS_MAXIMUM = 8,
};

/* Where things lie on the stack of an open file, after what the survey has there. */
enum {
    FILE_CHOOSE = SURVEY_GRID + 1,
    FILE_FREE, /* the table of room beyond outputs, the same for all questions */
};

/* Where they lie on the stack of a call of ask(). */
enum {
    QUESTION = 1,
    CHOOSE,
    FREE,
    GRID,
};

typedef struct {
    Survey survey;
} Choice;

typedef struct {
    const Choice *choice;
    const ArchNocHop *hop;
    guint port;
    char *wrong; /* an answer that is no good */
} Question;

static void choice_free(gpointer data)
{
    Choice *self = data;

    survey_clear(&self->survey);
    g_free(self);
}

static bool is_allowed(const ArchNocHop *hop, guint port)
{
    return (hop->outs >> port & 1) != 0;
}

/* Sets free.east and its like; those that are not allowed are nil. */
static void fill_free(const ArchNocHop *hop, lua_State *L)
{
    for (guint port = 0; port < OUTPUTS_MAXIMUM && hop->names[port] != NULL; port++) {
        if (is_allowed(hop, port)) {
            lua_pushinteger(L, hop->free_flits[port]);
        } else {
            lua_pushnil(L);
        }
        lua_setfield(L, FREE, hop->names[port]);
    }
}

static void push_node(const Choice *self, lua_State *L, uint32_t node)
{
    lua_pushinteger(L, node % self->survey.grid.width);
    lua_pushinteger(L, node / self->survey.grid.width);
}

/* Takes the answer at the top of the stack. */
static void take_answer(Question *self, lua_State *L)
{
    const ArchNocHop *hop = self->hop;
    const bool is_word = lua_type(L, -1) == LUA_TSTRING;
    const char *word = is_word ? lua_tostring(L, -1) : "";

    for (guint port = 0; port < OUTPUTS_MAXIMUM && hop->names[port] != NULL; port++) {
        if (is_allowed(hop, port) && strcmp(hop->names[port], word) == 0) {
            self->port = port;
            return;
        }
    }
    g_autofree char *quoted = quote_word(word);

    self->wrong = is_word ? g_strdup_printf("'%s'", quoted)
                          : g_strdup_printf("a %s", lua_typename(L, lua_type(L, -1)));
}

/* Lua function: one question. */
static int ask(lua_State *L)
{
    Question *self = lua_touserdata(L, QUESTION);

    fill_free(self->hop, L);
    lua_pushvalue(L, CHOOSE);
    push_node(self->choice, L, self->hop->node);
    push_node(self->choice, L, self->hop->target);
    lua_pushvalue(L, FREE);
    lua_pushvalue(L, GRID);
    lua_call(L, 6, 1);
    take_answer(self, L);
    return 0;
}

/* "east, south": the outputs that are allowed. The caller frees it. */
static char *allowed_text(const ArchNocHop *hop)
{
    GString *text = g_string_new(NULL);

    for (guint port = 0; port < OUTPUTS_MAXIMUM && hop->names[port] != NULL; port++) {
        if (is_allowed(hop, port)) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
                                   hop->names[port]);
        }
    }
    return g_string_free(text, FALSE);
}

static bool refuse_answer(const Question *self, GError **error)
{
    const guint width = self->choice->survey.grid.width;
    const ArchNocHop *hop = self->hop;
    g_autofree char *allowed = allowed_text(hop);

    return sim_fail(error, WL_ERROR, WL_ERROR_RUNTIME,
                    "%s: choose(%u, %u, %u, %u) returns %s, expected one of %s",
                    sandbox_path(self->choice->survey.sandbox), hop->node % width,
                    hop->node / width, hop->target % width, hop->target / width,
                    self->wrong, allowed);
}

/* An ArchNocChooseFunc. */
static bool choose(gpointer data, const ArchNocHop *hop, guint *port, GError **error)
{
    Choice *self = data;
    lua_State *L = sandbox_state(self->survey.sandbox);
    Question question = {.choice = self, .hop = hop};

    sandbox_progress(self->survey.sandbox);
    lua_pushcfunction(L, ask);
    lua_pushlightuserdata(L, &question);
    lua_pushvalue(L, FILE_CHOOSE);
    lua_pushvalue(L, FILE_FREE);
    lua_pushvalue(L, SURVEY_GRID);
    if (!sandbox_call(L, 4, 0, error)) {
        g_clear_pointer(&question.wrong, g_free);
        return false;
    }
    if (question.wrong != NULL) {
        const bool is_done = refuse_answer(&question, error);

        g_free(question.wrong);
        return is_done;
    }
    *port = question.port;
    return true;
}

/* Lua function: the table for the room beyond outputs. */
static int push_free(lua_State *L)
{
    lua_createtable(L, 0, OUTPUTS_MAXIMUM);
    return 1;
}

bool choice_attach(Survey *survey, ArchNocRoutes *routes, GError **error)
{
    lua_State *L = sandbox_state(survey->sandbox);
    Choice *self;

    if (field_push(L, SURVEY_TABLE, "choose") != LUA_TFUNCTION) {
        return wl_refuse(error, "%s: choose is not a function",
                         sandbox_path(survey->sandbox));
    }
    lua_pushcfunction(L, push_free);
    if (!sandbox_call(L, 0, 1, error)) {
        return false;
    }
    self = g_new0(Choice, 1);
    self->survey = *survey;
    *survey = (Survey){0};
    arch_noc_routes_on_choice(routes, choose, self, choice_free);
    return true;
}
