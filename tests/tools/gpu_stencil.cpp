/* The host's part of the GPU program stencil: cases, weights, strips, reference. Built
 * and run by tests/scenarios/test_gpu_kernels.py, because only this needs C++. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "tools/gpu/stencil/case.hpp"
#include "tools/gpu/stencil/reference.hpp"
#include "tools/gpu/stencil/sparse.hpp"
#include "tools/gpu/stencil/strips.hpp"
#include "tools/gpu/stencil/value.hpp"
#include "tools/gpu/stencil/weights.hpp"

using namespace gpu;

static int failures;

#define EXPECT(condition)                                                              \
    do {                                                                               \
        if (!(condition)) {                                                            \
            std::printf("line %d: %s\n", __LINE__, #condition);                        \
            failures++;                                                                \
        }                                                                              \
    } while (false)

static StencilCase make(bool is_box, int dimension, int radius, int fusion, int size)
{
    return {is_box, dimension, radius, fusion, true, StencilUnit::cuda, size};
}

static StencilWindow whole(const StencilCase &self)
{
    return {{0, 0, 0}, {self.size, self.size, self.dimension == 2 ? 1 : self.size}};
}

static double difference(const std::vector<double> &a, const std::vector<double> &b)
{
    double largest = a.size() == b.size() ? 0 : INFINITY;

    for (size_t i = 0; i < std::min(a.size(), b.size()); i++) {
        largest = std::fmax(largest, std::fabs(a[i] - b[i]));
    }
    return largest;
}

/* A step of the whole domain by its definition. */
static std::vector<double> definition(const StencilCase &self,
                                      const std::vector<double> &weights,
                                      const std::vector<double> &in)
{
    const int n = self.size;
    const int r = self.radius;
    const int depth = self.dimension == 2 ? 1 : n;
    const int rz = self.dimension == 2 ? 0 : r;
    std::vector<double> out;

    for (int z = 0; z < depth; z++) {
        for (int y = 0; y < n; y++) {
            for (int x = 0; x < n; x++) {
                double sum = 0;
                size_t k = 0;

                for (int dz = -rz; dz <= rz; dz++) {
                    for (int dy = -r; dy <= r; dy++) {
                        for (int dx = -r; dx <= r; dx++) {
                            int at =
                                ((z + dz + depth) % depth * n + (y + dy + n) % n) * n +
                                (x + dx + n) % n;

                            sum += weights[k++] * in[(size_t) at];
                        }
                    }
                }
                out.push_back(sum);
            }
        }
    }
    return out;
}

static void test_values()
{
    double sum = 0;
    double least = 1;
    double most = -1;

    for (uint64_t i = 0; i < 10000; i++) {
        double value = stencil_value(7, i);

        sum += value;
        least = std::fmin(least, value);
        most = std::fmax(most, value);
    }
    EXPECT(least >= -1 && least < -0.99);
    EXPECT(most < 1 && most > 0.99);
    EXPECT(std::fabs(sum) < 5 * std::sqrt(10000 / 3.0));
    EXPECT(stencil_value(7, 1) != stencil_value(8, 1));
}

static void test_weights()
{
    for (bool is_box : {true, false}) {
        for (int dimension : {2, 3}) {
            for (int radius : {1, 3}) {
                StencilCase self = make(is_box, dimension, radius, 1, 0);
                std::vector<double> weights =
                    stencil_weights(is_box, dimension, radius, 3);
                double sum = 0;
                int points = 0;

                for (double weight : weights) {
                    sum += std::fabs(weight);
                    points += weight != 0;
                }
                EXPECT(std::fabs(sum - 1) < 1e-14);
                EXPECT(points == stencil_case_points(self));
                EXPECT(weights != stencil_weights(is_box, dimension, radius, 4));
            }
        }
    }
    EXPECT(stencil_weights_fused(stencil_weights(true, 2, 1, 1), 2, 1, 3).size() == 49);
    EXPECT(stencil_weights_fused({1, 2, 3, 4, 5, 6, 7, 8, 9}, 2, 1, 2)[0] == 1);
    EXPECT(stencil_weights_fused({1, 2, 3, 4, 5, 6, 7, 8, 9}, 2, 1, 2)[1] == 4);
    EXPECT(stencil_weights_fused({1, 2, 3, 4, 5, 6, 7, 8, 9}, 2, 1, 2)[24] == 81);
}

