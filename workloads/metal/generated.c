/* Writes what a kernel is compiled with. */
#include "workloads/metal/generated.h"

#include "sim/narrow.h"
#include "workloads/metal/layout.h"

enum {
    PLACE_BITS = 6,
};

guint metal_tile_bytes(guint format)
{
    static const guint16 bytes[] = {
        [0] = 4096,  /* Float32 */
        [1] = 2048,  /* Float16 */
        [2] = 1088,  /* Bfp8 */
        [3] = 576,   /* Bfp4 */
        [4] = 4096,  /* Tf32 */
        [5] = 2048,  /* Float16_b */
        [6] = 1088,  /* Bfp8_b */
        [7] = 576,   /* Bfp4_b */
        [8] = 4096,  /* Int32 */
        [9] = 2048,  /* UInt16 */
        [14] = 1024, /* Int8 */
        [24] = 4096, /* UInt32 */
        [30] = 1024, /* UInt8 */
    };

    return format < G_N_ELEMENTS(bytes) ? bytes[format] : 0;
}

static bool ranges_meet(const GArray *some, const GArray *others)
{
    for (guint i = 0; i < some->len; i++) {
        const CoreRange *a = &g_array_index(some, CoreRange, i);

        for (guint k = 0; k < others->len; k++) {
            const CoreRange *b = &g_array_index(others, CoreRange, k);

            if (a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1) {
                return true;
            }
        }
    }
    return false;
}

/* The circular buffer that the kernel's cores know by that index; NULL: none. */
static const MetalBuffer *
buffer_of(const MetalOrder *order, const MetalKernel *kernel, guint index)
{
    const MetalBuffer *found = NULL;

    for (guint i = 0; i < order->buffers->len; i++) {
        const MetalBuffer *buffer = &g_array_index(order->buffers, MetalBuffer, i);

        if (buffer->index == index && ranges_meet(buffer->cores, kernel->cores)) {
            found = buffer;
        }
    }
    return found;
}

static void
add_buffers(GString *text, const MetalOrder *order, const MetalKernel *kernel)
{
    g_autoptr(GString) tiles = g_string_new(NULL);
    g_autoptr(GString) formats = g_string_new(NULL);
    g_autoptr(GString) pages = g_string_new(NULL);

    for (guint i = 0; i < METAL_BUFFERS; i++) {
        const MetalBuffer *buffer = buffer_of(order, kernel, i);

        g_string_append_printf(tiles, "%u,",
                               buffer == NULL ? 0 : metal_tile_bytes(buffer->format));
        g_string_append_printf(formats, "%u,", buffer == NULL ? 255 : buffer->format);
        g_string_append_printf(pages, "%u,", buffer == NULL ? 0 : buffer->page_bytes);
    }
    g_string_append_printf(text,
                           "inline constexpr uint32_t tile_bytes[] = {%s};\n"
                           "inline constexpr uint32_t formats[] = {%s};\n"
                           "inline constexpr uint32_t page_bytes[] = {%s};\n",
                           tiles->str, formats->str, pages->str);
}

static void add_banks(GString *text, const ArchParams *params, guint noc)
{
    const ArchParam *columns = arch_params_find(params, "dram.view_columns");
    const ArchParam *rows = arch_params_find(params, "dram.view_rows");
    g_auto(GStrv) xs = g_strsplit(columns->value, ",", -1);
    g_auto(GStrv) ys = g_strsplit(rows->value, ",", -1);
    const guint width = sim_u32(arch_params_uint(params, "grid.column_count"));
    const guint height = sim_u32(arch_params_uint(params, "grid.row_count"));

    g_string_append_c(text, '{');
    for (guint i = 0; xs[i] != NULL && ys[i] != NULL; i++) {
        guint x = sim_u32(g_ascii_strtoull(xs[i], NULL, 10));
        guint y = sim_u32(g_ascii_strtoull(ys[i], NULL, 10));

        if (noc == 1) {
            x = width - 1 - x;
            y = height - 1 - y;
        }
        g_string_append_printf(text, "%u,", y << PLACE_BITS | x);
    }
    g_string_append_c(text, '}');
}

static void add_cores(GString *text, const MetalOrder *order, const ArchTensix *tensix)
{
    const guint columns = arch_tensix_columns(tensix);

    for (guint i = 0; i < columns * arch_tensix_rows(tensix); i++) {
        const guint core =
            order->l1_banks->len > 0 ? g_array_index(order->l1_banks, uint32_t, i) : i;

        g_string_append_printf(text, "%u,",
                               (METAL_VIRTUAL_FIRST + core / columns) << PLACE_BITS |
                                   (METAL_VIRTUAL_FIRST + core % columns));
    }
}

static void add_places(GString *text,
                       const MetalOrder *order,
                       const ArchParams *params,
                       const ArchTensix *tensix)
{
    g_string_append(text,
                    "inline constexpr uint16_t dram_places[2][NUM_DRAM_BANKS] = {");
    add_banks(text, params, 0);
    g_string_append_c(text, ',');
    add_banks(text, params, 1);
    g_string_append(text,
                    "};\n"
                    "inline constexpr uint32_t dram_offsets[NUM_DRAM_BANKS] = {};\n"
                    "inline constexpr uint16_t l1_places[NUM_L1_BANKS] = {");
    add_cores(text, order, tensix);
    g_string_append(text, "};\n");
}

static void add_words(GString *text, const GArray *words)
{
    for (guint i = 0; i < words->len; i++) {
        g_string_append_printf(text, "%s%uu", i > 0 ? "," : "",
                               g_array_index(words, uint32_t, i));
    }
}

