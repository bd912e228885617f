// Pure parts of what tt-metal programs are linked with, against a simulator that only
// says which machine it has.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/bfloat4.hpp>
#include <tt-metalium/bfloat8.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>
#include <tt-metalium/work_split.hpp>

#include "workloads/metal/host/machine.hpp"
#include "workloads/metal/host/memory.hpp"
#include "workloads/metal/host/placement.hpp"
#include "workloads/metal/host/program_state.hpp"

using namespace tt::tt_metal;
using Words = std::vector<std::uint32_t>;

namespace
{

template <typename A, typename B>
void check_equal(const A &is, const B &expected, int line)
{
    if (!(is == expected)) {
        throw std::runtime_error(
            fmt::format("line {}: {} is not {}", line, is, expected));
    }
}
#define EQUAL(is, expected) check_equal(is, expected, __LINE__)

void refuses(const std::function<void()> &action, const std::string &words, int line)
{
    try {
        action();
    } catch (const std::exception &error) {
        const std::string text = error.what();
        if (text.find(words) == std::string::npos) {
            throw std::runtime_error(fmt::format("line {}: says \"{}\"", line, text));
        }
        return;
    }
    throw std::runtime_error(fmt::format("line {}: does not fail", line));
}
#define REFUSES(action, words) refuses([&] { action; }, words, __LINE__)

// Answers every request with the machine, which has all that a request may ask for.
void serve(int socket)
{
    const std::string answer =
        R"({"chips":2,"columns":8,"rows":8,"clock_hz":1e9,"arch":"wormhole_b0",)"
        R"("dram_banks":12,"dram_bank_bytes":1073741824,"dram_first":1048640,)"
        R"("l1_first":105664,"l1_end":1499136,"l1_alignment":16,"dram_alignment":32})";
    unsigned char head[12];

    while (recv(socket, head, sizeof head, MSG_WAITALL) == sizeof head) {
        std::vector<char> rest(head[0] | head[1] << 8 | head[2] << 16);
        recv(socket, rest.data(), rest.size(), MSG_WAITALL);
        const unsigned char size[12] = {static_cast<unsigned char>(answer.size()),
                                        static_cast<unsigned char>(answer.size() >> 8)};
        send(socket, size, sizeof size, 0);
        send(socket, answer.data(), answer.size(), 0);
    }
}

std::shared_ptr<distributed::MeshDevice> device()
{
    static const auto only = distributed::MeshDevice::create_unit_mesh(0);

    return only;
}

std::shared_ptr<distributed::MeshBuffer>
buffer(BufferType type, DeviceAddr bytes, DeviceAddr page_bytes)
{
    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = bytes},
        {.page_size = page_bytes, .buffer_type = type}, device().get());
}

void bfloat16_rounds_to_the_nearest_even_number()
{
    const auto bits = [](std::uint32_t single) {
        return bfloat16(std::bit_cast<float>(single)).to_uint16();
    };

    EQUAL(bits(0x3F808000), 0x3F80);  // between two: the even one
    EQUAL(bits(0x3F818000), 0x3F82);
    EQUAL(bits(0x3F808001), 0x3F81);
    EQUAL(bits(0x7F7FFFFF), 0x7F80);  // to infinity
    EQUAL(bits(0xFF800001), 0x7FC0);  // not a number
    EQUAL(bfloat16(3).to_uint16(), 0x4040);
    EQUAL(bfloat16::truncate(std::bit_cast<float>(0x3F81FFFFU)).to_uint16(), 0x3F81);
    EQUAL(static_cast<float>(bfloat16(1.0F) / bfloat16(3.0F)), 0.333984375F);
}

void random_vectors_are_those_of_the_same_seed_upstream()
{
    std::mt19937 engine(123);
    std::uniform_real_distribution<float> numbers(0.0F, 1.0F);
    const auto values = create_random_vector_of_bfloat16_native(8, 1.0F, 123, -0.4F);
    const auto packed = create_random_vector_of_bfloat16(8, 1, 123, -0.4F);

    EQUAL(values.size(), std::size_t{4});
    EQUAL(values[0].to_uint16(), bfloat16(numbers(engine) - 0.4F).to_uint16());
    EQUAL(values[1].to_uint16(), bfloat16(numbers(engine) - 0.4F).to_uint16());
    EQUAL(packed[0], values[1].to_uint16() * 65536U + values[0].to_uint16());
    EQUAL(create_constant_vector_of_bfloat16(4, 2.0F), Words{0x40004000});
}

