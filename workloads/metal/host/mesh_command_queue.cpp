// The queue of a mesh of chips. What is enqueued is begun at once, in order.
#include <cstring>
#include <gridloom/failure.hpp>
#include <tt-metalium/experimental/realtime_profiler.hpp>
#include <tt-metalium/mesh_command_queue.hpp>
#include <tt-metalium/mesh_device.hpp>

#include "connection.hpp"
#include "machine.hpp"
#include "memory.hpp"
#include "profile.hpp"
#include "program_state.hpp"
#include "transfer.hpp"

namespace tt::tt_metal::distributed
{

using gridloom::refuse;

namespace
{

// Copies a shard out of the whole matrix, or into it.
class ShardCopy
{
  public:
    explicit ShardCopy(const ShardedBufferConfig &config)
        : config_(config), shape_(config.physical_shard_shape()),
          datum_bytes_(config.compute_datum_size_bytes())
    {
    }

    std::size_t shard_count() const
    {
        return config_.global_buffer_shape.height() / shape_.height() * columns();
    }

    // Which shard a chip has: all in their order, or one for each row or column of
    // chips.
    std::size_t shard_of(std::size_t chip, const MeshDevice &device) const
    {
        const auto [is_high, is_wide] = config_.replicated_dims();
        std::size_t shard = chip;

        if (is_high && is_wide) {
            return 0;
        }
        if (is_high) {
            shard = chip % device.num_cols();
        } else if (is_wide) {
            shard = chip / device.num_cols();
        } else if (config_.shard_orientation == ShardOrientation::COL_MAJOR) {
            const std::size_t rows = shard_count() / columns();
            shard = chip % rows * columns() + chip / rows;
        }
        return shard;
    }

    // Calls with offsets in the matrix and in the shard, and a number of bytes.
    template <typename Copy> void for_each_row(std::size_t shard, Copy copy) const
    {
        const std::size_t top = shard / columns() * shape_.height();
        const std::size_t left = shard % columns() * shape_.width();
        const std::size_t bytes = shape_.width() * datum_bytes_;

        for (std::size_t row = 0; row < shape_.height(); ++row) {
            copy(((top + row) * config_.global_buffer_shape.width() + left) *
                     datum_bytes_,
                 row * bytes, bytes);
        }
    }

  private:
    std::size_t columns() const
    {
        return config_.global_buffer_shape.width() / shape_.width();
    }

