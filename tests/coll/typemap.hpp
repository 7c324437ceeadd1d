// Datatypes as the standard defines them: a list of basic types and where they lie.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "coll/datatype/construct.hpp"
#include "coll/datatype/datatype.hpp"
#include "coll/op/op.hpp"

namespace heddle::coll {

/// All that a datatype means, slowly.
struct TypeMap {
  struct Entry {
    const Basic* basic;
    std::int64_t at;
  };
  std::vector<Entry> entries;
  std::optional<std::int64_t> given_lower;  ///< By MPI_LB or resized.
  std::optional<std::int64_t> given_upper;

  static TypeMap of(int handle) {
    const Basic* basic = find_basic(handle);
    if (handle == MPI_LB) return {{}, 0, {}};
    if (handle == MPI_UB) return {{}, {}, 0};
    return {{{basic, 0}}, {}, {}};
  }
  std::int64_t size() const {
    std::int64_t sum = 0;
    for (const Entry& entry : entries) sum += entry.basic->size;
    return sum;
  }
  std::int64_t true_lower() const {
    std::int64_t low = entries.empty() ? 0 : entries.front().at;
    for (const Entry& entry : entries) low = std::min(low, entry.at);
    return low;
  }
  std::int64_t true_upper() const {
    std::int64_t high = entries.empty() ? 0 : entries.front().at + entries.front().basic->size;
    for (const Entry& entry : entries) high = std::max(high, entry.at + entry.basic->size);
    return high;
  }
  std::int64_t lower() const {
    if (given_lower) return *given_lower;
    return true_lower();
  }
  std::int64_t upper() const {
    if (given_upper) return *given_upper;
    return true_upper();
  }
  std::int64_t extent() const { return upper() - lower(); }

  /// Appends `other`, moved by `shift`.
  void append(const TypeMap& other, std::int64_t shift) {
    for (const Entry& entry : other.entries) entries.push_back({entry.basic, entry.at + shift});
    if (other.given_lower) {
      const std::int64_t at = *other.given_lower + shift;
      given_lower = std::min(given_lower.value_or(at), at);
    }
    if (other.given_upper) {
      const std::int64_t at = *other.given_upper + shift;
      given_upper = std::max(given_upper.value_or(at), at);
    }
  }
  /// The bytes of `count` of them at `base`, in packed order.
  std::vector<std::byte> pack(const std::byte* base, std::int64_t count) const {
    std::vector<std::byte> packed;
    for (std::int64_t i = 0; i < count; ++i) {
      for (const Entry& entry : entries) {
        const std::byte* from = base + i * extent() + entry.at;
        packed.insert(packed.end(), from, from + entry.basic->size);
      }
    }
    return packed;
  }
  void unpack(std::byte* base, std::int64_t count, const std::vector<std::byte>& packed) const {
    std::size_t at = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      for (const Entry& entry : entries) {
        const std::size_t left = std::min<std::size_t>(entry.basic->size, packed.size() - at);
        // Nothing is copied from nowhere.
        if (left > 0) std::memcpy(base + i * extent() + entry.at, packed.data() + at, left);
        at += left;
      }
    }
  }
};

/// The same datatype in both ways.
struct Twin {
  DatatypeRef type;
  TypeMap map;
};

/// Datatypes made at random, by all constructors.
class RandomTypes {
 public:
  explicit RandomTypes(std::uint32_t seed) : random_(seed) {}

  int upto(int most) { return static_cast<int>(random_() % static_cast<unsigned>(most + 1)); }
  /// Nested so deep.
  Twin make(int depth) {
    if (depth == 0) return basic();
    switch (upto(7)) {
      case 0:
        return contiguous(make(depth - 1));
      case 1:
        return vector(make(depth - 1));
      case 2:
        return indexed(make(depth - 1));
      case 3:
        return structure(depth);
      case 4:
        return resized(make(depth - 1));
      case 5:
        return subarray(make(depth - 1));
      case 6:
        return indexed_block(make(depth - 1));
      default:
        return hvector(make(depth - 1));
    }
  }