static void test_reference()
{
    for (const StencilCase &self :
         {make(true, 2, 1, 3, 20), make(false, 2, 3, 2, 16), make(true, 3, 1, 2, 8),
          make(false, 3, 1, 3, 8), make(true, 2, 7, 1, 36)}) {
        std::vector<double> weights =
            stencil_weights(self.is_box, self.dimension, self.radius, 5);
        std::vector<double> expected(whole(self).points());

        for (size_t i = 0; i < expected.size(); i++) {
            expected[i] = stencil_value(9, i);
        }
        for (int step = 0; step < self.fusion; step++) {
            expected = definition(self, weights, expected);
        }
        std::vector<double> values = stencil_reference(self, weights, 9, whole(self));

        EXPECT(difference(values, expected) < 1e-15);

        /* a window that reaches over the ends is a part of the whole */
        StencilWindow window = whole(self);

        window.origin[0] = self.size - 2;
        window.origin[1] = -3;
        window.extent[0] = 5;
        window.extent[1] = 4;
        std::vector<double> part = stencil_reference(self, weights, 9, window);

        EXPECT(part[0] ==
               values[(size_t) ((self.size - 3) * self.size + self.size - 2)]);
        EXPECT(part[(size_t) (3 * 5 + 2)] == values[0]);
    }
}

/* What tensor cores do is what steps do. */
static void test_fusion()
{
    for (int dimension : {2, 3}) {
        for (bool is_box : {true, false}) {
            StencilCase steps = make(is_box, dimension, 1, 3, 12);
            StencilCase fused = make(true, dimension, 3, 1, 12);
            std::vector<double> weights = stencil_weights(is_box, dimension, 1, 6);

            EXPECT(
                difference(stencil_reference(steps, weights, 2, whole(steps)),
                           stencil_reference(
                               fused, stencil_weights_fused(weights, dimension, 1, 3),
                               2, whole(fused))) < 1e-15);
        }
    }
}

static void test_windows()
{
    StencilCase large = make(true, 2, 1, 1, 10240);
    std::vector<StencilWindow> windows = stencil_windows(large, 1);

    EXPECT(windows.size() > 10);
    EXPECT(windows[0].origin[0] < 0 && windows[0].origin[1] < 0);
    EXPECT(windows[0].extent[2] == 1);
    large.size = 916;
    EXPECT(stencil_windows(large, 1).size() == 1);
    EXPECT(stencil_windows(large, 1)[0].points() == 916 * 916);
}

static void test_strips()
{
    /* one strip where there is room for no more, as many as there is room for else */
    EXPECT(stencil_strip(1000, 100, 100, 2, 1) == 1000);
    EXPECT(stencil_strip(1000, 100, 200, 2, 1) == 500);
    EXPECT(stencil_strip(1000, 100, 1000, 0, 1) == 100);
    /* 264 slots for 132 tiles and a bit: two long strips beat a second wave */
    EXPECT(stencil_strip(1024, 132, 264, 8, 64) == 512);
    for (int rows : {12, 36, 916, 10240}) {
        for (int unit : {1, 32, 64}) {
            for (long slots : {132L, 1056L, 3000L}) {
                int strip = stencil_strip(rows, 43, slots, 14, unit);

                EXPECT(strip > 0 && strip % unit == 0);
                EXPECT(strip < rows + unit);
            }
        }
    }
    EXPECT(stencil_shared_bytes(1000, 0) == 1000);
    EXPECT(stencil_shared_bytes(1000, 1) == 227 * 1024);
    EXPECT(stencil_shared_bytes(1000, 4) == 56 * 1024);
    EXPECT(3 * (stencil_shared_bytes(1000, 3) + 1024) <= 228 * 1024);
    EXPECT(4 * (stencil_shared_bytes(1000, 3) + 1024) > 228 * 1024);
    EXPECT(stencil_shared_bytes(60 * 1024, 4) == 0);
    EXPECT(stencil_wrap(-1, 12) == 11);
    EXPECT(stencil_wrap(-25, 12) == 11);
    EXPECT(stencil_wrap(12, 12) == 0);
}

