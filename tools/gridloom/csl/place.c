/* Finds cslc and cs_python, which lie beside the program. */
#include "tools/gridloom/csl/place.h"

char **cmd_csl_environment(void)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = program == NULL ? NULL : g_path_get_dirname(program);
    const char *before = g_getenv("PATH");
    g_autofree char *path = g_strjoin(":", folder == NULL ? "." : folder,
                                      before == NULL ? "/usr/bin:/bin" : before, NULL);

    return g_environ_setenv(g_get_environ(), "PATH", path, TRUE);
}
