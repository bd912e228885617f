/* PCG on a simulated wafer, with a right-hand side from here. */
#include <gridloom.h>
#include <stdio.h>
#include <stdlib.h>

static int show(void *data, const GridloomProgress *at)
{
    (void) fprintf(data, "\r%llu cycles", (unsigned long long) at->cycles);
    return 0; /* go on */
}

/* Ends with the command's line and code. */
static void need(Gridloom *wafer, int code)
{
    if (code != GRIDLOOM_DONE) {
        (void) fprintf(stderr, "%s\n", gridloom_error(wafer));
        gridloom_close(wafer);
        exit(code);
    }
}

int main(void)
{
    float rhs[8 * 8 * 32];
    const uint64_t shape[] = {8, 8, 32};
    Gridloom *wafer;
    int code = gridloom_open(&wafer, "wse2");
    double cycles;

    for (int i = 0; i < 8 * 8 * 32; i++) {
        rhs[i] = (float) (i % 7);
    }
    GridloomArray array = {GRIDLOOM_FLOAT32, 3, shape, rhs};

    need(wafer, code);
    need(wafer, gridloom_load(wafer, GRIDLOOM_SCRIPT, "pcg"));
    need(wafer, gridloom_param(wafer, "nx", "8"));
    need(wafer, gridloom_param(wafer, "ny", "8"));
    need(wafer, gridloom_param(wafer, "nz", "32"));
    need(wafer, gridloom_input(wafer, "rhs", &array));
    need(wafer, gridloom_output(wafer, "x"));
    need(wafer, gridloom_run(wafer, show, stderr));
    need(wafer, gridloom_number(wafer, "/cycles", &cycles));
    need(wafer, gridloom_array(wafer, "x", &array));
    printf("%.0f cycles, x[0, 0, 0] = %g\n", cycles, ((const float *) array.data)[0]);
    gridloom_close(wafer);
    return 0;
}
