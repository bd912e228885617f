/* gridloom: finds the command and runs it. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/build_name.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/ending.h"
#include "tools/gridloom/instructions.h"
#include "traces/file/terminal.h"

/* Printed text may still be buffered. A file that is not open takes nothing, which is
 * enough if nothing was printed. */
static int check_printed(int status)
{
    const bool is_flushed = fflush(stdout) == 0;
    const bool had_failed = is_flushed && ferror(stdout) != 0;

    if (status != EXIT_DONE ||
        (is_flushed && !had_failed && (fclose(stdout) == 0 || errno == EBADF))) {
        return status;
    }
    return complain("standard output cannot be written, %s",
                    had_failed ? "it is full or closed" : g_strerror(errno));
}

int main(int argc, char **argv)
{
    static const char *const helps[] = {"help", "--help", "-h", NULL};
    const char *lacked = instructions_lacking();

    if (lacked != NULL) {
        return complain(
            "this processor lacks %s, which the program is built for; "
            "tools/run builds one for this processor, tools/deb one for all",
            lacked);
    }
    ending_prepare();
    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    trace_terminal_guard();
    if (argc >= 2 && g_strv_contains(helps, argv[1])) {
        command_menu_print(&commands, stdout);
        return check_printed(EXIT_DONE);
    }
    if ((argc >= 2 && g_str_equal(argv[1], "--version")) ||
        (argc == 3 && g_str_equal(argv[2], "--version"))) {
        printf("gridloom %s\n", gridloom_build_name);
        return check_printed(EXIT_DONE);
    }
    return check_printed(command_menu_run(&commands, argc, argv));
}
