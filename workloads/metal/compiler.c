/* Compiles kernels: preprocesses, looks for the result in the cache, else compiles. */
#include "workloads/metal/compiler.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "workloads/error.h"
#include "workloads/search.h"

struct MetalCompiler {
    char *clang;
    char *headers;      /* ours */
    GPtrArray *options; /* of clang, before those of a file */
    GHashTable *images; /* of MetalImage, by what they are made from */
    char *scratch;      /* a folder; NULL: not made yet */
};

static char *find_clang(void)
{
    static const char *const names[] = {"clang++", "clang++-19", "clang++-16",
                                        "clang++-15", "clang++-14"};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        char *path = g_find_program_in_path(names[i]);

        if (path != NULL) {
            return path;
        }
    }
    return NULL;
}

/* The folder in `parent` whose name is the highest number; NULL: there is none. The
 * caller frees it. */
static char *newest_in(const char *parent)
{
    g_autoptr(GDir) folder = g_dir_open(parent, 0, NULL);
    const char *name;
    guint64 best = 0;

    while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
        best = MAX(best, g_ascii_strtoull(name, NULL, 10));
    }
    return best == 0 ? NULL : g_strdup_printf("%s/%" G_GUINT64_FORMAT, parent, best);
}

static void add_option(MetalCompiler *self, const char *option)
{
    g_ptr_array_add(self->options, g_strdup(option));
}

static void add_folder(MetalCompiler *self, const char *option, const char *folder)
{
    if (g_file_test(folder, G_FILE_TEST_IS_DIR)) {
        add_option(self, option);
        add_option(self, folder);
    }
}

/* "/usr/include/x86_64-linux-gnu"; the caller frees it. */
static char *find_own_include(void)
{
    g_autoptr(GDir) folder = g_dir_open("/usr/include", 0, NULL);
    const char *name;

    while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
        if (g_str_has_suffix(name, "-linux-gnu")) {
            return g_build_filename("/usr/include", name, NULL);
        }
    }
    return g_strdup("/usr/include");
}

static bool add_cpp_headers(MetalCompiler *self, GError **error)
{
    g_autofree char *library = newest_in("/usr/include/c++");
    g_autofree char *own = find_own_include();
    const char *words[] = {self->clang, "-print-resource-dir", NULL};
    g_autofree char *resources = NULL;

    if (library == NULL) {
        return wl_refuse(error, "kernels need the headers of C++: install Debian's "
                                "package libstdc++-12-dev");
    }
    g_autofree char *version = g_path_get_basename(library);
    g_autofree char *host = g_build_filename(own, "c++", version, NULL);

    add_folder(self, "-isystem", library);
    add_folder(self, "-isystem", host);
    if (!g_spawn_sync(NULL, (char **) words, NULL, G_SPAWN_DEFAULT, NULL, NULL,
                      &resources, NULL, NULL, error)) {
        return false;
    }
    g_autofree char *inside = g_build_filename(g_strstrip(resources), "include", NULL);

    add_folder(self, "-isystem", inside);
    add_folder(self, "-idirafter", "/usr/include");
    add_folder(self, "-idirafter", own);
    return true;
}

MetalCompiler *metal_compiler_new(GError **error)
{
    static const char *const options[] = {
        "--target=riscv32",
        "-march=rv32im",
        "-mabi=ilp32",
        "-g",
        "-std=c++20",
        "-nostdlib",
        "-nostdinc",
        "-fno-exceptions",
        "-fno-rtti",
        "-ffreestanding",
        "-fuse-ld=lld",
        "-fno-threadsafe-statics",
        "-Wno-narrowing",
        "-Wno-c99-designator",
        "-Wno-unused-command-line-argument",
    };
    g_autoptr(MetalCompiler) self = g_new0(MetalCompiler, 1);
    g_autofree char *lld = g_find_program_in_path("ld.lld");

    self->options = g_ptr_array_new_with_free_func(g_free);
    self->images = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) metal_image_free);
    self->clang = find_clang();
    if (self->clang == NULL || lld == NULL) {
        wl_refuse(error, "kernels are compiled by clang and lld: install Debian's "
                         "packages clang and lld");
        return NULL;
    }
    self->headers = search_metal();
    if (self->headers == NULL) {
        wl_refuse(error, "workloads/metal/device is missing from this installation");
        return NULL;
    }
    for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
        add_option(self, options[i]);
    }
    if (!add_cpp_headers(self, error)) {
        return NULL;
    }
    return g_steal_pointer(&self);
}

