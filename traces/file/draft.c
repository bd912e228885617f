/* Drafts: files with a lock and a name of their own, then one rename. */
#include "traces/file/draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/error.h"

/* Before the number of the process, and a random one. */
#define PREFIX ".gridloom-"

enum {
    NAMES_MAXIMUM = 16,
    LINKS_MAXIMUM = 40,
    TRIES_MAXIMUM = 100,
    FILE_NUMBER_MAXIMUM = 1 << 20,
    NEW_MODE = 0666,
    PERMISSIONS = 0777,
};

struct TraceDraft {
    char *path;     /* as it was given, for messages */
    char *target;   /* where links lead */
    char *name;     /* of the file until it is whole; NULL: written to in place */
    bool is_older;  /* there is a file whose contents must not get lost */
    bool is_stdout; /* a terminal shows what comes through its stream */
    int file;
    int fault; /* errno of the first failure */
};

/* A signal that ends the process finds its drafts here. Whoever takes a name out of it
 * owns the text. */
static _Atomic(char *) names[NAMES_MAXIMUM];
static atomic_int names_owner;

/* NOLINTNEXTLINE(readability-non-const-parameter): whoever takes it may free it */
static void list_name(char *name)
{
    const int process = (int) getpid();

    /* A child process begins with the list of its parent. */
    if (atomic_exchange(&names_owner, process) != process) {
        for (guint i = 0; i < NAMES_MAXIMUM; i++) {
            atomic_store(&names[i], NULL);
        }
    }
    for (guint i = 0; i < NAMES_MAXIMUM; i++) {
        char *none = NULL;

        if (atomic_compare_exchange_strong(&names[i], &none, name)) {
            return;
        }
    }
}

/* A name that is no longer listed belongs to the signal that ends the process. */
static void free_name(char *name)
{
    for (guint i = 0; i < NAMES_MAXIMUM; i++) {
        char *listed = name;

        if (atomic_compare_exchange_strong(&names[i], &listed, NULL)) {
            g_free(name);
            return;
        }
    }
}

void trace_draft_abandon(void)
{
    for (guint i = 0; i < NAMES_MAXIMUM && atomic_load(&names_owner) == (int) getpid();
         i++) {
        const char *name = atomic_exchange(&names[i], NULL);

        if (name != NULL) {
            (void) unlink(name);
        }
    }
}

static bool fail(const char *path, int fault, GError **error)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE, "%s: cannot be written, %s",
                g_str_equal(path, "-") ? "standard output" : path,
                fault == ENOENT || fault == ENOTDIR ? "its folder does not exist"
                                                    : g_strerror(fault));
    return false;
}

static void note(TraceDraft *self, bool is_done)
{
    if (!is_done && self->fault == 0) {
        self->fault = errno;
    }
}

/* Removes what processes left that were killed: a living one has locked its file. */
static void sweep(const char *folder)
{
    g_autoptr(GDir) entries = g_dir_open(folder, 0, NULL);
    const char *entry;

    while (entries != NULL && (entry = g_dir_read_name(entries)) != NULL) {
        if (g_str_has_prefix(entry, PREFIX)) {
            g_autofree char *name = g_build_filename(folder, entry, NULL);
            const int file = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

            if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0) {
                (void) unlink(name);
            }
            if (file >= 0) {
                (void) close(file);
            }
        }
    }
}

/* False: another process swept the file away before it had its lock. */
static bool lock(int file)
{
    struct stat status;

    return (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
           fstat(file, &status) == 0 && status.st_nlink > 0;
}

/* The name of a new file in a folder; NULL: errno says why there is none. */
static char *create(const char *folder, int *file)
{
    sweep(folder);
    for (guint i = 0; i < TRIES_MAXIMUM; i++) {
        char *name = g_strdup_printf("%s/" PREFIX "%d-%08x", folder, (int) getpid(),
                                     g_random_int());

        list_name(name);
        *file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, NEW_MODE);
        if (*file >= 0 && lock(*file)) {
            return name;
        }
        const int fault = errno;

        if (*file >= 0) {
            (void) unlink(name);
            (void) close(*file);
            *file = -1;
        } else if (fault != EEXIST) {
            free_name(name);
            errno = fault;
            return NULL;
        }
        free_name(name);
    }
    return NULL;
}

/* The number of the open file that a path names; -1: of none. */
static int open_file_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    guint64 number;

    if (g_str_equal(path, "-")) {
        return STDOUT_FILENO;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
        if (g_str_has_prefix(path, folders[i]) &&
            g_ascii_string_to_unsigned(path + strlen(folders[i]), 10, 0,
                                       FILE_NUMBER_MAXIMUM, &number, NULL)) {
            return (int) number;
        }
    }
    return -1;
}

