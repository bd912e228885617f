/* Compiles kernels that the cache does not have. */
#include "workloads/metal/compiler.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <glib/gstdio.h>

#include "workloads/error.h"
#include "workloads/metal/complaint.h"
#include "workloads/metal/digest.h"
#include "workloads/search.h"

struct MetalCompiler {
    char *clang;
    char *headers;      /* ours */
    GPtrArray *options; /* of clang, before those of a file */
    GHashTable *images; /* of MetalImage, by what they are made from */
    char *digest;       /* of clang and our headers */
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
    if (g_getenv("TT_METAL_HOME") != NULL) { /* kernels include from the root, too */
        add_folder(self, "-idirafter", g_getenv("TT_METAL_HOME"));
    }
    return true;
}

/* Folders that kernels include from after ours: the user's, then those where tt-metal
 * has files of which we have none, such as experimental/llk_sfpu/. */
static void add_includes(MetalCompiler *self, char *const *includes)
{
    static const char *const inside[] = {
        "tt_metal/hw/ckernels/wormhole_b0/metal/llk_api", "tt_metal", "ttnn/cpp",
        "ttnn", "."};
    const char *home = g_getenv("TT_METAL_HOME");

    for (; includes != NULL && *includes != NULL; includes++) {
        add_option(self, "-idirafter");
        add_option(self, *includes);
    }
    for (guint i = 0; home != NULL && i < G_N_ELEMENTS(inside); i++) {
        g_autofree char *folder = g_build_filename(home, inside[i], NULL);

        add_folder(self, "-idirafter", folder);
    }
}

MetalCompiler *metal_compiler_new(char *const *includes, GError **error)
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
        "-D_GNU_SOURCE",
        "-ffunction-sections",
        "-Wl,--gc-sections",
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
    self->digest = metal_digest_folder(self->headers, self->clang);
    for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
        add_option(self, options[i]);
    }
    if (!add_cpp_headers(self, error)) {
        return NULL;
    }
    add_includes(self, includes);
    return g_steal_pointer(&self);
}

static void remove_scratch(MetalCompiler *self)
{
    static const char *const names[] = {"gridloom/generated.h",
                                        "gridloom/calls.def",
                                        "gridloom/operations.def",
                                        "gridloom/vectors.def",
                                        "gridloom",
                                        "kernel.cpp",
                                        "kernel.d",
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
        g_free(self->digest);
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
    g_autoptr(GString) vectors = g_string_new(NULL);
    const ArchComputeFunction *function;

    for (guint i = 0; arch_riscv_call_name(i) != NULL; i++) {
        g_string_append_printf(calls, "RISCV_CALL(%s)\n", arch_riscv_call_name(i));
    }
    for (guint i = 0; (function = arch_compute_function_at(i)) != NULL; i++) {
        g_string_append_printf(functions, "FUNCTION(\"%s\", 0)\n", function->name);
    }
    for (guint i = 0; arch_riscv_vector_name(i) != NULL; i++) {
        g_string_append_printf(vectors, "SFPU_OPCODE(%s)\n", arch_riscv_vector_name(i));
    }
    return put(self, "gridloom/calls.def", calls->str, error) &&
           put(self, "gridloom/vectors.def", vectors->str, error) &&
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
        "#define GRIDLOOM_NAMES\n#include \"gridloom/generated.h\"\n"
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
        g_autofree char *what = g_strdup_printf("kernel %s", kernel->name);

        return metal_complaint(what, complaints, "workloads/doc/metal.md", error);
    }
    return true;
}

/* The names of a kernel's place in the cache: its program, and the list of files that
 * it includes. */
typedef struct {
    char *program;
    char *list;
} Place;

static void place_clear(Place *self)
{
    g_free(self->program);
    g_free(self->list);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Place, place_clear)

static Place place_of(const MetalCompiler *self, const char *key, const char *level)
{
    g_autofree char *folder =
        g_build_filename(g_get_user_cache_dir(), "gridloom", "kernels", NULL);
    g_autoptr(GString) whole = g_string_new(NULL);

    for (guint i = 0; i < self->options->len; i++) {
        const char *option = g_ptr_array_index(self->options, i);

        g_string_append_printf(whole, "%s\n", option);
    }
    g_string_append_printf(whole, "%s\n%s\n%s", self->digest, level, key);
    g_autofree char *digest =
        g_compute_checksum_for_string(G_CHECKSUM_SHA256, whole->str, -1);

    (void) g_mkdir_with_parents(folder, 0700);
    return (Place){.program = g_strdup_printf("%s/%s.elf", folder, digest),
                   .list = g_strdup_printf("%s/%s.list", folder, digest)};
}

