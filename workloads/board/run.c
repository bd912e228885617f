/* Runs of boards: one job at a time, to its end. */
#include "workloads/board/run.h"

#include "workloads/board/board.h"
#include "workloads/buffer/bytes.h"
#include "workloads/host/transfer.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"

enum {
    MOST_POINTS = 65535, /* along an axis */
    MOST_ROUNDS = 1000000,
};

/* The grids of a job, in one of two kinds. */
typedef struct {
    uint64_t addresses[BOARD_GRIDS];
    uint8_t *bytes[BOARD_GRIDS];
} Grids;

/* What the host and the board take until the PEs can begin. */
static void prepare(lua_State *L, Board *self)
{
    host_pass(L, self->session, HOST_LAUNCH,
              arch_chip_launch_seconds(self->session->chip));
    self->is_prepared = true;
}

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
            luaL_error(L, "%s[%d]: expected an address", name, (int) i + 1);
        }
        grids->addresses[i] = (uint64_t) address;
        return;
    }
    const HostBytes *buffer = host_bytes_check(L, -1);

    if (buffer->count != bytes) {
        luaL_error(L, "%s[%d]: the buffer is not as large as the grid", name,
                   (int) i + 1);
    }
    grids->bytes[i] = buffer->data;
}

/* The list in a field, of `count` grids. What it refers to stays on the stack. */
static void check_grids(lua_State *L,
                        const char *name,
                        guint count,
                        const ArchNeroJob *job,
                        guint number_bytes,
                        Grids *grids)
{
    const uint64_t bytes = (uint64_t) job->nx * job->ny * job->nz * number_bytes;
    const int type = field_push(L, 2, name);

    if (type != LUA_TTABLE || lua_rawlen(L, -1) != count) {
        luaL_error(L, "%s: expected a list of %d", name, (int) count);
    }
    for (guint i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer) i + 1);
        check_grid(L, name, bytes, job->home == ARCH_NERO_BOARD, grids, i);
        lua_pop(L, 1);
    }
}

static void end_job(gpointer data, SimTime when)
{
    *(SimTime *) data = when;
}

static ArchNeroJob check_job(lua_State *L, const Session *session)
{
    static const char *const known[] = {"nx",   "ny",     "nz",      "border", "rounds",
                                        "data", "inputs", "outputs", NULL};
    static const char *const homes[] = {[ARCH_NERO_BOARD] = "board",
                                        [ARCH_NERO_HOST] = "host",
                                        [ARCH_NERO_ON_CHIP] = "chip",
                                        NULL};

    arguments_check(L, 2, known);
    return (ArchNeroJob){
        .nx = arguments_count(L, 2, "nx", -1, MOST_POINTS),
        .ny = arguments_count(L, 2, "ny", -1, MOST_POINTS),
        .nz = arguments_count(L, 2, "nz", -1, MOST_POINTS),
        .border = arguments_integer(L, 2, "border", 0, MOST_POINTS),
        .rounds = arguments_count(L, 2, "rounds", 1, MOST_ROUNDS),
        .home = (ArchNeroHome) arguments_choice(L, 2, "data", homes, false),
        .is_functional = !session->machine->is_timing_only,
        .ended = end_job,
    };
}

/* Starts the job and lets the board run to its end, in *end. */
static void run_to_end(lua_State *L, const Board *self, ArchNeroJob *job, SimTime *end)
{
    GError *error = NULL;

    job->data = end;
    if (!arch_nero_start(board_nero(self->session), job, &error)) {
        sandbox_raise(L, error);
    }
    if (!session_run_chip(self->session, &error)) {
        session_fail(L, self->session, error);
    }
}

int board_run(lua_State *L)
{
    Board *self = board_check(L, "board:run");
    Session *session = self->session;
    const ArchNeroPlan *plan =
        arch_nero_design_plan(arch_nero_design(board_nero(session)));
    const guint number_bytes = arch_nero_format_bytes(plan->format);
    ArchNeroJob job = check_job(L, session);
    SimTime end = 0;
    Grids inputs;
    Grids outputs;

    check_grids(L, "inputs", plan->fields, &job, number_bytes, &inputs);
    check_grids(L, "outputs",
                arch_nero_datapath_result_count(plan->sweeps[plan->sweep_count - 1]),
                &job, number_bytes, &outputs);
    job.inputs = inputs.addresses;
    job.outputs = outputs.addresses;
    job.host_inputs = (const uint8_t *const *) inputs.bytes;
    job.host_outputs = outputs.bytes;
    if (!self->is_prepared) {
        prepare(L, self);
    }
    self->is_prepared = false;
    const SessionInstant start = session_begin_launch(session);

    run_to_end(L, self, &job, &end);
    g_assert(end >= start.cycle);
    const SimTime cycles = end - start.cycle;
    const double now = sim_system_now(session->machine->system);
    const double until =
        start.seconds + (double) cycles / arch_chip_clock_hz(session->chip);

    session->work.cycles += (double) cycles;
    session->work.core_cycles += (double) cycles * plan->pes;
    host_pass(L, session, HOST_DEVICE, MAX(until - now, 0));
    lua_pushinteger(L, (lua_Integer) cycles);
    return 1;
}
