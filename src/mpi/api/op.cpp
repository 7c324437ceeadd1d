// Calls on operations.
#include "mpi/datatypes.hpp"

#include <string>

#include "mpi/api/call.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/op/op_table.hpp"

namespace heddle::mpi::op_calls {
namespace {

template <class Function>
int create(const char* name, Function* function, int commute, MPI_Op* op) {
  return call(name, [&](Process& process) {
    need(op, "op");
    if (function == nullptr) bad_argument(MPI_ERR_ARG, "user_fn", "is a null pointer");
    *op = process.part<OpTable>().add(make_ref<const Op>(function, commute != 0));
  });
}

constexpr const char* kNotInPlace = "MPI_IN_PLACE is not accepted here";

int reduce_local(const char* name, const void* in, void* inout, MPI_Count count, MPI_Datatype type,
                 MPI_Op op) {
  return call(name, [&](Process& process) {
    if (in == MPI_IN_PLACE) bad_argument(MPI_ERR_BUFFER, "inbuf", kNotInPlace);
    if (inout == MPI_IN_PLACE) bad_argument(MPI_ERR_BUFFER, "inoutbuf", kNotInPlace);
    const Buffer from = buffer(process, in, count, type, "inbuf");
    buffer(process, inout, count, type, "inoutbuf");
    const Op& operates = operation(process, op, *from.type);
    if (in == inout && count > 0) {
      bad_argument(MPI_ERR_BUFFER, "inbuf", "and inoutbuf are the same");
    }
    operates.apply(in, inout, count, *from.type);
  });
}

}  // namespace
}  // namespace heddle::mpi::op_calls

namespace mpi = heddle::mpi;

extern "C" {

int PMPI_Op_create(MPI_User_function* user_fn, int commute, MPI_Op* op) {
  return mpi::op_calls::create("MPI_Op_create", user_fn, commute, op);
}
int PMPI_Op_create_c(MPI_User_function_c* user_fn, int commute, MPI_Op* op) {
  return mpi::op_calls::create("MPI_Op_create_c", user_fn, commute, op);
}
int PMPI_Op_free(MPI_Op* op) {
  return mpi::call("MPI_Op_free", [&](mpi::Process& process) {
    mpi::need(op, "op");
    if (mpi::operation(process, *op).is_predefined()) {
      mpi::bad_argument(MPI_ERR_OP, "op", "is predefined and cannot be freed");
    }
    process.part<mpi::OpTable>().remove(*op);
    *op = MPI_OP_NULL;
  });
}
int PMPI_Op_commutative(MPI_Op op, int* commute) {
  return mpi::call("MPI_Op_commutative", [&](mpi::Process& process) {
    mpi::need(commute, "commute");
    *commute = mpi::operation(process, op).commutative() ? 1 : 0;
  });
}
int PMPI_Reduce_local(const void* inbuf, void* inoutbuf, int count, MPI_Datatype type, MPI_Op op) {
  return mpi::op_calls::reduce_local("MPI_Reduce_local", inbuf, inoutbuf, count, type, op);
}
int PMPI_Reduce_local_c(const void* inbuf, void* inoutbuf, MPI_Count count, MPI_Datatype type,
                        MPI_Op op) {
  return mpi::op_calls::reduce_local("MPI_Reduce_local_c", inbuf, inoutbuf, count, type, op);
}

}  // extern "C"
