/* Reads what a program is asked for. */
#include "tools/gpu/asked.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gpu
{

constexpr long MOST = 1 << 24;              /* along an axis, and iterations */
constexpr double MOST_CELLS = 4294967296.0; /* 16 GiB of FP32 */

/* From 1 on; 0 where there is no such number before `end`. */
static int read_number(const char **text, char end)
{
    char *rest = nullptr;
    long value = std::strtol(*text, &rest, 10);
    bool is_number =
        **text >= '0' && **text <= '9' && *rest == end && value >= 1 && value <= MOST;

    *text = is_number && end != '\0' ? rest + 1 : rest;
    return is_number ? (int) value : 0;
}

bool asked_read_size(Asked *self, const char *text)
{
    int nx = read_number(&text, 'x');
    int ny = nx > 0 ? read_number(&text, 'x') : 0;
    int nz = ny > 0 ? read_number(&text, '\0') : 0;

    if (nz == 0 || (double) nx * ny * nz > MOST_CELLS) {
        return false;
    }
    self->nx = nx;
    self->ny = ny;
    self->nz = nz;
    return true;
}

bool asked_read_dtype(Asked *self, const char *text)
{
    for (const char *known : {"fp32", "fp64", "bf16", "mixed"}) {
        if (std::strcmp(text, known) == 0) {
            self->dtype = text;
            return true;
        }
    }
    return false;
}

bool asked_read_iterations(Asked *self, const char *text)
{
    int iterations = read_number(&text, '\0');

    self->iterations = iterations > 0 ? iterations : self->iterations;
    return iterations > 0;
}

std::string Asked::suffix() const
{
    std::string text = "-" + std::to_string(nx) + "x" + std::to_string(ny) + "x" +
                       std::to_string(nz) + "-" + dtype;

    return iterations > 1 ? text + "-" + std::to_string(iterations) : text;
}

Grid Asked::grid(int pack) const
{
    Grid grid = {nx, ny, nz};

    if (nx % pack == 0) {
        return grid;
    }
    if (nz % pack != 0) {
        std::fprintf(stderr, "%dx%dx%d: nx or nz must be a multiple of %d in %s\n", nx,
                     ny, nz, pack, dtype.c_str());
        std::exit(1);
    }
    grid = {nz, nx, ny};
    grid.is_z_first = true;
    return grid;
}

void Asked::refuse_dtype(const char *workload, const char *known) const
{
    std::fprintf(stderr, "%s is measured in %s, not in %s\n", workload, known,
                 dtype.c_str());
    std::exit(1);
}

}  // namespace gpu
