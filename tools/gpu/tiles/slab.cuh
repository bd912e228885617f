/* A hexagon of a problem in three dimensions: strips along the third one as in two
 * dimensions (prism.cuh), and these along the second one. What the next strip of the
 * second dimension needs goes through the memory of the GPU. */
#pragma once

#include "tools/gpu/tiles/hexagon.cuh"

namespace gpu
{

template <typename Stencil, bool IS_MOVING = true> class Slab
{
  public:
    __device__ Slab(const TiledProblem &problem,
                    const Tile &tile,
                    const Hexagon &hexagon,
                    float *planes,
                    float *shared)
        : problem_(problem), tile_(tile), hexagon_(hexagon), planes_(planes),
          shared_(shared), height_(tile.width(1)), width_(tile.width(2)),
          chunks_(tile.space[2] / 32), warp_((int) threadIdx.x / 32),
          warps_((int) blockDim.x / 32), lane_((int) threadIdx.x % 32)
    {
    }

    __device__ void run()
    {
        for (int outer = 0; outer < strips(1); outer++) {
            for (int inner = 0; inner < strips(2); inner++) {
                if (IS_MOVING) {
                    load(outer, inner);
                }
                __syncthreads();
                for (int row = hexagon_.low; row < hexagon_.high; row++) {
                    compute(outer, inner, row);
                    __syncthreads();
                }
            }
        }
    }

  private:
    __device__ int strips(int dimension) const
    {
        return (problem_.space[dimension] + tile_.steps + tile_.space[dimension] - 1) /
               tile_.space[dimension];
    }
    __device__ int ring(int column) const
    {
        int place = column % width_;

        return place < 0 ? place + width_ : place;
    }
    /* `point` and `second` of the first two dimensions. */
    __device__ float *shared(int parity, int outer, int point, int second) const
    {
        int line = point - (hexagon_.first - tile_.half());
        int place = second - (outer * tile_.space[1] - tile_.steps);

        return shared_ + ((parity * tile_.lines() + line) * height_ + place) * width_;
    }
    __device__ float *plane(int parity, int point, int second) const
    {
        return planes_ +
               (((size_t) parity * (size_t) problem_.space[0] + (size_t) point) *
                    (size_t) problem_.space[1] +
                (size_t) second) *
                   (size_t) problem_.space[2];
    }

    __device__ void load_line(int outer, int inner, int row, int point, int second)
    {
        int parity = (hexagon_.start + row) & 1;
        int begin = inner * tile_.space[2] - row + (inner == 0 ? -1 : 1);
        int end = (inner + 1) * tile_.space[2] - row + 1;

        if (point < 0 || point >= problem_.space[0] || second < 0 ||
            second >= problem_.space[1]) {
            return;
        }
        begin = begin < 0 ? 0 : begin;
        end = end > problem_.space[2] ? problem_.space[2] : end;
        const float *from = plane(parity, point, second);
        float *to = shared(parity, outer, point, second);

        for (int column = begin + lane_; column < end; column += 32) {
            to[ring(column)] = from[column];
        }
    }

    /* Of a row: lines that neighbours in the first dimension or earlier steps have
     * computed, in all of the strip's height; and of the others the two that the last
     * strip of the second dimension has. */
    __device__ void load(int outer, int inner)
    {
        int height = tile_.space[1] + 2;
        int next = 0; /* line, for the warp next % warps */

        for (int row = hexagon_.low; row < hexagon_.high; row++) {
            int begin = hexagon_.begin(tile_, row) - 1;
            int points = hexagon_.end(tile_, row) + 1 - begin;
            int ends = hexagon_.unknown(tile_, row);
            int whole = row == hexagon_.low ? points : 2 * ends;
            int bottom = outer * tile_.space[1] - row - 1;
            int lines = whole * height + (points - whole) * 2;

            for (int i = (warp_ + warps_ - next) % warps_; i < lines; i += warps_) {
                int rest = i - whole * height;
                int point = rest < 0 ? i / height : ends + rest / 2;
                int second = rest < 0 ? i % height : rest % 2;

                if (rest < 0 && row > hexagon_.low && point >= ends) {
                    point += points - whole;
                }
                load_line(outer, inner, row, begin + point, bottom + second);
            }
            next = (next + lines) % warps_;
        }
    }

    __device__ void compute(int outer, int inner, int row)
    {
        int begin = hexagon_.begin(tile_, row);
        int bottom = outer * tile_.space[1] - row;
        int from = inner * tile_.space[2] - row;
        int ring_from = ring(from);
        int lines = (hexagon_.end(tile_, row) - begin) * tile_.space[1];

        for (int i = warp_; i < lines * chunks_; i += warps_) {
            int line = i / chunks_;
            int place = 32 * (i % chunks_) + lane_;

            point(outer, row, begin + line / tile_.space[1],
                  bottom + line % tile_.space[1], from + place, ring_from + place);
        }
    }

    __device__ void
    point(int outer, int row, int point, int second, int column, int place)
    {
        int parity = (hexagon_.start + row) & 1;

        if (point < 0 || point >= problem_.space[0] || second < 0 ||
            second >= problem_.space[1] || column < 0 || column >= problem_.space[2]) {
            return;
        }
        place -= place >= width_ ? width_ : 0;
        const float *own = shared(parity, outer, point, second) + place;
        float value = *own;

        if (point > 0 && point < problem_.space[0] - 1 && second > 0 &&
            second < problem_.space[1] - 1 && column > 0 &&
            column < problem_.space[2] - 1) {
            int left = place == 0 ? width_ - 1 : -1;
            int right = place == width_ - 1 ? 1 - width_ : 1;
            int offsets[6] = {
                -height_ * width_, height_ * width_, -width_, width_, left, right};

            value = Stencil::point(value, [&](int i) { return own[offsets[i]]; });
        }
        shared(parity ^ 1, outer, point, second)[place] = value;
        if (IS_MOVING && (hexagon_.is_read(tile_, row, point) ||
                          second >= (outer + 1) * tile_.space[1] - row - 2)) {
            plane(parity ^ 1, point, second)[column] = value;
        }
    }

    const TiledProblem &problem_;
    const Tile &tile_;
    const Hexagon &hexagon_;
    float *planes_;
    float *shared_;
    int height_;
    int width_;
    int chunks_;
    int warp_;
    int warps_;
    int lane_;
};

template <typename Stencil, bool IS_MOVING>
__global__ void slab_kernel(TiledProblem problem, Tile tile, int wave, float *planes)
{
    extern __shared__ float shared[];
    Hexagon hexagon(tile, wave, (int) blockIdx.x, problem.steps);

    if (hexagon.low < hexagon.high && hexagon.first - tile.half() < problem.space[0] &&
        hexagon.first + tile.space[0] + tile.half() > 0) {
        Slab<Stencil, IS_MOVING>(problem, tile, hexagon, planes, shared).run();
    }
}

}  // namespace gpu
