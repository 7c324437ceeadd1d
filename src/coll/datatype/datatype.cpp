#include "coll/datatype/datatype.hpp"

#include <mpi.h>

#include <array>
#include <deque>
#include <optional>
#include <utility>

#include "coll/datatype/sizes.hpp"

namespace heddle::coll {
namespace {

constexpr std::uint64_t kHashBase = 0x9e3779b97f4a7c15;  // Odd.

/// What differs between basic types that do not match.
std::uint64_t hash_of(const Basic& basic) {
  const bool complex = basic.kind == Kind::complex;
  return (static_cast<std::uint64_t>(basic.number) * 2 + (complex ? 1 : 0) + 1) *
         0xff51afd7ed558ccd;
}
Signature signature_of(const Basic& basic) {
  if (basic.size == 0) return {};
  return {hash_of(basic), kHashBase, 1};
}
/// The basic type of one member of a pair of equal ones.
const Basic& member(const Basic& pair) {
  if (pair.number == Number::f32) return *find_basic(MPI_REAL);
  if (pair.number == Number::f64) return *find_basic(MPI_DOUBLE_PRECISION);
  return *find_basic(pair.kind == Kind::c_integer ? MPI_INT : MPI_INTEGER);
}

/// Bounds that grow with what is put in.
struct Span {
  std::optional<std::int64_t> lower;
  std::optional<std::int64_t> upper;
  void include_lower(std::int64_t at) { lower = std::min(lower.value_or(at), at); }
  void include_upper(std::int64_t at) { upper = std::max(upper.value_or(at), at); }
};
/// Where the first and the last element of a part begin.
Span begins(const Datatype::Part& part) {
  Span span;
  const std::int64_t block = (part.count - 1) * part.stride;
  const std::int64_t element = (part.length - 1) * part.type->extent();
  for (const std::int64_t at : {std::int64_t{0}, block, element, block + element}) {
    span.include_lower(part.offset + at);
    span.include_upper(part.offset + at);
  }
  return span;
}
bool empty(const Datatype::Part& part) {
  return part.length == 0 || part.count == 0;
}

/// Throws unless the bytes of all parts, and where they begin and end, fit.
void check_parts(std::span<const Datatype::Part> parts) {
  Wide size = 0;
  const auto check = [](Wide bytes) { return checked_size(bytes, MPI_ERR_COUNT); };
  for (const Datatype::Part& part : parts) {
    if (empty(part)) continue;
    const Datatype& type = *part.type;
    size += Wide{check(Wide{part.count} * part.length)} * type.size();
    check(size);
    const Wide block = check(Wide{part.count - 1} * part.stride);
    const Wide element = check(Wide{part.length - 1} * type.extent());
    for (const Wide at : {Wide{0}, block, element, block + element}) {
      for (const std::int64_t bound : {type.bounds().lower, type.bounds().upper,
                                       type.true_bounds().lower, type.true_bounds().upper}) {
        check(part.offset + at + bound);
      }
    }
  }
}

struct PairType {
  int handle;
  const char* name;
  int value;
};
constexpr auto kPairTypes = std::to_array<PairType>({
    {MPI_FLOAT_INT, "MPI_FLOAT_INT", MPI_FLOAT},
    {MPI_DOUBLE_INT, "MPI_DOUBLE_INT", MPI_DOUBLE},
    {MPI_LONG_INT, "MPI_LONG_INT", MPI_LONG},
    {MPI_SHORT_INT, "MPI_SHORT_INT", MPI_SHORT},
    {MPI_LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE},
});

/// The predefined datatypes, by basic type and by number of pair.
struct Predefined {
  std::deque<Datatype> basic;
  std::deque<Datatype> pairs;
  /// Notes basic ones by the last byte of their handles.
  template <class Table>
  explicit Predefined(Table& by_byte) {
    for (const Basic& each : basics()) {
      by_byte[static_cast<std::uint8_t>(each.handle)] = &basic.emplace_back(each);
    }
    for (const PairType& pair : kPairTypes) {
      pairs.emplace_back(pair.handle, pair.name, *find_basic(pair.value), *find_basic(MPI_INT));
    }
  }
};

/// The bytes of parts that follow one another.
Layout layout_of(std::span<const Datatype::Part> parts) {
  std::deque<Layout> blocks;  // Of parts that repeat on two levels.
  LayoutBuilder builder;
  for (const Datatype::Part& part : parts) {
    const Datatype& type = *part.type;
    const bool one_level =
        part.count == 1 || part.length == 1 || part.length * type.extent() == part.stride;
    if (one_level) {
      const std::int64_t stride = part.length == 1 ? part.stride : type.extent();
      builder.append(type.typed_layout(), part.offset, part.count * part.length, stride);
    } else {
      LayoutBuilder block;
      block.append(type.typed_layout(), 0, part.length, type.extent());
      builder.append(blocks.emplace_back(block.take()), part.offset, part.count, part.stride);
    }
  }
  return builder.take();
}
Signature signature_of(std::span<const Datatype::Part> parts) {
  Signature all;
  for (const Datatype::Part& part : parts) {
    all = all.followed_by(part.type->signature().repeated(part.count * part.length));
  }
  return all;
}

}  // namespace

Signature Signature::followed_by(const Signature& next) const {
  return {hash * next.power + next.hash, power * next.power, elements + next.elements};
}
Signature Signature::repeated(std::int64_t count) const {
  Signature result;
  Signature twice = *this;
  for (; count > 0; count >>= 1) {
    if (count & 1) result = result.followed_by(twice);
    if (count > 1) twice = twice.followed_by(twice);
  }
  return result;
}

/// Nobody needs it any more.
void Datatype::forget() const {
  if (owner_) owner_->forget(*this);
  delete this;
}

Datatype::Datatype(const Basic& basic)
    : typed_(basic.pair ? member(basic) : basic),
      signature_(signature_of(basic.pair ? member(basic) : basic)),
      unit_(basic.size > 0 ? this : nullptr),
      basic_(&basic),
      name_(basic.name.data()),
      handle_(basic.handle),
      explicit_lower_(basic.handle == MPI_LB),
      explicit_upper_(basic.handle == MPI_UB),
      predefined_(true) {
  contents_.combiner = MPI_COMBINER_NAMED;
  only_ = basic.size > 0 ? typed_.loops().front().basic : nullptr;
  if (basic.pair) {
    LayoutBuilder two;
    two.append(typed_, 0, 2, typed_.size());
    typed_ = two.take();
    signature_ = signature_.repeated(2);
  }
  bounds_ = true_bounds_ = {0, basic.size};
  if (basic.numbers > 0) alignment_ = static_cast<std::uint8_t>(basic.size / basic.numbers);
  finish();
}

Datatype::Datatype(int handle, const char* name, const Basic& value, const Basic& index)
    : unit_(this), name_(name), handle_(handle), predefined_(true) {
  contents_.combiner = MPI_COMBINER_NAMED;
  const Layout first(value);
  const Layout second(index);
  LayoutBuilder both;
  both.append(first, 0, 1, 0);
  both.append(second, std::max(value.size, index.size), 1, 0);
  typed_ = both.take();
  only_ = &value == &index ? &value : nullptr;
  signature_ = signature_of(value).followed_by(signature_of(index));
  alignment_ = std::max(value.size, index.size);
  bounds_ = {0, 2 * alignment_};
  true_bounds_ = {0, alignment_ + index.size};
  finish();
}

Datatype::Datatype(std::span<const Part> parts, Contents contents)
    : contents_(std::move(contents)) {
  check_parts(parts);
  typed_ = layout_of(parts);
  signature_ = signature_of(parts);
  unite(parts);
  bound(parts);
  finish();
}

Datatype::Datatype(const Datatype& type, Bounds bounds, Contents contents)
    : typed_(type.typed_),
      untyped_(type.untyped_),
      bounds_(bounds),
      true_bounds_(type.true_bounds_),
      signature_(type.signature_),
      unit_(type.unit_),
      only_(type.only_),
      contents_(std::move(contents)),
      alignment_(type.alignment_),
      explicit_lower_(true),
      explicit_upper_(true) {
  gapless_ = layout().gapless() && size() == extent();
  contiguous_ = gapless_ && (size() == 0 || true_bounds_.lower == 0);
}

Datatype::Datatype(const Datatype& type, Contents contents)
    : Datatype(type, type.bounds_, std::move(contents)) {
  explicit_lower_ = type.explicit_lower_;
  explicit_upper_ = type.explicit_upper_;
}

constinit std::array<const Datatype*, 256> Datatype::basics_{};

/// That is no basic one, or the first that somebody asks for.
const Datatype* Datatype::find_predefined(int handle) {
  static const Predefined all(basics_);
  const Datatype* const basic = basics_[static_cast<std::uint8_t>(handle)];
  if (basic != nullptr && basic->handle() == handle) return basic;
  const std::int64_t pair = std::int64_t{handle} - kPairTypes.front().handle;
  if (pair < 0 || pair >= std::ssize(kPairTypes)) return nullptr;
  return &all.pairs[static_cast<std::size_t>(pair)];
}

/// Which basic and which predefined type all parts have in common.
void Datatype::unite(std::span<const Part> parts) {
  bool first = true;
  for (const Part& part : parts) {
    alignment_ = std::max(alignment_, part.type->alignment_);
    if (empty(part) || part.type->size() == 0) continue;
    unit_ = first || unit_ == part.type->unit_ ? part.type->unit_ : nullptr;
    only_ = first || only_ == part.type->only_ ? part.type->only_ : nullptr;
    first = false;
  }
}

void Datatype::bound(std::span<const Part> parts) {
  Span natural;
  Span given;
  Span bytes;
  for (const Part& part : parts) {
    if (empty(part)) continue;
    const Datatype& type = *part.type;
    const Span at = begins(part);
    if (type.size() > 0) {
      bytes.include_lower(*at.lower + type.true_bounds_.lower);
      bytes.include_upper(*at.upper + type.true_bounds_.upper);
    }
    Span& lower = type.explicit_lower_ ? given : natural;
    Span& upper = type.explicit_upper_ ? given : natural;
    if (type.size() > 0 || type.explicit_lower_) {
      lower.include_lower(*at.lower + type.bounds_.lower);
    }
    if (type.size() > 0 || type.explicit_upper_) {
      upper.include_upper(*at.upper + type.bounds_.upper);
    }
  }
  explicit_lower_ = given.lower.has_value();
  explicit_upper_ = given.upper.has_value();
  true_bounds_ = {bytes.lower.value_or(0), bytes.upper.value_or(0)};
  bounds_ = {given.lower.value_or(natural.lower.value_or(0)),
             given.upper.value_or(natural.upper.value_or(0))};
}

void Datatype::finish() {
  const int combiner = contents_.combiner;
  const bool padded = combiner == MPI_COMBINER_STRUCT || combiner == MPI_COMBINER_STRUCT_INTEGER;
  if (padded && !explicit_upper_) {
    const std::int64_t excess = extent() % alignment_;
    if (excess != 0) bounds_.upper += alignment_ - excess;
  }
  if (!only_) untyped_ = typed_.untyped();
  gapless_ = layout().gapless() && size() == extent();
  contiguous_ = gapless_ && (size() == 0 || true_bounds_.lower == 0);
}

}  // namespace heddle::coll
