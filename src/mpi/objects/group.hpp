// Groups: ordered sets of processes.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace heddle::mpi {

class Group;
/// Shared by all that name it: communicators of many ranks, and handles.
using GroupRef = std::shared_ptr<const Group>;

/// An ordered set of processes, each known by its number in MPI_COMM_WORLD. Never changes. Those
/// that are a range of numbers, as that of MPI_COMM_WORLD is, take no space.
class Group {
 public:
  /// `size` processes from `first` on.
  static GroupRef range(std::uint32_t first, std::uint32_t size);
  static GroupRef of(std::vector<std::uint32_t> members);
  /// The first `size` members of a group, whose list it shares: every rank may ask for them.
  static GroupRef first_of(const GroupRef& group, int size);

  int size() const { return static_cast<int>(size_); }
  /// The process with a rank that there is.
  std::uint32_t process(int rank) const {
    const auto place = static_cast<std::uint32_t>(rank);
    return members_ == nullptr ? first_ + place : members_[place];
  }
  /// The rank of a process, or MPI_UNDEFINED.
  int rank(std::uint32_t process) const;
  /// A number that differs, most likely, between groups. Worked out once.
  std::uint64_t fingerprint() const;

 private:
  struct List {
    std::vector<std::uint32_t> members;
    std::unordered_map<std::uint32_t, int> ranks;
    std::uint32_t in_a_row = 0;  ///< So many members, from the first on, are a range.
  };
  Group(std::uint32_t first, std::uint32_t size) : first_(first), size_(size) {}
  Group(std::shared_ptr<const List> list, std::uint32_t size);
  std::uint32_t first_ = 0;
  std::uint32_t size_;
  std::shared_ptr<const List> list_;        ///< Null for a range.
  const std::uint32_t* members_ = nullptr;  ///< Of the list.
  mutable std::uint64_t fingerprint_ = 0;   ///< Zero: not known yet.
};

/// MPI_IDENT, MPI_SIMILAR (another order) or MPI_UNEQUAL.
int compare(const Group& a, const Group& b);

}  // namespace heddle::mpi
