// Whether the members of collective calls mean the same, and who has come how far.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "mpi/check/common_terms.hpp"
#include "mpi/check/findings.hpp"
#include "mpi/datatypes.hpp"

namespace heddle::mpi {

class Communicator;
class World;

/// One call of one member, as it begins.
struct CollectiveEntry {
  const Communicator& communicator;
  std::uint32_t number;
  std::uint32_t member;   ///< Among those of both groups.
  std::uint32_t members;  ///< Of both groups.
  const Op* op;
  const CommonTerms& common;
};

class CollectiveCheck {
 public:
  explicit CollectiveCheck(Findings& findings) : findings_(findings) {}
  void enters(const CollectiveEntry& entry);
  /// The program has seen the end of its call.
  void leaves(std::uint32_t rank, std::uint32_t communicator, std::uint32_t number);
  /// How many calls a rank has begun, and up to which it knows of ends.
  struct Progress {
    std::uint32_t begun = 0;
    std::uint32_t ended = 0;
  };
  Progress progress(std::uint32_t rank, std::uint32_t communicator) const;
  /// "MPI_Bcast (collective call 3 on MPI_COMM_WORLD)".
  std::string name(std::uint32_t communicator, std::uint32_t number) const;
  /// Calls that not all members have made, of a run that has ended.
  void look_at_open_calls(World& world);

 private:
  /// The terms of a call, as a rank has them.
  struct Terms {
    std::uint32_t rank = 0;
    int root = CommonTerms::kNoRoot;
    const char* operation = nullptr;  ///< Its name, or null if nothing is reduced.
  };
  /// What it gives or takes.
  struct Data {
    std::uint32_t rank = 0;
    Signature signature;
    std::int64_t bytes = 0;
    bool typed = false;
    bool known = false;
  };
  struct Call {
    std::string name;
    Terms terms;  ///< Of the first to come.
    Data data;    ///< Of the first to come with some.
    std::uint32_t entered = 0;
    std::vector<bool> present;  ///< Empty once all are.
  };
  struct OfCommunicator {
    std::string label;
    std::uint32_t begin = 0;  ///< The number of the first call of the list.
    std::deque<Call> calls;
  };
  static Terms terms_of(const CollectiveEntry& entry);
  static Data data_of(const CollectiveEntry& entry, const Buffer& buffer);
  void compare(const CollectiveEntry& entry, const Terms& first, const Terms& own);
  void compare(const CollectiveEntry& entry, const Data& first, const Data& own);
  void complain(const CollectiveEntry& entry, const std::string& what);
  Call& call_of(const CollectiveEntry& entry);

  Findings& findings_;
  std::map<std::uint32_t, OfCommunicator> communicators_;
  std::unordered_map<std::uint64_t, Progress> progress_;  ///< By rank and communicator.
};

}  // namespace heddle::mpi
