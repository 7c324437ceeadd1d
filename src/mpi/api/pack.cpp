// Calls that pack and unpack.
#include <cstring>
#include <string>

#include "coll/datatype/external32.hpp"
#include "mpi/api/call.hpp"
#include "mpi/api/large.hpp"
#include "mpi/comm/communicator.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/datatypes.hpp"

namespace heddle::mpi::pack_calls {
namespace {

/// Refuses a step of `bytes` from `position` that does not fit into `size`.
void check_room(const char* argument, std::int64_t size, std::int64_t position,
                std::int64_t bytes) {
  if (position < 0) {
    bad_argument(MPI_ERR_ARG, "position", std::to_string(position) + ": accepted are 0 and more");
  }
  if (size < 0) {
    bad_argument(MPI_ERR_ARG, argument, std::to_string(size) + ": accepted are 0 and more");
  }
  if (bytes > size - position) {
    bad_argument(MPI_ERR_TRUNCATE, argument,
                 std::to_string(size) + " bytes: it has no room for " + std::to_string(bytes) +
                     " from " + std::to_string(position) + " on");
  }
}
std::byte* at(const void* buffer, std::int64_t position) {
  return static_cast<std::byte*>(const_cast<void*>(buffer)) + position;
}

template <class Count>
int pack_call(const char* name, const void* from, Count count, MPI_Datatype type, void* to,
              Count size, Count* position, MPI_Comm comm) {
  return call(name, on_comm(comm), [&](Process& process) {
    need(position, "position");
    communicator(process, comm);
    const Buffer data = buffer(process, from, count, type, "inbuf");
    check_room("outsize", size, *position, bytes(data));
    pack(process.memory(), data, at(to, *position));
    *position += static_cast<Count>(bytes(data));
  });
}

template <class Count>
int unpack_call(const char* name, const void* from, Count size, Count* position, void* to,
                Count count, MPI_Datatype type, MPI_Comm comm) {
  return call(name, on_comm(comm), [&](Process& process) {
    need(position, "position");
    communicator(process, comm);
    const Buffer data = buffer(process, to, count, type, "outbuf");
    check_room("insize", size, *position, bytes(data));
    unpack(process.memory(), data, at(from, *position), bytes(data));
    *position += static_cast<Count>(bytes(data));
  });
}

template <class Count>
int pack_size(const char* name, Count count, MPI_Datatype type, MPI_Comm comm, Count* size) {
  return call(name, on_comm(comm), [&](Process& process) {
    need(size, "size");
    communicator(process, comm);
    if (count < 0) {
      bad_argument(MPI_ERR_COUNT, "incount", std::to_string(count) + ": accepted are 0 and more");
    }
    *size =
        narrowed<Count>(checked_size(Wide{count} * datatype(process, type).size(), MPI_ERR_COUNT));
  });
}

void check_representation(const char* name) {
  if (std::strcmp(name, "external32") != 0) {
    bad_argument(MPI_ERR_ARG, "datarep", std::string(name) + ": accepted is external32");
  }
}

template <class Count, class Size>
int pack_external(const char* name, const char* representation, const void* from, Count count,
                  MPI_Datatype type, void* to, Size size, Size* position) {
  return call(name, [&](Process& process) {
    need(position, "position");
    check_representation(representation);
    const Buffer data = buffer(process, from, count, type, "inbuf");
    const std::int64_t external =
        checked_size(Wide{count} * external_size(*data.type), MPI_ERR_COUNT);
    check_room("outsize", size, *position, external);
    std::vector<std::byte> packed(static_cast<std::size_t>(bytes(data)));
    pack(process.memory(), data, packed.data());
    encode_external(*data.type, count, packed.data(), at(to, *position));
    *position += external;
  });
}

template <class Count, class Size>
int unpack_external(const char* name, const char* representation, const void* from, Size size,
                    Size* position, void* to, Count count, MPI_Datatype type) {
  return call(name, [&](Process& process) {
    need(position, "position");
    check_representation(representation);
    const Buffer data = buffer(process, to, count, type, "outbuf");
    const std::int64_t external =
        checked_size(Wide{count} * external_size(*data.type), MPI_ERR_COUNT);
    check_room("insize", size, *position, external);
    std::vector<std::byte> packed(static_cast<std::size_t>(bytes(data)));
    decode_external(*data.type, count, at(from, *position), packed.data());
    unpack(process.memory(), data, packed.data(), bytes(data));
    *position += external;
  });
}

template <class Count, class Size>
int pack_external_size(const char* name, const char* representation, Count count, MPI_Datatype type,
                       Size* size) {
  return call(name, [&](Process& process) {
    need(size, "size");
    check_representation(representation);
    if (count < 0) {
      bad_argument(MPI_ERR_COUNT, "incount", std::to_string(count) + ": accepted are 0 and more");
    }
    *size = checked_size(Wide{count} * external_size(datatype(process, type)), MPI_ERR_COUNT);
  });
}

}  // namespace
}  // namespace heddle::mpi::pack_calls

