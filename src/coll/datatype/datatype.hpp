// Datatypes: where the bytes of a message lie in a process's memory, and how to copy them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coll/datatype/layout.hpp"
#include "coll/error.hpp"
#include "core/address_space.hpp"
#include "core/error.hpp"
#include "core/ref.hpp"

namespace heddle::coll {

class Datatype;
/// Keeps a datatype alive: whoever needs one beyond the call that named it has one of these.
using DatatypeRef = Ref<const Datatype>;

/// Gives datatypes their handles.
class DatatypeOwner {
 public:
  /// Nobody needs the datatype any more.
  virtual void forget(const Datatype& type) = 0;

 protected:
  ~DatatypeOwner() = default;
};

/// How a datatype was made, for MPI_Type_get_envelope and MPI_Type_get_contents.
struct Contents {
  int combiner = 0;  ///< MPI_COMBINER_...
  std::vector<int> integers;
  std::vector<std::int64_t> addresses;
  std::vector<std::int64_t> counts;  ///< Of the calls for large counts.
  std::vector<DatatypeRef> types;
};

/// From the lowest to the highest byte.
struct Bounds {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  std::int64_t extent() const { return upper - lower; }
};

/// Which basic types follow one another: equal for sequences that match.
struct Signature {
  std::uint64_t hash = 0;
  std::uint64_t power = 1;  ///< The hash's base to the power of `elements`.
  std::int64_t elements = 0;
  Signature followed_by(const Signature& next) const;
  Signature repeated(std::int64_t count) const;
};

/// A compiled datatype, immutable. Predefined ones live for ever and are shared by all ranks,
/// others belong to the rank that made them.
class Datatype {
 public:
  /// `count` blocks `stride` bytes apart, of `length` datatypes that follow one another.
  struct Part {
    const Datatype* type;
    std::int64_t offset = 0;
    std::int64_t length = 1;
    std::int64_t count = 1;
    std::int64_t stride = 0;
  };

  explicit Datatype(const Basic& basic);
  Datatype(std::span<const Part> parts, Contents contents);
  /// `type` with other bounds.
  Datatype(const Datatype& type, Bounds bounds, Contents contents);
  /// The same as `type`, made in another way.
  Datatype(const Datatype& type, Contents contents);
  /// One of the types of value and index that have gaps, such as MPI_DOUBLE_INT.
  Datatype(int handle, const char* name, const Basic& value, const Basic& index);
  Datatype(const Datatype&) = delete;
  Datatype& operator=(const Datatype&) = delete;

  /// The predefined one with this handle, or null.
  static const Datatype* predefined(int handle) {
    const Datatype* const basic = basics_[static_cast<std::uint8_t>(handle)];
    return basic != nullptr && basic->handle_ == handle ? basic : find_predefined(handle);
  }

  std::int64_t size() const { return typed_.size(); }
  std::int64_t extent() const { return bounds_.extent(); }
  const Bounds& bounds() const { return bounds_; }
  /// Of the bytes themselves.
  const Bounds& true_bounds() const { return true_bounds_; }
  /// n elements are n * size() bytes without gaps, the first at offset 0.
  bool contiguous() const { return contiguous_; }
  /// n elements are n * size() bytes without gaps, the first at true_bounds().lower.
  bool gapless() const { return gapless_; }

  bool is_predefined() const { return predefined_; }
  // For DatatypeRef; predefined ones do not count.
  void retain() const {
    if (!predefined_) ++references_;
  }
  void release() const {
    if (!predefined_ && --references_ <= 0) forget();
  }
  int handle() const { return handle_; }
  /// By which name programs know it, and who is told of its end (null: nobody).
  void belong(DatatypeOwner* owner, int handle) const {
    owner_ = owner;
    handle_ = handle;
  }
  const char* predefined_name() const { return name_; }
  const Contents& contents() const { return contents_; }
  /// What a basic type is itself, else null.
  const Basic* basic() const { return basic_; }
  /// The one predefined type that it is made of, or null if there are several or none.
  const Datatype* unit() const { return unit_; }
  /// Of one.
  const Signature& signature() const { return signature_; }
  int alignment() const { return alignment_; }

