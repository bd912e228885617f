/* Host programs: compiles them with the machine's C++ compiler, and starts them. */
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "sim/compare.h"
#include "workloads/error.h"
#include "workloads/metal.h"
#include "workloads/metal/complaint.h"
#include "workloads/metal/digest.h"
#include "workloads/search.h"

enum {
    MOST_BESIDE = 64,
};

typedef struct {
    char *cpp;             /* the compiler */
    char *const *includes; /* of the user; borrowed, or NULL */
    GPtrArray *beside;     /* folders beside the program's */
    char *include;         /* its headers */
    char *cache;           /* where what is compiled is kept */
    char *library;         /* that it is linked with */
    char *digest;          /* of both */
} Maker;

static void maker_clear(Maker *self)
{
    g_clear_pointer(&self->beside, g_ptr_array_unref);
    g_free(self->cpp);
    g_free(self->include);
    g_free(self->cache);
    g_free(self->library);
    g_free(self->digest);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Maker, maker_clear)

/* The library that host programs are linked with, where it was built or installed. The
 * caller frees it; NULL: there is none. */
static char *find_library(void)
{
    static const char *const places[] = {"../workloads/metal/host",
                                         "../" GRIDLOOM_LIBRARY};
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = program == NULL ? NULL : g_path_get_dirname(program);

    for (guint i = 0; folder != NULL && i < G_N_ELEMENTS(places); i++) {
        g_autofree char *path =
            g_build_filename(folder, places[i], "libgridloom_metal_client.a", NULL);

        if (g_file_test(path, G_FILE_TEST_EXISTS)) {
            return g_steal_pointer(&path);
        }
    }
    return NULL;
}

/* The program's own CMakeLists.txt would name those of them that it includes from. */
static GPtrArray *list_beside(const char *source)
{
    GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *whole = g_canonicalize_filename(source, NULL);
    g_autofree char *own = g_path_get_dirname(whole);
    g_autofree char *parent = g_path_get_dirname(own);
    g_autoptr(GDir) list = g_dir_open(parent, 0, NULL);
    const char *name;

    while (list != NULL && (name = g_dir_read_name(list)) != NULL) {
        g_autofree char *path = g_build_filename(parent, name, NULL);

        if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
            g_ptr_array_add(folders, g_steal_pointer(&path));
        }
    }
    if (folders->len > MOST_BESIDE) { /* no folder of programs */
        g_ptr_array_set_size(folders, 0);
    }
    g_ptr_array_sort(folders, sim_compare_texts);
    if (g_getenv("TT_METAL_HOME") != NULL) {
        g_ptr_array_add(folders, g_strdup(g_getenv("TT_METAL_HOME")));
    }
    return folders;
}

static bool find_all(Maker *self, GError **error)
{
    g_autofree char *device = search_metal();

    self->cpp = g_find_program_in_path("c++");
    if (self->cpp == NULL) {
        return wl_refuse(error, "host programs are compiled by a C++ compiler: install "
                                "Debian's package g++");
    }
    if (device == NULL) {
        return wl_refuse(error, "workloads/metal is missing from this installation");
    }
    g_autofree char *parent = g_path_get_dirname(device);

    self->include = g_build_filename(parent, "host", "include", NULL);
    self->cache = g_build_filename(g_get_user_cache_dir(), "gridloom", "hosts", NULL);
    self->library = find_library();
    if (self->library == NULL) {
        return wl_refuse(error, "the library that host programs are linked with is "
                                "missing: build Gridloom with a C++ compiler");
    }
    g_autofree char *library = metal_digest_file(self->library);

    self->digest = metal_digest_folder(self->include, library);
    if (g_mkdir_with_parents(self->cache, 0700) != 0) {
        return wl_refuse(error, "%s: cannot be made", self->cache);
    }
    return true;
}

static bool run(const char *const *words, const char *what, char **out, GError **error)
{
    g_autofree char *complaints = NULL;
    int status = 0;

    if (!g_spawn_sync(NULL, (char **) words, NULL, G_SPAWN_DEFAULT, NULL, NULL, out,
                      &complaints, &status, error)) {
        return false;
    }
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           metal_complaint(what, complaints, "workloads/doc/metal_host.md", error);
}

/* Runs the compiler with what all calls of it have, and further words, which end with
 * NULL. */
