/* Reads programs that host programs send. */
#include "workloads/metal/order.h"

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/host/member.h"

enum {
    RANGE_NUMBERS = 4, /* x0, y0, x1, y1 */
    NOCS = 2,
    FIDELITIES = 4,
    FORMAT_MOST = 255,
};

static void buffer_clear(gpointer data)
{
    MetalBuffer *self = data;

    g_clear_pointer(&self->cores, g_array_unref);
}

static void semaphore_clear(gpointer data)
{
    MetalSemaphore *self = data;

    g_clear_pointer(&self->cores, g_array_unref);
}

static void arguments_clear(gpointer data)
{
    MetalArguments *self = data;

    g_clear_pointer(&self->words, g_array_unref);
}

static void define_clear(gpointer data)
{
    MetalDefine *self = data;

    g_free(self->name);
    g_free(self->value);
}

static void kernel_clear(gpointer data)
{
    MetalKernel *self = data;

    g_free(self->name);
    g_free(self->source);
    g_free(self->text);
    g_clear_pointer(&self->cores, g_array_unref);
    g_clear_pointer(&self->compile_args, g_array_unref);
    g_clear_pointer(&self->named_args, g_array_unref);
    g_clear_pointer(&self->defines, g_array_unref);
    g_clear_pointer(&self->arg_names, g_ptr_array_unref);
    g_clear_pointer(&self->common_names, g_ptr_array_unref);
    g_clear_pointer(&self->common, g_array_unref);
    g_clear_pointer(&self->args, g_array_unref);
}

guint metal_kernel_threads(const MetalKernel *self)
{
    return self->processor == METAL_COMPUTE ? ARCH_RISCVS - ARCH_RISCV_T0 : 1;
}

ArchRiscvIndex metal_kernel_riscv(const MetalKernel *self, guint thread)
{
    static const ArchRiscvIndex first[METAL_PROCESSORS] = {
        [METAL_BRISC] = ARCH_RISCV_B,
        [METAL_NCRISC] = ARCH_RISCV_NC,
        [METAL_COMPUTE] = ARCH_RISCV_T0,
    };

    return first[self->processor] + thread;
}

static GArray *array_of(gsize size, GDestroyNotify clear)
{
    GArray *array = g_array_new(FALSE, TRUE, sim_u32(size));

    g_array_set_clear_func(array, clear);
    return array;
}

/* An array of `count` numbers, each a logical coordinate. */
static bool read_place(JsonNode *node, guint count, guint *place, GError **error)
{
    for (guint i = 0; i < count; i++) {
        uint64_t value = 0;

        if (node == NULL || !JSON_NODE_HOLDS_ARRAY(node)) {
            return wl_refuse(error, "the host program sent no coordinates of cores");
        }
        if (!host_item_count(json_node_get_array(node), i, G_MAXUINT16, &value,
                             error)) {
            return false;
        }
        place[i] = sim_u32(value);
    }
    return true;
}

static bool
read_cores(JsonObject *words, ArchTensix *tensix, GArray **cores, GError **error)
{
    JsonArray *ranges;

    *cores = g_array_new(FALSE, FALSE, sizeof(CoreRange));
    if (!host_member_array(words, "cores", &ranges, error)) {
        return false;
    }
    for (guint i = 0; ranges != NULL && i < json_array_get_length(ranges); i++) {
        guint at[RANGE_NUMBERS] = {0};

        if (!read_place(json_array_get_element(ranges, i), RANGE_NUMBERS, at, error)) {
            return false;
        }
        const CoreRange range = {at[0], at[1], at[2], at[3]};

        if (range.x0 > range.x1 || range.y0 > range.y1) {
            return wl_refuse(error, "cores (%u, %u) to (%u, %u): no such range",
                             range.x0, range.y0, range.x1, range.y1);
        }
        if (arch_tensix_core(tensix, range.x1, range.y1, error) == NULL) {
            return false;
        }
        g_array_append_val(*cores, range);
    }
    return true;
}

