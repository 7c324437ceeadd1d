// Info objects: keys and values, in the order in which keys were first set.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::mpi {

class Process;

class Info {
 public:
  void set(std::string_view key, std::string_view value);
  /// False if there is no such key.
  bool remove(std::string_view key);
  /// Null if there is no such key.
  const std::string* find(std::string_view key) const;
  const std::vector<std::pair<std::string, std::string>>& entries() const { return entries_; }

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};
/// An info object that others refer to never changes.
using InfoRef = std::shared_ptr<const Info>;

/// The info object of a handle, MPI_INFO_ENV included, null for MPI_INFO_NULL; throws MPI_ERR_INFO.
std::shared_ptr<Info> info(Process& process, int handle);
/// A copy of what a handle says now, or null for MPI_INFO_NULL.
InfoRef info_copy(Process& process, int handle);
/// What mpi_minimum_memory_alignment says: a power of two up to 2^40, or 0 if nothing of the kind.
std::size_t wanted_alignment(const InfoRef& info);
/// Memory for free(), aligned to a power of two; null if there is none.
void* aligned_memory(std::size_t alignment, std::size_t size);
/// A handle of a new info object.
int new_info(Process& process, Info info);

}  // namespace heddle::mpi
