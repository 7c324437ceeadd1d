#include "mpi/op/op_table.hpp"

#include <mpi.h>

#include "mpi/error.hpp"

namespace heddle::mpi {

const Op& operation(Process& process, int handle) {
  if (const Op* op = Op::predefined(handle)) return *op;
  OpTable* table = process.find_part<OpTable>();
  const OpRef* op = table == nullptr ? nullptr : table->find(handle);
  if (op != nullptr) return **op;
  if (handle == MPI_OP_NULL) bad_argument(MPI_ERR_OP, "op", "is MPI_OP_NULL");
  bad_argument(MPI_ERR_OP, "op", "is not an operation");
}

const Op& operation(Process& process, int handle, const Datatype& type) {
  const Op& op = operation(process, handle);
  if (op.accepts(type)) return op;
  const std::string name = type.is_predefined() ? type.predefined_name() : "a derived datatype";
  bad_argument(MPI_ERR_OP, "op", std::string(op.name()) + " is not defined on " + name);
}

}  // namespace heddle::mpi
