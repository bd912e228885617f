/* What the thesis prints: Table C.2. */
#include "tools/gridloom/model/codesign/codesign.h"

static const ModelCodesignRow rows[] = {
    {"jacobi2d", {32, 128, 24, 438}, 2059},   {"heat2d", {22, 256, 12, 447}, 3017},
    {"gradient2d", {28, 160, 24, 431}, 4963}, {"laplacian2d", {28, 160, 12, 426}, 2549},
    {"heat3d", {18, 288, 192, 447}, 3600},    {"laplacian3d", {8, 896, 96, 446}, 1427},
};

const ModelCodesignRow *model_codesign_printed(const char *stencil)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (g_str_equal(rows[i].name, stencil)) {
            return &rows[i];
        }
    }
    return NULL;
}
