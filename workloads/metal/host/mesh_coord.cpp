// Places of chips in a mesh of them.
#include <algorithm>
#include <gridloom/failure.hpp>
#include <tt-metalium/mesh_coord.hpp>

namespace tt::tt_metal::distributed
{

namespace
{

// Negative dimensions count from the last one.
std::uint32_t at(const std::vector<std::uint32_t> &values, std::ptrdiff_t dim)
{
    const auto size = static_cast<std::ptrdiff_t>(values.size());
    const std::ptrdiff_t place = dim < 0 ? dim + size : dim;

    if (place < 0 || place >= size) {
        gridloom::refuse("a mesh of {} dimensions has no dimension {}", size, dim);
    }
    return values[static_cast<std::size_t>(place)];
}

}  // namespace

std::uint32_t MeshShape::operator[](std::ptrdiff_t dim) const
{
    return at(sizes_, dim);
}

std::size_t MeshShape::mesh_size() const
{
    std::size_t size = 1;

    for (const std::uint32_t part : sizes_) {
        size *= part;
    }
    return size;
}

std::size_t MeshShape::get_stride(std::size_t dim) const
{
    std::size_t stride = 1;

    for (std::size_t after = dim + 1; after < sizes_.size(); ++after) {
        stride *= sizes_[after];
    }
    return stride;
}

bool MeshShape::is_line_topology() const
{
    return std::ranges::count_if(sizes_, [](std::uint32_t size) { return size > 1; }) <=
           1;
}

MeshCoordinate MeshCoordinate::zero_coordinate(std::size_t dims)
{
    return MeshCoordinate(std::vector<std::uint32_t>(dims, 0));
}

MeshCoordinate MeshCoordinate::of_index(std::size_t index, const MeshShape &shape)
{
    std::vector<std::uint32_t> places(shape.dims());

    for (std::size_t dim = 0; dim < places.size(); ++dim) {
        const std::size_t stride = shape.get_stride(dim);
        places[dim] = static_cast<std::uint32_t>(index / stride);
        index %= stride;
    }
    return MeshCoordinate(places);
}

std::uint32_t MeshCoordinate::operator[](std::ptrdiff_t dim) const
{
    return at(places_, dim);
}

std::size_t MeshCoordinate::to_linear_index(const MeshShape &shape) const
{
    std::size_t index = 0;

    if (shape.dims() != dims()) {
        gridloom::refuse("{} is no place in a mesh of {}", *this, shape);
    }
    for (std::size_t dim = 0; dim < places_.size(); ++dim) {
        if (places_[dim] >= shape[static_cast<std::ptrdiff_t>(dim)]) {
            gridloom::refuse("{} is no place in a mesh of {}", *this, shape);
        }
        index += places_[dim] * shape.get_stride(dim);
    }
    return index;
}

MeshCoordinateRange::Iterator::Iterator(const MeshCoordinateRange *range,
                                        std::size_t index)
    : range_(range), index_(index), place_(range->start_coord())
{
}

MeshCoordinateRange::Iterator &MeshCoordinateRange::Iterator::operator++()
{
    const MeshCoordinate inside = MeshCoordinate::of_index(++index_, range_->shape());
    std::vector<std::uint32_t> places;

    for (std::size_t dim = 0; dim < inside.dims(); ++dim) {
        places.push_back(inside.coords()[dim] + range_->start_coord().coords()[dim]);
    }
    place_ = MeshCoordinate(places);
    return *this;
}

MeshCoordinateRange::MeshCoordinateRange(const MeshShape &shape)
    : MeshCoordinateRange(MeshCoordinate::zero_coordinate(shape.dims()),
                          MeshCoordinate::of_index(shape.mesh_size() - 1, shape))
{
}

MeshCoordinateRange::MeshCoordinateRange(const MeshCoordinate &first,
                                         const MeshCoordinate &last)
    : first_(first), last_(last)
{
    bool is_range = first.dims() == last.dims();

    for (std::size_t dim = 0; is_range && dim < first.dims(); ++dim) {
        is_range = first.coords()[dim] <= last.coords()[dim];
    }
    if (!is_range) {
        gridloom::refuse("a range of chips ends at {}, before its start {}", last,
                         first);
    }
}

MeshShape MeshCoordinateRange::shape() const
{
    std::vector<std::uint32_t> sizes;

    for (std::size_t dim = 0; dim < dims(); ++dim) {
        sizes.push_back(last_.coords()[dim] - first_.coords()[dim] + 1);
    }
    return MeshShape(std::move(sizes));
}

bool MeshCoordinateRange::contains(const MeshCoordinate &place) const
{
    for (std::size_t dim = 0; dim < dims(); ++dim) {
        if (dim >= place.dims() || place.coords()[dim] < first_.coords()[dim] ||
            place.coords()[dim] > last_.coords()[dim]) {
            return false;
        }
    }
    return place.dims() == dims();
}

bool MeshCoordinateRange::contains(const MeshCoordinateRange &range) const
{
    return contains(range.first_) && contains(range.last_);
}

bool MeshCoordinateRange::intersects(const MeshCoordinateRange &range) const
{
    for (const MeshCoordinate &place : range) {
        if (contains(place)) {
            return true;
        }
    }
    return false;
}

MeshCoordinateRange::Iterator MeshCoordinateRange::begin() const
{
    return {this, 0};
}

MeshCoordinateRange::Iterator MeshCoordinateRange::end() const
{
    return {this, shape().mesh_size()};
}

std::string format_as(const MeshShape &shape)
{
    std::vector<std::uint32_t> sizes;

    for (std::size_t dim = 0; dim < shape.dims(); ++dim) {
        sizes.push_back(shape[static_cast<std::ptrdiff_t>(dim)]);
    }
    return fmt::format("MeshShape({})", sizes);
}

std::string format_as(const MeshCoordinate &place)
{
    return fmt::format("MeshCoordinate([{}])", fmt::join(place.coords(), ", "));
}

std::string format_as(const MeshCoordinateRange &range)
{
    return fmt::format("MeshCoordinateRange({} - {})", range.start_coord(),
                       range.end_coord());
}

std::ostream &operator<<(std::ostream &stream, const MeshShape &shape)
{
    return stream << format_as(shape);
}

std::ostream &operator<<(std::ostream &stream, const MeshCoordinate &place)
{
    return stream << format_as(place);
}

std::ostream &operator<<(std::ostream &stream, const MeshCoordinateRange &range)
{
    return stream << format_as(range);
}

}  // namespace tt::tt_metal::distributed
