/* Puts the parts of a program into the L1 of its cores. */
#include "workloads/metal/layout.h"

#include "sim/narrow.h"

static const GArray *words_of(const MetalKernel *kernel, guint x, guint y)
{
    for (guint i = 0; i < kernel->args->len; i++) {
        const MetalArguments *arguments =
            &g_array_index(kernel->args, MetalArguments, i);

        if (arguments->core.x0 == x && arguments->core.y0 == y) {
            return arguments->words;
        }
    }
    return NULL;
}

guint metal_layout_arguments(const MetalKernel *kernel,
                             guint x,
                             guint y,
                             uint32_t *address)
{
    const GArray *words = words_of(kernel, x, y);
    const guint place = METAL_L1_ARGUMENTS + METAL_ARGUMENT_BYTES * kernel->processor;

    *address = place;
    return (words == NULL ? 0 : words->len) + kernel->common->len;
}

static bool
put_words(ArchTensixCore *core, uint32_t address, const GArray *words, GError **error)
{
    return words == NULL || words->len == 0 ||
           arch_tensix_write(core, address, words->data, words->len * sizeof(uint32_t),
                             error);
}

/* Two numbers of 16 bits in a word. */
static uint32_t pair(guint low, guint high)
{
    return high << 16 | low;
}

static bool put_arguments(
    ArchTensixCore *core, guint x, guint y, gconstpointer what, GError **error)
{
    const MetalKernel *kernel = what;
    const GArray *words = words_of(kernel, x, y);
    const guint count = words == NULL ? 0 : words->len;
    const CoreRange *first = &g_array_index(kernel->cores, CoreRange, 0);
    const guint place = METAL_L1_ARGUMENTS + METAL_ARGUMENT_BYTES * kernel->processor;
    /* struct Launch of the device's headers. */
    const uint32_t block[] = {place,
                              count,
                              place + 4 * count,
                              kernel->common->len,
                              METAL_L1_SEMAPHORES,
                              pair(METAL_VIRTUAL_FIRST + x, METAL_VIRTUAL_FIRST + y),
                              pair(x - MIN(x, first->x0), y - MIN(y, first->y0))};

    for (guint i = 0; i < metal_kernel_threads(kernel); i++) {
        const guint at =
            METAL_L1_LAUNCHES + METAL_LAUNCH_BYTES * metal_kernel_riscv(kernel, i);

        if (!arch_tensix_write(core, at, block, sizeof block, error)) {
            return false;
        }
    }
    return put_words(core, place, words, error) &&
           put_words(core, place + 4 * count, kernel->common, error);
}

typedef bool (*Put)(
    ArchTensixCore *core, guint x, guint y, gconstpointer what, GError **error);

/* Calls `put` for each core of the ranges. */
static bool put_on_each(ArchTensix *tensix,
                        const GArray *cores,
                        Put put,
                        gconstpointer what,
                        GError **error)
{
    for (guint i = 0; i < cores->len; i++) {
        const CoreRange *range = &g_array_index(cores, CoreRange, i);

        for (guint y = range->y0; y <= range->y1; y++) {
            for (guint x = range->x0; x <= range->x1; x++) {
                ArchTensixCore *core = arch_tensix_core(tensix, x, y, error);

                if (core == NULL || !put(core, x, y, what, error)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Sets the format by its number in tt-metal; what compute has no format for is only
 * moved. */
static void set_format(ArchCircularBufferConfig *config, guint number)
{
    enum {
        BF16 = 5,
    };
    static const guint8 formats[] = {
        [0] = ARCH_FORMAT_FP32,   [4] = ARCH_FORMAT_TF32,    [BF16] = ARCH_FORMAT_BF16,
        [6] = ARCH_FORMAT_BFP8,   [7] = ARCH_FORMAT_BFP4,    [8] = ARCH_FORMAT_INT32,
        [9] = ARCH_FORMAT_UINT16, [24] = ARCH_FORMAT_UINT32,
    };

    config->format = number < G_N_ELEMENTS(formats) ? (ArchFormat) formats[number]
                                                    : ARCH_FORMAT_BF16;
    config->is_foreign = config->format == ARCH_FORMAT_BF16 && number != BF16;
}

static bool
put_buffer(ArchTensixCore *core, guint x, guint y, gconstpointer what, GError **error)
{
    const MetalBuffer *buffer = what;
    ArchCircularBufferConfig config = {.index = buffer->index,
                                       .page_count = buffer->bytes / buffer->page_bytes,
                                       .page_bytes = buffer->page_bytes,
                                       .has_address = true,
                                       .address = buffer->address,
                                       .is_filled = buffer->is_filled,
                                       .is_open = true};

    (void) x;
    (void) y;
    set_format(&config, buffer->format);
    return arch_tensix_add_circular_buffer(core, &config, error);
}

static bool put_semaphore(
    ArchTensixCore *core, guint x, guint y, gconstpointer what, GError **error)
{
    enum {
        SEMAPHORE_BYTES = 16,
    };
    const MetalSemaphore *semaphore = what;

    (void) x;
    (void) y;
    return arch_tensix_write(core,
                             METAL_L1_SEMAPHORES + SEMAPHORE_BYTES * semaphore->id,
                             &semaphore->value, sizeof semaphore->value, error);
}

bool metal_layout_put(const MetalOrder *order, ArchTensix *tensix, GError **error)
{
    for (guint i = 0; i < order->buffers->len; i++) {
        const MetalBuffer *buffer = &g_array_index(order->buffers, MetalBuffer, i);

        if (!put_on_each(tensix, buffer->cores, put_buffer, buffer, error)) {
            return false;
        }
    }
    for (guint i = 0; i < order->semaphores->len; i++) {
        const MetalSemaphore *semaphore =
            &g_array_index(order->semaphores, MetalSemaphore, i);

        if (!put_on_each(tensix, semaphore->cores, put_semaphore, semaphore, error)) {
            return false;
        }
    }
    for (guint i = 0; i < order->kernels->len; i++) {
        const MetalKernel *kernel = &g_array_index(order->kernels, MetalKernel, i);

        if (!put_on_each(tensix, kernel->cores, put_arguments, kernel, error)) {
            return false;
        }
    }
    return true;
}