/* Follows links, even to what is not there yet; returns as open_file_of() does. */
static int follow(char **path)
{
    for (guint i = 0; i < LINKS_MAXIMUM; i++) {
        const int number = open_file_of(*path);
        g_autofree char *link = number < 0 ? g_file_read_link(*path, NULL) : NULL;
        g_autofree char *folder = g_path_get_dirname(*path);

        if (link == NULL) {
            return number;
        }
        g_free(*path);
        *path = g_path_is_absolute(link) ? g_steal_pointer(&link)
                                         : g_build_filename(folder, link, NULL);
    }
    return -1;
}

static bool open_beside(TraceDraft *self, const struct stat *old, bool is_early)
{
    g_autofree char *folder = g_path_get_dirname(self->target);

    while (is_early && !g_file_test(folder, G_FILE_TEST_EXISTS)) {
        char *above = g_path_get_dirname(folder);

        g_free(folder);
        folder = above;
    }
    if (old != NULL && access(self->target, W_OK) != 0) {
        return false;
    }
    self->name = create(folder, &self->file);
    self->is_older = old != NULL && old->st_size > 0;
    return self->name != NULL &&
           (old == NULL || fchmod(self->file, old->st_mode & PERMISSIONS) == 0);
}

static bool open_target(TraceDraft *self, bool is_early)
{
    const int number = follow(&self->target);
    struct stat old;
    bool is_there;

    if (number >= 0) {
        self->is_stdout = number == STDOUT_FILENO;
        self->file = fcntl(number, F_DUPFD_CLOEXEC, 0);
        return self->file >= 0;
    }
    is_there = stat(self->target, &old) == 0;
    if (is_there && !S_ISREG(old.st_mode)) {
        self->file = open(self->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        return self->file >= 0;
    }
    if (!is_there && errno == ELOOP) {
        return false;
    }
    return open_beside(self, is_there ? &old : NULL, is_early);
}

static TraceDraft *draft_open(const char *path, bool is_early, GError **error)
{
    g_autoptr(TraceDraft) self = g_new0(TraceDraft, 1);

    self->file = -1;
    self->path = g_strdup(path);
    self->target = g_strdup(path);
    if (!open_target(self, is_early)) {
        (void) fail(path, errno, error);
        return NULL;
    }
    return g_steal_pointer(&self);
}

TraceDraft *trace_draft_open(const char *path, GError **error)
{
    return draft_open(path, false, error);
}

TraceDraft *trace_draft_open_early(const char *path, GError **error)
{
    return draft_open(path, true, error);
}

void trace_draft_free(TraceDraft *self)
{
    if (self != NULL) {
        if (self->name != NULL) {
            (void) unlink(self->name);
            free_name(self->name);
        }
        if (self->file >= 0) {
            (void) close(self->file);
        }
        g_free(self->target);
        g_free(self->path);
        g_free(self);
    }
}

void trace_draft_put(TraceDraft *self, const void *bytes, gsize count)
{
    const char *next = bytes;

    if (self->is_stdout) {
        note(self, fwrite(bytes, 1, count, stdout) == count);
        return;
    }
    while (count > 0 && self->fault == 0) {
        const gssize put = write(self->file, next, count);

        if (put >= 0) {
            next += put;
            count -= (gsize) put;
        } else if (errno != EINTR) {
            self->fault = errno;
        }
    }
}

bool trace_draft_close(TraceDraft *self, GError **error)
{
    int copy;

    if (self->is_stdout) {
        note(self, fflush(stdout) == 0);
    }
    if (self->name != NULL && self->is_older) {
        note(self, fsync(self->file) == 0);
    }
    /* Some file systems report failures when a file is closed. Its lock lasts until its
     * last number is. */
    copy = fcntl(self->file, F_DUPFD_CLOEXEC, 0);
    note(self, copy >= 0 && close(copy) == 0);
    if (self->name != NULL && self->fault == 0) {
        note(self, rename(self->name, self->target) == 0);
        if (self->fault == 0) {
            free_name(g_steal_pointer(&self->name));
        }
    }
    return self->fault == 0 || fail(self->path, self->fault, error);
}

int trace_draft_nameless(GError **error)
{
    int file = -1;
    char *name = create(g_get_tmp_dir(), &file);

    if (name == NULL) {
        (void) fail(g_get_tmp_dir(), errno, error);
        return -1;
    }
    (void) unlink(name);
    free_name(name);
    return file;
}
