/* Random programs that repeat over a wafer, with numbers: folded ones come to the same
 * as those whose PEs all have a state of their own. */
#include <string.h>

#include "arch/wse/data/diary.h"
#include "arch/wse/fabric.h"
#include "tests/arch/wse/run.h"
#include "tests/arch/wse/state_hash.h"

enum {
    SEEDS = 16,
    LEAST_COLUMNS = 52,
    LEAST_ROWS = 36,
    MORE = 12,  /* columns and rows at most */
    COUNT = 16, /* numbers of an array */
    SPARE = 4,  /* more of them, so that rows of it may begin later */
    ARRAYS = 3,
    MOST_PERIOD = 7,
    MOST_HOPS = 8,
    MOST_STREAMS = 5,
    MOST_ROUNDS = 6,
    LATE_STEPS = 300,
    GO = 24,
};

static const char *const arrays[ARRAYS] = {"u", "v", "w"};

/* A stream on a color of its own: whoever is at this place of a period sends it. */
typedef struct {
    guint x;
    guint y;
    guint hops;
    guint ways[MOST_HOPS];    /* directions */
    bool is_taken[MOST_HOPS]; /* after the hop; after the last always */
    guint count;
    guint split; /* so many are sent at first, then the others; 0: all at once */
} Stream;

typedef struct {
    guint32 seed;
    guint columns;
    guint rows;
    guint across; /* periods */
    guint down;
    guint rounds;
    guint stream_count;
    Stream streams[MOST_STREAMS];
    guint late_x; /* PEs there begin later; none if beyond the wafer */
    guint late_y;
    bool has_late_column;
    bool is_blind;
} Plan;

/* What a PE has to do with a stream. */
typedef enum {
    NOTHING,
    SENDS,
    PASSES,
    TAKES,
} Role;

static guint below(GRand *random, guint limit)
{
    return (guint) g_rand_int_range(random, 0, (gint32) limit);
}

static const int steps_x[] = {
    [ARCH_WSE_WEST] = -1, [ARCH_WSE_EAST] = 1, [ARCH_WSE_SOUTH] = 0};
static const int steps_y[] = {[ARCH_WSE_NORTH] = -1, [ARCH_WSE_SOUTH] = 1};
static const guint backs[] = {[ARCH_WSE_WEST] = E,
                              [ARCH_WSE_EAST] = W,
                              [ARCH_WSE_NORTH] = S,
                              [ARCH_WSE_SOUTH] = N};

/* Where it is after so many hops, seen from its sender. */
static void place_of(const Stream *self, guint hops, int *x, int *y)
{
    *x = 0;
    *y = 0;
    for (guint i = 0; i < hops; i++) {
        *x += steps_x[self->ways[i]];
        *y += steps_y[self->ways[i]];
    }
}

/* Streams of the same color do not meet: all its places in a period differ. */
static bool meets_itself(const Plan *plan, const Stream *self)
{
    int x = 0;
    int y = 0;

    place_of(self, self->hops, &x, &y);
    for (guint i = 0; i < self->hops; i++) {
        int other_x = 0;
        int other_y = 0;

        place_of(self, i, &other_x, &other_y);
        if ((x - other_x) % (int) plan->across == 0 &&
            (y - other_y) % (int) plan->down == 0) {
            return true;
        }
    }
    return false;
}

static void find_stream(const Plan *plan, Stream *self, GRand *random)
{
    const guint most = 1 + below(random, MOST_HOPS);
    guint way = below(random, WSE_LINKS);

    *self = (Stream){
        .x = below(random, plan->across),
        .y = below(random, plan->down),
        .count = 6 + below(random, COUNT - 6 + 1),
    };
    self->split = below(random, 3) == 0 ? self->count / 2 : 0;
    while (self->hops < most) {
        self->ways[self->hops] = way;
        self->is_taken[self->hops] = below(random, 2) == 0;
        self->hops++;
        if (meets_itself(plan, self)) {
            self->hops--;
            return;
        }
        way = below(random, 3) == 0 ? below(random, WSE_LINKS) : way;
    }
}

