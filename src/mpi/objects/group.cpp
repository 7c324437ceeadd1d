#include "mpi/objects/group.hpp"

#include <mpi.h>

#include <utility>

namespace heddle::mpi {

Group::Group(std::shared_ptr<const List> list, std::uint32_t size)
    : size_(size), list_(std::move(list)), members_(list_->members.data()) {}

GroupRef Group::range(std::uint32_t first, std::uint32_t size) {
  return GroupRef(new Group(first, size));
}

GroupRef Group::of(std::vector<std::uint32_t> members) {
  const auto size = static_cast<std::uint32_t>(members.size());
  std::uint32_t in_a_row = size == 0 ? 0 : 1;
  while (in_a_row < size && members[in_a_row] == members[in_a_row - 1] + 1) ++in_a_row;
  if (in_a_row == size) return range(members.empty() ? 0 : members.front(), size);
  auto list = std::make_shared<List>();
  list->ranks.reserve(size);
  for (std::uint32_t i = 0; i < size; ++i) list->ranks.emplace(members[i], static_cast<int>(i));
  list->members = std::move(members);
  list->in_a_row = in_a_row;
  return GroupRef(new Group(std::move(list), size));
}

GroupRef Group::first_of(const GroupRef& group, int size) {
  const auto members = static_cast<std::uint32_t>(size);
  if (members == group->size_) return group;
  if (!group->list_) return range(group->first_, members);
  if (members <= group->list_->in_a_row) return range(group->process(0), members);
  return GroupRef(new Group(group->list_, members));
}

int Group::rank(std::uint32_t process) const {
  if (members_ == nullptr) {
    const std::uint32_t place = process - first_;
    return place < size_ ? static_cast<int>(place) : MPI_UNDEFINED;
  }
  const auto found = list_->ranks.find(process);
  return found != list_->ranks.end() && found->second < size() ? found->second : MPI_UNDEFINED;
}

std::uint64_t Group::fingerprint() const {
  if (fingerprint_ != 0) return fingerprint_;
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
  // A range has no list, so that two numbers tell all of it.
  std::uint64_t hash = (std::uint64_t{size_} << 32 | first_) * kOdd;
  for (std::uint32_t i = 0; members_ != nullptr && i < size_; ++i) {
    // Neither a short group's number nor a small member's may undo what came before.
    hash = (hash ^ (hash >> 31)) * kOdd + members_[i] + 1;
    hash ^= hash >> 29;
  }
  fingerprint_ = hash * kOdd | 1;
  return fingerprint_;
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
