/* Starts host programs, and waits for their ends. */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workloads/error.h"
#include "workloads/host_process.h"

/* In the new process. */
static void print_to_stderr(gpointer data)
{
    const WlHostOrder *order = data;

    if (order->is_quiet) {
        (void) dup2(STDERR_FILENO, STDOUT_FILENO);
    }
}

bool wl_host_start(WlHostOrder *order, WlHostProcess *process, GError **error)
{
    int ends[2];
    g_auto(GStrv) variables = order->variables;
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    bool is_started;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return wl_refuse(error, "no socket for the host program");
    }
    g_autofree char *number = g_strdup_printf("%d", ends[1]);

    variables = g_environ_setenv(variables, order->socket, number, TRUE);
    g_ptr_array_add(words, (gpointer) order->path);
    for (char *const *at = order->arguments; *at != NULL; at++) {
        g_ptr_array_add(words, *at);
    }
    g_ptr_array_add(words, NULL);
    (void) fcntl(ends[1], F_SETFD, 0); /* the process gets this end */
    is_started =
        g_spawn_async(NULL, (char **) words->pdata, variables,
                      G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_LEAVE_DESCRIPTORS_OPEN |
                          G_SPAWN_CHILD_INHERITS_STDIN | G_SPAWN_SEARCH_PATH,
                      print_to_stderr, order, &process->pid, error);
    (void) close(ends[1]);
    if (!is_started) {
        (void) close(ends[0]);
        return false;
    }
    process->socket = ends[0];
    return true;
}

int wl_host_wait(const WlHostProcess *process)
{
    int status = 0;

    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1 - WTERMSIG(status);
}
