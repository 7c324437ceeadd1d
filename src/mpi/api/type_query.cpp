// Calls that ask datatypes what they are, and those that keep and free them.
#include <cstring>
#include <string>

#include "coll/datatype/construct.hpp"
#include "mpi/api/call.hpp"
#include "mpi/api/large.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/datatypes.hpp"

namespace heddle::mpi::type_query {
namespace {

template <class Count>
int size(const char* name, MPI_Datatype handle, Count* size) {
  return call(name, [&](Process& process) {
    need(size, "size");
    *size = narrowed<Count>(datatype(process, handle).size());
  });
}

template <class Count>
int extent(const char* name, MPI_Datatype handle, Count* lower, Count* extent) {
  return call(name, [&](Process& process) {
    need(lower, "lb");
    need(extent, "extent");
    const Datatype& type = datatype(process, handle);
    *lower = type.bounds().lower;
    *extent = type.extent();
  });
}

template <class Count>
int true_extent(const char* name, MPI_Datatype handle, Count* lower, Count* extent) {
  return call(name, [&](Process& process) {
    need(lower, "lb");
    need(extent, "extent");
    const Datatype& type = datatype(process, handle);
    *lower = type.true_bounds().lower;
    *extent = type.true_bounds().extent();
  });
}

/// Copies what fits of what a datatype was made from, or throws.
template <class To, class From>
void hand_out(const std::vector<From>& from, std::int64_t room, To* to, const char* argument) {
  if (std::ssize(from) > room) {
    bad_argument(
        MPI_ERR_ARG, argument,
        std::to_string(room) + ": accepted are " + std::to_string(from.size()) + " and more");
  }
  std::copy(from.begin(), from.end(), to);
}
void hand_out_types(Process& process, const Contents& contents, std::int64_t room,
                    MPI_Datatype* to) {
  hand_out(std::vector<int>(contents.types.size()), room, to, "max_datatypes");
  for (std::size_t i = 0; i < contents.types.size(); ++i) {
    const Datatype& type = *contents.types[i];
    if (!type.is_predefined()) process.part<TypeTable>().hold(type);
    to[i] = type.handle();
  }
}
const Contents& contents_of(const Datatype& type) {
  if (type.contents().combiner == MPI_COMBINER_NAMED) {
    bad_argument(MPI_ERR_TYPE, "datatype",
                 std::string(type.predefined_name()) + " is predefined and has no contents");
  }
  return type.contents();
}
void refuse_large(const Contents& contents) {
  if (contents.counts.empty()) return;
  throw Error{MPI_ERR_TYPE, "argument datatype: was made with large counts: call the form _c"};
}

const char* default_name(const Datatype& type) {
  return type.is_predefined() ? type.predefined_name() : "";
}

}  // namespace
}  // namespace heddle::mpi::type_query

namespace mpi = heddle::mpi;

extern "C" {

int PMPI_Type_commit(MPI_Datatype* type) {
  return mpi::call("MPI_Type_commit", [&](mpi::Process& process) {
    mpi::need(type, "type");
    const mpi::Datatype& found = mpi::datatype(process, *type);
    if (!found.is_predefined()) process.part<mpi::TypeTable>().commit(found);
  });
}

int PMPI_Type_free(MPI_Datatype* type) {
  return mpi::call("MPI_Type_free", [&](mpi::Process& process) {
    mpi::need(type, "type");
    const mpi::Datatype& found = mpi::datatype(process, *type);
    auto& table = process.part<mpi::TypeTable>();
    if (found.is_predefined() || table.is_f90(found)) {
      mpi::bad_argument(MPI_ERR_TYPE, "datatype", "is predefined and cannot be freed");
    }
    mpi::Attributes* attributes = table.find_attributes(*type);
    if (attributes != nullptr && table.held(found) == 1) attributes->clear(*type);
    if (!table.free(found)) {
      mpi::bad_argument(MPI_ERR_TYPE, "datatype", "has been freed already");
    }
    *type = MPI_DATATYPE_NULL;
  });
}

int PMPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_dup", [&](mpi::Process& process) {
    mpi::need(newtype, "newtype");
    const mpi::Datatype& old = mpi::datatype(process, oldtype, "oldtype");
    auto& table = process.part<mpi::TypeTable>();
    const mpi::DatatypeRef made = heddle::coll::make_duplicate(old);
    *newtype = table.add(made);
    if (table.committed(old)) table.commit(*made);
    const mpi::Attributes* attributes = table.find_attributes(oldtype);
    if (attributes != nullptr) attributes->copy_to(table.attributes(*newtype), oldtype);
  });
}