static bool run_compiler(const Maker *self,
                         const char *const *more,
                         const char *what,
                         char **out,
                         GError **error)
{
    static const char *const common[] = {
        "-std=c++20", "-w", "-Wno-narrowing",
        "-DOVERRIDE_KERNEL_PREFIX=\"tt_metal/programming_examples/\"", "-I"};
    g_autoptr(GPtrArray) words = g_ptr_array_new();

    g_ptr_array_add(words, self->cpp);
    for (guint i = 0; i < G_N_ELEMENTS(common); i++) {
        g_ptr_array_add(words, (gpointer) common[i]);
    }
    g_ptr_array_add(words, self->include);
    for (char *const *at = self->includes; at != NULL && *at != NULL; at++) {
        g_ptr_array_add(words, (gpointer) "-I");
        g_ptr_array_add(words, *at);
    }
    for (guint i = 0; i < self->beside->len; i++) {
        g_ptr_array_add(words, (gpointer) "-idirafter");
        g_ptr_array_add(words, g_ptr_array_index(self->beside, i));
    }
    for (; *more != NULL; more++) {
        g_ptr_array_add(words, (gpointer) *more);
    }
    g_ptr_array_add(words, NULL);
    return run((const char *const *) words->pdata, what, out, error);
}

/* Compiles one file to an object, unless it is there; takes `object`'s name. */
static bool
compile(const Maker *self, const char *source, const char *object, GError **error)
{
    g_autofree char *draft = g_strdup_printf("%s.%ld", object, (long) getpid());
    const char *const words[] = {"-O2", "-x", "c++", "-c", source, "-o", draft, NULL};

    if (g_file_test(object, G_FILE_TEST_EXISTS)) {
        return true;
    }
    if (!run_compiler(self, words, source, NULL, error)) {
        (void) g_remove(draft);
        return false;
    }
    return g_rename(draft, object) == 0 ||
           wl_refuse(error, "%s: cannot be written", object);
}

/* What the program is made from, all headers included. */
static char *digest_source(const Maker *self, const char *source, GError **error)
{
    const char *const words[] = {"-E", source, NULL};
    g_autofree char *text = NULL;
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

    if (!run_compiler(self, words, source, &text, error)) {
        return NULL;
    }
    g_checksum_update(sum, (const guchar *) text, -1);
    g_checksum_update(sum, (const guchar *) self->digest, -1);
    return g_strdup(g_checksum_get_string(sum));
}

/* Makes the program of its object and our library. */
static bool link_program(const Maker *self,
                         const char *object,
                         const char *source,
                         const char *program,
                         GError **error)
{
    g_autofree char *draft = g_strdup_printf("%s.%ld", program, (long) getpid());
    const char *const words[] = {self->cpp, object, self->library, "-pthread",
                                 "-o",      draft,  NULL};

    return run(words, source, NULL, error) &&
           (g_rename(draft, program) == 0 ||
            wl_refuse(error, "%s: cannot be written", program));
}

static char *make(const char *source, char *const *includes, GError **error)
{
    g_auto(Maker) self = {.includes = includes, .beside = list_beside(source)};
    g_autofree char *digest =
        find_all(&self, error) ? digest_source(&self, source, error) : NULL;

    if (digest == NULL) {
        return NULL;
    }
    g_autofree char *program = g_strdup_printf("%s/%s", self.cache, digest);

    if (g_file_test(program, G_FILE_TEST_EXISTS)) {
        return g_steal_pointer(&program);
    }
    g_autofree char *object = g_strdup_printf("%s.o", program);

    return compile(&self, source, object, error) &&
                   link_program(&self, object, source, program, error)
               ? g_steal_pointer(&program)
               : NULL;
}

char *wl_metal_host_make(const char *given, char *const *includes, GError **error)
{
    if (!g_file_test(given, G_FILE_TEST_IS_REGULAR)) {
        wl_refuse(error,
                  "%s: no such file; expected a host program, C++ or ready to run",
                  given);
        return NULL;
    }
    return g_str_has_suffix(given, ".cpp") || g_str_has_suffix(given, ".cc")
               ? make(given, includes, error)
               : g_canonicalize_filename(given, NULL);
}

/* The environment of the process; the caller frees it. */
static char **environment(const WlMetalHostOrder *order)
{
    g_autofree char *whole = g_canonicalize_filename(order->source, NULL);
    g_autofree char *beside = g_path_get_dirname(whole);
    g_autofree char *above = g_path_get_dirname(beside);
    g_autofree char *kernels = order->kernels != NULL
                                   ? g_strjoin(":", order->kernels, beside, above, NULL)
                                   : g_strjoin(":", beside, above, NULL);

    return g_environ_setenv(g_get_environ(), "GRIDLOOM_METAL_KERNELS", kernels, TRUE);
}

bool wl_metal_host_start(const WlMetalHostOrder *order,
                         WlHostProcess *process,
                         GError **error)
{
    WlHostOrder start = {.path = order->path,
                         .arguments = order->arguments,
                         .socket = "GRIDLOOM_METAL_SOCKET",
                         .variables = environment(order),
                         .is_quiet = order->is_quiet};

    return wl_host_start(&start, process, error);
}
