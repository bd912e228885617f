// Stores how many cycles 1024 more turns of three loops take: numbers that lie anywhere
// are put one after another, of 4 bytes and of 2, and multiplied with others and added
// up.
#include "api/dataflow/dataflow_api.h"

constexpr uint32_t COUNT = 1024;
constexpr uint32_t OFFSETS_AT = 1024;
constexpr uint32_t FROM_AT = 65536;
constexpr uint32_t TO_AT = 131072;

// The first time, the loop's text comes to the cache.
template <typename Loop> uint32_t measure(Loop loop)
{
    uint32_t before = 0;
    uint32_t cycles = 0;

    for (uint32_t time = 0; time < 3; time++) {
        const uint32_t begin = get_timestamp_32b();

        loop(time == 2 ? 2 * COUNT : COUNT);
        before = cycles;
        cycles = get_timestamp_32b() - begin;
    }
    return cycles - before;
}

template <typename T> T at(uint32_t address)
{
    return *reinterpret_cast<const T *>(address);
}

void kernel_main()
{
    const uint32_t base = get_arg_val<uint32_t>(0);
    const uint32_t *offsets = reinterpret_cast<const uint32_t *>(base + OFFSETS_AT);
    const uint32_t from = base + FROM_AT;
    uint32_t *to = reinterpret_cast<uint32_t *>(base + TO_AT);
    volatile uint32_t *out = reinterpret_cast<volatile uint32_t *>(base);
    float sum = 0;

    out[0] = measure([&](uint32_t count) {
        uint32_t *t = to;

        for (const uint32_t *o = offsets; o != offsets + count; o += 4, t += 4) {
            const uint32_t a = o[0], b = o[1], c = o[2], d = o[3];
            const uint32_t w = at<uint32_t>(from + a), x = at<uint32_t>(from + b);
            const uint32_t y = at<uint32_t>(from + c), z = at<uint32_t>(from + d);

            t[0] = w;
            t[1] = x;
            t[2] = y;
            t[3] = z;
        }
    });
    out[1] = measure([&](uint32_t count) {
        uint32_t *t = to;

        for (const uint32_t *o = offsets; o != offsets + count; o += 4, t += 2) {
            const uint32_t a = o[0], b = o[1], c = o[2], d = o[3];
            const uint32_t w = at<uint16_t>(from + a), x = at<uint16_t>(from + b);
            const uint32_t y = at<uint16_t>(from + c), z = at<uint16_t>(from + d);

            t[0] = w | x << 16;
            t[1] = y | z << 16;
        }
    });
    out[2] = measure([&](uint32_t count) {
        const float *factor = reinterpret_cast<const float *>(to);

        for (const uint32_t *o = offsets; o != offsets + count; o++, factor++) {
            sum += *factor * at<float>(from + *o);
        }
    });
    out[3] = sum > 0;
}