int PMPI_Type_get_envelope(MPI_Datatype type, int* num_integers, int* num_addresses,
                           int* num_datatypes, int* combiner) {
  return mpi::call("MPI_Type_get_envelope", [&](mpi::Process& process) {
    mpi::need(num_integers, "num_integers");
    mpi::need(num_addresses, "num_addresses");
    mpi::need(num_datatypes, "num_datatypes");
    mpi::need(combiner, "combiner");
    const mpi::Contents& contents = mpi::datatype(process, type).contents();
    mpi::type_query::refuse_large(contents);
    *num_integers = static_cast<int>(contents.integers.size());
    *num_addresses = static_cast<int>(contents.addresses.size());
    *num_datatypes = static_cast<int>(contents.types.size());
    *combiner = contents.combiner;
  });
}
int PMPI_Type_get_envelope_c(MPI_Datatype type, MPI_Count* num_integers, MPI_Count* num_addresses,
                             MPI_Count* num_large_counts, MPI_Count* num_datatypes, int* combiner) {
  return mpi::call("MPI_Type_get_envelope_c", [&](mpi::Process& process) {
    mpi::need(num_integers, "num_integers");
    mpi::need(num_addresses, "num_addresses");
    mpi::need(num_large_counts, "num_large_counts");
    mpi::need(num_datatypes, "num_datatypes");
    mpi::need(combiner, "combiner");
    const mpi::Contents& contents = mpi::datatype(process, type).contents();
    *num_integers = std::ssize(contents.integers);
    *num_addresses = std::ssize(contents.addresses);
    *num_large_counts = std::ssize(contents.counts);
    *num_datatypes = std::ssize(contents.types);
    *combiner = contents.combiner;
  });
}

int PMPI_Type_get_contents(MPI_Datatype type, int max_integers, int max_addresses,
                           int max_datatypes, int array_of_integers[],
                           MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[]) {
  return mpi::call("MPI_Type_get_contents", [&](mpi::Process& process) {
    const mpi::Contents& contents = mpi::type_query::contents_of(mpi::datatype(process, type));
    mpi::type_query::refuse_large(contents);
    mpi::type_query::hand_out(contents.integers, max_integers, array_of_integers, "max_integers");
    mpi::type_query::hand_out(contents.addresses, max_addresses, array_of_addresses,
                              "max_addresses");
    mpi::type_query::hand_out_types(process, contents, max_datatypes, array_of_datatypes);
  });
}
int PMPI_Type_get_contents_c(MPI_Datatype type, MPI_Count max_integers, MPI_Count max_addresses,
                             MPI_Count max_large_counts, MPI_Count max_datatypes,
                             int array_of_integers[], MPI_Aint array_of_addresses[],
                             MPI_Count array_of_large_counts[], MPI_Datatype array_of_datatypes[]) {
  return mpi::call("MPI_Type_get_contents_c", [&](mpi::Process& process) {
    const mpi::Contents& contents = mpi::type_query::contents_of(mpi::datatype(process, type));
    mpi::type_query::hand_out(contents.integers, max_integers, array_of_integers, "max_integers");
    mpi::type_query::hand_out(contents.addresses, max_addresses, array_of_addresses,
                              "max_addresses");
    mpi::type_query::hand_out(contents.counts, max_large_counts, array_of_large_counts,
                              "max_large_counts");
    mpi::type_query::hand_out_types(process, contents, max_datatypes, array_of_datatypes);
  });
}