static void remove_scratch(MetalCompiler *self)
{
    static const char *const names[] = {"gridloom/generated.h",
                                        "gridloom/calls.def",
                                        "gridloom/operations.def",
                                        "gridloom",
                                        "kernel.cpp",
                                        "kernel.ii",
                                        "kernel.elf",
                                        "text.cpp"};

    for (guint i = 0; self->scratch != NULL && i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(self->scratch, names[i], NULL);

        (void) g_remove(path);
    }
    if (self->scratch != NULL) {
        (void) g_rmdir(self->scratch);
    }
}

void metal_compiler_free(MetalCompiler *self)
{
    if (self != NULL) {
        remove_scratch(self);
        g_clear_pointer(&self->options, g_ptr_array_unref);
        g_clear_pointer(&self->images, g_hash_table_unref);
        g_free(self->clang);
        g_free(self->headers);
        g_free(self->scratch);
        g_free(self);
    }
}

static bool
put(const MetalCompiler *self, const char *name, const char *text, GError **error)
{
    g_autofree char *path = g_build_filename(self->scratch, name, NULL);

    return g_file_set_contents(path, text, -1, error);
}

/* The lists that our headers share with the simulator. */
static bool put_lists(const MetalCompiler *self, GError **error)
{
    g_autoptr(GString) calls = g_string_new(NULL);
    g_autoptr(GString) functions = g_string_new(NULL);
    const ArchComputeFunction *function;

    for (guint i = 0; arch_riscv_call_name(i) != NULL; i++) {
        g_string_append_printf(calls, "RISCV_CALL(%s)\n", arch_riscv_call_name(i));
    }
    for (guint i = 0; (function = arch_compute_function_at(i)) != NULL; i++) {
        g_string_append_printf(functions, "FUNCTION(\"%s\", 0)\n", function->name);
    }
    return put(self, "gridloom/calls.def", calls->str, error) &&
           put(self, "gridloom/operations.def", functions->str, error);
}

static bool make_scratch(MetalCompiler *self, GError **error)
{
    if (self->scratch != NULL) {
        return true;
    }
    self->scratch = g_dir_make_tmp("gridloom.XXXXXX", error);
    if (self->scratch == NULL) {
        return false;
    }
    g_autofree char *folder = g_build_filename(self->scratch, "gridloom", NULL);

    if (g_mkdir(folder, 0700) != 0) {
        return wl_refuse(error, "%s: cannot be made", folder);
    }
    return put_lists(self, error);
}

static bool put_sources(const MetalCompiler *self,
                        const MetalKernel *kernel,
                        const char *generated,
                        GError **error)
{
    g_autofree char *own = g_build_filename(self->scratch, "text.cpp", NULL);
    g_autofree char *whole = g_strdup_printf(
        "#include \"gridloom/generated.h\"\n#include \"gridloom/kernel.h\"\n"
        "#include \"%s\"\n#include \"gridloom/start.h\"\n",
        *kernel->source != '\0' ? kernel->source : own);

    g_autofree char *text =
        g_strdup_printf("#line 1 \"%s\"\n%s", kernel->name, kernel->text);

    return put(self, "text.cpp", text, error) &&
           put(self, "gridloom/generated.h", generated, error) &&
           put(self, "kernel.cpp", whole, error);
}

/* Runs clang with further words, which end with NULL. */
static bool run_clang(const MetalCompiler *self,
                      const MetalKernel *kernel,
                      const char *const *more,
                      GError **error)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    g_autofree char *complaints = NULL;
    int status = 0;

    g_ptr_array_add(words, self->clang);
    for (guint i = 0; i < self->options->len; i++) {
        g_ptr_array_add(words, g_ptr_array_index(self->options, i));
    }
    for (; *more != NULL; more++) {
        g_ptr_array_add(words, (gpointer) *more);
    }
    g_ptr_array_add(words, NULL);
    if (!g_spawn_sync(NULL, (char **) words->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL,
                      NULL, &complaints, &status, error)) {
        return false;
    }
    if (!(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        return wl_refuse(error, "kernel %s does not compile:\n%s", kernel->name,
                         g_strchomp(complaints));
    }
    return true;
}

