// What a program did wrong without being stopped: --check.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/p2p/message.hpp"

namespace heddle::mpi {

class World;

/// Looks at messages while they meet, and at what is left at the end.
class Check {
 public:
  /// "rank 3: ...".
  void report(std::uint32_t rank, const std::string& finding);
  /// A message has met a receive with this datatype.
  void met(const Message& message, const Buffer& buffer, std::uint32_t receiver);
  /// What was found, and what is left in a run that has ended, by rank.
  std::vector<std::string> findings(World& world) const;

 private:
  std::vector<std::pair<std::uint32_t, std::string>> found_;
};

/// Data without a type of its own, which matches any other.
bool is_untyped(const Datatype& type);
/// What a send's buffer holds, in one number.
std::uint64_t contents(const Process& process, const Buffer& buffer);

}  // namespace heddle::mpi