namespace mpi = heddle::mpi;

extern "C" {

int PMPI_Pack(const void* inbuf, int incount, MPI_Datatype type, void* outbuf, int outsize,
              int* position, MPI_Comm comm) {
  return mpi::pack_calls::pack_call("MPI_Pack", inbuf, incount, type, outbuf, outsize, position,
                                    comm);
}
int PMPI_Pack_c(const void* inbuf, MPI_Count incount, MPI_Datatype type, void* outbuf,
                MPI_Count outsize, MPI_Count* position, MPI_Comm comm) {
  return mpi::pack_calls::pack_call("MPI_Pack_c", inbuf, incount, type, outbuf, outsize, position,
                                    comm);
}
int PMPI_Unpack(const void* inbuf, int insize, int* position, void* outbuf, int outcount,
                MPI_Datatype type, MPI_Comm comm) {
  return mpi::pack_calls::unpack_call("MPI_Unpack", inbuf, insize, position, outbuf, outcount, type,
                                      comm);
}
int PMPI_Unpack_c(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf,
                  MPI_Count outcount, MPI_Datatype type, MPI_Comm comm) {
  return mpi::pack_calls::unpack_call("MPI_Unpack_c", inbuf, insize, position, outbuf, outcount,
                                      type, comm);
}
int PMPI_Pack_size(int incount, MPI_Datatype type, MPI_Comm comm, int* size) {
  return mpi::pack_calls::pack_size("MPI_Pack_size", incount, type, comm, size);
}
int PMPI_Pack_size_c(MPI_Count incount, MPI_Datatype type, MPI_Comm comm, MPI_Count* size) {
  return mpi::pack_calls::pack_size("MPI_Pack_size_c", incount, type, comm, size);
}

int PMPI_Pack_external(const char* datarep, const void* inbuf, int incount, MPI_Datatype type,
                       void* outbuf, MPI_Aint outsize, MPI_Aint* position) {
  return mpi::pack_calls::pack_external("MPI_Pack_external", datarep, inbuf, incount, type, outbuf,
                                        outsize, position);
}
int PMPI_Pack_external_c(const char* datarep, const void* inbuf, MPI_Count incount,
                         MPI_Datatype type, void* outbuf, MPI_Count outsize, MPI_Count* position) {
  return mpi::pack_calls::pack_external("MPI_Pack_external_c", datarep, inbuf, incount, type,
                                        outbuf, outsize, position);
}
int PMPI_Unpack_external(const char* datarep, const void* inbuf, MPI_Aint insize,
                         MPI_Aint* position, void* outbuf, int outcount, MPI_Datatype type) {
  return mpi::pack_calls::unpack_external("MPI_Unpack_external", datarep, inbuf, insize, position,
                                          outbuf, outcount, type);
}
int PMPI_Unpack_external_c(const char* datarep, const void* inbuf, MPI_Count insize,
                           MPI_Count* position, void* outbuf, MPI_Count outcount,
                           MPI_Datatype type) {
  return mpi::pack_calls::unpack_external("MPI_Unpack_external_c", datarep, inbuf, insize, position,
                                          outbuf, outcount, type);
}
int PMPI_Pack_external_size(const char* datarep, int incount, MPI_Datatype type, MPI_Aint* size) {
  return mpi::pack_calls::pack_external_size("MPI_Pack_external_size", datarep, incount, type,
                                             size);
}
int PMPI_Pack_external_size_c(const char* datarep, MPI_Count incount, MPI_Datatype type,
                              MPI_Count* size) {
  return mpi::pack_calls::pack_external_size("MPI_Pack_external_size_c", datarep, incount, type,
                                             size);
}

}  // extern "C"
