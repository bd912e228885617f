/* Smith-Waterman with affine gaps in rectangular tiles, wavefront after wavefront: a
 * thread has SUBTILE columns of a tile and is one row behind the thread to its left. */
#pragma once

#include <cstdint>
#include <cuda_runtime.h>

namespace gpu
{

struct AlignmentProblem {
    int columns = 1; /* of the first sequence, a multiple of tile */
    int rows = 1;    /* of the second one, a multiple of tile_rows */
    int tile = 1;
    int tile_rows = 1;

    __host__ __device__ int across() const
    {
        return columns / tile;
    }
    __host__ __device__ int down() const
    {
        return rows / tile_rows;
    }
    __host__ __device__ int waves() const
    {
        return across() + down() - 1;
    }
    __host__ __device__ size_t corners() const
    {
        return (size_t) (across() + 1) * (size_t) (down() + 1);
    }
};

constexpr int ALIGNMENT_MATCH = 3;
constexpr int ALIGNMENT_MISMATCH = -2;
constexpr int ALIGNMENT_OPEN = 5;
constexpr int ALIGNMENT_EXTEND = 1;

/* Best scores above and to the left of tiles; all begin with 0, but gaps far below. */
struct AlignmentState {
    const uint8_t *first;  /* letters of columns */
    const uint8_t *second; /* letters of rows */
    int *above;            /* score of each column, then its gap */
    int *left;             /* score of each row, then its gap */
    int *corners;          /* (across + 1) a row of tiles */
    int *best;
};

/* One cell: the best of a match, a gap down and a gap to the right. */
struct AlignmentCell {
    static __device__ int
    score(int diagonal, int up, int before, bool is_match, int *down, int *right)
    {
        auto most = [](int a, int b) { return a > b ? a : b; };

        *down = most(*down - ALIGNMENT_EXTEND, up - ALIGNMENT_OPEN);
        *right = most(*right - ALIGNMENT_EXTEND, before - ALIGNMENT_OPEN);
        int value = diagonal + (is_match ? ALIGNMENT_MATCH : ALIGNMENT_MISMATCH);

        return most(most(value, 0), most(*down, *right));
    }
};

/* Shared words: scores and gaps at the right border of each thread, two steps of them,
 * and of the tile's left border. */
inline size_t alignment_shared_words(const AlignmentProblem &problem, int threads)
{
    return 4 * (size_t) threads + 2 * (size_t) problem.tile_rows;
}

template <int SUBTILE> class AlignmentTile
{
  public:
    __device__ AlignmentTile(const AlignmentProblem &problem,
                             const AlignmentState &state,
                             int place,
                             int band,
                             int *shared)
        : problem_(problem), state_(state), place_(place), band_(band), edges_(shared),
          left_(shared + 4 * blockDim.x),
          begin_(place * problem.tile + (int) threadIdx.x * SUBTILE)
    {
    }

    __device__ void run()
    {
        int thread = (int) threadIdx.x;
        int threads = (int) blockDim.x;
        int rows = problem_.tile_rows;

        start();
        __syncthreads();
        for (int step = 0; step < rows + threads - 1; step++) {
            int row = step - thread;
            int *edges = edges_ + (step & 1) * 2 * threads;
            const int *last = edges_ + ((step + 1) & 1) * 2 * threads;

            if (row >= 0 && row < rows) {
                int before = thread > 0 ? last[2 * thread - 2] : left_[2 * row];
                int right = thread > 0 ? last[2 * thread - 1] : left_[2 * row + 1];

                advance(row, before, &right);
                edges[2 * thread] = score_[SUBTILE - 1];
                edges[2 * thread + 1] = right;
                if (thread == threads - 1) {
                    state_.left[2 * (band_ * rows + row)] = score_[SUBTILE - 1];
                    state_.left[2 * (band_ * rows + row) + 1] = right;
                }
            }
            __syncthreads();
        }
        finish();
    }

  private:
    __device__ int *corner(int place, int band) const
    {
        return state_.corners + (size_t) band * (size_t) (problem_.across() + 1) +
               place;
    }

    __device__ void start()
    {
        int rows = problem_.tile_rows;

        for (int i = (int) threadIdx.x; i < 2 * rows; i += (int) blockDim.x) {
            left_[i] = state_.left[2 * band_ * rows + i];
        }
        diagonal_ =
            threadIdx.x > 0 ? state_.above[2 * (begin_ - 1)] : *corner(place_, band_);
        for (int i = 0; i < SUBTILE; i++) {
            score_[i] = state_.above[2 * (begin_ + i)];
            down_[i] = state_.above[2 * (begin_ + i) + 1];
            letter_[i] = state_.first[begin_ + i];
        }
    }

    /* `before` is the score left of the first column, `right` the gap from there. */
    __device__ void advance(int row, int before, int *right)
    {
        uint8_t letter = state_.second[band_ * problem_.tile_rows + row];
        int diagonal = diagonal_;

        diagonal_ = before;
        for (int i = 0; i < SUBTILE; i++) {
            int up = score_[i];

            score_[i] = AlignmentCell::score(diagonal, up, before, letter == letter_[i],
                                             &down_[i], right);
            best_ = score_[i] > best_ ? score_[i] : best_;
            diagonal = up;
            before = score_[i];
        }
    }

    __device__ void finish()
    {
        for (int i = 0; i < SUBTILE; i++) {
            state_.above[2 * (begin_ + i)] = score_[i];
            state_.above[2 * (begin_ + i) + 1] = down_[i];
        }
        if (threadIdx.x == blockDim.x - 1) {
            *corner(place_ + 1, band_ + 1) = score_[SUBTILE - 1];
        }
        atomicMax(state_.best, best_);
    }

    const AlignmentProblem &problem_;
    const AlignmentState &state_;
    int place_;
    int band_;
    int *edges_;
    int *left_;
    int begin_; /* the thread's first column */
    int diagonal_ = 0;
    int best_ = 0;
    int score_[SUBTILE];
    int down_[SUBTILE];
    uint8_t letter_[SUBTILE];
};

template <int SUBTILE>
__global__ void
alignment_kernel(AlignmentProblem problem, AlignmentState state, int wave)
{
    extern __shared__ int words[];
    int band = (int) blockIdx.x;
    int place = wave - band;

    if (place >= 0 && place < problem.across()) {
        AlignmentTile<SUBTILE>(problem, state, place, band, words).run();
    }
}

}  // namespace gpu