int PMPI_Type_size(MPI_Datatype type, int* size) {
  return mpi::type_query::size("MPI_Type_size", type, size);
}
int PMPI_Type_size_c(MPI_Datatype type, MPI_Count* size) {
  return mpi::type_query::size("MPI_Type_size_c", type, size);
}
int PMPI_Type_size_x(MPI_Datatype type, MPI_Count* size) {
  return mpi::type_query::size("MPI_Type_size_x", type, size);
}

int PMPI_Type_get_extent(MPI_Datatype type, MPI_Aint* lb, MPI_Aint* extent) {
  return mpi::type_query::extent("MPI_Type_get_extent", type, lb, extent);
}
int PMPI_Type_get_extent_c(MPI_Datatype type, MPI_Count* lb, MPI_Count* extent) {
  return mpi::type_query::extent("MPI_Type_get_extent_c", type, lb, extent);
}
int PMPI_Type_get_extent_x(MPI_Datatype type, MPI_Count* lb, MPI_Count* extent) {
  return mpi::type_query::extent("MPI_Type_get_extent_x", type, lb, extent);
}
int PMPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* lb, MPI_Aint* extent) {
  return mpi::type_query::true_extent("MPI_Type_get_true_extent", type, lb, extent);
}
int PMPI_Type_get_true_extent_c(MPI_Datatype type, MPI_Count* lb, MPI_Count* extent) {
  return mpi::type_query::true_extent("MPI_Type_get_true_extent_c", type, lb, extent);
}
int PMPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count* lb, MPI_Count* extent) {
  return mpi::type_query::true_extent("MPI_Type_get_true_extent_x", type, lb, extent);
}
int PMPI_Type_extent(MPI_Datatype type, MPI_Aint* extent) {
  MPI_Aint lower = 0;
  return mpi::type_query::extent("MPI_Type_extent", type, &lower, extent);
}
int PMPI_Type_lb(MPI_Datatype type, MPI_Aint* displacement) {
  MPI_Aint extent = 0;
  return mpi::type_query::extent("MPI_Type_lb", type, displacement, &extent);
}
int PMPI_Type_ub(MPI_Datatype type, MPI_Aint* displacement) {
  return mpi::call("MPI_Type_ub", [&](mpi::Process& process) {
    mpi::need(displacement, "displacement");
    *displacement = mpi::datatype(process, type).bounds().upper;
  });
}

int PMPI_Type_get_name(MPI_Datatype type, char* type_name, int* resultlen) {
  return mpi::call("MPI_Type_get_name", [&](mpi::Process& process) {
    mpi::need(resultlen, "resultlen");
    const mpi::Datatype& found = mpi::datatype(process, type);
    const std::string* given = process.part<mpi::TypeTable>().name(type);
    const std::string name = given == nullptr ? mpi::type_query::default_name(found) : *given;
    std::memcpy(type_name, name.c_str(), name.size() + 1);
    *resultlen = static_cast<int>(name.size());
  });
}
int PMPI_Type_set_name(MPI_Datatype type, const char* type_name) {
  return mpi::call("MPI_Type_set_name", [&](mpi::Process& process) {
    mpi::datatype(process, type);
    process.part<mpi::TypeTable>().set_name(
        type, std::string(type_name, strnlen(type_name, MPI_MAX_OBJECT_NAME - 1)));
  });
}

int PMPI_Get_address(const void* location, MPI_Aint* address) {
  return mpi::call("MPI_Get_address", [&](mpi::Process& /*process*/) {
    mpi::need(address, "address");
    *address = reinterpret_cast<MPI_Aint>(location);
  });
}
int PMPI_Address(void* location, MPI_Aint* address) {
  return PMPI_Get_address(location, address);
}
MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint disp) {
  return base + disp;
}
MPI_Aint PMPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) {
  return addr1 - addr2;
}

}  // extern "C"