static Plan plan_of(guint32 seed)
{
    GRand *random = g_rand_new_with_seed(seed);
    Plan plan = {
        .seed = seed,
        .columns = LEAST_COLUMNS + below(random, MORE),
        .rows = LEAST_ROWS + below(random, MORE),
        .across = 1 + below(random, MOST_PERIOD),
        .down = 1 + below(random, below(random, 2) == 0 ? 2 : MOST_PERIOD),
        .rounds = 1 + below(random, MOST_ROUNDS),
        .is_blind = below(random, 2) == 0,
        .has_late_column = below(random, 3) == 0,
    };

    plan.late_x = below(random, 3) == 0 ? below(random, plan.columns) : plan.columns;
    plan.late_y = below(random, plan.rows);
    for (guint tries = 0; tries < 20 && plan.stream_count < MOST_STREAMS; tries++) {
        find_stream(&plan, &plan.streams[plan.stream_count], random);
        plan.stream_count += plan.streams[plan.stream_count].hops > 0;
    }
    g_rand_free(random);
    return plan;
}

/* Whether the stream of a sender there stays on the wafer. */
static bool is_whole(const Plan *plan, const Stream *stream, int x, int y)
{
    for (guint i = 0; i <= stream->hops; i++) {
        int dx = 0;
        int dy = 0;

        place_of(stream, i, &dx, &dy);
        if (x + dx < 0 || y + dy < 0 || x + dx >= (int) plan->columns ||
            y + dy >= (int) plan->rows) {
            return false;
        }
    }
    return true;
}

/* `hop` is the number of hops that it has come. */
static Role
role_of(const Plan *plan, const Stream *stream, guint x, guint y, guint *hop)
{
    for (guint i = 0; i <= stream->hops; i++) {
        int dx = 0;
        int dy = 0;

        place_of(stream, i, &dx, &dy);
        const int from_x = (int) x - dx;
        const int from_y = (int) y - dy;

        if (from_x >= 0 && from_y >= 0 && (guint) from_x % plan->across == stream->x &&
            (guint) from_y % plan->down == stream->y &&
            is_whole(plan, stream, from_x, from_y)) {
            *hop = i;
            if (i == 0) {
                return SENDS;
            }
            return i == stream->hops || stream->is_taken[i - 1] ? TAKES : PASSES;
        }
    }
    return NOTHING;
}

/* A PE's program, as far as it is there. */
typedef struct {
    Parts parts;
    GRand *random; /* the same for all PEs at this place of a period */
    guint arrays[ARRAYS];
} Code;

/* Some numbers of some array; sometimes backwards, or always the same one. */
static guint row(const Code *self, guint count)
{
    static const int strides[] = {1, 1, 1, 1, -1, 0};
    const int stride = strides[below(self->random, G_N_ELEMENTS(strides))];
    const int offset = (int) below(self->random, SPARE);

    return parts_row(&self->parts, self->arrays[below(self->random, ARRAYS)],
                     stride < 0 ? (int) count - 1 + offset : offset, count, stride);
}

static void compute(const Code *self)
{
    const guint count = 2 + below(self->random, COUNT - 1);
    const guint to = row(self, count);
    const guint one = row(self, count);
    const guint two = below(self->random, 3) == 0
                          ? parts_number(&self->parts, ARCH_WSE_F32, 0.5)
                          : row(self, count);
    const ArchWseVector ways[] = {
        parts_vector("fadds", to, one, two, ARCH_WSE_NONE),
        parts_vector("fmuls", to, one, two, ARCH_WSE_NONE),
        parts_vector("fmovs", to, one, ARCH_WSE_NONE, ARCH_WSE_NONE),
        parts_vector("fmacs", to, one, to, two),
    };

    parts_emit(&self->parts, ways[below(self->random, G_N_ELEMENTS(ways))]);
}

static void emit(const Code *self, ArchWseVector vector, bool is_async)
{
    vector.is_async = is_async;
    parts_emit(&self->parts, vector);
}

static void send(const Code *self, guint color, guint count, bool is_async)
{
    const guint to = parts_fabout(&self->parts, color, color, count);
    const guint from = row(self, count);
    const bool is_computed = below(self->random, 3) == 0;

    emit(self,
         parts_vector(is_computed ? "fmuls" : "fmovs", to, from,
                      is_computed ? row(self, count) : ARCH_WSE_NONE, ARCH_WSE_NONE),
         is_async);
}

static void take(const Code *self, guint color, guint count, bool is_async)
{
    const guint from = parts_fabin(&self->parts, color, color, count);
    const guint to = row(self, count);
    const guint other = row(self, count);
    const ArchWseVector ways[] = {
        parts_vector("fmovs", to, from, ARCH_WSE_NONE, ARCH_WSE_NONE),
        parts_vector("fmacs", to, to, from, other),
        parts_vector("fadds", to, other, from, ARCH_WSE_NONE),
    };

    emit(self, ways[below(self->random, G_N_ELEMENTS(ways))], is_async);
}

