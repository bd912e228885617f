/* Jobs of a board: what scripts say of them, and how they are run, one after another.
 */
#include "sim/narrow.h"
#include "workloads/board/board.h"
#include "workloads/buffer/bytes.h"
#include "workloads/host/transfer.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"

enum {
    MOST_POINTS = 65535, /* along an axis */
    MOST_ROUNDS = 1000000,
    MOST_JOBS = 1024, /* of a list */
};

/* The grids of a job, in one of two kinds. */
typedef struct {
    uint64_t addresses[BOARD_GRIDS];
    uint8_t *bytes[BOARD_GRIDS];
} Grids;

/* A job as a script describes it. */
typedef struct {
    ArchNeroJob job;
    Grids inputs, outputs;
    SimTime end;
} Job;

/* Pays the time of host and board until the PEs can begin. */
static void prepare(lua_State *L, Board *self)
{
    host_pass(L, self->session, HOST_LAUNCH,
              arch_chip_launch_seconds(self->session->chip));
    self->is_prepared = true;
}

/* board:prepare(): pays what the host and the board take until PEs can begin. */
int board_prepare(lua_State *L)
{
    Board *self = board_check(L, "board:prepare");

    if (self->is_prepared) {
        return luaL_error(L, "board:prepare(): it is prepared already, run it");
    }
    prepare(L, self);
    return 0;
}

/* The grid on the top of the stack: an address, or a buffer of so many bytes. */
static void check_grid(lua_State *L,
                       const char *name,
                       uint64_t bytes,
                       bool is_on_board,
                       Grids *grids,
                       guint i)
{
    if (is_on_board) {
        int is_integer = 0;
        const lua_Integer address = lua_tointegerx(L, -1, &is_integer);

        if (is_integer == 0 || address < 0) {
            luaL_error(L, "%s[%d]: expected an address", name, sim_i32(i) + 1);
        }
        grids->addresses[i] = (uint64_t) address;
        return;
    }
    const HostBytes *buffer = host_bytes_check(L, -1);

    if (buffer->count != bytes) {
        luaL_error(L, "%s[%d]: the buffer is not as large as the grid", name,
                   sim_i32(i) + 1);
    }
    grids->bytes[i] = buffer->data;
}

/* The list in a field of the table on the top of the stack, of `count` grids. */
static void check_grids(lua_State *L,
                        const char *name,
                        guint count,
                        const ArchNeroJob *job,
                        guint number_bytes,
                        Grids *grids)
{
    const uint64_t bytes = (uint64_t) job->nx * job->ny * job->nz * number_bytes;
    const int type = field_push(L, lua_gettop(L), name);

    if (type != LUA_TTABLE || lua_rawlen(L, -1) != count) {
        luaL_error(L, "%s: expected a list of %d", name, sim_i32(count));
    }
    for (guint i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer) i + 1);
        check_grid(L, name, bytes, job->home == ARCH_NERO_BOARD, grids, i);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void end_job(gpointer data, SimTime when)
{
    *(SimTime *) data = when;
}

static ArchNeroJob check_options(lua_State *L, const Session *session)
{
    static const char *const known[] = {"nx",   "ny",   "nz",     "border",  "rounds",
                                        "next", "data", "inputs", "outputs", NULL};
    static const char *const homes[] = {[ARCH_NERO_BOARD] = "board",
                                        [ARCH_NERO_HOST] = "host",
                                        [ARCH_NERO_ON_CHIP] = "chip",
                                        NULL};
    const int table = lua_gettop(L);

    arguments_check(L, table, known);
    const guint next = arguments_integer(L, table, "next", 0, BOARD_GRIDS);

    return (ArchNeroJob){
        .nx = arguments_count(L, table, "nx", -1, MOST_POINTS),
        .ny = arguments_count(L, table, "ny", -1, MOST_POINTS),
        .nz = arguments_count(L, table, "nz", -1, MOST_POINTS),
        .border = arguments_integer(L, table, "border", 0, MOST_POINTS),
        .rounds = arguments_count(L, table, "rounds", 1, MOST_ROUNDS),
        .is_stepped = next > 0,
        .next_input = next > 0 ? next - 1 : 0,
        .home = (ArchNeroHome) arguments_choice(L, table, "data", homes, false),
        .is_functional = !session->machine->is_timing_only,
        .ended = end_job,
    };
}

