// Attributes of communicators.
#include "mpi/api/call.hpp"
#include "mpi/comm/objects.hpp"
#include "mpi/p2p/arguments.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {
namespace {

/// The place of a predefined attribute's value, or null. Fortran's keys are even and one more than
/// C's.
int* predefined(Process& process, int key) {
  Objects& objects = process.part<Objects>();
  switch (key | 1) {
    case MPI_TAG_UB:
      return &objects.tag_ub;
    case MPI_HOST:
      return &objects.host;
    case MPI_IO:
      return &objects.io;
    case MPI_WTIME_IS_GLOBAL:
      return &objects.global_clock;
    case MPI_UNIVERSE_SIZE:
      return &objects.universe;
    case MPI_LASTUSEDCODE:
      return &process.part<ErrorHandlers>().last_code;
    case MPI_APPNUM:
      return &objects.application;
    default:
      return nullptr;
  }
}

int c_key(int key) {
  return (key & 1) != 0 ? key : key - 1;
}

bool is_predefined(int key) {
  return (static_cast<unsigned>(key) & 0xffffff00U) == (MPI_TAG_UB & 0xffffff00U);
}

void refuse_predefined(int key) {
  if (is_predefined(key)) {
    bad_argument(MPI_ERR_KEYVAL, "comm_keyval", "predefined attributes cannot be changed");
  }
}

void get_attribute(Process& process, MPI_Comm comm, int keyval, void* value, int* flag) {
  const Communicator& found = communicator(process, comm);
  auto* result = static_cast<void**>(value);
  *flag = 1;
  if (is_predefined(keyval)) {
    const bool fortran = (keyval & 1) == 0;
    int* place = predefined(process, c_key(keyval));
    if (place == nullptr) bad_argument(MPI_ERR_KEYVAL, "comm_keyval", "there is no such key");
    *result = fortran ? reinterpret_cast<void*>(static_cast<std::intptr_t>(*place)) : place;
    return;
  }
  *flag = static_cast<int>(
      found.attributes.get(key(process, keyval, KeyOf::communicator)->handle, result));
}

}  // namespace
}  // namespace heddle::mpi

using namespace heddle::mpi;

extern "C" {

int MPIR_Dup_fn(MPI_Comm, int, void*, void* value, void* copy, int* flag) {
  *static_cast<void**>(copy) = value;
  *flag = 1;
  return MPI_SUCCESS;
}

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy,
                            MPI_Comm_delete_attr_function* remove, int* keyval, void* extra_state) {
  return call("MPI_Comm_create_keyval", [&](Process& process) {
    need(keyval, "keyval");
    *keyval = new_key(process, KeyOf::communicator, copy, remove, extra_state);
  });
}

int PMPI_Keyval_create(MPI_Copy_function* copy, MPI_Delete_function* remove, int* keyval,
                       void* extra_state) {
  return call("MPI_Keyval_create", [&](Process& process) {
    need(keyval, "keyval");
    *keyval = new_key(process, KeyOf::communicator, copy, remove, extra_state);
  });
}

int PMPI_Comm_free_keyval(int* keyval) {
  return call("MPI_Comm_free_keyval", [&](Process& process) {
    need(keyval, "keyval");
    refuse_predefined(*keyval);
    free_key(process, *keyval, KeyOf::communicator);
    *keyval = MPI_KEYVAL_INVALID;
  });
}

int PMPI_Keyval_free(int* keyval) {
  return PMPI_Comm_free_keyval(keyval);
}

int PMPI_Comm_set_attr(MPI_Comm comm, int keyval, void* value) {
  return call("MPI_Comm_set_attr", on_comm(comm), [&](Process& process) {
    refuse_predefined(keyval);
    communicator(process, comm)
        .attributes.set(comm, key(process, keyval, KeyOf::communicator), value);
  });
}

int PMPI_Attr_put(MPI_Comm comm, int keyval, void* value) {
  return PMPI_Comm_set_attr(comm, keyval, value);
}

int PMPI_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag) {
  return call("MPI_Comm_get_attr", on_comm(comm),
              [&](Process& process) { get_attribute(process, comm, keyval, value, flag); });
}

int PMPI_Attr_get(MPI_Comm comm, int keyval, void* value, int* flag) {
  return PMPI_Comm_get_attr(comm, keyval, value, flag);
}

int PMPI_Comm_delete_attr(MPI_Comm comm, int keyval) {
  return call("MPI_Comm_delete_attr", on_comm(comm), [&](Process& process) {
    refuse_predefined(keyval);
    communicator(process, comm).attributes.remove(comm, key(process, keyval, KeyOf::communicator));
  });
}

int PMPI_Attr_delete(MPI_Comm comm, int keyval) {
  return PMPI_Comm_delete_attr(comm, keyval);
}

}  // extern "C"
