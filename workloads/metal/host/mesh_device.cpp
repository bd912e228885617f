// A mesh of chips that programs use as one device.
#include <gridloom/failure.hpp>
#include <numeric>
#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/system_mesh.hpp>

#include "connection.hpp"
#include "machine.hpp"
#include "profile.hpp"

namespace tt::tt_metal::distributed
{

using gridloom::machine;
using gridloom::refuse;

namespace
{

void say_what_changes_nothing(std::size_t l1_small_size,
                              std::size_t worker_l1_size,
                              std::span<const std::uint32_t> l1_bank_remap)
{
    if (l1_small_size > 0) {
        gridloom::say_once(
            "l1_small_size changes nothing here: small buffers lie in L1");
    }
    if (worker_l1_size > 0) {
        gridloom::say_once("worker_l1_size changes nothing here");
    }
    if (!l1_bank_remap.empty()) {
        gridloom::say_once("l1_bank_remap changes nothing here");
    }
}

}  // namespace

MeshDeviceConfig::MeshDeviceConfig(const MeshShape &shape,
                                   std::optional<MeshCoordinate> offset,
                                   std::vector<int> physical_device_ids)
    : shape_(shape), offset_(std::move(offset)), chips_(std::move(physical_device_ids))
{
}

MeshDevice::MeshDevice(const MeshShape &shape,
                       std::vector<int> chips,
                       std::size_t queue_count,
                       const MeshDevice *parent)
    : shape_(shape), chips_(std::move(chips)), parent_(parent)
{
    if (chips_.size() != shape.mesh_size()) {
        refuse("a mesh of {} is made of {} chips", shape, chips_.size());
    }
    for (const int chip : chips_) {
        if (chip < 0 || chip >= machine().chips) {
            refuse("chip {} is asked for, the machine has {}", chip, machine().chips);
        }
    }
    if (!parent) {
        allocator_ = std::make_unique<Allocator>();
    }
    for (std::uint32_t id = 0; id < queue_count; ++id) {
        queues_.push_back(std::make_unique<MeshCommandQueue>(this, id));
    }
}

// Devices live until the process ends, because buffers name them until then.
std::shared_ptr<MeshDevice> MeshDevice::keep(MeshDevice *device)
{
    static auto *const all = new std::vector<std::shared_ptr<MeshDevice>>;

    return all->emplace_back(device);
}

std::shared_ptr<MeshDevice>
MeshDevice::create(const MeshDeviceConfig &config,
                   std::size_t l1_small_size,
                   std::size_t,
                   std::size_t num_command_queues,
                   const DispatchCoreConfig &,
                   std::span<const std::uint32_t> l1_bank_remap,
                   std::size_t worker_l1_size)
{
    std::vector<int> chips = config.physical_device_ids();

    say_what_changes_nothing(l1_small_size, worker_l1_size, l1_bank_remap);
    if (config.mesh_shape().mesh_size() > static_cast<std::size_t>(machine().chips)) {
        refuse("a mesh of {} chips is asked for, the machine has {}; `gridloom metal "
               "--system n300` has 2, `--system t3000` has 8",
               config.mesh_shape().mesh_size(), machine().chips);
    }
    if (chips.empty()) {
        chips.resize(config.mesh_shape().mesh_size());
        std::iota(chips.begin(), chips.end(),
                  config.offset() ? static_cast<int>((*config.offset())[-1]) : 0);
    }
    return keep(new MeshDevice(config.mesh_shape(), std::move(chips),
                               num_command_queues, nullptr));
}

std::shared_ptr<MeshDevice>
MeshDevice::create_unit_mesh(int device_id,
                             std::size_t l1_small_size,
                             std::size_t trace_region_size,
                             std::size_t num_command_queues,
                             const DispatchCoreConfig &dispatch,
                             std::span<const std::uint32_t> l1_bank_remap,
                             std::size_t worker_l1_size)
{
    return create(MeshDeviceConfig(MeshShape(1, 1), std::nullopt, {device_id}),
                  l1_small_size, trace_region_size, num_command_queues, dispatch,
                  l1_bank_remap, worker_l1_size);
}

std::map<int, std::shared_ptr<MeshDevice>>
MeshDevice::create_unit_meshes(const std::vector<int> &device_ids,
                               std::size_t l1_small_size,
                               std::size_t trace_region_size,
                               std::size_t num_command_queues,
                               const DispatchCoreConfig &dispatch,
                               std::span<const std::uint32_t> l1_bank_remap,
                               std::size_t worker_l1_size)
{
    std::map<int, std::shared_ptr<MeshDevice>> devices;

    for (const int id : device_ids) {
        devices[id] =
            create_unit_mesh(id, l1_small_size, trace_region_size, num_command_queues,
                             dispatch, l1_bank_remap, worker_l1_size);
    }
    return devices;
}

ChipId MeshDevice::id() const
{
    return chips_.front();
}

const std::vector<int> &MeshDevice::chips() const
{
    return chips_;
}

bool MeshDevice::is_initialized() const
{
    return is_open_;
}

bool MeshDevice::close()
{
    if (is_open_) {
        gridloom::write_profile();
        if (allocator_) {
            allocator_->deallocate_buffers();
        }
    }
    is_open_ = false;
    return true;
}

std::uint8_t MeshDevice::num_hw_cqs() const
{
    return static_cast<std::uint8_t>(queues_.size());
}

CommandQueue &MeshDevice::command_queue(std::size_t cq_id)
{
    return mesh_command_queue(static_cast<std::uint8_t>(cq_id));
}

const std::unique_ptr<Allocator> &MeshDevice::allocator() const
{
    return parent_ ? parent_->allocator() : allocator_;
}

const MeshShape &MeshDevice::shape() const
{
    return shape_;
}

std::size_t MeshDevice::num_devices() const
{
    return chips_.size();
}

std::size_t MeshDevice::num_rows() const
{
    return shape_.dims() > 1 ? shape_[0] : 1;
}

std::size_t MeshDevice::num_cols() const
{
    return shape_[-1];
}

std::vector<int> MeshDevice::get_device_ids() const
{
    return chips_;
}

int MeshDevice::chip_at(const MeshCoordinate &place) const
{
    return chips_[place.to_linear_index(shape_)];
}

std::vector<IDevice *> MeshDevice::get_devices() const
{
    std::vector<IDevice *> devices;

    for (const MeshCoordinate &place : MeshCoordinateRange(shape_)) {
        devices.push_back(get_device(place));
    }
    return devices;
}

IDevice *MeshDevice::get_device(const MeshCoordinate &place) const
{
    const int chip = chip_at(place);
    MeshDevice *&part = parts_[chip];

    if (!part) {
        part =
            keep(new MeshDevice(MeshShape(1, 1), {chip}, queues_.size(), this)).get();
    }
    return part;
}

IDevice *MeshDevice::get_device(std::size_t row, std::size_t column) const
{
    return get_device(MeshCoordinate(static_cast<std::uint32_t>(row),
                                     static_cast<std::uint32_t>(column)));
}

void MeshDevice::reshape(const MeshShape &shape)
{
    if (shape.mesh_size() != shape_.mesh_size()) {
        refuse("a mesh of {} cannot become one of {}", shape_, shape);
    }
    shape_ = shape;
}

std::shared_ptr<MeshDevice>
MeshDevice::create_submesh(const MeshShape &shape,
                           const std::optional<MeshCoordinate> &offset)
{
    const MeshCoordinate first =
        offset.value_or(MeshCoordinate::zero_coordinate(shape_.dims()));
    std::vector<int> chips;

    for (const MeshCoordinate &inside : MeshCoordinateRange(shape)) {
        std::vector<std::uint32_t> place(first.coords().begin(), first.coords().end());
        for (std::size_t dim = 0; dim < place.size() && dim < inside.dims(); ++dim) {
            place[dim] += inside.coords()[dim];
        }
        chips.push_back(chip_at(MeshCoordinate(place)));
    }
    return keep(new MeshDevice(shape, std::move(chips), queues_.size(), this));
}

std::vector<std::shared_ptr<MeshDevice>>
MeshDevice::create_submeshes(const MeshShape &shape)
{
    std::vector<std::shared_ptr<MeshDevice>> parts;

    for (std::uint32_t row = 0; row + shape[0] <= num_rows(); row += shape[0]) {
        for (std::uint32_t column = 0; column + shape[-1] <= num_cols();
             column += shape[-1]) {
            parts.push_back(create_submesh(shape, MeshCoordinate(row, column)));
        }
    }
    return parts;
}

MeshCommandQueue &
MeshDevice::mesh_command_queue(std::optional<std::uint8_t> cq_id) const
{
    const std::size_t id = cq_id.value_or(0);

    if (id >= queues_.size()) {
        refuse("command queue {} is asked for, the device has {}", id, queues_.size());
    }
    return *queues_[id];
}

void MeshDevice::quiesce_devices()
{
    mesh_command_queue().finish();
}

MeshTraceId MeshDevice::begin_mesh_trace(MeshCommandQueue &queue)
{
    const MeshTraceId trace(next_trace_++);

    begin_mesh_trace(queue, trace);
    return trace;
}

MeshTraceId MeshDevice::begin_mesh_trace(std::uint8_t cq_id)
{
    return begin_mesh_trace(mesh_command_queue(cq_id));
}

void MeshDevice::begin_mesh_trace(MeshCommandQueue &queue, const MeshTraceId &trace)
{
    next_trace_ = std::max(next_trace_, *trace + 1);
    queue.begin_record();
}

void MeshDevice::begin_mesh_trace(std::uint8_t cq_id, const MeshTraceId &trace)
{
    begin_mesh_trace(mesh_command_queue(cq_id), trace);
}

void MeshDevice::end_mesh_trace(MeshCommandQueue &queue, const MeshTraceId &trace)
{
    traces_[trace] = queue.take_record();
}

void MeshDevice::end_mesh_trace(std::uint8_t cq_id, const MeshTraceId &trace)
{
    end_mesh_trace(mesh_command_queue(cq_id), trace);
}

void MeshDevice::replay_mesh_trace(MeshCommandQueue &queue,
                                   const MeshTraceId &trace,
                                   bool blocking)
{
    const auto found = traces_.find(trace);

    if (found == traces_.end()) {
        refuse("there is no trace {}", *trace);
    }
    for (const std::string &launch : found->second) {
        gridloom::request(launch);
    }
    if (blocking) {
        queue.finish();
    }
}

void MeshDevice::replay_mesh_trace(std::uint8_t cq_id,
                                   const MeshTraceId &trace,
                                   bool blocking)
{
    replay_mesh_trace(mesh_command_queue(cq_id), trace, blocking);
}

void MeshDevice::release_mesh_trace(const MeshTraceId &trace)
{
    traces_.erase(trace);
}

std::ostream &operator<<(std::ostream &stream, const MeshDevice &device)
{
    return stream << fmt::format("MeshDevice({}, chips {})", device.shape(),
                                 device.chips());
}

SystemMesh::SystemMesh() : shape_(1, static_cast<std::uint32_t>(machine().chips))
{
    constexpr std::uint32_t columns = 4;  // of a T3000 and of a Galaxy
    const auto chips = static_cast<std::uint32_t>(machine().chips);

    if (chips > columns && chips % columns == 0) {
        shape_ = MeshShape(chips / columns, columns);
    }
}

SystemMesh &SystemMesh::instance()
{
    static SystemMesh only;

    return only;
}

const MeshShape &SystemMesh::shape() const
{
    return shape_;
}

}  // namespace tt::tt_metal::distributed
