/* Messages between ranks, through a module that is opened when there are some. */
#include "workloads/sweep/ranks.h"

#include <dlfcn.h>

#include "sim/narrow.h"
#include "workloads/sweep/rank_module.h"

static const gint64 alive_microseconds = 5 * (gint64) G_USEC_PER_SEC;
static const gint64 silent_microseconds = 60 * (gint64) G_USEC_PER_SEC;

/* Another rank. Times are monotonic microseconds. */
typedef struct {
    bool is_gone;
    gint64 heard;
    gint64 told;
} Other;

struct SweepRanks {
    const RankModule *module;
    int rank;
    int count;
    Other *others;
    bool is_one_gone;
    GByteArray *message;
};

/* Variables that Open MPI and others set for the processes they start. */
static const char *const rank_names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                         "PMI_RANK"};

const char *sweep_ranks_own(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rank_names); i++) {
        const char *text = g_getenv(rank_names[i]);

        if (text != NULL) {
            return text;
        }
    }
    return NULL;
}

/* The module's symbol: beside the program, or in the library folder beside the
 * program's. NULL, with the reason, where there is none. */
static gconstpointer open_module(const char **why)
{
    static const char *const places[] = {".", "../lib/gridloom",
                                         "../" GRIDLOOM_LIBRARY};
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = g_path_get_dirname(program != NULL ? program : ".");
    gpointer library = NULL;
    gconstpointer symbol;

    *why = "there is no gridloom_mpi.so";
    for (gsize i = 0; i < G_N_ELEMENTS(places) && library == NULL; i++) {
        g_autofree char *path =
            g_build_filename(folder, places[i], "gridloom_mpi.so", NULL);

        if (g_file_test(path, G_FILE_TEST_EXISTS)) {
            /* Global, since libraries that MPI opens itself look for its symbols.
             * SimGrid has functions of the same names, with which it simulates MPI;
             * they are seen by nobody, as it is opened by sim_library_open(). It stays
             * open: libraries of MPI do not like to be closed. */
            library = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
            *why = library == NULL ? dlerror() : NULL;
        }
    }
    symbol = library != NULL ? dlsym(library, RANK_MODULE_SYMBOL) : NULL;
    if (library != NULL && symbol == NULL) {
        *why = dlerror();
    }
    return symbol;
}

SweepRanks *sweep_ranks_open(GError **error)
{
    g_autoptr(SweepRanks) self = g_new0(SweepRanks, 1);
    const char *why = NULL;
    const RankModule *module = open_module(&why);
    const gint64 now = g_get_monotonic_time();

    self->message = g_byte_array_new();
    if (module == NULL) {
        g_set_error(
            error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
            "mpirun: this gridloom cannot open its module for MPI, %s; build it "
            "where libopenmpi-dev is installed, or use --jobs without mpirun",
            why);
        return NULL;
    }
    if (!module->begin(&self->rank, &self->count)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "MPI does not start");
        return NULL;
    }
    self->module = module;
    self->others = g_new0(Other, (gsize) self->count);
    for (int i = 0; i < self->count; i++) {
        self->others[i] = (Other){.heard = now, .told = now};
    }
    return g_steal_pointer(&self);
}

void sweep_ranks_free(SweepRanks *self)
{
    if (self != NULL) {
        /* MPI would wait for all of them. */
        if (self->module != NULL && !self->is_one_gone) {
            self->module->end();
        }
        g_byte_array_unref(self->message);
        g_free(self->others);
        g_free(self);
    }
}

int sweep_ranks_rank(const SweepRanks *self)
{
    return self->rank;
}

int sweep_ranks_count(const SweepRanks *self)
{
    return self->count;
}

void sweep_ranks_send(
    SweepRanks *self, int to, SweepMessageKind kind, gconstpointer bytes, gsize count)
{
    g_autoptr(GByteArray) message = g_byte_array_new();
    const guint8 byte = sim_u8(kind);

    g_byte_array_append(message, &byte, 1);
    g_byte_array_append(message, bytes, sim_u32(count));
    self->others[to].told = g_get_monotonic_time();
    if (!self->module->send(to, message->data, message->len)) {
        self->others[to].heard = 0; /* sweep_ranks_watch() finds it */
    }
}

bool sweep_ranks_receive(SweepRanks *self, SweepMessage *message)
{
    int from = 0;

    if (!self->module->receive(&from, self->message) || self->message->len == 0) {
        return false;
    }
    self->others[from].heard = g_get_monotonic_time();
    *message = (SweepMessage){.from = from,
                              .kind = (SweepMessageKind) self->message->data[0],
                              .bytes = self->message->data + 1,
                              .count = self->message->len - 1};
    return true;
}

/* Rank 0 and each other rank know each other. */
static bool is_known(const SweepRanks *self, int rank)
{
    return rank != self->rank && (self->rank == 0 || rank == 0) &&
           !self->others[rank].is_gone;
}

int sweep_ranks_watch(SweepRanks *self)
{
    const gint64 now = g_get_monotonic_time();

    for (int i = 0; i < self->count; i++) {
        const Other *other = &self->others[i];

        if (!is_known(self, i)) {
            continue;
        }
        if (now - other->heard > silent_microseconds) {
            return i;
        }
        if (now - other->told > alive_microseconds) {
            sweep_ranks_send(self, i, SWEEP_ALIVE, NULL, 0);
        }
    }
    return -1;
}

void sweep_ranks_forget(SweepRanks *self, int rank)
{
    self->others[rank].is_gone = true;
    self->is_one_gone = true;
}

bool sweep_ranks_has(const SweepRanks *self, int rank)
{
    return !self->others[rank].is_gone;
}