/* Reads the table on the top of the stack into a job that does not move. */
static void
check_job(lua_State *L, const Session *session, const ArchNeroPlan *plan, Job *self)
{
    const guint number_bytes = arch_nero_format_bytes(plan->format);
    const guint results =
        arch_nero_datapath_result_count(plan->sweeps[plan->sweep_count - 1]);

    self->job = check_options(L, session);
    check_grids(L, "inputs", plan->fields, &self->job, number_bytes, &self->inputs);
    check_grids(L, "outputs", results, &self->job, number_bytes, &self->outputs);
    self->job.inputs = self->inputs.addresses;
    self->job.outputs = self->outputs.addresses;
    self->job.host_inputs = (const uint8_t *const *) self->inputs.bytes;
    self->job.host_outputs = self->outputs.bytes;
    self->job.data = &self->end;
}

/* Starts jobs, all but the first of which wait in the board's queue, and lets the board
 * run to the end of the last. */
static void run_to_end(lua_State *L, const Board *self, Job *jobs, guint count)
{
    GError *error = NULL;

    for (guint i = 0; i < count; i++) {
        if (!arch_nero_start(board_nero(self->session), &jobs[i].job, &error)) {
            sandbox_raise(L, error);
        }
    }
    if (!session_run_chip(self->session, &error)) {
        session_fail(L, self->session, error);
    }
}

/* Launches jobs and passes the time they take; returns the cycle they began at. */
static SimTime launch(lua_State *L, Board *self, Job *jobs, guint count)
{
    Session *session = self->session;
    const guint pes = arch_nero_design_plan(arch_nero_design(board_nero(session)))->pes;

    if (!self->is_prepared) {
        prepare(L, self);
    }
    self->is_prepared = false;
    const SessionInstant start = session_begin_launch(session);

    run_to_end(L, self, jobs, count);
    const SimTime end = jobs[count - 1].end;

    g_assert(end >= start.cycle);
    const SimTime cycles = end - start.cycle;
    const double now = sim_system_now(session->machine->system);
    const double until =
        start.seconds + (double) cycles / arch_chip_clock_hz(session->chip);

    session_work_add(
        &session->work,
        &(WorkSpan){.begin = start.cycle, .end = end, .cycles = cycles, .parts = pes},
        1);
    host_pass(L, session, HOST_DEVICE, MAX(until - now, 0));
    return start.cycle;
}

/* board:run{ nx =, ny =, nz =, border =, rounds =, next =, data = "board", "host" or
 * "chip", inputs =, outputs = lists of addresses, or of buffers where the data are in
 * host memory }: until all is done; returns the cycles it took. */
int board_run(lua_State *L)
{
    Board *self = board_check(L, "board:run");
    const ArchNeroPlan *plan =
        arch_nero_design_plan(arch_nero_design(board_nero(self->session)));
    Job job = {0};

    lua_settop(L, 2);
    check_job(L, self->session, plan, &job);
    const SimTime begin = launch(L, self, &job, 1);

    lua_pushinteger(L, (lua_Integer) (job.end - begin));
    return 1;
}

/* board:run_all{ { as run takes it }, ... }: one after another from the board's queue,
 * after one launch; returns the cycles of all, and the list of those at which each had
 * ended. */
int board_run_all(lua_State *L)
{
    Board *self = board_check(L, "board:run_all");
    const ArchNeroPlan *plan =
        arch_nero_design_plan(arch_nero_design(board_nero(self->session)));

    lua_settop(L, 2);
    const lua_Unsigned length = lua_istable(L, 2) ? lua_rawlen(L, 2) : 0;

    if (length < 1 || length > MOST_JOBS) {
        return luaL_error(L, "board:run_all: expected a list of 1 to %d jobs",
                          MOST_JOBS);
    }
    const guint count = sim_u32(length);
    Job *jobs = lua_newuserdatauv(L, count * sizeof *jobs, 0);

    for (guint i = 0; i < count; i++) {
        jobs[i] = (Job){0};
        if (lua_rawgeti(L, 2, (lua_Integer) i + 1) != LUA_TTABLE) {
            return luaL_error(L, "board:run_all: job %d is no table", sim_i32(i) + 1);
        }
        check_job(L, self->session, plan, &jobs[i]);
        lua_pop(L, 1);
    }
    const SimTime begin = launch(L, self, jobs, count);

    lua_pushinteger(L, (lua_Integer) (jobs[count - 1].end - begin));
    lua_createtable(L, sim_i32(count), 0);
    for (guint i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer) (jobs[i].end - begin));
        lua_rawseti(L, -2, (lua_Integer) i + 1);
    }
    return 2;
}
