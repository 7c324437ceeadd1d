#include "mpi/comm/group.hpp"

#include <mpi.h>

namespace heddle::mpi {

Group::Group(std::uint32_t first, std::uint32_t size, std::vector<std::uint32_t> members)
    : first_(first), size_(size), members_(std::move(members)) {
  ranks_.reserve(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i)
    ranks_.emplace(members_[i], static_cast<int>(i));
}

GroupRef Group::range(std::uint32_t first, std::uint32_t size) {
  return GroupRef(new Group(first, size, {}));
}

GroupRef Group::of(std::vector<std::uint32_t> members) {
  bool in_a_row = true;
  for (std::size_t i = 1; i < members.size(); ++i) in_a_row &= members[i] == members[i - 1] + 1;
  const auto size = static_cast<std::uint32_t>(members.size());
  if (in_a_row) return range(members.empty() ? 0 : members.front(), size);
  return GroupRef(new Group(0, size, std::move(members)));
}

int Group::rank(std::uint32_t process) const {
  if (members_.empty()) {
    const std::uint32_t place = process - first_;
    return place < size_ ? static_cast<int>(place) : MPI_UNDEFINED;
  }
  const auto found = ranks_.find(process);
  return found == ranks_.end() ? MPI_UNDEFINED : found->second;
}

int compare(const Group& a, const Group& b) {
  if (a.size() != b.size()) return MPI_UNEQUAL;
  int result = MPI_IDENT;
  for (int i = 0; i < a.size(); ++i) {
    const int rank = b.rank(a.process(i));
    if (rank == MPI_UNDEFINED) return MPI_UNEQUAL;
    if (rank != i) result = MPI_SIMILAR;
  }
  return result;
}

}  // namespace heddle::mpi
