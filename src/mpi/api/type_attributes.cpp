// Calls on attributes of datatypes.
#include "mpi/api/call.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/objects/attributes.hpp"

namespace mpi = heddle::mpi;

extern "C" {

int PMPI_Type_create_keyval(MPI_Type_copy_attr_function* type_copy_attr_fn,
                            MPI_Type_delete_attr_function* type_delete_attr_fn, int* type_keyval,
                            void* extra_state) {
  return mpi::call("MPI_Type_create_keyval", [&](mpi::Process& process) {
    mpi::need(type_keyval, "type_keyval");
    *type_keyval = mpi::new_key(process, mpi::KeyOf::datatype, type_copy_attr_fn,
                                type_delete_attr_fn, extra_state);
  });
}
int PMPI_Type_free_keyval(int* type_keyval) {
  return mpi::call("MPI_Type_free_keyval", [&](mpi::Process& process) {
    mpi::need(type_keyval, "type_keyval");
    mpi::free_key(process, *type_keyval, mpi::KeyOf::datatype);
    *type_keyval = MPI_KEYVAL_INVALID;
  });
}
int PMPI_Type_set_attr(MPI_Datatype type, int type_keyval, void* attribute_val) {
  return mpi::call("MPI_Type_set_attr", [&](mpi::Process& process) {
    mpi::datatype(process, type);
    process.part<mpi::TypeTable>().attributes(type).set(
        type, mpi::key(process, type_keyval, mpi::KeyOf::datatype), attribute_val);
  });
}
int PMPI_Type_get_attr(MPI_Datatype type, int type_keyval, void* attribute_val, int* flag) {
  return mpi::call("MPI_Type_get_attr", [&](mpi::Process& process) {
    mpi::need(flag, "flag");
    mpi::datatype(process, type);
    mpi::key(process, type_keyval, mpi::KeyOf::datatype);
    const mpi::Attributes* attributes = process.part<mpi::TypeTable>().find_attributes(type);
    *flag =
        attributes != nullptr && attributes->get(type_keyval, static_cast<void**>(attribute_val));
  });
}
int PMPI_Type_delete_attr(MPI_Datatype type, int type_keyval) {
  return mpi::call("MPI_Type_delete_attr", [&](mpi::Process& process) {
    mpi::datatype(process, type);
    const mpi::KeyRef key = mpi::key(process, type_keyval, mpi::KeyOf::datatype);
    process.part<mpi::TypeTable>().attributes(type).remove(type, key);
  });
}

}  // extern "C"
