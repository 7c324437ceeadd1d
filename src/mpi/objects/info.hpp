// Info objects: keys and values, in the order in which keys were first set.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::mpi {

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

/// What mpi_minimum_memory_alignment says: a power of two up to 2^40, or 0 if nothing of the kind.
std::size_t wanted_alignment(const InfoRef& info);
/// Memory for free(), aligned to a power of two; null if there is none.
void* aligned_memory(std::size_t alignment, std::size_t size);

}  // namespace heddle::mpi