/* Is what was compiled there made from the files that are there now? */
static bool is_good(const Place *place)
{
    g_autofree char *text = NULL;

    if (!g_file_get_contents(place->list, &text, NULL, NULL) ||
        !g_file_test(place->program, G_FILE_TEST_EXISTS)) {
        return false;
    }
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (char **line = lines; *line != NULL && **line != '\0'; line++) {
        char *path = strchr(*line, ' ');
        g_autofree char *digest = path == NULL ? NULL : metal_digest_file(path + 1);

        if (digest == NULL || strncmp(digest, *line, strlen(digest)) != 0) {
            return false;
        }
    }
    return true;
}

/* Does a file that a kernel includes belong to its author? */
static bool is_authors(const MetalCompiler *self, const char *path)
{
    return *path != '\0' && !g_str_has_suffix(path, ":") &&
           !g_str_has_prefix(path, self->headers) &&
           !g_str_has_prefix(path, self->scratch) && !g_str_has_prefix(path, "/usr/");
}

/* The list from what clang says of dependencies: "kernel.o: a.cpp b.h \". The caller
 * frees it; NULL: it cannot be made. */
static char *list_of(const MetalCompiler *self)
{
    g_autofree char *path = g_build_filename(self->scratch, "kernel.d", NULL);
    g_autofree char *text = NULL;
    GString *list;

    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return NULL;
    }
    g_auto(GStrv) words = g_strsplit_set(g_strdelimit(text, "\\\n", ' '), " ", -1);

    list = g_string_new(NULL);
    for (char **word = words; *word != NULL; word++) {
        g_autofree char *digest =
            is_authors(self, *word) ? metal_digest_file(*word) : NULL;

        if (digest != NULL) {
            g_string_append_printf(list, "%s %s\n", digest, *word);
        }
    }
    return g_string_free(list, FALSE);
}

/* Copies what was compiled into the cache, the list last. */
static bool keep(const MetalCompiler *self, const Place *place, const char *from)
{
    g_autofree char *list = list_of(self);
    g_autofree char *bytes = NULL;
    gsize length = 0;

    return list != NULL && g_file_get_contents(from, &bytes, &length, NULL) &&
           g_file_set_contents(place->program, bytes, (gssize) length, NULL) &&
           g_file_set_contents(place->list, list, -1, NULL);
}

/* The path of the compiled kernel; the caller frees it. */
static char *compile(const MetalCompiler *self,
                     const MetalKernel *kernel,
                     const char *level,
                     const Place *place,
                     GError **error)
{
    g_autofree char *from = g_build_filename(self->scratch, "kernel.cpp", NULL);
    g_autofree char *to = g_build_filename(self->scratch, "kernel.elf", NULL);
    g_autofree char *dependencies = g_build_filename(self->scratch, "kernel.d", NULL);
    g_autofree char *beside = *kernel->source != '\0'
                                  ? g_path_get_dirname(kernel->source)
                                  : g_strdup(self->scratch);
    /* The names under which all include the API. */
    g_autofree char *names = g_build_filename(self->headers, "headers.yaml", NULL);
    g_autofree char *layout =
        g_strdup_printf("-Wl,-T,%s/gridloom/kernel.ld", self->headers);
    const char *const words[] = {level,
                                 "-MD",
                                 "-MF",
                                 dependencies,
                                 "-I",
                                 self->scratch,
                                 "-I",
                                 self->headers,
                                 "-I",
                                 beside,
                                 "-ivfsoverlay",
                                 names,
                                 "-I",
                                 "/gridloom-api",
                                 layout,
                                 "-o",
                                 to,
                                 from,
                                 NULL};

    if (!run_clang(self, kernel, words, error)) {
        return NULL;
    }
    /* Without a cache, this run has it all the same. */
    return keep(self, place, to) ? g_strdup(place->program) : g_steal_pointer(&to);
}

static char *find_or_compile(MetalCompiler *self,
                             const MetalKernel *kernel,
                             const char *level,
                             const char *generated,
                             const char *key,
                             GError **error)
{
    g_auto(Place) place = place_of(self, key, level);

    if (is_good(&place)) {
        return g_strdup(place.program);
    }
    return make_scratch(self, error) && put_sources(self, kernel, generated, error)
               ? compile(self, kernel, level, &place, error)
               : NULL;
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
    g_autofree char *path = find_or_compile(self, kernel, level, generated, key, error);

    image = path == NULL ? NULL : metal_image_load(path, self->headers, error);
    if (image != NULL) {
        g_hash_table_insert(self->images, g_steal_pointer(&key), image);
    }
    return image;
}