void tiles_have_four_faces_and_come_back_as_rows()
{
    Words matrix(64 * 96);
    for (std::uint32_t i = 0; i < matrix.size(); ++i) {
        matrix[i] = i;
    }
    const Words tiled = tilize_nfaces(matrix, 64, 96);

    EQUAL(tiled[15], 15U);             // first face, first row
    EQUAL(tiled[16], 96U);             // its second row
    EQUAL(tiled[256], 16U);            // second face
    EQUAL(tiled[512], 16U * 96);       // third face
    EQUAL(tiled[1024], 32U);           // second tile
    EQUAL(tiled[3 * 1024], 32U * 96);  // second row of tiles
    EQUAL(untilize_nfaces(tiled, 64, 96), matrix);
    EQUAL(untilize_swizzled(tilize_swizzled(matrix, 64, 96), 64, 96), matrix);
    REFUSES(tilize_nfaces(matrix, 64, 95), "64 x 95 is not made of tiles");
}

void rows_of_faces_share_an_exponent()
{
    std::vector<float> values(1024);
    values[0] = 1.0F;
    values[1] = -0.5F;
    values[2] = 1.0F / 128;  // half of the last bit: to the even one, which is 0
    values[16] = 3.0F;       // first row of the second face
    const auto eight = pack_fp32_vec_as_bfp8_tiles(values, true, false);
    const auto four = pack_fp32_vec_as_bfp4_tiles(values, true, false);
    const auto back = unpack_bfp8_tiles_into_float_vec(eight, true, false);

    EQUAL(eight.size(), std::size_t{1088 / 4});
    EQUAL(four.size(), std::size_t{576 / 4});
    EQUAL(eight[0], 127U);          // the exponent of the first row
    EQUAL(eight[4], 128U);          // that of the seventeenth
    EQUAL(eight[16], 0x0000A040U);  // 64/64, -32/64
    EQUAL(four[16], 0x000000A4U);   // 4/4, -2/4, the first in the lower half
    values[2] = 0;
    EQUAL(back, values);
    EQUAL(unpack_bfp4_tiles_into_float_vec(four, true, false), values);
    REFUSES(pack_fp32_vec_as_bfp8_tiles(values, true, true), "5 bits");
}

void work_is_split_along_columns()
{
    const auto [count, all, more, others, most, least] =
        split_work_to_cores({8, 8}, 100);
    const auto [even, even_all, even_more, none, each, zero] =
        split_work_to_cores({8, 7}, 20, true);

    EQUAL(count, 64U);
    EQUAL(all, CoreRangeSet(CoreRange({0, 0}, {7, 7})));
    EQUAL(more, CoreRangeSet({CoreRange({0, 0}, {3, 7}), CoreRange({4, 0}, {4, 3})}));
    EQUAL(others, CoreRangeSet({CoreRange({4, 4}, {4, 7}), CoreRange({5, 0}, {7, 7})}));
    EQUAL(most, 2U);
    EQUAL(least, 1U);
    EQUAL(even, 20U);
    EQUAL(even_more,
          CoreRangeSet({CoreRange({0, 0}, {7, 1}), CoreRange({0, 2}, {3, 2})}));
    EQUAL(none.empty(), true);
    EQUAL(each, 1U);
    EQUAL(zero, 0U);
}