static void test_cases()
{
    std::set<std::string> names;
    StencilCase box = make(true, 2, 1, 3, 10240);

    for (const StencilCase &self : stencil_cases()) {
        names.insert(stencil_case_name(self));
        EXPECT(self.size == (self.dimension == 2 ? 10240 : 1024));
    }
    EXPECT(names.size() == stencil_cases().size());
    for (const char *name :
         {"stencil-box2d1r-double-t3-cuda", "stencil-star2d1r-float-t8-cuda",
          "stencil-box2d7r-float-t1-cuda", "stencil-star3d1r-double-t2-cuda",
          "stencil-box2d1r-double-t3-tensor",
          "stencil-box2d1r-double-t1-tensor-m16n8k8", "stencil-box2d1r-float-t7-tensor",
          "stencil-box2d7r-float-t1-tensor", "stencil-box2d7r-float-t1-sparse",
          "stencil-box2d1r-float-t7-sparse"}) {
        EXPECT(names.count(name) == 1);
    }
    EXPECT(stencil_case_flops(box) == 54.0 * 10240 * 10240);
    EXPECT(stencil_case_bytes(box) == 16.0 * 10240 * 10240);
    EXPECT(stencil_case_points(make(false, 3, 1, 1, 8)) == 7);
    EXPECT(stencil_case_points(make(true, 3, 1, 1, 8)) == 27);
    EXPECT(stencil_case_points(make(false, 2, 7, 1, 8)) == 29);
}

static void test_plans()
{
    /* no strip whose warming up takes as long as itself */
    for (const StencilCase &self : stencil_cases()) {
        bool is_one = false;

        for (const StencilPlan &plan : stencil_plans(self)) {
            EXPECT(plan.strip == 0 || plan.strip > 4 * self.radius * self.fusion);
            is_one |= plan.strip == 0 && plan.blocks == 0;
        }
        EXPECT(is_one);
    }
}

static void test_options()
{
    StencilCase self;
    std::string wrong;
    std::vector<std::string> words = {"--out", "x", "--shape", "star",
                                      "--dim", "3", "--seed",  "2"};

    EXPECT(stencil_case_parse(&words, &self, &wrong) && wrong.empty());
    EXPECT((words == std::vector<std::string>{"--out", "x", "--seed", "2"}));
    EXPECT(!self.is_box && self.dimension == 3 && self.size == 1024);
    EXPECT(!stencil_case_parse(&words, &self, &wrong) && wrong.empty());
    words = {"--unit", "tensor", "--dtype", "double", "--mma", "m16n8k8"};
    EXPECT(stencil_case_parse(&words, &self, &wrong) && wrong.empty());
    EXPECT(self.unit == StencilUnit::m16n8k8);
    words = {"--unit", "sparse", "--radius", "7"};
    EXPECT(stencil_case_parse(&words, &self, &wrong) && wrong.empty());
    EXPECT(self.unit == StencilUnit::sparse_tf32_m16n8k8 && !self.is_double);
    for (std::vector<std::string> bad :
         std::vector<std::vector<std::string>>{{"--shape", "round"},
                                               {"--dim", "4"},
                                               {"--fusion", "0"},
                                               {"--radius", "1x"},
                                               {"--size", "1022"},
                                               {"--dtype"}}) {
        std::string option = bad[0];

        wrong.clear();
        stencil_case_parse(&bad, &self, &wrong);
        EXPECT(wrong.find(option) == 0 && wrong.find("expected") != std::string::npos);
    }
}

/* Of every pair at most one has a weight, every weight of a point is kept once, and
 * metadata says which of the pair it is. */
static void test_sparse()
{
    for (int radius : {1, 3, 7}) {
        for (int row = 0; row < 16; row++) {
            std::vector<int> columns(2 * (size_t) radius + 1, -1);

            for (int i = 0; i < 16; i++) {
                const int q = i / 4;
                const int pair = i % 4;
                const int kept = sparse_kept(radius, q, pair, row);
                const int other = 4 * pair + 1 - kept;
                const int weight = sparse_weight(radius, q, kept, row);
                const uint32_t word = sparse_metadata(radius, q, row % 8);
                const uint32_t bits = word >> (row / 8 * 16 + 4 * pair) & 0xf;

                EXPECT(kept / 2 == pair && other / 2 == pair);
                EXPECT(sparse_weight(radius, q, other, row) < 0);
                EXPECT(bits == (kept % 2 == 0 ? 0x4U : 0xeU));
                if (weight >= 0) {
                    EXPECT(columns[(size_t) weight] == -1);
                    columns[(size_t) weight] = sparse_source(q, kept);
                }
            }
            for (int weight = 0; weight <= 2 * radius; weight++) {
                EXPECT(columns[(size_t) weight] ==
                       sparse_halo(radius) + row - radius + weight);
            }
        }
    }
}

int main()
{
    test_values();
    test_weights();
    test_reference();
    test_fusion();
    test_windows();
    test_strips();
    test_sparse();
    test_cases();
    test_plans();
    test_options();
    return failures == 0 ? 0 : 1;
}
