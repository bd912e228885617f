#include "tools/gpu/stencil/reference.hpp"

#include "tools/gpu/stencil/strips.hpp"
#include "tools/gpu/stencil/value.hpp"
#include "tools/gpu/threads.hpp"

namespace gpu
{

/* The window's values of the field before the first step. */
static std::vector<double>
start(const StencilCase &self, uint64_t seed, const StencilWindow &window)
{
    std::vector<double> values(window.points());
    const size_t rows = (size_t) window.extent[1] * (size_t) window.extent[2];
    const size_t n = (size_t) self.size;

    parallel_for(rows, [&](size_t row) {
        const int y = window.origin[1] + (int) row % window.extent[1];
        const int z = window.origin[2] + (int) row / window.extent[1];
        const size_t base =
            (self.dimension == 2 ? 0 : (size_t) stencil_wrap(z, self.size) * n) +
            (size_t) stencil_wrap(y, self.size);

        for (int x = 0; x < window.extent[0]; x++) {
            const size_t column =
                (size_t) stencil_wrap(window.origin[0] + x, self.size);
            const double value = stencil_value(seed, base * n + column);

            values[row * (size_t) window.extent[0] + (size_t) x] =
                self.is_double ? value : (double) (float) value;
        }
    });
    return values;
}

/* One step: the window shrinks by the radius on every side. */
static std::vector<double> step(const StencilCase &self,
                                const std::vector<double> &weights,
                                const std::vector<double> &in,
                                const StencilWindow &from,
                                const StencilWindow &to)
{
    const int side = 2 * self.radius + 1;
    const int layers = self.dimension == 2 ? 1 : side;
    const size_t rows = (size_t) to.extent[1] * (size_t) to.extent[2];
    std::vector<double> out(to.points());

    parallel_for(rows, [&](size_t row) {
        const size_t y = row % (size_t) to.extent[1];
        const size_t z = row / (size_t) to.extent[1];
        double *sums = out.data() + row * (size_t) to.extent[0];

        for (int k = 0; k < layers * side; k++) {
            const double *line =
                in.data() + ((z + (size_t) (k / side)) * (size_t) from.extent[1] + y +
                             (size_t) (k % side)) *
                                (size_t) from.extent[0];

            for (int dx = 0; dx < side; dx++) {
                const double weight = weights[(size_t) (k * side + dx)];

                for (int x = 0; weight != 0 && x < to.extent[0]; x++) {
                    sums[x] += weight * line[x + dx];
                }
            }
        }
    });
    return out;
}

static StencilWindow grown(const StencilCase &self, const StencilWindow &window, int by)
{
    StencilWindow out = window;

    for (int d = 0; d < self.dimension; d++) {
        out.origin[d] -= by;
        out.extent[d] += 2 * by;
    }
    return out;
}

std::vector<double> stencil_reference(const StencilCase &self,
                                      const std::vector<double> &weights,
                                      uint64_t seed,
                                      const StencilWindow &window)
{
    StencilWindow from = grown(self, window, self.radius * self.fusion);
    std::vector<double> values = start(self, seed, from);

    for (int i = self.fusion - 1; i >= 0; i--) {
        const StencilWindow to = grown(self, window, self.radius * i);

        values = step(self, weights, values, from, to);
        from = to;
    }
    return values;
}

std::vector<StencilWindow> stencil_windows(const StencilCase &self, uint64_t seed)
{
    const int whole = self.dimension == 2 ? 1024 : 96;
    const int side = self.dimension == 2 ? 96 : 24;
    const int drawn = 14;
    std::vector<StencilWindow> windows;

    if (self.size <= whole) {
        return {
            {{0, 0, 0}, {self.size, self.size, self.dimension == 2 ? 1 : self.size}}};
    }
    for (int i = 0; i < drawn + 2; i++) {
        StencilWindow window = {{0, 0, 0},
                                {side, side, self.dimension == 2 ? 1 : side}};

        for (int d = 0; d < self.dimension; d++) {
            const uint64_t draw = stencil_mix(seed + (uint64_t) (3 * i + d));

            window.origin[d] = i == 0   ? -side / 2
                               : i == 1 ? (self.size - side) / 2
                                        : (int) (draw % (uint64_t) self.size);
        }
        windows.push_back(window);
    }
    return windows;
}

}  // namespace gpu