 private:
  Twin basic() {
    constexpr int kTypes[] = {MPI_CHAR,   MPI_SHORT,       MPI_INT,
                              MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_C_DOUBLE_COMPLEX};
    const int handle = kTypes[upto(5)];
    return {DatatypeRef(Datatype::predefined(handle)), TypeMap::of(handle)};
  }
  Twin contiguous(const Twin& old) {
    const int count = upto(4);
    Twin twin{make_contiguous(Form::plain, count, *old.type), {}};
    for (int i = 0; i < count; ++i) twin.map.append(old.map, i * old.map.extent());
    return twin;
  }
  Twin vector(const Twin& old) {
    const int count = upto(4);
    const int length = upto(3);
    const int stride = upto(8) - 2;
    Twin twin{make_vector(Form::plain, count, length, stride, *old.type), {}};
    for (int i = 0; i < count * length; ++i) {
      twin.map.append(old.map, (i / length * stride + i % length) * old.map.extent());
    }
    return twin;
  }
  Twin hvector(const Twin& old) {
    const int count = upto(4);
    const int length = upto(3);
    const int stride = upto(200) - 40;
    Twin twin{make_hvector(Form::large, count, length, stride, *old.type), {}};
    for (int i = 0; i < count * length; ++i) {
      twin.map.append(old.map, i / length * stride + i % length * old.map.extent());
    }
    return twin;
  }
  Twin indexed(const Twin& old) {
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(upto(5)));
    std::vector<std::int64_t> displacements;
    std::int64_t at = upto(3);
    Twin twin;
    for (std::int64_t& length : lengths) {
      length = upto(3);
      displacements.push_back(at);
      for (std::int64_t i = 0; i < length; ++i) {
        twin.map.append(old.map, (at + i) * old.map.extent());
      }
      at += length + upto(2);
    }
    twin.type = make_indexed(Form::plain, lengths, displacements, *old.type);
    return twin;
  }
  Twin indexed_block(const Twin& old) {
    const int length = upto(2);
    std::vector<std::int64_t> displacements(static_cast<std::size_t>(upto(5)));
    Twin twin;
    for (std::int64_t& at : displacements) {
      at = upto(300);
      for (int i = 0; i < length; ++i) twin.map.append(old.map, at + i * old.map.extent());
    }
    twin.type = make_hindexed_block(Form::plain, length, displacements, *old.type);
    return twin;
  }
  Twin structure(int depth) {
    const int count = upto(3) + 1;
    std::vector<std::int64_t> lengths;
    std::vector<std::int64_t> displacements;
    std::vector<DatatypeRef> kept;
    std::vector<const Datatype*> types;
    std::int64_t at = 0;
    Twin twin;
    for (int i = 0; i < count; ++i) {
      const Twin old = make(upto(depth - 1));
      kept.push_back(old.type);
      types.push_back(old.type.get());
      lengths.push_back(upto(3));
      displacements.push_back(at - old.map.true_lower());
      for (std::int64_t j = 0; j < lengths.back(); ++j) {
        twin.map.append(old.map, displacements.back() + j * old.map.extent());
      }
      at += lengths.back() * std::max<std::int64_t>(old.map.extent(), 0) + upto(1) * 5;
    }
    twin.type = make_struct(Form::plain, lengths, displacements, types);
    pad(twin);
    return twin;
  }
  /// A structure ends where its strictest member may begin again.
  static void pad(Twin& twin) {
    if (twin.map.given_upper || twin.map.entries.empty()) return;
    const std::int64_t alignment = twin.type->alignment();
    const std::int64_t excess = twin.map.extent() % alignment;
    // Other types see the padding as natural; the reference knows only given bounds.
    if (excess != 0) twin = resize(twin, twin.map.lower(), twin.map.extent() + alignment - excess);
  }
  static Twin resize(const Twin& old, std::int64_t lower, std::int64_t extent) {
    Twin twin{make_resized(Form::plain, *old.type, lower, extent), old.map};
    twin.map.given_lower = lower;
    twin.map.given_upper = lower + extent;
    return twin;
  }
  Twin resized(const Twin& old) {
    return resize(old, old.map.lower() - upto(9), old.map.extent() + upto(20));
  }
  Twin subarray(const Twin& old) {
    const std::vector<std::int64_t> sizes = {upto(2) + 2, upto(3) + 2, upto(2) + 1};
    Subarray box{sizes, {}, {}, upto(1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN};
    for (const std::int64_t size : sizes) {
      box.starts.push_back(upto(static_cast<int>(size) - 1));
      box.subsizes.push_back(upto(static_cast<int>(size - box.starts.back()) - 1) + 1);
    }
    Twin twin{make_subarray(Form::plain, box, *old.type), {}};
    const bool c = box.order == MPI_ORDER_C;
    const std::size_t slow = c ? 0 : 2;
    const std::size_t fast = c ? 2 : 0;
    for (std::int64_t i = 0; i < box.subsizes[slow]; ++i) {
      for (std::int64_t j = 0; j < box.subsizes[1]; ++j) {
        for (std::int64_t k = 0; k < box.subsizes[fast]; ++k) {
          const std::int64_t index =
              ((i + box.starts[slow]) * sizes[1] + j + box.starts[1]) * sizes[fast] + k +
              box.starts[fast];
          twin.map.append(old.map, index * old.map.extent());
        }
      }
    }
    twin.map.given_lower = 0;
    twin.map.given_upper = sizes[0] * sizes[1] * sizes[2] * old.map.extent();
    return twin;
  }

  std::mt19937 random_;
};

}  // namespace heddle::coll
