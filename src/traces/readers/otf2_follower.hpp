// Which message came when, where an OTF2 archive does not tell what receives have got.
//
// All ranks are followed together from call to call, as MPI lets them go on: a message is there
// once it was sent, a wait ends when there are as many messages as it waits for. So a rank never
// gets what could not have been sent yet, however far apart the clocks of the ranks are.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "traces/readers/otf2_calls.hpp"

namespace heddle::traces {

/// A message to a rank, as its receiver sees it.
struct Otf2Arrival {
  std::int64_t sent = 0;
  std::uint64_t comm = 0;  ///< Its handle.
  std::int32_t source = 0;
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;
  std::uint32_t from = 0;  ///< Who sent it,
  std::size_t call = 0;    ///< by which call.

  using Key = std::tuple<std::uint64_t, std::int32_t, std::int32_t, std::uint64_t>;
  Key key() const { return {comm, source, tag, bytes}; }
};

class Otf2Follower {
 public:
  using WorldRank = std::function<std::size_t(const CommName&, std::int32_t, std::size_t)>;

  /// By receiver, `arrivals` are those that the receives without a message have got; `world_rank`
  /// tells who a member of a communicator is, seen from a rank.
  Otf2Follower(const std::vector<Otf2Rank>& ranks,
               const std::vector<std::vector<Otf2Arrival>>& arrivals, WorldRank world_rank);

  /// What each rank's receives got, by their calls: the numbers of its arrivals. Receives that
  /// nothing waits for, or whose ranks do not get so far, are not among them.
  std::vector<std::map<std::size_t, std::size_t>> run();

 private:
  struct Rank {
    std::size_t next = 0;    ///< The call that comes.
    bool half_done = false;  ///< The message of a call that sends and receives was sent.
    bool waits = false;      ///< Until it is woken.
    std::set<std::pair<std::int64_t, std::size_t>> there;  ///< Arrivals that nobody has, by time.
    std::map<std::uint64_t, std::size_t> open;         ///< Receives without message, by request,
    std::map<std::uint64_t, Otf2Arrival::Key> posted;  ///< and others, with theirs.
    std::map<Otf2Arrival::Key, std::int64_t> known;    ///< Messages that are there for the others.
    std::map<std::uint64_t, std::uint32_t> meetings;   ///< Collectives so far, by communicator.
    std::map<std::size_t, std::pair<std::size_t, std::size_t>> sends;  ///< To whom, as what.
  };
  struct Meeting {
    std::set<std::uint32_t> members;
    std::size_t gone = 0;  ///< So many of them have gone on.
  };

  bool step(std::uint32_t rank);
  void send(std::uint32_t rank, const Call& call);
  bool receive(Rank& state, const Otf2Arrival::Key& key);
  void post(std::uint32_t rank, const Call& call);
  bool wait(std::uint32_t rank, const Call& call);
  bool meet(std::uint32_t rank, const Call& call);
  void wake(std::uint32_t rank);
  void enqueue(std::uint32_t rank);
  static Otf2Arrival::Key key_of(const RankTrace& trace, const Call& call, bool both);

  const std::vector<Otf2Rank>& ranks_;
  const std::vector<std::vector<Otf2Arrival>>& arrivals_;
  WorldRank world_rank_;
  std::vector<Rank> states_;
  std::vector<std::map<std::size_t, std::size_t>> got_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Meeting> meetings_;
  using Entry = std::pair<std::int64_t, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready_;  ///< By their own clocks.
};

}  // namespace heddle::traces
