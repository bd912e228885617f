/* Fuzzes what comes from outside with programs of tt-metal's kind: messages of host
 * programs with programs to launch in them, and compiled kernels. No input may crash.
 */
#include <sys/socket.h>
#include <unistd.h>

#include "arch/error.h"
#include "arch/family.h"
#include "sim/narrow.h"
#include "tests/fuzz/fuzz.h"
#include "workloads/error.h"
#include "workloads/host/message.h"
#include "workloads/metal/generated.h"
#include "workloads/metal/image.h"
#include "workloads/metal/memory.h"

typedef struct {
    ArchParams *params;
    ArchTensix *tensix;
} Chip;

/* Made once, and never changed by what is read. */
static const Chip *chip(void)
{
    static Chip self;

    if (self.tensix == NULL) {
        SimEngineConfig config = sim_engine_config_default();

        self.params =
            arch_params_load(GRIDLOOM_SOURCE_DIR "/arch/chips/wormhole_n150.ini", NULL);
        config.region_count = arch_family_tensix.region_count(self.params, 1);
        config.window_cycles = arch_family_tensix.window_cycles(self.params);
        self.tensix = arch_tensix_new(sim_engine_new(config), self.params,
                                      arch_dram_new(1 << 20), NULL);
    }
    return &self;
}

static bool has_no_patience(gpointer data, GError **error)
{
    (void) data;
    return wl_refuse(error, "nothing comes");
}

static void check_error(GError *error)
{
    fuzz_check_error(error, error->domain == ARCH_ERROR ? ARCH_ERROR : WL_ERROR);
}

static void read_order(JsonObject *words)
{
    g_auto(MetalOrder) order = {0};
    GError *error = NULL;
    uint64_t count = 0;

    if (!metal_memory_count(words, &count, &error)) {
        check_error(error);
        error = NULL;
    }
    if (!metal_order_read(&order, words, chip()->tensix, &error)) {
        check_error(error);
        return;
    }
    for (guint i = 0; i < order.kernels->len; i++) {
        const MetalKernel *kernel = &g_array_index(order.kernels, MetalKernel, i);
        g_autofree char *text =
            metal_generated_text(&order, kernel, metal_kernel_riscv(kernel, 0),
                                 chip()->params, chip()->tensix);

        g_assert(*text != '\0');
    }
}

static void read_message(const uint8_t *data, size_t size)
{
    g_auto(HostMessage) message = {0};
    GError *error = NULL;
    int ends[2];

    g_assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    g_assert(write(ends[0], data, MIN(size, 65536)) >= 0);
    (void) close(ends[0]);
    switch (host_message_read(&message, ends[1], has_no_patience, NULL, &error)) {
    case HOST_RECEIVED:
        read_order(message.words);
        break;
    case HOST_CLOSED:
        break;
    case HOST_FAILED:
        check_error(error);
        break;
    }
    (void) close(ends[1]);
}

static void read_image(const uint8_t *data, size_t size)
{
    g_auto(FuzzFile) file = fuzz_file_new(data, size);
    GError *error = NULL;
    g_autoptr(MetalImage) image =
        metal_image_load(file.path, GRIDLOOM_SOURCE_DIR, &error);

    if (image == NULL) {
        check_error(error);
        return;
    }
    const ArchRiscvText text = metal_image_text(image, "kernel");
    g_autofree char *line = metal_image_line(image, text.entry);
    g_autoptr(ArchRiscvProgram) program =
        arch_riscv_program_new(chip()->tensix, ARCH_RISCV_B, &text, &error);

    if (program == NULL) {
        check_error(error);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] == 0x7f) {
        read_image(data, size);
    } else {
        read_message(data, size);
    }
    return 0;
}
