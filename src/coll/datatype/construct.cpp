#include "coll/datatype/construct.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <utility>

#include "coll/datatype/sizes.hpp"

namespace heddle::coll {
namespace {

/// The arguments of a call, in the places where MPI_Type_get_contents shows them.
class Arguments {
 public:
  Arguments(Form form, int combiner) : large_(form == Form::large) {
    contents_.combiner = combiner;
  }
  Arguments& count(std::int64_t value) {
    if (large_) {
      contents_.counts.push_back(value);
    } else {
      contents_.integers.push_back(static_cast<int>(value));
    }
    return *this;
  }
  Arguments& counts(Numbers values) {
    for (const std::int64_t value : values) count(value);
    return *this;
  }
  Arguments& addresses(Numbers values) {
    auto& to = large_ ? contents_.counts : contents_.addresses;
    to.insert(to.end(), values.begin(), values.end());
    return *this;
  }
  Arguments& integers(std::span<const int> values) {
    contents_.integers.insert(contents_.integers.end(), values.begin(), values.end());
    return *this;
  }
  Arguments& integer(int value) { return integers({&value, 1}); }
  Arguments& type(const Datatype& value) {
    contents_.types.emplace_back(&value);
    return *this;
  }
  Contents take() { return std::move(contents_); }

 private:
  Contents contents_;
  bool large_;
};

DatatypeRef made(std::span<const Datatype::Part> parts, Arguments& arguments) {
  return make_ref<const Datatype>(parts, arguments.take());
}
DatatypeRef made(const Datatype::Part& part, Arguments& arguments) {
  return made({&part, 1}, arguments);
}

/// A displacement or a stride in units of so many bytes.
std::int64_t in_bytes(std::int64_t number, std::int64_t unit) {
  return checked_size(Wide{number} * unit, MPI_ERR_ARG);
}

std::vector<Datatype::Part> blocks(Numbers lengths, Numbers displacements, std::int64_t unit,
                                   const Datatype& old) {
  std::vector<Datatype::Part> parts;
  parts.reserve(lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] > 0) parts.push_back({&old, in_bytes(displacements[i], unit), lengths[i]});
  }
  return parts;
}
std::vector<Datatype::Part> blocks(std::int64_t length, Numbers displacements, std::int64_t unit,
                                   const Datatype& old) {
  std::vector<Datatype::Part> parts;
  if (length == 0) return parts;
  parts.reserve(displacements.size());
  for (const std::int64_t at : displacements) parts.push_back({&old, in_bytes(at, unit), length});
  return parts;
}

/// Grows an array by one dimension after another, the fastest first.
class ArrayBuilder {
 public:
  explicit ArrayBuilder(const Datatype& element) : array_(&element), step_(element.extent()) {}

  /// A dimension of `size` of which blocks of `length` are taken, `count` of them `stride` apart
  /// and the first at `start`, and after these `rest` more in a block of its own.
  void dimension(std::int64_t size, std::int64_t start, std::int64_t length, std::int64_t count,
                 std::int64_t stride, std::int64_t rest = 0) {
    const DatatypeRef element = spaced(step_);
    std::vector<Datatype::Part> parts;
    if (length > 0 && count > 0) {
      const std::int64_t apart = count > 1 ? in_bytes(stride, step_) : 0;
      parts.push_back({element.get(), in_bytes(start, step_), length, count, apart});
    }
    if (rest > 0) parts.push_back({element.get(), in_bytes(start + count * stride, step_), rest});
    array_ = make_ref<const Datatype>(parts, Contents{});
    step_ = in_bytes(size, step_);
  }
  /// The whole, with the array's extent.
  DatatypeRef take(Contents contents) {
    return make_ref<const Datatype>(*array_, Bounds{0, step_}, std::move(contents));
  }

 private:
  /// What there is so far, so that the next follows after `extent` bytes.
  DatatypeRef spaced(std::int64_t extent) const {
    if (array_->bounds().lower == 0 && array_->extent() == extent) return array_;
    return make_ref<const Datatype>(*array_, Bounds{0, extent}, Contents{});
  }
  DatatypeRef array_;
  std::int64_t step_;  ///< Bytes from one element of the next dimension to the next.
};

/// Calls `f(dimension)` from the fastest to the slowest.
template <class F>
void for_dimensions(std::size_t dimensions, int order, F f) {
  for (std::size_t i = 0; i < dimensions; ++i) {
    f(order == MPI_ORDER_FORTRAN ? i : dimensions - 1 - i);
  }
}

/// Where a process is in a grid: the last dimension varies fastest.
std::vector<std::int64_t> coordinates(int rank, const std::vector<int>& grid) {
  std::vector<std::int64_t> at(grid.size());
  for (std::size_t i = grid.size(); i-- > 0;) {
    at[i] = rank % grid[i];
    rank /= grid[i];
  }
  return at;
}

std::int64_t block_length(const DistributedArray& array, std::size_t i) {
  const std::int64_t given = array.arguments[i];
  switch (array.distributions[i]) {
    case MPI_DISTRIBUTE_NONE:
      return array.sizes[i];
    case MPI_DISTRIBUTE_BLOCK:
      if (given != MPI_DISTRIBUTE_DFLT_DARG) return given;
      return (array.sizes[i] + array.grid[i] - 1) / array.grid[i];
    default:
      return given == MPI_DISTRIBUTE_DFLT_DARG ? 1 : given;
  }
}

}  // namespace

DatatypeRef make_contiguous(Form form, std::int64_t count, const Datatype& old) {
  auto arguments = Arguments(form, MPI_COMBINER_CONTIGUOUS).count(count).type(old);
  return made({&old, 0, count}, arguments);
}

