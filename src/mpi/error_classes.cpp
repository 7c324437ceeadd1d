#include "mpi/error_classes.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::mpi {
namespace {

using Entry = std::pair<int, std::string_view>;
constexpr auto kTexts = std::to_array<Entry>({
    {MPI_SUCCESS, "MPI_SUCCESS: no error"},
    {MPI_ERR_BUFFER, "MPI_ERR_BUFFER: invalid buffer"},
    {MPI_ERR_COUNT, "MPI_ERR_COUNT: invalid count"},
    {MPI_ERR_TYPE, "MPI_ERR_TYPE: invalid datatype"},
    {MPI_ERR_TAG, "MPI_ERR_TAG: invalid tag"},
    {MPI_ERR_COMM, "MPI_ERR_COMM: invalid communicator"},
    {MPI_ERR_RANK, "MPI_ERR_RANK: invalid rank"},
    {MPI_ERR_ROOT, "MPI_ERR_ROOT: invalid root"},
    {MPI_ERR_GROUP, "MPI_ERR_GROUP: invalid group"},
    {MPI_ERR_OP, "MPI_ERR_OP: invalid operation"},
    {MPI_ERR_TOPOLOGY, "MPI_ERR_TOPOLOGY: invalid topology"},
    {MPI_ERR_DIMS, "MPI_ERR_DIMS: invalid dimensions"},
    {MPI_ERR_ARG, "MPI_ERR_ARG: invalid argument"},
    {MPI_ERR_UNKNOWN, "MPI_ERR_UNKNOWN: unknown error"},
    {MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE: message longer than its buffer"},
    {MPI_ERR_OTHER, "MPI_ERR_OTHER: other error"},
    {MPI_ERR_INTERN, "MPI_ERR_INTERN: internal error"},
    {MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS: see the statuses"},
    {MPI_ERR_PENDING, "MPI_ERR_PENDING: operation under way"},
    {MPI_ERR_REQUEST, "MPI_ERR_REQUEST: invalid request"},
    {MPI_ERR_ACCESS, "MPI_ERR_ACCESS: permission denied"},
    {MPI_ERR_AMODE, "MPI_ERR_AMODE: invalid mode of access"},
    {MPI_ERR_BAD_FILE, "MPI_ERR_BAD_FILE: invalid file name"},
    {MPI_ERR_CONVERSION, "MPI_ERR_CONVERSION: conversion failed"},
    {MPI_ERR_DUP_DATAREP, "MPI_ERR_DUP_DATAREP: representation defined already"},
    {MPI_ERR_FILE_EXISTS, "MPI_ERR_FILE_EXISTS: file exists"},
    {MPI_ERR_FILE_IN_USE, "MPI_ERR_FILE_IN_USE: file in use"},
    {MPI_ERR_FILE, "MPI_ERR_FILE: invalid file"},
    {MPI_ERR_IO, "MPI_ERR_IO: input or output failed"},
    {MPI_ERR_NO_SPACE, "MPI_ERR_NO_SPACE: no space left"},
    {MPI_ERR_NO_SUCH_FILE, "MPI_ERR_NO_SUCH_FILE: no such file"},
    {MPI_ERR_READ_ONLY, "MPI_ERR_READ_ONLY: read only"},
    {MPI_ERR_UNSUPPORTED_DATAREP, "MPI_ERR_UNSUPPORTED_DATAREP: unknown representation"},
    {MPI_ERR_INFO, "MPI_ERR_INFO: invalid info object"},
    {MPI_ERR_INFO_KEY, "MPI_ERR_INFO_KEY: key too long"},
    {MPI_ERR_INFO_VALUE, "MPI_ERR_INFO_VALUE: value too long"},
    {MPI_ERR_INFO_NOKEY, "MPI_ERR_INFO_NOKEY: no such key"},
    {MPI_ERR_NAME, "MPI_ERR_NAME: no such service name"},
    {MPI_ERR_NO_MEM, "MPI_ERR_NO_MEM: not enough memory"},
    {MPI_ERR_NOT_SAME, "MPI_ERR_NOT_SAME: arguments differ between ranks"},
    {MPI_ERR_PORT, "MPI_ERR_PORT: invalid port"},
    {MPI_ERR_QUOTA, "MPI_ERR_QUOTA: quota exceeded"},
    {MPI_ERR_SERVICE, "MPI_ERR_SERVICE: invalid service name"},
    {MPI_ERR_SPAWN, "MPI_ERR_SPAWN: processes not started"},
    {MPI_ERR_UNSUPPORTED_OPERATION, "MPI_ERR_UNSUPPORTED_OPERATION: unsupported operation"},
    {MPI_ERR_WIN, "MPI_ERR_WIN: invalid window"},
    {MPI_ERR_BASE, "MPI_ERR_BASE: invalid base"},
    {MPI_ERR_LOCKTYPE, "MPI_ERR_LOCKTYPE: invalid type of lock"},
    {MPI_ERR_KEYVAL, "MPI_ERR_KEYVAL: invalid key"},
    {MPI_ERR_RMA_CONFLICT, "MPI_ERR_RMA_CONFLICT: conflicting accesses"},
    {MPI_ERR_RMA_SYNC, "MPI_ERR_RMA_SYNC: wrong synchronisation"},
    {MPI_ERR_SIZE, "MPI_ERR_SIZE: invalid size"},
    {MPI_ERR_DISP, "MPI_ERR_DISP: invalid displacement"},
    {MPI_ERR_ASSERT, "MPI_ERR_ASSERT: invalid assertion"},
    {MPI_ERR_RMA_RANGE, "MPI_ERR_RMA_RANGE: outside of the window"},
    {MPI_ERR_RMA_ATTACH, "MPI_ERR_RMA_ATTACH: memory not attached"},
    {MPI_ERR_RMA_SHARED, "MPI_ERR_RMA_SHARED: memory cannot be shared"},
    {MPI_ERR_RMA_FLAVOR, "MPI_ERR_RMA_FLAVOR: wrong kind of window"},
});

}  // namespace

std::string_view error_text(int error_class) {
  const auto* found = std::ranges::find(kTexts, error_class, &Entry::first);
  return found == kTexts.end() ? "unknown error" : found->second;
}

}  // namespace heddle::mpi
