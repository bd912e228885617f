/* Traffic that a user wrote: a Lua function, compiled into a traffic matrix. */
#include <math.h>
#include <string.h>

#include "arch/error.h"
#include "arch/number/nan.h"
#include "workloads/error.h"
#include "workloads/network/survey.h"
#include "workloads/routing.h"
#include "workloads/sandbox/field.h"

/* A file, and the matrix that is made from it. */
typedef struct {
    Survey survey;
    ArchNocMatrix *matrix; /* borrowed */
    double *shares;        /* of one node */
} PatternFile;

/* The one function that the file has. */
static bool read_function(Survey *survey, lua_State *L, GError **error)
{
    const bool has_weight = field_push(L, SURVEY_TABLE, "weight") != LUA_TNIL;

    lua_pop(L, 1);
    survey->function = has_weight ? "weight" : "target";
    survey->kind = has_weight ? SURVEY_TO_ALL : SURVEY_NODES;
    survey->answers = has_weight ? 1 : 2;
    if (has_weight && field_push(L, SURVEY_TABLE, "target") != LUA_TNIL) {
        return wl_refuse(error, "has both target and weight, expected one");
    }
    lua_settop(L, SURVEY_TABLE);
    return field_push(L, SURVEY_TABLE, survey->function) == LUA_TFUNCTION ||
           wl_refuse(error, "%s is not a function", survey->function);
}

/* A SurveyReadFunc. */
static bool read_declaration(gpointer data G_GNUC_UNUSED,
                             Survey *survey,
                             lua_State *L,
                             GError **error)
{
    static const char *const known[] = {"summary", "target", "weight", NULL};

    if (lua_type(L, SURVEY_TABLE) != LUA_TTABLE) {
        return wl_refuse(error,
                         "the file returns no pattern, but a %s; expected return { "
                         "summary = ..., target = function(x, y, grid) ... end }",
                         lua_typename(L, lua_type(L, SURVEY_TABLE)));
    }
    return field_check_known(L, SURVEY_TABLE, known, error) &&
           field_summary(L, SURVEY_TABLE, error) != NULL &&
           read_function(survey, L, error);
}

static guint node_count(const PatternFile *self)
{
    return self->survey.grid.width * self->survey.grid.height;
}

/* Adds the row of shares, and begins the next one. */
static bool end_row(PatternFile *self, GError **error)
{
    const bool is_done = arch_noc_matrix_add(self->matrix, self->shares, error);

    memset(self->shares, 0, node_count(self) * sizeof(double));
    return is_done;
}

/* A SurveyAnswerFunc: x, y, or nothing. */
static bool take_target(gpointer data,
                        lua_State *L,
                        int first G_GNUC_UNUSED,
                        uint32_t node G_GNUC_UNUSED,
                        uint32_t other G_GNUC_UNUSED,
                        GError **error)
{
    PatternFile *self = data;
    const int x = lua_type(L, -2);
    const int y = lua_type(L, -1);
    uint32_t target = 0;

    if (x == LUA_TNIL && y == LUA_TNIL) {
        return end_row(self, error);
    }
    if (x != LUA_TNUMBER || y != LUA_TNUMBER) {
        return sim_fail(error, WL_ERROR, WL_ERROR_RUNTIME,
                        "returns a %s and a %s, expected x, y or nothing",
                        lua_typename(L, x), lua_typename(L, y));
    }
    if (!neighbour_read_position(&self->survey.grid, L, &target, error)) {
        return false;
    }
    self->shares[target] = 1;
    return end_row(self, error);
}

/* A SurveyAnswerFunc: a number from 0 on. */
static bool take_weight(gpointer data,
                        lua_State *L,
                        int first,
                        uint32_t node G_GNUC_UNUSED,
                        uint32_t target,
                        GError **error)
{
    const PatternFile *self = data;

    if (lua_type(L, first) != LUA_TNUMBER) {
        return sim_fail(error, WL_ERROR, WL_ERROR_RUNTIME,
                        "returns a %s, expected a number from 0 on",
                        lua_typename(L, lua_type(L, first)));
    }
    self->shares[target] = lua_tonumber(L, first);
    return (self->shares[target] >= 0 && isfinite(self->shares[target])) ||
           arch_refuse(error, "returns %g, expected a number from 0 on",
                       arch_nan_plain(self->shares[target]));
}

/* Scales weights to shares. Weights are divided by the largest first, as their sum may
 * be beyond all numbers. */
static void scale(const PatternFile *self)
{
    double most = 0;
    double sum = 0;

    for (guint i = 0; i < node_count(self); i++) {
        most = fmax(most, self->shares[i]);
    }
    for (guint i = 0; i < node_count(self) && most > 0; i++) {
        self->shares[i] /= most;
        sum += self->shares[i];
    }
    for (guint i = 0; i < node_count(self) && most > 0; i++) {
        self->shares[i] /= sum;
    }
}

static bool compile(PatternFile *self, GError **error)
{
    if (self->survey.kind == SURVEY_NODES) {
        return survey_ask(&self->survey, 0, take_target, self, error);
    }
    for (uint32_t node = 0; node < node_count(self); node++) {
        if (!survey_ask(&self->survey, node, take_weight, self, error)) {
            return false;
        }
        scale(self);
        if (!end_row(self, error)) {
            return false;
        }
    }
    return true;
}

ArchNocMatrix *wl_routing_load_pattern(const char *path,
                                       const WlSandboxConfig *config,
                                       ArchNocTopology topology,
                                       guint width,
                                       guint height,
                                       GError **error)
{
    g_return_val_if_fail(path != NULL && config != NULL, NULL);
    g_return_val_if_fail(width >= 1 && height >= 1, NULL);
    const SurveyFile file = {
        .path = path,
        .config = config,
        .grid = {.topology = topology, .width = width, .height = height},
        .most_nodes = WL_ROUTING_NODES_MAXIMUM,
        .noun = "pattern"};
    g_autoptr(ArchNocMatrix) matrix = arch_noc_matrix_new(width * height);
    g_autofree double *shares = g_new0(double, (gsize) width *height);
    PatternFile self = {.matrix = matrix, .shares = shares};
    const bool is_done =
        survey_open(&self.survey, &file, read_declaration, NULL, error) &&
        compile(&self, error);

    survey_clear(&self.survey);
    if (!is_done) {
        return NULL;
    }
    if (!arch_noc_matrix_check(matrix, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    return g_steal_pointer(&matrix);
}