    const ShardedBufferConfig &config_;
    Shape2D shape_;
    std::size_t datum_bytes_;
};

void check_shards(const ShardCopy &shards, const MeshDevice &device)
{
    if (shards.shard_count() > device.num_devices()) {
        refuse("a buffer of {} shards is on a mesh of {} chips", shards.shard_count(),
               device.num_devices());
    }
}

}  // namespace

MeshCommandQueue::MeshCommandQueue(MeshDevice *device, std::uint32_t id)
    : CommandQueue(device, id), device_(device)
{
}

void MeshCommandQueue::check_not_recording(const char *what) const
{
    if (is_recording_) {
        refuse("{} while a trace is recorded", what);
    }
}

void MeshCommandQueue::enqueue_write_mesh_buffer(
    const std::shared_ptr<MeshBuffer> &buffer, const void *data, bool)
{
    const auto *bytes = static_cast<const std::byte *>(data);
    const Buffer &local = *buffer->get_backing_buffer();
    const std::vector<int> &chips = device_->chips();

    check_not_recording("a buffer is written");
    if (buffer->global_layout() == MeshBufferLayout::REPLICATED) {
        for (const int chip : chips) {
            gridloom::write_buffer(chip, local, {bytes, local.size()});
        }
        return;
    }
    const ShardCopy shards(buffer->global_shard_spec());
    std::vector<std::byte> part(local.size());
    check_shards(shards, *device_);
    for (std::size_t i = 0; i < chips.size(); ++i) {
        const std::size_t shard = shards.shard_of(i, *device_);
        if (shard >= shards.shard_count()) {
            continue;
        }
        shards.for_each_row(shard,
                            [&](std::size_t whole, std::size_t here, std::size_t n) {
                                std::memcpy(part.data() + here, bytes + whole, n);
                            });
        gridloom::write_buffer(chips[i], local, part);
    }
}

void MeshCommandQueue::enqueue_read_mesh_buffer(
    void *data, const std::shared_ptr<MeshBuffer> &buffer, bool)
{
    auto *bytes = static_cast<std::byte *>(data);
    const Buffer &local = *buffer->get_backing_buffer();
    const std::vector<int> &chips = device_->chips();

    check_not_recording("a buffer is read");
    if (buffer->global_layout() == MeshBufferLayout::REPLICATED) {
        const auto all = gridloom::read_buffer(chips.front(), local);
        std::memcpy(bytes, all.data(), all.size());
        return;
    }
    const ShardCopy shards(buffer->global_shard_spec());
    check_shards(shards, *device_);
    for (std::size_t i = 0; i < chips.size(); ++i) {
        const std::size_t shard = shards.shard_of(i, *device_);
        if (shard >= shards.shard_count()) {
            continue;
        }
        const auto part = gridloom::read_buffer(chips[i], local);
        shards.for_each_row(shard,
                            [&](std::size_t whole, std::size_t here, std::size_t n) {
                                std::memcpy(bytes + whole, part.data() + here, n);
                            });
    }
}

void MeshCommandQueue::enqueue_write_shards(
    const std::shared_ptr<MeshBuffer> &buffer,
    const std::vector<ShardDataTransfer> &shards,
    bool)
{
    const Buffer &local = *buffer->get_backing_buffer();

    check_not_recording("a buffer is written");
    for (const ShardDataTransfer &shard : shards) {
        gridloom::write_buffer(
            device_->chip_at(shard.shard_coord), local,
            {static_cast<const std::byte *>(shard.host_data), local.size()});
    }
}

void MeshCommandQueue::enqueue_read_shards(const std::vector<ShardDataTransfer> &shards,
                                           const std::shared_ptr<MeshBuffer> &buffer,
                                           bool)
{
    check_not_recording("a buffer is read");
    for (const ShardDataTransfer &shard : shards) {
        const auto all = gridloom::read_buffer(device_->chip_at(shard.shard_coord),
                                               *buffer->get_backing_buffer());
        std::memcpy(shard.host_data, all.data(), all.size());
    }
}

void MeshWorkload::add_program(const MeshCoordinateRange &chips, Program &&program)
{
    for (const auto &[other, known] : programs_) {
        if (other.intersects(chips)) {
            refuse("two programs of a workload are to run on chips {} and {}", other,
                   chips);
        }
    }
    programs_.emplace(chips, std::move(program));
}

void MeshCommandQueue::enqueue_mesh_workload(MeshWorkload &workload, bool blocking)
{
    // By place, whatever order the map has.
    std::map<MeshCoordinateRange, const Program *> programs;

    for (const auto &[chips, program] : workload.get_programs()) {
        programs[chips] = &program;
    }
    bool is_further = false;
    for (const auto &[chips, program] : programs) {
        for (const MeshCoordinate &place : chips) {
            launch(*program, device_->chip_at(place), is_further);
            is_further = true;
        }
    }
    if (blocking && !is_recording_) {
        finish();
    }
}

void MeshCommandQueue::launch(const Program &program, int chip, bool is_further)
{
    const gridloom::ProgramState &state = program.state();
    gridloom::JsonWriter json;

    if (!device_->is_initialized()) {
        refuse("a program is started on a device that is closed");
    }
    json.open('{').key("do").text("launch").key("chip").number(chip).key("program");
    json.raw(state.json(gridloom::machine(),
                        device_->allocator()->memory(BufferType::L1).lowest()));
    if (is_further) {
        json.key("further").flag(true);
    }
    if (experimental::IsProgramRealtimeProfilerActive()) {
        json.key("wait").flag(true);
    }
    json.close('}');
    if (is_recording_) {
        record_.push_back(json.take());
        return;
    }
    const gridloom::Answer answer = gridloom::request(json.take());
    gridloom::Run run{state.runtime_id, chip, 0, {}};
    if (answer.json.has("cycles")) {
        run.cycles = static_cast<std::uint64_t>(answer.json.number("cycles"));
    }
    for (const gridloom::Kernel &kernel : state.kernels) {
        run.sources.push_back(kernel.path);
    }
    gridloom::report_run(run);
}

MeshEvent MeshCommandQueue::enqueue_record_event(std::span<const SubDeviceId>)
{
    return {next_event_++, device_};
}

MeshEvent MeshCommandQueue::enqueue_record_event_to_host(std::span<const SubDeviceId>)
{
    return {next_event_++, device_};
}

void MeshCommandQueue::enqueue_wait_for_event(const MeshEvent &)
{
}

void MeshCommandQueue::finish(std::span<const SubDeviceId>)
{
    gridloom::request(R"({"do":"finish"})");
}

void MeshCommandQueue::begin_record()
{
    check_not_recording("a trace is begun");
    is_recording_ = true;
    record_.clear();
}

std::vector<std::string> MeshCommandQueue::take_record()
{
    if (!is_recording_) {
        refuse("a trace is ended that was not begun");
    }
    is_recording_ = false;
    return std::move(record_);
}

}  // namespace tt::tt_metal::distributed