static void add_arguments(GString *text, const MetalKernel *kernel)
{
    g_string_append(text,
                    "struct Named {\n    const char *name;\n    uint32_t value;\n};\n"
                    "inline constexpr Named named_arguments[] = {");
    for (guint i = 0; i < kernel->named_args->len; i++) {
        const MetalDefine *named = &g_array_index(kernel->named_args, MetalDefine, i);
        g_autofree char *name = g_strescape(named->name, NULL);

        g_string_append_printf(text, "{\"%s\", %su}, ", name, named->value);
    }
    g_string_append_printf(text,
                           "{\"\", 0}};\n"
                           "inline constexpr uint32_t named_argument_count = %u;\n",
                           kernel->named_args->len);
}

static bool is_identifier(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (!g_ascii_isalnum(*at) && *at != '_') {
            return false;
        }
    }
    return *text != '\0' && !g_ascii_isdigit(*text);
}

static void add_names_of(GString *text, const char *kind, const GPtrArray *names)
{
    for (guint i = 0; i < names->len; i++) {
        g_string_append_printf(text,
                               "inline constexpr experimental::%s<uint32_t> %s{%u};\n",
                               kind, (const char *) g_ptr_array_index(names, i), 4 * i);
    }
}

/* The namespace `args` of Metal 2.0 and the program's own names, for a second inclusion
 * behind the API: it may have the same names. */
static void add_names(GString *text, const MetalKernel *kernel)
{
    g_string_append(text, "#ifdef GRIDLOOM_NAMES\nnamespace args {\n");
    add_names_of(text, "RtaArg", kernel->arg_names);
    add_names_of(text, "CrtaArg", kernel->common_names);
    for (guint i = 0; i < kernel->named_args->len; i++) {
        const MetalDefine *named = &g_array_index(kernel->named_args, MetalDefine, i);

        if (is_identifier(named->name)) {
            g_string_append_printf(
                text, "inline constexpr experimental::CtaVal<uint32_t> %s{%su};\n",
                named->name, named->value);
        }
    }
    g_string_append(text, "} // namespace args\n");
    for (guint i = 0; i < kernel->defines->len; i++) {
        const MetalDefine *define = &g_array_index(kernel->defines, MetalDefine, i);

        g_string_append_printf(text, "#define %s %s\n", define->name, define->value);
    }
    g_string_append(text, "#endif\n");
}

static void
add_processor(GString *text, const MetalKernel *kernel, ArchRiscvIndex index)
{
    static const char *const threads[] = {"UNPACK", "MATH", "PACK"};

    if (index == ARCH_RISCV_B || index == ARCH_RISCV_NC) {
        g_string_append_printf(text, "#define COMPILE_FOR_%s 1\n",
                               index == ARCH_RISCV_B ? "BRISC" : "NCRISC");
    } else {
        const guint thread = index - ARCH_RISCV_T0;

        g_string_append_printf(text,
                               "#define COMPILE_FOR_TRISC %u\n#define TRISC_%s 1\n"
                               "#define UCK_CHLKC_%s 1\n",
                               thread, threads[thread], threads[thread]);
    }
    g_string_append_printf(
        text,
        "#define PROCESSOR_INDEX %d\n#define NOC_INDEX %u\n#define NOC_MODE 0\n"
        "#define MATH_FIDELITY %u\n"
        "#ifndef DST_ACCUM_MODE\nconstexpr bool DST_ACCUM_MODE = %s;\n#endif\n"
        "#define DST_SYNC_FULL %d\n"
        "#define APPROX %s\n",
        sim_i32(index), kernel->noc, kernel->fidelity,
        kernel->is_dst_fp32 ? "true" : "false", kernel->is_full_sync ? 1 : 0,
        kernel->is_approximate ? "true" : "false");
}

char *metal_generated_text(const MetalOrder *order,
                           const MetalKernel *kernel,
                           ArchRiscvIndex index,
                           const ArchParams *params,
                           ArchTensix *tensix)
{
    GString *text =
        g_string_new("#ifndef GRIDLOOM_GENERATED\n#define GRIDLOOM_GENERATED\n"
                     "#include <cstdint>\n"
                     "#define KERNEL_BUILD 1\n#define ARCH_WORMHOLE 1\n"
                     "#define PROFILE_KERNEL 1\n#define DEBUG_PRINT_ENABLED 1\n"
                     "#define IS_NOT_POW2_NUM_DRAM_BANKS 1\n");

    add_processor(text, kernel, index);
    g_string_append_printf(
        text, "#define NUM_DRAM_BANKS %" G_GUINT64_FORMAT "\n#define NUM_L1_BANKS %u\n",
        arch_params_uint(params, "dram.channel_count"),
        arch_tensix_columns(tensix) * arch_tensix_rows(tensix));
    g_string_append_printf(text,
                           "#define GRIDLOOM_FIRST_VARARG %u\n"
                           "#define GRIDLOOM_FIRST_COMMON_VARARG %u\n",
                           kernel->arg_names->len, kernel->common_names->len);
    if (kernel->compile_args->len > 0) {
        g_string_append(text, "#define KERNEL_COMPILE_TIME_ARGS ");
        add_words(text, kernel->compile_args);
        g_string_append_c(text, '\n');
    }
    g_string_append_printf(
        text, "namespace gridloom {\ninline constexpr uint32_t launch_address = %d;\n",
        METAL_L1_LAUNCHES + METAL_LAUNCH_BYTES * sim_i32(index));
    add_buffers(text, order, kernel);
    add_places(text, order, params, tensix);
    add_arguments(text, kernel);
    g_string_append(text, "} // namespace gridloom\n#endif\n");
    add_names(text, kernel);
    return g_string_free(text, FALSE);
}
