#include "communicators.hpp"

#include <numeric>

namespace heddle_trace {
namespace {

int forget(MPI_Comm, int, void* info, void*) {
  delete static_cast<CommInfo*>(info);
  return MPI_SUCCESS;
}

CommInfo describe(MPI_Comm comm) {
  CommInfo info;
  int between_groups = 0;
  PMPI_Comm_rank(comm, &info.rank);
  PMPI_Comm_test_inter(comm, &between_groups);
  info.between_groups = between_groups != 0;
  if (between_groups) {
    PMPI_Comm_remote_size(comm, &info.size);
  } else {
    PMPI_Comm_size(comm, &info.size);
  }
  return info;
}

/// Ranks in `world` of the members of `comm`, in their order.
std::vector<int> members(MPI_Comm comm, int size, MPI_Group world) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  std::vector<int> own(static_cast<std::size_t>(size));
  std::vector<int> global(own.size());
  std::iota(own.begin(), own.end(), 0);
  PMPI_Group_translate_ranks(group, size, own.data(), world, global.data());
  PMPI_Group_free(&group);
  return global;
}

}  // namespace

void Communicators::open() {
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key_, nullptr);
  PMPI_Comm_group(MPI_COMM_WORLD, &world_);
  PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank_);
  name(MPI_COMM_WORLD, kWorldId);
  name(MPI_COMM_SELF, kSelfId);
}

void Communicators::name(MPI_Comm comm, std::uint64_t id) {
  auto* info = new CommInfo(describe(comm));
  info->id = id;
  PMPI_Comm_set_attr(comm, key_, info);
}

CommInfo Communicators::find(MPI_Comm comm) const {
  if (comm == MPI_COMM_NULL) return {};
  CommInfo* info = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(comm, key_, &info, &found);
  return found ? *info : describe(comm);
}

void Communicators::adopt(MPI_Comm comm, Bytes& out) {
  if (comm == MPI_COMM_NULL) return out.number(0);
  const CommInfo info = describe(comm);
  if (info.between_groups) return out.number(1);
  std::uint64_t id = 0;
  if (info.rank == 0) id = (static_cast<std::uint64_t>(world_rank_) + 1) << 32 | made_++;
  PMPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, comm);
  name(comm, id);
  out.number(2);
  out.number(id);
  out.number(static_cast<std::uint64_t>(info.rank));
  out.number(static_cast<std::uint64_t>(info.size));
  if (info.rank != 0) return;
  for (const int member : members(comm, info.size, world_)) out.signed_number(member);
}

}  // namespace heddle_trace
