// Operations of reductions, predefined and of the program's own.
#pragma once

#include <cstdint>

#include "coll/datatype/datatype.hpp"
#include "core/ref.hpp"

namespace heddle::coll {

class Op;
/// Keeps an operation alive beyond the call that named it.
using OpRef = Ref<const Op>;

/// The predefined ones, numbered as the MPICH ABI's handles.
enum class Operation : std::uint8_t {
  user = 0,
  max,
  min,
  sum,
  prod,
  land,
  band,
  lor,
  bor,
  lxor,
  bxor,
  minloc,
  maxloc,
  replace,
  no_op,
};

/// An operation, immutable. Predefined ones live for ever and are shared by all ranks.
class Op {
 public:
  /// As MPI_User_function and MPI_User_function_c; the datatype is given by its handle.
  using Function = void(void* in, void* inout, int* count, int* type);
  using LargeFunction = void(void* in, void* inout, long* count, int* type);

  explicit Op(Operation predefined);
  Op(Function* function, bool commutative) : function_(function), commutative_(commutative) {}
  Op(LargeFunction* function, bool commutative)
      : large_function_(function), commutative_(commutative) {}

  /// The predefined one with this handle, or null.
  static const Op* predefined(int handle);

  // For OpRef; predefined ones do not count.
  void retain() const {
    if (!is_predefined()) ++references_;
  }
  void release() const {
    if (!is_predefined() && --references_ == 0) delete this;
  }

  bool commutative() const { return commutative_; }
  bool is_predefined() const { return operation_ != Operation::user; }
  Operation operation() const { return operation_; }
  /// "MPI_SUM", or "the program's operation".
  const char* name() const;
  /// Whether it is defined on a datatype.
  bool accepts(const Datatype& type) const;

  /// inout[i] = in[i] op inout[i], where both lie in memory that can be reached directly: the
  /// running rank's own if the operation is the program's. The datatype must be accepted.
  void apply(const void* in, void* inout, std::int64_t count, const Datatype& type) const;

 private:
  void apply_user(const void* in, void* inout, std::int64_t count, const Datatype& type) const;

  Function* function_ = nullptr;
  LargeFunction* large_function_ = nullptr;
  mutable std::int64_t references_ = 0;
  Operation operation_ = Operation::user;
  bool commutative_ = true;
};

}  // namespace heddle::coll
