/* A library to preload: one call of a kind fails, as on a full disk or without memory.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* FAILING=kind:n:file. The n-th call of that kind since main() began fails, in every
 * process, and the file is made then. With FAILING=none:0:file, nothing fails, and each
 * program adds a line with the numbers of its calls to the file, in the order of kinds.
 */
typedef enum {
    MEMORY, /* malloc, calloc, realloc */
    WRITE,  /* to a file */
    SYNC,
    RENAME,
    CLOSE,
    CREATE, /* open a file with O_CREAT */
    LIMIT,  /* no call: main() begins with n KiB of memory left */
    SHORT,  /* no failure: every write takes half of what it is given */
    KIND_COUNT,
} Kind;

static const char *const kind_names[KIND_COUNT] = {
    "memory", "write", "sync", "rename", "close", "create", "limit", "short",
};

static struct {
    Kind kind;
    unsigned long number;
    const char *file;
    pid_t first;
    atomic_ulong calls[KIND_COUNT];
    atomic_bool is_on;
} plan;

typedef int (*Main)(int, char **, char **);
static Main true_main;

/* What stands behind a function of this library. */
#define NEXT(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

static void note(const char *text)
{
    const int file = NEXT(open)(plan.file, O_WRONLY | O_CREAT | O_APPEND, 0666);

    if (file >= 0) {
        (void) !NEXT(write)(file, text, strlen(text));
        (void) NEXT(close)(file);
    }
}

/* Is this the call that fails? */
static bool fails(Kind kind, int fault)
{
    if (!atomic_load(&plan.is_on) ||
        atomic_fetch_add(&plan.calls[kind], 1) + 1 != plan.number ||
        plan.kind != kind) {
        return false;
    }
    note("failed\n");
    errno = fault;
    return true;
}

static void tell_counts(void)
{
    atomic_store(&plan.is_on, false);
    if (plan.number == 0 && getpid() == plan.first) {
        char text[32 * KIND_COUNT];
        size_t length = 0;

        for (int kind = 0; kind < KIND_COUNT; kind++) {
            length += (size_t) snprintf(text + length, 32, "%lu%s",
                                        atomic_load(&plan.calls[kind]),
                                        kind + 1 < KIND_COUNT ? " " : "\n");
        }
        note(text);
    }
}

static void limit(void)
{
    char text[32] = "";
    const int file = NEXT(open)("/proc/self/statm", O_RDONLY);

    if (file >= 0 && read(file, text, sizeof text - 1) > 0) {
        const rlim_t bytes =
            strtoul(text, NULL, 10) * (unsigned long) sysconf(_SC_PAGESIZE) +
            plan.number * 1024;

        (void) setrlimit(RLIMIT_AS,
                         &(struct rlimit){.rlim_cur = bytes, .rlim_max = bytes});
        note("limited\n");
    }
    (void) NEXT(close)(file);
}

static int begin(int argc, char **argv, char **environment)
{
    const char *order = getenv("FAILING");
    const char *number = order == NULL ? NULL : strchr(order, ':');
    char *file = NULL;

    plan.kind = KIND_COUNT;
    for (int kind = 0; number != NULL && kind < KIND_COUNT; kind++) {
        if (strncmp(order, kind_names[kind], (size_t) (number - order)) == 0) {
            plan.kind = (Kind) kind;
        }
    }
    if (number != NULL) {
        plan.number = strtoul(number + 1, &file, 10);
        plan.file = file + 1;
        plan.first = getpid();
        (void) atexit(tell_counts);
        atomic_store(&plan.is_on, true);
    }
    if (plan.kind == LIMIT && plan.number > 0) {
        limit();
    }
    return true_main(argc, argv, environment);
}

int __libc_start_main(Main main_function,
                      int argc,
                      char **argv,
                      void (*init)(void),
                      void (*fini)(void),
                      void (*rtld_fini)(void),
                      void *stack_end);
int __libc_start_main(Main main_function,
                      int argc,
                      char **argv,
                      void (*init)(void),
                      void (*fini)(void),
                      void (*rtld_fini)(void),
                      void *stack_end)
{
    true_main = main_function;
    return NEXT(__libc_start_main)(begin, argc, argv, init, fini, rtld_fini, stack_end);
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

/* But for locks and keys, whose lack ends the process in GLib itself. */
void *malloc(size_t size)
{
    const bool is_lock = size == sizeof(pthread_mutex_t) ||
                         size == sizeof(pthread_rwlock_t) ||
                         size == sizeof(pthread_key_t);

    return !is_lock && fails(MEMORY, ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : __libc_realloc(block, size);
}

/* Only files get full: a pipe that somebody reads has room. */
static bool fails_to_write(int file)
{
    struct stat status;

    return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && fails(WRITE, ENOSPC);
}

static size_t part(size_t count)
{
    return plan.kind == SHORT && count > 1 && atomic_load(&plan.is_on) ? count / 2
                                                                       : count;
}

ssize_t write(int file, const void *bytes, size_t count)
{
    return fails_to_write(file) ? -1 : NEXT(write)(file, bytes, part(count));
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset)
{
    return fails_to_write(file) ? -1 : NEXT(pwrite64)(file, bytes, part(count), offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
    return fails_to_write(file) ? -1 : NEXT(pwrite)(file, bytes, part(count), offset);
}

ssize_t writev(int file, const struct iovec *pieces, int count)
{
    return fails_to_write(file) ? -1 : NEXT(writev)(file, pieces, count);
}

int fsync(int file)
{
    return fails(SYNC, EIO) ? -1 : NEXT(fsync)(file);
}

int fdatasync(int file)
{
    return fails(SYNC, EIO) ? -1 : NEXT(fdatasync)(file);
}

int rename(const char *from, const char *to)
{
    return fails(RENAME, EIO) ? -1 : NEXT(rename)(from, to);
}

int link(const char *from, const char *to)
{
    return fails(RENAME, EIO) ? -1 : NEXT(link)(from, to);
}

/* The file is closed all the same, as Linux does it. */
int close(int file)
{
    const int status = NEXT(close)(file);

    return status == 0 && fails(CLOSE, EIO) ? -1 : status;
}

static int open_file(__typeof__(&open) next, const char *path, int flags, mode_t mode)
{
    return (flags & O_CREAT) != 0 && fails(CREATE, EDQUOT) ? -1
                                                           : next(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list more;

    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_file(NEXT(open), path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list more;

    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_file(NEXT(open64), path, flags, mode);
}