static bool
preprocess(const MetalCompiler *self, const MetalKernel *kernel, GError **error)
{
    g_autofree char *from = g_build_filename(self->scratch, "kernel.cpp", NULL);
    g_autofree char *to = g_build_filename(self->scratch, "kernel.ii", NULL);
    g_autofree char *beside = *kernel->source != '\0'
                                  ? g_path_get_dirname(kernel->source)
                                  : g_strdup(self->scratch);
    g_autofree char *names = g_build_filename(self->headers, "headers.yaml",
                                              NULL); /* by which all call it */
    const char *const words[] = {
        "-E",   "-I",           self->scratch, "-I", self->headers,   "-I",
        beside, "-ivfsoverlay", names,         "-I", "/gridloom-api", "-o",
        to,     from,           NULL};

    return run_clang(self, kernel, words, error);
}

/* Where the compiled kernel is kept; the caller frees it. */
static char *
place_in_cache(const MetalCompiler *self, const char *level, GError **error)
{
    g_autofree char *from = g_build_filename(self->scratch, "kernel.ii", NULL);
    g_autofree char *folder =
        g_build_filename(g_get_user_cache_dir(), "gridloom", "kernels", NULL);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree char *text = NULL;
    gsize length = 0;

    if (!g_file_get_contents(from, &text, &length, error)) {
        return NULL;
    }
    g_checksum_update(sum, (const guchar *) text, (gssize) length);
    g_checksum_update(sum, (const guchar *) level, -1);
    g_checksum_update(sum, (const guchar *) self->clang, -1);
    (void) g_mkdir_with_parents(folder, 0700);
    return g_strdup_printf("%s/%s.elf", folder, g_checksum_get_string(sum));
}

static char *compile(const MetalCompiler *self,
                     const MetalKernel *kernel,
                     const char *level,
                     GError **error)
{
    g_autofree char *kept = place_in_cache(self, level, error);
    g_autofree char *from = g_build_filename(self->scratch, "kernel.ii", NULL);
    g_autofree char *to = g_build_filename(self->scratch, "kernel.elf", NULL);
    g_autofree char *layout =
        g_strdup_printf("-Wl,-T,%s/gridloom/kernel.ld", self->headers);
    const char *const words[] = {
        level, "-Wl,--defsym=GRIDLOOM_TEXT=0x9000", layout, "-o", to, from, NULL};
    g_autofree char *draft = NULL;

    if (kept == NULL || g_file_test(kept, G_FILE_TEST_EXISTS)) {
        return g_steal_pointer(&kept);
    }
    if (!run_clang(self, kernel, words, error)) {
        return NULL;
    }
    /* In one step, so that another run finds all of it or nothing. */
    draft = g_strdup_printf("%s.%ld", kept, (long) getpid());
    g_autofree char *bytes = NULL;
    gsize length = 0;

    if (!g_file_get_contents(to, &bytes, &length, error)) {
        return NULL;
    }
    if (!g_file_set_contents(draft, bytes, (gssize) length, NULL) ||
        g_rename(draft, kept) != 0) {
        (void) g_remove(draft);
        return g_steal_pointer(&to); /* no cache: this run has it all the same */
    }
    return g_steal_pointer(&kept);
}

const MetalImage *metal_compiler_do(MetalCompiler *self,
                                    const MetalKernel *kernel,
                                    ArchRiscvIndex index,
                                    const char *generated,
                                    GError **error)
{
    const char *level = index >= ARCH_RISCV_T0 ? "-O3" : "-O2";
    g_autofree char *key =
        g_strjoin("\n", kernel->source, kernel->text, generated, NULL);
    MetalImage *image = g_hash_table_lookup(self->images, key);

    if (image != NULL) {
        return image;
    }
    if (!make_scratch(self, error) || !put_sources(self, kernel, generated, error) ||
        !preprocess(self, kernel, error)) {
        return NULL;
    }
    g_autofree char *path = compile(self, kernel, level, error);

    image = path == NULL ? NULL : metal_image_load(path, error);
    if (image != NULL) {
        g_hash_table_insert(self->images, g_steal_pointer(&key), image);
    }
    return image;
}