static bool
read_buffer(JsonObject *words, ArchTensix *tensix, gpointer data, GError **error)
{
    MetalBuffer *self = data;
    uint64_t index = 0;
    uint64_t format = 0;

    if (!read_cores(words, tensix, &self->cores, error) ||
        !host_member_count(words, "index", METAL_BUFFERS - 1, &index, error) ||
        !host_member_u32(words, "address", &self->address, error) ||
        !host_member_u32(words, "bytes", &self->bytes, error) ||
        !host_member_u32(words, "page_bytes", &self->page_bytes, error) ||
        !host_member_count(words, "format", FORMAT_MOST, &format, error) ||
        !host_member_flag(words, "filled", &self->is_filled, error)) {
        return false;
    }
    self->index = sim_u32(index);
    self->format = sim_u32(format);
    if (self->page_bytes == 0 || self->bytes % self->page_bytes != 0 ||
        self->bytes / self->page_bytes > G_MAXUINT16) {
        return wl_refuse(error,
                         "circular buffer %u: %u bytes in pages of %u bytes; expected "
                         "whole pages, %u at most",
                         self->index, self->bytes, self->page_bytes, G_MAXUINT16);
    }
    return true;
}

static bool
read_semaphore(JsonObject *words, ArchTensix *tensix, gpointer data, GError **error)
{
    MetalSemaphore *self = data;
    uint64_t id = 0;

    if (!read_cores(words, tensix, &self->cores, error) ||
        !host_member_count(words, "id", METAL_SEMAPHORES - 1, &id, error) ||
        !host_member_u32(words, "value", &self->value, error)) {
        return false;
    }
    self->id = sim_u32(id);
    return true;
}

/* Pairs of a name and a text or number. */
static bool
read_defines(JsonObject *words, const char *name, GArray **defines, GError **error)
{
    JsonArray *pairs;

    *defines = array_of(sizeof(MetalDefine), define_clear);
    if (!host_member_array(words, name, &pairs, error)) {
        return false;
    }
    for (guint i = 0; pairs != NULL && i < json_array_get_length(pairs); i++) {
        JsonNode *node = json_array_get_element(pairs, i);
        JsonArray *pair =
            JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

        if (pair == NULL || json_array_get_length(pair) != 2 ||
            !JSON_NODE_HOLDS_VALUE(json_array_get_element(pair, 0)) ||
            !JSON_NODE_HOLDS_VALUE(json_array_get_element(pair, 1)) ||
            json_node_get_value_type(json_array_get_element(pair, 0)) !=
                G_TYPE_STRING) {
            return wl_refuse(error, "the host program sent no pairs for '%s'", name);
        }
        JsonNode *value = json_array_get_element(pair, 1);

        g_array_set_size(*defines, i + 1);
        MetalDefine *define = &g_array_index(*defines, MetalDefine, i);

        define->name = g_strdup(json_array_get_string_element(pair, 0));
        define->value =
            json_node_get_value_type(value) == G_TYPE_STRING
                ? g_strdup(json_node_get_string(value))
                : g_strdup_printf("%" G_GINT64_FORMAT, json_node_get_int(value));
    }
    return true;
}

static bool
read_arguments(JsonObject *words, ArchTensix *tensix, MetalKernel *self, GError **error)
{
    JsonArray *list;

    self->args = array_of(sizeof(MetalArguments), arguments_clear);
    if (!host_member_array(words, "args", &list, error)) {
        return false;
    }
    for (guint i = 0; list != NULL && i < json_array_get_length(list); i++) {
        JsonObject *item = host_item_object(list, i, "args", error);
        MetalArguments arguments = {0};
        guint at[2] = {0};

        if (item == NULL ||
            !read_place(json_object_get_member(item, "core"), 2, at, error) ||
            arch_tensix_core(tensix, at[0], at[1], error) == NULL) {
            return false;
        }
        arguments.core = (CoreRange){at[0], at[1], at[0], at[1]};
        const bool is_read = host_member_words(item, "words", &arguments.words, error);

        g_array_append_val(self->args, arguments);
        if (!is_read) {
            return false;
        }
        if (arguments.words->len + self->common->len > METAL_ARGUMENTS) {
            return wl_refuse(
                error,
                "kernel %s: %u runtime arguments on core (%u, %u), with %u "
                "that all cores share; at most %d words fit",
                self->name, arguments.words->len, at[0], at[1], self->common->len,
                METAL_ARGUMENTS);
        }
    }
    return true;
}

static bool read_processor(JsonObject *words, MetalKernel *self, GError **error)
{
    static const char *const names[METAL_PROCESSORS] = {"brisc", "ncrisc", "compute"};
    const char *given;

    if (!host_member_text(words, "processor", &given, error)) {
        return false;
    }
    for (guint i = 0; i < METAL_PROCESSORS; i++) {
        if (g_str_equal(given, names[i])) {
            self->processor = (MetalProcessor) i;
            return true;
        }
    }
    return wl_refuse(error,
                     "kernel %s: processor '%s', there are brisc, ncrisc, compute",
                     self->name, given);
}