/* The draws are the same for all PEs of the place, whatever their roles are. */
static void emit_round(Code *self, const Plan *plan, const Role *roles)
{
    for (guint i = 0; i < plan->stream_count; i++) {
        const Stream *stream = &plan->streams[i];
        const bool is_async = below(self->random, 4) == 0;
        const guint first = below(self->random, 3) == 0
                                ? 1 + below(self->random, stream->count - 1)
                                : 0;
        const guint32 seed = g_rand_int(self->random);
        GRand *outer = self->random;

        self->random = g_rand_new_with_seed(seed);
        if (roles[i] == SENDS && stream->split > 0) {
            send(self, i, stream->split, false);
            send(self, i, stream->count - stream->split, is_async);
        } else if (roles[i] == SENDS) {
            send(self, i, stream->count, is_async);
        } else if (roles[i] == TAKES && first > 0) {
            take(self, i, first, false);
            take(self, i, stream->count - first, is_async);
        } else if (roles[i] == TAKES) {
            take(self, i, stream->count, is_async);
        }
        g_rand_free(self->random);
        self->random = outer;
        for (guint k = below(self->random, 3); k > 0; k--) {
            compute(self);
        }
    }
    for (guint i = 0; i < ARRAYS; i++) { /* so that they stay small */
        const guint all = parts_row(&self->parts, self->arrays[i], 0, COUNT + SPARE, 1);

        parts_emit(&self->parts,
                   parts_vector("fmuls", all, all,
                                parts_number(&self->parts, ARCH_WSE_F32, 0.125),
                                ARCH_WSE_NONE));
    }
}

static ArchWseProgram *program_new(
    const WseRun *run, const Plan *plan, guint place, const Role *roles, bool is_late)
{
    Code code = {
        .parts = {run->params, arch_wse_program_new(run->params, "any")},
        .random = g_rand_new_with_seed(plan->seed * 1000 + place),
    };
    const guint wait = parts_variable(&code.parts, "wait", 0);

    for (guint i = 0; i < ARRAYS; i++) {
        code.arrays[i] =
            parts_array(&code.parts, arrays[i], ARCH_WSE_F32, COUNT + SPARE);
    }
    parts_begin(&code.parts, GO);
    for (guint i = 0; is_late && i < LATE_STEPS; i++) {
        assert_true(arch_wse_program_assign(code.parts.program, wait,
                                            (ArchWseOperand){0}, NULL));
    }
    for (guint i = 0; i < plan->rounds; i++) {
        emit_round(&code, plan, roles);
    }
    parts_end(&code.parts);
    assert_true(arch_wse_program_activate(code.parts.program, GO, NULL));
    g_rand_free(code.random);
    return code.parts.program;
}

static void set_route(
    const WseRun *run, guint color, const Stream *stream, ArchWseTiles at, guint hop)
{
    const guint from = hop == 0 ? R : backs[stream->ways[hop - 1]];
    const bool is_taken = hop == stream->hops || (hop > 0 && stream->is_taken[hop - 1]);
    guint to = is_taken ? R : 0;

    if (hop < stream->hops) {
        to |= 1u << stream->ways[hop];
    }
    wse_rig_set_route(run->layout, at, color, from, to);
}

static void lay(const WseRun *run, const Plan *plan)
{
    g_autoptr(GHashTable) programs = g_hash_table_new(NULL, NULL);

    for (guint i = 0; i < plan->columns * plan->rows; i++) {
        const guint x = i % plan->columns;
        const guint y = i / plan->columns;
        const guint place = x % plan->across + y % plan->down * plan->across;
        const bool is_late =
            x == plan->late_x && (plan->has_late_column || y == plan->late_y);
        Role roles[MOST_STREAMS] = {NOTHING};
        guint key = place * 2 + is_late;

        for (guint k = 0; k < plan->stream_count; k++) {
            guint hop = 0;

            roles[k] = role_of(plan, &plan->streams[k], x, y, &hop);
            key = key * 4 + roles[k];
            if (roles[k] != NOTHING) {
                set_route(run, k, &plan->streams[k], wse_rig_one(x, y), hop);
            }
        }
        gpointer program = g_hash_table_lookup(programs, GUINT_TO_POINTER(key + 1));

        if (program == NULL) {
            program = program_new(run, plan, place, roles, is_late);
            (void) g_hash_table_insert(programs, GUINT_TO_POINTER(key + 1), program);
        }
        wse_rig_set_code(run->layout, wse_rig_one(x, y), program);
    }
}

