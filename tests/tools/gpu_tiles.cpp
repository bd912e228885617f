/* The tiles of the GPU programs tiles and joules, block after block, with one thread of
 * the host for each of the GPU: every point must come out as without tiles, bit for
 * bit, whatever shared memory holds before. Built and run by
 * tests/scenarios/models/test_gpu_kernels.py. */
#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "tools/gpu/random.hpp"
#include "tools/gpu/tiles/alignment.cuh"
#include "tools/gpu/tiles/prism.cuh"
#include "tools/gpu/tiles/skewed.cuh"
#include "tools/gpu/tiles/slab.cuh"
#include "tools/gpu/tiles/stencil.cuh"

using namespace gpu;

thread_local CudaIndex threadIdx;
thread_local CudaIndex blockIdx;
thread_local CudaIndex blockDim;

namespace
{

/* All threads of a block meet here. */
class Meeting
{
  public:
    explicit Meeting(unsigned threads) : threads_(threads)
    {
    }
    void wait()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        unsigned round = round_;

        if (++here_ == threads_) {
            here_ = 0;
            round_++;
            all_.notify_all();
        }
        all_.wait(lock, [&]() { return round_ != round; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable all_;
    unsigned threads_;
    unsigned here_ = 0;
    unsigned round_ = 0;
};

thread_local Meeting *meeting;
std::mutex atomic_mutex;
int failures;

void run_block(unsigned threads, const std::function<void()> &body)
{
    Meeting block(threads);
    std::vector<std::thread> all;

    for (unsigned i = 0; i < threads; i++) {
        all.emplace_back([&, i]() {
            threadIdx.x = i;
            blockDim.x = threads;
            meeting = &block;
            body();
        });
    }
    for (std::thread &thread : all) {
        thread.join();
    }
}

template <typename T>
void expect_equal(const char *name, const T *found, const T *expected, size_t count)
{
    size_t wrong = 0;

    for (size_t i = 0; i < count; i++) {
        wrong += found[i] == expected[i] ? 0 : 1; /* a NaN is wrong, too */
    }
    if (wrong != 0) {
        std::printf("%s: %zu of %zu numbers differ\n", name, wrong, count);
        failures++;
    }
}

/* -- Hexagons -----------------------------------------------------------------------
 */

template <typename Stencil>
void step(const TiledProblem &problem, const float *from, float *to)
{
    int rows = Stencil::DIMENSION == 2 ? 1 : problem.space[1];
    int columns = problem.space[Stencil::DIMENSION - 1];
    int far = rows * columns;
    int offsets[6] = {-far,
                      far,
                      Stencil::DIMENSION == 2 ? -1 : -columns,
                      Stencil::DIMENSION == 2 ? 1 : columns,
                      -1,
                      1};

    for (int i = 0; i < (int) problem.points(); i++) {
        int place[3] = {i / far, i / columns % rows, i % columns};
        bool is_inner =
            place[0] > 0 && place[0] < problem.space[0] - 1 && place[2] > 0 &&
            place[2] < columns - 1 &&
            (Stencil::DIMENSION == 2 || (place[1] > 0 && place[1] < rows - 1));

        to[i] = is_inner ? Stencil::point(from[i],
                                          [&](int k) { return from[i + offsets[k]]; })
                         : from[i];
    }
}

template <typename Stencil>
void try_tile(const TiledProblem &problem, const Tile &tile, unsigned threads)
{
    size_t count = problem.points();
    std::vector<float> planes = random_vector<float>(count, 1);
    std::vector<float> shared(tile.shared_words(Stencil::DIMENSION));

    planes.insert(planes.end(), planes.begin(), planes.begin() + (long) count);
    std::vector<float> expected = planes;

    for (int i = 0; i < problem.steps; i++) {
        step<Stencil>(problem, &expected[(size_t) (i & 1) * count],
                      &expected[(size_t) ((i + 1) & 1) * count]);
    }
    for (int wave = 0; wave < tile_waves(tile, problem.steps); wave++) {
        for (int i = 0; i < tile_count(tile, problem.space[0]); i++) {
            Hexagon hexagon(tile, wave, i, problem.steps);

            if (hexagon.low >= hexagon.high) {
                continue;
            }
            std::fill(shared.begin(), shared.end(), NAN);
            run_block(threads, [&]() {
                if constexpr (Stencil::DIMENSION == 2) {
                    Prism<Stencil>(problem, tile, hexagon, planes.data(), shared.data())
                        .run();
                } else {
                    Slab<Stencil>(problem, tile, hexagon, planes.data(), shared.data())
                        .run();
                }
            });
        }
    }
    size_t last = (size_t) (problem.steps & 1) * count;

    expect_equal(Stencil::NAME, &planes[last], &expected[last], count);
}

/* -- Slanted tiles ------------------------------------------------------------------
 */

template <int SUBTILE> void try_skewed(const SkewedProblem &problem)
{
    int threads = problem.tile / SUBTILE;
    std::vector<float> row = random_vector<float>((size_t) problem.points, 2);
    std::vector<float> expected = row;
    std::vector<float> border(problem.border_words(), NAN);
    std::vector<float> shared(skewed_shared_words(problem, threads));

    for (int i = 0; i < problem.steps; i++) {
        std::vector<float> last = expected;

        for (size_t k = 1; k + 1 < last.size(); k++) {
            expected[k] = 0.333f * (last[k - 1] + last[k] + last[k + 1]);
        }
    }
    for (int wave = 0; wave < problem.waves(); wave++) {
        for (int band = 0; band < problem.bands(); band++) {
            int tile = wave - 2 * band;

            if (tile < 0 || tile >= problem.tiles()) {
                continue;
            }
            std::fill(shared.begin(), shared.end(), NAN);
            run_block((unsigned) threads, [&]() {
                SkewedTile<SUBTILE>(problem, band, tile, row.data(), border.data(),
                                    shared.data())
                    .run();
            });
        }
    }
    expect_equal("jacobi1d", row.data(), expected.data(), row.size());
}

/* -- Alignment ----------------------------------------------------------------------
 */

constexpr int FAR_BELOW = -1000000;

std::vector<uint8_t> letters(int count, uint64_t seed)
{
    Random random(seed, 0);
    std::vector<uint8_t> text((size_t) count);

    for (uint8_t &letter : text) {
        letter = (uint8_t) random.next(0, 4);
    }
    return text;
}

/* Scores of the last row, and the best of all behind them. */
std::vector<int> align(const std::vector<uint8_t> &first,
                       const std::vector<uint8_t> &second)
{
    std::vector<int> score(first.size() + 1);
    std::vector<int> down(first.size() + 1, FAR_BELOW);
    int best = 0;

    for (uint8_t letter : second) {
        int diagonal = 0;
        int right = FAR_BELOW;

        for (size_t i = 1; i <= first.size(); i++) {
            int up = score[i];

            score[i] = AlignmentCell::score(diagonal, up, score[i - 1],
                                            letter == first[i - 1], &down[i], &right);
            best = std::max(best, score[i]);
            diagonal = up;
        }
    }
    score.erase(score.begin());
    score.push_back(best);
    return score;
}

template <int SUBTILE> void try_alignment(const AlignmentProblem &problem)
{
    int threads = problem.tile / SUBTILE;
    std::vector<uint8_t> first = letters(problem.columns, 3);
    std::vector<uint8_t> second = letters(problem.rows, 4);
    std::vector<int> above(2 * first.size());
    std::vector<int> left(2 * second.size());
    std::vector<int> corners(problem.corners());
    std::vector<int> shared(alignment_shared_words(problem, threads));
    std::vector<int> found;
    int best = 0;
    AlignmentState state = {first.data(), second.data(),  above.data(),
                            left.data(),  corners.data(), &best};

    for (size_t i = 0; i < first.size(); i++) {
        above[2 * i + 1] = FAR_BELOW;
    }
    for (size_t i = 0; i < second.size(); i++) {
        left[2 * i + 1] = FAR_BELOW;
    }
    for (int wave = 0; wave < problem.waves(); wave++) {
        for (int band = 0; band < problem.down(); band++) {
            int place = wave - band;

            if (place >= 0 && place < problem.across()) {
                run_block((unsigned) threads, [&]() {
                    AlignmentTile<SUBTILE>(problem, state, place, band, shared.data())
                        .run();
                });
            }
        }
    }
    for (size_t i = 0; i < first.size(); i++) {
        found.push_back(above[2 * i]);
    }
    found.push_back(best);
    expect_equal("alignment", found.data(), align(first, second).data(), found.size());
}

}  // namespace

void __syncthreads()
{
    meeting->wait();
}

void atomicMax(int *value, int other)
{
    std::lock_guard<std::mutex> guard(atomic_mutex);

    *value = std::max(*value, other);
}

int main()
{
    try_tile<Jacobi2d>({2, {20, 70, 1}, 7}, {{3, 32, 1}, 4}, 32);
    try_tile<Heat2d>({2, {19, 50, 1}, 13}, {{1, 32, 1}, 6}, 64);
    try_tile<Gradient2d>({2, {25, 70, 1}, 12}, {{5, 64, 1}, 10}, 96);
    try_tile<Laplacian2d>({2, {9, 66, 1}, 5}, {{2, 32, 1}, 2}, 64);
    try_tile<Heat3d>({3, {9, 10, 36}, 5}, {{2, 3, 32}, 4}, 32);
    try_tile<Laplacian3d>({3, {10, 7, 40}, 6}, {{1, 5, 32}, 6}, 64);
    try_skewed<4>({100, 24, 32, 6});
    try_skewed<2>({57, 12, 16, 4});
    try_alignment<4>({32, 24, 16, 12});
    try_alignment<2>({24, 40, 12, 20});
    return failures == 0 ? 0 : 1;
}