static bool read_texts(JsonObject *words, MetalKernel *self, GError **error)
{
    const char *name;
    const char *source;
    const char *text;

    if (!host_member_text(words, "name", &name, error) ||
        !host_member_text(words, "source", &source, error) ||
        !host_member_text(words, "text", &text, error)) {
        return false;
    }
    self->name = g_strdup(name);
    self->source = g_strdup(source);
    self->text = g_strdup(text);
    return *source != '\0' || *text != '\0' ||
           wl_refuse(error, "kernel %s: no source", name);
}

static bool
read_kernel(JsonObject *words, ArchTensix *tensix, gpointer data, GError **error)
{
    MetalKernel *self = data;
    uint64_t noc = 0;
    uint64_t fidelity = FIDELITIES;

    if (!read_texts(words, self, error) || !read_processor(words, self, error) ||
        !read_cores(words, tensix, &self->cores, error) ||
        !host_member_count(words, "noc", NOCS - 1, &noc, error) ||
        !host_member_words(words, "compile_args", &self->compile_args, error) ||
        !read_defines(words, "named_args", &self->named_args, error) ||
        !read_defines(words, "defines", &self->defines, error) ||
        !host_member_flag(words, "fp32_dst", &self->is_dst_fp32, error) ||
        !host_member_flag(words, "full_sync", &self->is_full_sync, error) ||
        !host_member_flag(words, "approx", &self->is_approximate, error) ||
        !host_member_texts(words, "arg_names", &self->arg_names, error) ||
        !host_member_texts(words, "common_arg_names", &self->common_names, error) ||
        !host_member_words(words, "common_args", &self->common, error) ||
        !read_arguments(words, tensix, self, error)) {
        return false;
    }
    if (json_object_has_member(words, "fidelity") &&
        !host_member_count(words, "fidelity", FIDELITIES, &fidelity, error)) {
        return false;
    }
    self->noc = sim_u32(noc);
    self->fidelity = MAX(sim_u32(fidelity), 1);
    return true;
}

typedef bool (*ReadItem)(JsonObject *words,
                         ArchTensix *tensix,
                         gpointer self,
                         GError **error);

static bool read_each(GArray *list,
                      JsonObject *words,
                      const char *name,
                      ArchTensix *tensix,
                      ReadItem read,
                      GError **error)
{
    JsonArray *items;

    if (!host_member_array(words, name, &items, error)) {
        return false;
    }
    for (guint i = 0; items != NULL && i < json_array_get_length(items); i++) {
        JsonObject *item = host_item_object(items, i, name, error);

        g_array_set_size(list, i + 1);
        if (item == NULL ||
            !read(item, tensix, list->data + (gsize) i * g_array_get_element_size(list),
                  error)) {
            return false;
        }
    }
    return true;
}

static bool read_banks(MetalOrder *self,
                       JsonObject *program,
                       const ArchTensix *tensix,
                       GError **error)
{
    const guint count = arch_tensix_columns(tensix) * arch_tensix_rows(tensix);

    if (!host_member_words(program, "l1_banks", &self->l1_banks, error)) {
        return false;
    }
    for (guint i = 0; i < self->l1_banks->len; i++) {
        if (self->l1_banks->len != count ||
            g_array_index(self->l1_banks, uint32_t, i) >= count) {
            return wl_refuse(
                error, "the host program sent no core for each of %u banks", count);
        }
    }
    return true;
}

bool metal_order_read(MetalOrder *self,
                      JsonObject *program,
                      ArchTensix *tensix,
                      GError **error)
{
    *self =
        (MetalOrder){.buffers = array_of(sizeof(MetalBuffer), buffer_clear),
                     .semaphores = array_of(sizeof(MetalSemaphore), semaphore_clear),
                     .kernels = array_of(sizeof(MetalKernel), kernel_clear)};
    return (!json_object_has_member(program, "runtime_id") ||
            host_member_count(program, "runtime_id", G_MAXINT64, &self->run, error)) &&
           read_banks(self, program, tensix, error) &&
           read_each(self->buffers, program, "buffers", tensix, read_buffer, error) &&
           read_each(self->semaphores, program, "semaphores", tensix, read_semaphore,
                     error) &&
           read_each(self->kernels, program, "kernels", tensix, read_kernel, error);
}

void metal_order_clear(MetalOrder *self)
{
    g_clear_pointer(&self->l1_banks, g_array_unref);
    g_clear_pointer(&self->buffers, g_array_unref);
    g_clear_pointer(&self->semaphores, g_array_unref);
    g_clear_pointer(&self->kernels, g_array_unref);
}