/* What became of it. */
typedef struct {
    GByteArray *numbers;
    uint64_t hash;
    SimTime cycles;
    bool is_lasting; /* PEs that stood for others had a diary to the end */
    char *failure;   /* or NULL */
} Outcome;

static void write_numbers(WseRun *run, const Plan *plan, guint salt)
{
    const gsize count = (gsize) plan->columns * plan->rows * COUNT;
    g_autofree float *numbers = g_new(float, count);

    for (guint k = 0; k < ARRAYS; k++) {
        const ArchWsePart part = {
            {0, 0, plan->columns - 1, plan->rows - 1, 1, 1}, arrays[k], 0, COUNT};

        for (guint i = 0; i < count; i++) {
            numbers[i] = (float) ((i * 2654435761u + k * 97 + salt) % 1021) / 1024;
        }
        assert_true(
            arch_wse_write(run->wse, &part, numbers, sizeof(float) * count, NULL));
    }
}

static void keep(const WseRun *run, const Plan *plan, Outcome *outcome)
{
    for (guint k = 0; k < ARRAYS; k++) {
        const gsize bytes =
            sizeof(float) * plan->columns * plan->rows * (COUNT + SPARE);
        const guint at = outcome->numbers->len;
        const ArchWsePart part = {{0, 0, plan->columns - 1, plan->rows - 1, 1, 1},
                                  arrays[k],
                                  0,
                                  COUNT + SPARE};

        g_byte_array_set_size(outcome->numbers, at + (guint) bytes);
        assert_true(
            arch_wse_read(run->wse, &part, outcome->numbers->data + at, bytes, NULL));
    }
    outcome->hash = outcome->hash * 31 + state_hash(run->wse);
    outcome->cycles += arch_wse_profile(run->wse).cycles;
}

static Outcome outcome_of(const Plan *plan, guint bands, guint threads)
{
    g_autoptr(GError) error = NULL;
    Outcome outcome = {.numbers = g_byte_array_new()};
    WseRun run;

    wse_run_open(&run, plan->columns, plan->rows, NULL);
    lay(&run, plan);
    run.thread_count = threads;
    run.options = (ArchWseOptions){
        .is_functional = true, .grain = ARCH_WSE_GRAIN_STREAM, .band_count = bands};
    if (!wse_run_load(&run, &error)) {
        fail_msg("seed %u: %s", plan->seed, error->message);
    }
    for (guint i = 0; i < 2 && outcome.failure == NULL; i++) {
        if (i == 0 || !plan->is_blind) {
            write_numbers(&run, plan, i);
        }
        if (!wse_run_try(&run, &error)) {
            outcome.failure = g_strdup(error->message);
        }
        if (i == 1 || !plan->is_blind || outcome.failure != NULL) {
            keep(&run, plan, &outcome);
        }
    }
    outcome.is_lasting = wse_fabric_of(run.wse)->diary != NULL;
    wse_run_close(&run);
    return outcome;
}

static void outcome_clear(Outcome *self)
{
    g_byte_array_unref(self->numbers);
    g_free(self->failure);
}

static void assert_same(const Plan *plan, const Outcome *one, const Outcome *other)
{
    if (g_strcmp0(one->failure, other->failure) != 0) {
        fail_msg("seed %u: '%s' or '%s'", plan->seed, one->failure, other->failure);
    }
    if (one->cycles != other->cycles || one->hash != other->hash) {
        fail_msg("seed %u: %u or %u cycles, or other states", plan->seed,
                 (guint) one->cycles, (guint) other->cycles);
    }
    assert_int_equal(one->numbers->len, other->numbers->len);
    assert_memory_equal(one->numbers->data, other->numbers->data, one->numbers->len);
}

static void random_programs_come_to_the_same(void **state)
{
    (void) state;
    guint lasting = 0;

    for (guint i = 0; i < SEEDS; i++) {
        const Plan plan = plan_of(i);
        Outcome whole = outcome_of(&plan, 1, 1);
        Outcome folded = outcome_of(&plan, 0, 1);
        Outcome threads = outcome_of(&plan, 0, 3);

        assert_same(&plan, &whole, &folded);
        assert_same(&plan, &whole, &threads);
        lasting += folded.is_lasting ? 1 : 0;
        outcome_clear(&whole);
        outcome_clear(&folded);
        outcome_clear(&threads);
    }
    assert_true(lasting > SEEDS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_come_to_the_same),
    };

    return cmocka_run_group_tests_name("arch.wse_diary_random", tests, NULL, NULL);
}
