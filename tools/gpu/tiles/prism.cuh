/* A hexagon of a problem in two dimensions, strip after strip along the second one. A
 * strip of t_S2 columns moves one column back each step, so that all that it needs of
 * the last strip is in shared memory, whose columns go around in a ring. */
#pragma once

#include "tools/gpu/tiles/hexagon.cuh"

namespace gpu
{

template <typename Stencil, bool IS_MOVING = true> class Prism
{
  public:
    __device__ Prism(const TiledProblem &problem,
                     const Tile &tile,
                     const Hexagon &hexagon,
                     float *planes,
                     float *shared)
        : problem_(problem), tile_(tile), hexagon_(hexagon), planes_(planes),
          shared_(shared), width_(tile.width(1)), chunks_(tile.space[1] / 32),
          warp_((int) threadIdx.x / 32), warps_((int) blockDim.x / 32),
          lane_((int) threadIdx.x % 32)
    {
    }

    __device__ void run()
    {
        int strips =
            (problem_.space[1] + tile_.steps + tile_.space[1] - 1) / tile_.space[1];

        for (int strip = 0; strip < strips; strip++) {
            if (IS_MOVING) {
                load(strip);
            }
            __syncthreads();
            for (int row = hexagon_.low; row < hexagon_.high; row++) {
                compute(strip, row);
                __syncthreads();
            }
        }
    }

  private:
    __device__ float *shared(int parity, int line, int column) const
    {
        return shared_ + (parity * tile_.lines() + line) * width_ + column;
    }
    __device__ int ring(int column) const
    {
        int place = column % width_;

        return place < 0 ? place + width_ : place;
    }
    __device__ int line_of(int point) const
    {
        return point - (hexagon_.first - tile_.half());
    }
    __device__ float *plane(int parity, int point, int column) const
    {
        return planes_ +
               ((size_t) parity * (size_t) problem_.space[0] + (size_t) point) *
                   (size_t) problem_.space[1] +
               column;
    }

    /* The columns of one line that a row needs and the last strip did not have. */
    __device__ void load_line(int strip, int row, int point)
    {
        int parity = (hexagon_.start + row) & 1;
        int begin = strip * tile_.space[1] - row + (strip == 0 ? -1 : 1);
        int end = (strip + 1) * tile_.space[1] - row + 1;

        if (point < 0 || point >= problem_.space[0]) {
            return;
        }
        begin = begin < 0 ? 0 : begin;
        end = end > problem_.space[1] ? problem_.space[1] : end;
        for (int column = begin + lane_; column < end; column += 32) {
            *shared(parity, line_of(point), ring(column)) =
                *plane(parity, point, column);
        }
    }

    /* All of the first row, and of the others the points at both ends that the row
     * before does not have. */
    __device__ void load(int strip)
    {
        int next = 0; /* line, of the warp next % warps */

        for (int row = hexagon_.low; row < hexagon_.high && row <= tile_.half();
             row++) {
            int begin = hexagon_.begin(tile_, row) - 1;
            int end = hexagon_.end(tile_, row) + 1;
            int ends = hexagon_.unknown(tile_, row);
            int left = row == hexagon_.low ? end - begin : ends;
            int right = row == hexagon_.low ? 0 : ends;

            for (int i = (warp_ + warps_ - next) % warps_; i < left + right;
                 i += warps_) {
                load_line(strip, row, i < left ? begin + i : end - right + i - left);
            }
            next = (next + left + right) % warps_;
        }
    }

    __device__ void compute(int strip, int row)
    {
        int begin = hexagon_.begin(tile_, row);
        int count = (hexagon_.end(tile_, row) - begin) * chunks_;
        int from = strip * tile_.space[1] - row;
        int ring_from = ring(from);
        int line = warp_ / chunks_;
        int chunk = warp_ % chunks_;
        int lines = warps_ / chunks_;
        int rest = warps_ % chunks_;

        for (int i = warp_; i < count; i += warps_) {
            int place = 32 * chunk + lane_;

            point(row, begin + line, from + place, ring_from + place);
            line += lines;
            chunk += rest;
            if (chunk >= chunks_) {
                chunk -= chunks_;
                line++;
            }
        }
    }

    __device__ void point(int row, int point, int column, int place)
    {
        int parity = (hexagon_.start + row) & 1;
        int rows = problem_.space[0];
        int columns = problem_.space[1];

        if (point < 0 || point >= rows || column < 0 || column >= columns) {
            return;
        }
        place -= place >= width_ ? width_ : 0;
        const float *own = shared(parity, line_of(point), place);
        float value = *own;

        if (point > 0 && point < rows - 1 && column > 0 && column < columns - 1) {
            int left = place == 0 ? width_ - 1 : -1;
            int right = place == width_ - 1 ? 1 - width_ : 1;
            int offsets[4] = {-width_, width_, left, right};

            value = Stencil::point(value, [&](int i) { return own[offsets[i]]; });
        }
        *shared(parity ^ 1, line_of(point), place) = value;
        if (IS_MOVING && hexagon_.is_read(tile_, row, point)) {
            *plane(parity ^ 1, point, column) = value;
        }
    }

    const TiledProblem &problem_;
    const Tile &tile_;
    const Hexagon &hexagon_;
    float *planes_;
    float *shared_;
    int width_;
    int chunks_;
    int warp_;
    int warps_;
    int lane_;
};

template <typename Stencil, bool IS_MOVING>
__global__ void prism_kernel(TiledProblem problem, Tile tile, int wave, float *planes)
{
    extern __shared__ float shared[];
    Hexagon hexagon(tile, wave, (int) blockIdx.x, problem.steps);

    if (hexagon.low < hexagon.high && hexagon.first - tile.half() < problem.space[0] &&
        hexagon.first + tile.space[0] + tile.half() > 0) {
        Prism<Stencil, IS_MOVING>(problem, tile, hexagon, planes, shared).run();
    }
}

}  // namespace gpu
