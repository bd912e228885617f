#include "tools/gpu/stencil/case.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace gpu
{

static constexpr int SIZE_2D = 10240;
static constexpr int SIZE_3D = 1024;

static StencilCase
on_cuda(bool is_box, int dimension, int radius, int fusion, bool is_double)
{
    return {is_box,
            dimension,
            radius,
            fusion,
            is_double,
            StencilUnit::cuda,
            dimension == 2 ? SIZE_2D : SIZE_3D};
}

static StencilCase on_tensor(int radius, int fusion, StencilUnit unit)
{
    const bool is_double = unit == StencilUnit::m8n8k4 || unit == StencilUnit::m16n8k8;

    return {true, 2, radius, fusion, is_double, unit, SIZE_2D};
}

std::vector<StencilCase> stencil_cases()
{
    std::vector<StencilCase> cases;

    for (bool is_double : {false, true}) {
        for (bool is_box : {true, false}) {
            for (int fusion = 1; fusion <= 8; fusion++) {
                cases.push_back(on_cuda(is_box, 2, 1, fusion, is_double));
            }
            cases.push_back(on_cuda(is_box, 2, 3, 1, is_double));
            cases.push_back(on_cuda(is_box, 2, 7, 1, is_double));
            for (int fusion = 1; fusion <= 3; fusion++) {
                cases.push_back(on_cuda(is_box, 3, 1, fusion, is_double));
            }
        }
    }
    for (StencilUnit unit :
         {StencilUnit::m8n8k4, StencilUnit::m16n8k8, StencilUnit::tf32_m16n8k8,
          StencilUnit::sparse_tf32_m16n8k8}) {
        for (int fusion : {1, 3, 7}) {
            cases.push_back(on_tensor(1, fusion, unit));
        }
        cases.push_back(on_tensor(3, 1, unit));
        cases.push_back(on_tensor(7, 1, unit));
    }
    return cases;
}

std::vector<StencilPlan> stencil_plans(const StencilCase &self)
{
    const int kernels = 4; /* at most */
    const int shortest = 8 * self.radius * self.fusion;
    const std::vector<int> strips = self.dimension == 2
                                        ? std::vector<int>{16, 32, 64, 128, 256}
                                        : std::vector<int>{8, 16, 32, 64, 128};
    std::vector<StencilPlan> plans;

    for (int kernel = 0; kernel < kernels; kernel++) {
        plans.push_back({kernel, 0, 0});
        for (int strip : strips) {
            for (int blocks : {0, 2, 3, 4, 6}) {
                if (strip >= shortest) {
                    plans.push_back({kernel, strip, blocks});
                }
            }
        }
    }
    return plans;
}

const char *stencil_case_unit(const StencilCase &self)
{
    if (self.unit == StencilUnit::sparse_tf32_m16n8k8) {
        return "sparse";
    }
    return self.unit == StencilUnit::cuda ? "cuda" : "tensor";
}

const char *stencil_case_mma(const StencilCase &self)
{
    switch (self.unit) {
    case StencilUnit::m8n8k4:
        return "m8n8k4";
    case StencilUnit::m16n8k8:
    case StencilUnit::tf32_m16n8k8:
    case StencilUnit::sparse_tf32_m16n8k8:
        return "m16n8k8";
    default:
        return "none";
    }
}

std::string stencil_case_name(const StencilCase &self)
{
    return std::string("stencil-") + (self.is_box ? "box" : "star") +
           std::to_string(self.dimension) + "d" + std::to_string(self.radius) + "r-" +
           (self.is_double ? "double" : "float") + "-t" + std::to_string(self.fusion) +
           "-" + stencil_case_unit(self) +
           (self.unit == StencilUnit::m16n8k8 ? "-m16n8k8" : "");
}

int stencil_case_points(const StencilCase &self)
{
    const int side = 2 * self.radius + 1;

    if (!self.is_box) {
        return 2 * self.radius * self.dimension + 1;
    }
    return self.dimension == 2 ? side * side : side * side * side;
}

double stencil_case_cells(const StencilCase &self)
{
    return std::pow(self.size, self.dimension);
}

double stencil_case_flops(const StencilCase &self)
{
    return 2.0 * stencil_case_points(self) * self.fusion * stencil_case_cells(self);
}

double stencil_case_bytes(const StencilCase &self)
{
    return (self.is_double ? 16.0 : 8.0) * stencil_case_cells(self);
}

double stencil_case_tolerance(const StencilCase &self)
{
    const double sums = (double) stencil_case_points(self) * self.fusion;

    if (self.unit == StencilUnit::tf32_m16n8k8 ||
        self.unit == StencilUnit::sparse_tf32_m16n8k8) {
        /* Of values the upper 10 bits after the first are used, and as many of weights
         * after rounding: 2^-10 + 2^-11, and FP32 sums. */
        return 0x1p-9;
    }
    return sums * (self.is_double ? 0x1p-53 : 0x1p-24);
}

/* Takes option `name` and its value out of the words; empty: it is not there. */
static std::string take(std::vector<std::string> *words, const char *name)
{
    for (size_t i = 0; i < words->size(); i++) {
        if ((*words)[i] == name) {
            std::string value = i + 1 < words->size() ? (*words)[i + 1] : "no value";
            size_t end = std::min(i + 2, words->size());

            words->erase(words->begin() + (long) i, words->begin() + (long) end);
            return value;
        }
    }
    return "";
}

/* One of few words, by index; the first where the option is not there. */
static int take_word(std::vector<std::string> *words,
                     const char *name,
                     const std::vector<std::string> &allowed,
                     std::string *wrong)
{
    std::string value = take(words, name);
    std::string list;

    for (size_t i = 0; i < allowed.size(); i++) {
        if (value == allowed[i]) {
            return (int) i;
        }
        list += (i == 0 ? "" : ", ") + allowed[i];
    }
    if (!value.empty() && wrong->empty()) {
        *wrong = std::string(name) + " " + value + ": expected one of " + list;
    }
    return 0;
}

static int take_number(std::vector<std::string> *words,
                       const char *name,
                       int otherwise,
                       int limit,
                       std::string *wrong)
{
    std::string value = take(words, name);
    char *end = nullptr;
    long number = std::strtol(value.c_str(), &end, 10);

    if (value.empty()) {
        return otherwise;
    }
    if (*end != '\0' || number < 1 || number > limit) {
        if (wrong->empty()) {
            *wrong = std::string(name) + " " + value + ": expected 1 to " +
                     std::to_string(limit);
        }
        return otherwise;
    }
    return (int) number;
}

bool stencil_case_parse(std::vector<std::string> *words,
                        StencilCase *self,
                        std::string *wrong)
{
    const size_t count = words->size();

    self->is_box = take_word(words, "--shape", {"box", "star"}, wrong) == 0;
    self->dimension = take_number(words, "--dim", 2, 3, wrong);
    self->radius = take_number(words, "--radius", 1, 7, wrong);
    self->fusion = take_number(words, "--fusion", 1, 8, wrong);
    self->is_double = take_word(words, "--dtype", {"float", "double"}, wrong) == 1;
    const int unit = take_word(words, "--unit", {"cuda", "tensor", "sparse"}, wrong);
    const bool is_wide = take_word(words, "--mma", {"m8n8k4", "m16n8k8"}, wrong) == 1;

    self->unit = unit == 0          ? StencilUnit::cuda
                 : unit == 2        ? StencilUnit::sparse_tf32_m16n8k8
                 : !self->is_double ? StencilUnit::tf32_m16n8k8
                 : is_wide          ? StencilUnit::m16n8k8
                                    : StencilUnit::m8n8k4;
    self->size = take_number(words, "--size", self->dimension == 2 ? SIZE_2D : SIZE_3D,
                             32768, wrong);
    if (self->size % 4 != 0 && wrong->empty()) {
        *wrong = "--size " + std::to_string(self->size) + ": expected a multiple of 4";
    }
    return words->size() != count;
}

}  // namespace gpu