void ranges_of_cores_are_sets()
{
    const CoreRangeSet square = CoreRange({0, 0}, {2, 2});
    const CoreRangeSet ring = square.subtract(CoreRangeSet(CoreRange({1, 1})));
    std::string order;

    for (const CoreCoord &core : CoreRange({1, 1}, {2, 2})) {
        order += fmt::format("{}{} ", core.x, core.y);
    }
    EQUAL(order, "11 21 12 22 ");
    EQUAL(ring.num_cores(), 8U);
    EQUAL(ring.contains(CoreCoord(1, 1)), false);
    EQUAL(ring.merge(CoreRangeSet(CoreRange({1, 1}))).num_cores(), 9U);
    EQUAL(corerange_to_cores(square, 2), (std::vector<CoreCoord>{{0, 0}, {0, 1}}));
    EQUAL(CoreRangeSet(CoreRange({0, 1})).str(), "{[(x=0,y=1) - (x=0,y=1)]}");
    REFUSES(CoreRangeSet({CoreRange({0, 0}), CoreRange({0, 0}, {1, 1})}), "overlap");
}

void circular_buffers_lie_above_all_others_of_their_cores()
{
    Program program;
    const auto add = [&](CoreRange cores, std::uint8_t index, std::uint32_t bytes) {
        return CreateCircularBuffer(
            program, cores,
            CircularBufferConfig(bytes, {{index, tt::DataFormat::UInt32}})
                .set_page_size(index, bytes));
    };

    add(CoreRange({0, 0}), 0, 100);
    add(CoreRange({1, 0}), 0, 2048);
    add(CoreRange({0, 0}, {1, 0}), 1, 64);
    add(CoreRange({0, 0}), 2, 64);
    EQUAL(program.state().place_buffers(105664),
          (std::vector<std::uint64_t>{105664, 105664, 107712, 107776}));
    REFUSES(add(CoreRange({0, 0}, {0, 1}), 2, 64),
            "circular buffer 2 is created twice");
    REFUSES(add(CoreRange({0, 0}), 32, 64), "a core has 32");
}

void buffers_lie_at_both_ends_of_memory()
{
    const auto first = buffer(BufferType::DRAM, 2048 * 13, 2048);
    auto second = buffer(BufferType::DRAM, 4, 4);
    const auto l1 = buffer(BufferType::L1, 4096, 2048);
    const auto small = buffer(BufferType::L1, 4, 4);

    EQUAL(first->address(), 1048640U);
    EQUAL(second->address(), 1048640U + 2 * 2048);  // two pages in the first bank
    EQUAL(l1->address(), 1499136U - 2048);          // one page in each of two banks
    EQUAL(small->address(), 1499136U - 2048 - 32);
    const DeviceAddr address = second->address();
    second.reset();
    EQUAL(buffer(BufferType::DRAM, 32, 32)->address(), address);
    REFUSES(buffer(BufferType::L1, DeviceAddr{64} << 21, 1 << 21), "out of memory");
    REFUSES(buffer(BufferType::DRAM, 100, 64), "not made of pages of 64 bytes");
}

void memory_takes_the_smallest_gap()
{
    gridloom::Memory memory(0, 1024, 32);

    memory.allocate(256, true);
    memory.allocate(32, true);
    memory.allocate(64, true);
    memory.allocate(32, true);
    memory.release(0);
    memory.release(288);
    EQUAL(memory.allocate(40, true).value(), 288U);
    EQUAL(memory.allocate(100, false).value(), 128U);
    EQUAL(memory.allocate(1024, true).has_value(), false);
    EQUAL(memory.free_bytes(), 1024U - 256);
}

void tensor_accessors_describe_a_buffer_in_words()
{
    const auto sharded = [](BufferType type) {
        return Buffer::create(
            device().get(), 16 * 2048, 2048, type,
            BufferShardingArgs(ShardSpecBuffer(CoreRange({0, 0}, {2, 0}), {64, 64},
                                               ShardOrientation::ROW_MAJOR, {32, 32},
                                               {4, 4}),
                               TensorMemoryLayout::BLOCK_SHARDED));
    };
    Words args;
    Words common;

    TensorAccessorArgs(*buffer(BufferType::DRAM, 8, 4)).append_to(args);
    TensorAccessorArgs(*buffer(BufferType::L1, 8, 4)).append_to(args);
    EQUAL(args, (Words{2, 32, 0, 16}));
    args.clear();
    TensorAccessorArgs(sharded(BufferType::L1)).append_to(args);
    EQUAL(args, (Words{1, 2048, 2, 3, 4, 4, 2, 2, 0x13121212, 0x1412}));
    args.clear();
    TensorAccessorArgs(sharded(BufferType::DRAM),
                       tensor_accessor::ArgConfig::RuntimeTensorShape)
        .append_to(args, common);
    EQUAL(args, (Words{19, 2048, 2, 3, 2, 2, 0x01000000, 0x0200}));
    EQUAL(common, (Words{4, 4}));
}

