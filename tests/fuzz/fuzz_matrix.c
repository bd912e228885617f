/* Fuzzes traffic matrices with any bytes: each row of one that is taken adds up, every
 * other is refused in one line. */
#include "arch/error.h"
#include "arch/traffic/matrix.h"
#include "tests/fuzz/fuzz.h"

enum {
    NODES_MOST = 5,
};

static void ask(const ArchNocMatrix *matrix, guint node_count)
{
    uint64_t random = 1;
    guint senders = 0;

    for (guint node = 0; node < node_count; node++) {
        if (!arch_noc_matrix_sends(matrix, node)) {
            continue;
        }
        senders++;
        for (guint i = 0; i < 2 * NODES_MOST; i++) {
            g_assert_cmpuint(arch_noc_matrix_target(matrix, node, &random), <,
                             node_count);
        }
    }
    g_assert_cmpuint(senders, >, 0);
    g_assert_cmpuint(senders, ==, arch_noc_matrix_senders(matrix));
    g_assert_cmpuint(arch_noc_matrix_rows(matrix), ==, node_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (guint node_count = 1; node_count <= NODES_MOST; node_count++) {
        GError *error = NULL;
        g_autoptr(ArchNocMatrix) matrix = arch_noc_matrix_parse(
            "m.csv", (const char *) data, size, node_count, &error);

        if (matrix == NULL) {
            fuzz_check_error(error, ARCH_ERROR);
        } else {
            ask(matrix, node_count);
        }
    }
    return 0;
}
