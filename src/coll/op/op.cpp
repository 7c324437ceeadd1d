#include "coll/op/op.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>

#include "coll/op/kernels.hpp"

namespace heddle::coll {
namespace {

constexpr std::size_t kOperations = 15;

constexpr std::array<const char*, kOperations> kNames = {"the program's operation",
                                                         "MPI_MAX",
                                                         "MPI_MIN",
                                                         "MPI_SUM",
                                                         "MPI_PROD",
                                                         "MPI_LAND",
                                                         "MPI_BAND",
                                                         "MPI_LOR",
                                                         "MPI_BOR",
                                                         "MPI_LXOR",
                                                         "MPI_BXOR",
                                                         "MPI_MINLOC",
                                                         "MPI_MAXLOC",
                                                         "MPI_REPLACE",
                                                         "MPI_NO_OP"};

const std::array<Op, kOperations>& predefined_operations() {
  static const std::array<Op, kOperations> all = {
      Op(Operation::user),   Op(Operation::max),     Op(Operation::min),  Op(Operation::sum),
      Op(Operation::prod),   Op(Operation::land),    Op(Operation::band), Op(Operation::lor),
      Op(Operation::bor),    Op(Operation::lxor),    Op(Operation::bxor), Op(Operation::minloc),
      Op(Operation::maxloc), Op(Operation::replace), Op(Operation::no_op)};
  return all;
}

}  // namespace

Op::Op(Operation predefined)
    : operation_(predefined), commutative_(predefined != Operation::replace) {}

const Op* Op::predefined(int handle) {
  const int number = handle - MPI_MAX + static_cast<int>(Operation::max);
  if (handle < MPI_MAX || handle > MPI_NO_OP) return nullptr;
  return &predefined_operations()[static_cast<std::size_t>(number)];
}

const char* Op::name() const {
  return kNames[static_cast<std::size_t>(operation_)];
}

bool Op::accepts(const Datatype& type) const {
  if (operation_ == Operation::user) return true;
  return type.is_predefined() && find_kernel(operation_, type) != nullptr;
}

void Op::apply(const void* in, void* inout, std::int64_t count, const Datatype& type) const {
  if (operation_ == Operation::user) return apply_user(in, inout, count, type);
  find_kernel(operation_, type)(in, inout, count);
}

void Op::apply_user(const void* in, void* inout, std::int64_t count, const Datatype& type) const {
  int handle = type.handle();
  if (large_function_) {
    long number = count;
    return large_function_(const_cast<void*>(in), inout, &number, &handle);
  }
  // The function counts with an int.
  const auto* from = static_cast<const std::byte*>(in);
  auto* to = static_cast<std::byte*>(inout);
  for (std::int64_t done = 0; done < count;) {
    int number =
        static_cast<int>(std::min<std::int64_t>(count - done, std::numeric_limits<int>::max()));
    const std::int64_t offset = done * type.extent();
    done += number;
    function_(const_cast<std::byte*>(from + offset), to + offset, &number, &handle);
  }
}

}  // namespace heddle::coll