void pages_of_shards_lie_together()
{
    gridloom::Placement placement;
    placement.pages = 16;
    placement.page_bytes = placement.stride = 32;
    placement.places = {0, 1, 2};
    placement.tensor = {4, 4};
    placement.shard = {2, 2};

    EQUAL(placement.spot(6).bank, 1U);  // second shard, its third page
    EQUAL(placement.spot(6).page, 2U);
    EQUAL(placement.spot(15).bank, 0U);  // fourth shard, after the first of its bank
    EQUAL(placement.spot(15).page, 7U);
    EQUAL(placement.bytes_per_bank(), 8U * 32);
    EQUAL(gridloom::parts_of(placement, 1000).size(), std::size_t{8});
    EQUAL(gridloom::parts_of(placement, 1000)[1].offset, 4U * 32);
}

// Numbers of std::shuffle(0..63, default_random_engine(0)) with libstdc++.
void banks_of_l1_are_shuffled()
{
    const auto cores = gridloom::l1_bank_cores(64);
    Words banks(64);
    Words sorted = cores;
    std::default_random_engine engine(0);

    for (std::uint32_t i = 0; i < 64; ++i) {
        banks[i] = i;
    }
    std::shuffle(banks.begin(), banks.end(), engine);
    for (std::uint32_t core = 0; core < 64; ++core) {
        EQUAL(cores[banks[core]], core);
    }
    std::sort(sorted.begin(), sorted.end());
    EQUAL(sorted == cores, false);
}

void semaphores_have_the_lowest_number_that_is_free_on_their_cores()
{
    Program program;

    EQUAL(CreateSemaphore(program, CoreRange({0, 0}), 0), 0U);
    EQUAL(CreateSemaphore(program, CoreRange({1, 0}), 0), 0U);
    EQUAL(CreateSemaphore(program, CoreRange({0, 0}, {1, 0}), 0), 1U);
    for (std::uint32_t id = 2; id < 16; ++id) {
        EQUAL(CreateSemaphore(program, CoreRange({0, 0}), 0), id);
    }
    REFUSES(CreateSemaphore(program, CoreRange({0, 0}), 0), "a core has 16 semaphores");
}

void runtime_arguments_fit_into_341_words()
{
    Program program;
    const KernelHandle kernel =
        CreateKernelFromString(program, "", CoreCoord(0, 0), DataMovementConfig{});
    const std::size_t size = 3;

    SetRuntimeArgs(program, kernel, CoreCoord(0, 0), {size, tt::CBIndex::c_2, 7});
    GetRuntimeArgs(program, kernel, CoreCoord(0, 0))[2] = 8;
    EQUAL(program.state().kernels[0].args.at({0, 0}), (Words{3, 2, 8}));
    EQUAL(GetRuntimeArgs(program, kernel)[0][0].size(), std::size_t{3});
    REFUSES(SetCommonRuntimeArgs(program, kernel, Words(339)), "at most 341 together");
    SetCommonRuntimeArgs(program, kernel, Words(338));
    REFUSES(SetRuntimeArgs(program, kernel, CoreCoord(0, 1), {1}),
            "where it does not run");
    REFUSES(SetRuntimeArgs(program, kernel, CoreCoord(0, 0), {1}),
            "cannot change to 1");
    REFUSES(GetRuntimeArgs(program, kernel, CoreCoord(0, 0))[3],
            "argument 3 is asked of 3");
    REFUSES(SetRuntimeArgs(program, 1, CoreCoord(0, 0), {1}), "there is no kernel 1");
    REFUSES(CreateKernelFromString(program, "", CoreCoord(0, 0), DataMovementConfig{}),
            "are both to run on brisc of core (x=0,y=0)");
}