  /// The bytes, with long runs.
  const Layout& layout() const { return only_ || size() == 0 ? typed_ : untyped_; }
  /// The bytes, each run of one basic type.
  const Layout& typed_layout() const { return typed_; }

 private:
  void bound(std::span<const Part> parts);
  void unite(std::span<const Part> parts);
  void finish();
  void forget() const;
  static const Datatype* find_predefined(int handle);

  /// Basic ones by the last byte of their handles; empty until the first is asked for.
  static std::array<const Datatype*, 256> basics_;

  Layout typed_;
  Layout untyped_;  ///< Only if runs are of several basic types.
  Bounds bounds_;
  Bounds true_bounds_;
  Signature signature_;
  const Datatype* unit_ = nullptr;
  const Basic* only_ = nullptr;  ///< What all runs are made of.
  const Basic* basic_ = nullptr;
  const char* name_ = nullptr;
  Contents contents_;
  mutable DatatypeOwner* owner_ = nullptr;
  mutable std::int64_t references_ = 0;
  mutable int handle_ = 0;
  std::uint8_t alignment_ = 1;
  bool explicit_lower_ = false;  ///< By MPI_LB or MPI_Type_create_resized.
  bool explicit_upper_ = false;
  bool predefined_ = false;
  bool contiguous_ = false;
  bool gapless_ = false;
};

/// `count` elements at an address in some process's memory.
struct Buffer {
  void* address = nullptr;
  std::int64_t count = 0;
  const Datatype* type = nullptr;
};

/// How many bytes it holds.
inline std::int64_t bytes(const Buffer& buffer) {
  return buffer.count * buffer.type->size();
}
/// Of how many basic elements the first `size` bytes are; the last may be incomplete.
std::int64_t elements(const Datatype& type, std::int64_t size);
/// How many bytes the first so many basic elements have.
std::int64_t bytes_of_elements(const Datatype& type, std::int64_t count);
/// The basic types of the first `size` bytes.
Signature signature(const Datatype& type, std::int64_t size);

/// A buffer reaches memory that its process does not have. Within a call of that process it is an
/// error of the call; elsewhere it ends the run.
struct NoSuchMemory : RunError, Error {
  NoSuchMemory(const AddressSpace& whose, const void* address);
  const AddressSpace* space;
};

// Copies between memory and the bytes in packed order. They throw NoSuchMemory.

void pack(const AddressSpace& space, const Buffer& from, std::byte* to);
/// The bytes from `begin` to `end` (not included).
void pack(const AddressSpace& space, const Buffer& from, std::int64_t begin, std::int64_t end,
          std::byte* to);
/// Answers how many bytes were taken: at most what fits.
std::int64_t unpack(AddressSpace& space, const Buffer& to, const std::byte* from,
                    std::int64_t size);
/// The `size` bytes that come after the first `begin`.
void unpack(AddressSpace& space, const Buffer& to, std::int64_t begin, const std::byte* from,
            std::int64_t size);
/// Straight from one process's memory to another's, whatever lies between the bytes; answers how
/// many: at most what fits.
std::int64_t move_any(AddressSpace& to_space, const Buffer& to, const AddressSpace& from_space,
                      const Buffer& from);
/// The same. What has no gaps, as most messages, costs little more than the copy.
[[gnu::always_inline]] inline std::int64_t move(AddressSpace& to_space, const Buffer& to,
                                                const AddressSpace& from_space,
                                                const Buffer& from) {
  if (to.type->contiguous() && from.type->contiguous()) {
    const std::int64_t size = std::min(bytes(to), bytes(from));
    const auto whole = static_cast<std::size_t>(size);
    if (size > 0 && heddle::copy(to_space, to.address, from_space, from.address, whole)) {
      return size;
    }
  }
  return move_any(to_space, to, from_space, from);
}

}  // namespace heddle::coll
