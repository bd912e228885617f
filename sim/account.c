/* Accounts of memory: atomic counts, and the memory of the machine. */
#include "sim/account.h"

#include <stdatomic.h>
#include <unistd.h>

struct SimAccount {
    uint64_t limit_bytes;
    atomic_uint_fast64_t used_bytes;
    _Atomic(const char *) what; /* wanted too much; NULL: nothing did */
    atomic_uint_fast64_t wanted_bytes;
};

SimAccount *sim_account_new(uint64_t limit_bytes)
{
    SimAccount *self = g_new0(SimAccount, 1);

    self->limit_bytes = limit_bytes == 0 ? UINT64_MAX : limit_bytes;
    return self;
}

void sim_account_free(SimAccount *self)
{
    g_free(self);
}

uint64_t sim_account_limit(const SimAccount *self)
{
    return self->limit_bytes;
}

bool sim_account_take(SimAccount *self, uint64_t bytes)
{
    uint_fast64_t used = atomic_load(&self->used_bytes);

    do {
        if (used > self->limit_bytes || bytes > self->limit_bytes - used) {
            return false;
        }
    } while (!atomic_compare_exchange_weak(&self->used_bytes, &used, used + bytes));
    return true;
}

void sim_account_give(SimAccount *self, uint64_t bytes)
{
    atomic_fetch_sub(&self->used_bytes, bytes);
}

bool sim_account_need(SimAccount *self, const char *what, uint64_t bytes)
{
    const char *none = NULL;

    if (sim_account_take(self, bytes)) {
        return true;
    }
    if (atomic_compare_exchange_strong(&self->what, &none, what)) {
        atomic_store(&self->wanted_bytes, bytes);
    }
    return false;
}

bool sim_account_has_failed(const SimAccount *self)
{
    return atomic_load_explicit(&self->what, memory_order_relaxed) != NULL;
}

static char *size_text(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    guint unit = 0;

    while (unit + 1 < G_N_ELEMENTS(units) && bytes > 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT " %s", bytes, units[unit]);
}

char *sim_account_describe(const SimAccount *self, const char *what, uint64_t bytes)
{
    g_autofree char *limit = size_text(self->limit_bytes);
    g_autofree char *wanted = size_text(bytes);

    return g_strdup_printf("memory limit of %s passed: %s wanted %s more", limit, what,
                           wanted);
}

char *sim_account_complaint(const SimAccount *self)
{
    const char *what = atomic_load(&self->what);

    return what != NULL
               ? sim_account_describe(self, what, atomic_load(&self->wanted_bytes))
               : NULL;
}

/* The number in a file of the control groups; UINT64_MAX: none. */
static uint64_t read_limit(const char *path)
{
    g_autofree char *text = NULL;
    guint64 bytes = 0;

    return g_file_get_contents(path, &text, NULL, NULL) &&
                   g_ascii_string_to_unsigned(g_strstrip(text), 10, 1, UINT64_MAX,
                                              &bytes, NULL)
               ? bytes
               : UINT64_MAX;
}

/* Of the own group and those above it: "0::/user.slice/..." names it. */
static uint64_t group_limit(void)
{
    g_autofree char *groups = NULL;
    uint64_t least = read_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    const char *own = g_file_get_contents("/proc/self/cgroup", &groups, NULL, NULL)
                          ? g_strrstr(groups, "0::/")
                          : NULL;
    g_autofree char *folder = g_strconcat(
        "/sys/fs/cgroup", own != NULL ? g_strstrip((char *) own + 3) : "/", NULL);

    while (g_str_has_prefix(folder, "/sys/fs/cgroup")) {
        g_autofree char *path = g_build_filename(folder, "memory.max", NULL);
        char *above = g_path_get_dirname(folder);

        least = MIN(least, read_limit(path));
        g_free(folder);
        folder = above;
    }
    return least;
}

uint64_t sim_account_usual_limit(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGESIZE);
    const uint64_t machine = pages > 0 && page_bytes > 0
                                 ? (uint64_t) pages * (uint64_t) page_bytes
                                 : UINT64_MAX;

    return MIN(machine, group_limit()) / 4 * 3;
}