void text_is_formatted_as_fmt_does()
{
    EQUAL(fmt::format("{} {:x} {:#06x} {:.3f} {:0.1f}|", 1, 255, 255, 3.14159, 2.55F),
          "1 ff 0x00ff 3.142 2.5|");
    EQUAL(fmt::format("{:>5}|{:<5}|{:^5}|{:*^5}", "ab", 4U, true, 'c'),
          "   ab|4    |true |**c**");
    EQUAL(fmt::format("{} {} {} {}", 1.0F, 1e20, 123456.0, 12345678.F),
          "1 1e+20 123456 1.2345678e+07");
    EQUAL(fmt::format("{{}} {1} {0} {2:{3}}", 1, "a", 2, 3), "{} a 1   2");
    EQUAL(fmt::format("{} {}", CoreCoord(1, 2), TensorMemoryLayout::BLOCK_SHARDED),
          "(x=1,y=2) BLOCK_SHARDED");
    EQUAL(fmt::format("{} {}", Words{1, 2}, std::map<std::string, int>{{"a", -1}}),
          "[1, 2] {\"a\": -1}");
    REFUSES(fmt::format("{} {}", 1), "more fields than values");
    REFUSES(TT_FATAL(1 > 2, "no {}", 3), "no 3 [TT_FATAL 1 > 2 at ");
}

void a_mesh_has_the_chips_of_the_machine()
{
    const auto mesh = distributed::MeshDevice::create(
        distributed::MeshDeviceConfig(distributed::MeshShape(1, 2)));

    EQUAL(mesh->num_cols(), std::size_t{2});
    EQUAL(mesh->chip_at({0, 1}), 1);
    EQUAL(mesh->get_device(0, 1)->id(), 1);
    EQUAL(mesh->get_device(0, 1), mesh->get_devices()[1]);
    EQUAL(mesh->arch() == tt::ARCH::WORMHOLE_B0, true);
    EQUAL(mesh->worker_core_from_logical_core({0, 7}), CoreCoord(18, 25));
    REFUSES(mesh->worker_core_from_logical_core({0, 8}),
            "outside of the grid of 8 x 8");
    REFUSES(distributed::MeshDevice::create(
                distributed::MeshDeviceConfig(distributed::MeshShape(2, 4))),
            "a mesh of 8 chips is asked for, the machine has 2");
    REFUSES(distributed::MeshDevice::create_unit_mesh(2), "chip 2 is asked for");
}

struct Test {
    const char *name;
    void (*run)();
};

#define TEST(function)                                                                 \
    {                                                                                  \
#function, function                                                            \
    }
constexpr Test tests[] = {
    TEST(bfloat16_rounds_to_the_nearest_even_number),
    TEST(random_vectors_are_those_of_the_same_seed_upstream),
    TEST(tiles_have_four_faces_and_come_back_as_rows),
    TEST(rows_of_faces_share_an_exponent),
    TEST(work_is_split_along_columns),
    TEST(ranges_of_cores_are_sets),
    TEST(circular_buffers_lie_above_all_others_of_their_cores),
    TEST(buffers_lie_at_both_ends_of_memory),
    TEST(memory_takes_the_smallest_gap),
    TEST(tensor_accessors_describe_a_buffer_in_words),
    TEST(pages_of_shards_lie_together),
    TEST(banks_of_l1_are_shuffled),
    TEST(semaphores_have_the_lowest_number_that_is_free_on_their_cores),
    TEST(runtime_arguments_fit_into_341_words),
    TEST(text_is_formatted_as_fmt_does),
    TEST(a_mesh_has_the_chips_of_the_machine),
};

}  // namespace

int main()
{
    int sockets[2];
    int failures = 0;

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
        return 1;
    }
    setenv("GRIDLOOM_METAL_SOCKET", std::to_string(sockets[0]).c_str(), 1);
    std::thread(serve, sockets[1]).detach();
    for (const Test &test : tests) {
        try {
            test.run();
        } catch (const std::exception &error) {
            std::printf("%s: %s\n", test.name, error.what());
            ++failures;
        }
    }
    std::printf("%zu tests, %d failed\n", std::size(tests), failures);
    return failures != 0;
}