DatatypeRef make_vector(Form form, std::int64_t count, std::int64_t length, std::int64_t stride,
                        const Datatype& old) {
  auto arguments =
      Arguments(form, MPI_COMBINER_VECTOR).counts(std::array{count, length, stride}).type(old);
  // Of a single block it says nothing.
  const std::int64_t apart = count > 1 ? in_bytes(stride, old.extent()) : 0;
  return made({&old, 0, length, count, apart}, arguments);
}

DatatypeRef make_hvector(Form form, std::int64_t count, std::int64_t length, std::int64_t stride,
                         const Datatype& old) {
  auto arguments = Arguments(form, MPI_COMBINER_HVECTOR)
                       .counts(std::array{count, length})
                       .addresses({&stride, 1})
                       .type(old);
  return made({&old, 0, length, count, stride}, arguments);
}

DatatypeRef make_indexed(Form form, Numbers lengths, Numbers displacements, const Datatype& old) {
  auto arguments = Arguments(form, MPI_COMBINER_INDEXED)
                       .count(std::ssize(lengths))
                       .counts(lengths)
                       .counts(displacements)
                       .type(old);
  return made(blocks(lengths, displacements, old.extent(), old), arguments);
}

DatatypeRef make_hindexed(Form form, Numbers lengths, Numbers displacements, const Datatype& old) {
  auto arguments = Arguments(form, MPI_COMBINER_HINDEXED)
                       .count(std::ssize(lengths))
                       .counts(lengths)
                       .addresses(displacements)
                       .type(old);
  return made(blocks(lengths, displacements, 1, old), arguments);
}

DatatypeRef make_indexed_block(Form form, std::int64_t length, Numbers displacements,
                               const Datatype& old) {
  auto arguments = Arguments(form, MPI_COMBINER_INDEXED_BLOCK)
                       .counts(std::array{std::int64_t{std::ssize(displacements)}, length})
                       .counts(displacements)
                       .type(old);
  return made(blocks(length, displacements, old.extent(), old), arguments);
}

DatatypeRef make_hindexed_block(Form form, std::int64_t length, Numbers displacements,
                                const Datatype& old) {
  auto arguments = Arguments(form, MPI_COMBINER_HINDEXED_BLOCK)
                       .counts(std::array{std::int64_t{std::ssize(displacements)}, length})
                       .addresses(displacements)
                       .type(old);
  return made(blocks(length, displacements, 1, old), arguments);
}

DatatypeRef make_struct(Form form, Numbers lengths, Numbers displacements,
                        std::span<const Datatype* const> types) {
  auto arguments = Arguments(form, MPI_COMBINER_STRUCT)
                       .count(std::ssize(lengths))
                       .counts(lengths)
                       .addresses(displacements);
  std::vector<Datatype::Part> parts;
  parts.reserve(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    arguments.type(*types[i]);
    if (lengths[i] > 0) parts.push_back({types[i], displacements[i], lengths[i]});
  }
  return made(parts, arguments);
}

DatatypeRef make_resized(Form form, const Datatype& old, std::int64_t lower, std::int64_t extent) {
  auto arguments =
      Arguments(form, MPI_COMBINER_RESIZED).addresses(std::array{lower, extent}).type(old);
  checked_size(lower, MPI_ERR_ARG);
  const std::int64_t upper = checked_size(Wide{lower} + extent, MPI_ERR_ARG);
  return make_ref<const Datatype>(old, Bounds{lower, upper}, arguments.take());
}

DatatypeRef make_duplicate(const Datatype& old) {
  auto arguments = Arguments(Form::plain, MPI_COMBINER_DUP).type(old);
  return make_ref<const Datatype>(old, arguments.take());
}

DatatypeRef make_f90(int combiner, std::vector<int> arguments, const Datatype& old) {
  auto given = Arguments(Form::plain, combiner).integers(arguments);
  return make_ref<const Datatype>(old, given.take());
}

DatatypeRef make_subarray(Form form, const Subarray& box, const Datatype& old) {
  auto arguments = Arguments(form, MPI_COMBINER_SUBARRAY)
                       .integer(static_cast<int>(box.sizes.size()))
                       .counts(box.sizes)
                       .counts(box.subsizes)
                       .counts(box.starts)
                       .integer(box.order)
                       .type(old);
  ArrayBuilder builder(old);
  for_dimensions(box.sizes.size(), box.order, [&](std::size_t i) {
    builder.dimension(box.sizes[i], box.starts[i], box.subsizes[i], 1, 0);
  });
  return builder.take(arguments.take());
}

DatatypeRef make_distributed_array(Form form, const DistributedArray& array, const Datatype& old) {
  auto arguments =
      Arguments(form, MPI_COMBINER_DARRAY)
          .integers(std::array{array.processes, array.rank, static_cast<int>(array.sizes.size())})
          .counts(array.sizes)
          .integers(array.distributions)
          .integers(array.arguments)
          .integers(array.grid)
          .integer(array.order)
          .type(old);
  const std::vector<std::int64_t> at = coordinates(array.rank, array.grid);
  ArrayBuilder builder(old);
  for_dimensions(array.sizes.size(), array.order, [&](std::size_t i) {
    const std::int64_t length = block_length(array, i);
    const std::int64_t start = at[i] * length;
    const std::int64_t stride = array.grid[i] * length;
    const std::int64_t left = std::max<std::int64_t>(array.sizes[i] - start, 0);
    const std::int64_t last = left % stride;  // What is left from the beginning of the last block.
    const bool complete = last >= length;
    builder.dimension(array.sizes[i], start, length, left / stride + (complete ? 1 : 0), stride,
                      complete ? 0 : last);
  });
  return builder.take(arguments.take());
}

}  // namespace heddle::coll
