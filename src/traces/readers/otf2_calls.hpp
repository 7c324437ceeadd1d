// Events of one rank in an OTF2 archive, in the common form of traces.
//
// A call of MPI is a region with events of messages in it. A receive that is posted says nothing
// of its message; that comes with its end, in the call that waits for it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "traces/readers/allprof_functions.hpp"
#include "traces/readers/otf2_events.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

/// What EZTrace leaves open: receives whose message nothing says.
struct Otf2Rank {
  RankTrace trace;
  std::vector<std::size_t> unsaid;  ///< Calls, in the order of their posting.
};

/// Leaves nothing of a call but that the others keep their places.
void take_back(RankTrace& trace, std::size_t call);

/// Takes events one by one.
class Otf2Calls {
 public:
  Otf2Calls(std::string file, const Otf2Definitions& definitions, std::uint32_t rank);

  /// Throws InputError with the number of the event where it contradicts the definitions.
  void add(const Otf2Event& event);
  Otf2Rank finish();

 private:
  struct Meaning {
    std::string name;  ///< As the trace has it.
    const AllprofFunction* function = nullptr;
    bool of_mpi = false;
    bool initialises = false;
    bool moves_data = false;
  };
  /// A call of MPI that is not over.
  struct Open {
    const Meaning* meaning = nullptr;
    std::uint32_t depth = 0;
    std::uint64_t number = 0;
    std::int64_t start = 0;
    std::size_t first = 0;  ///< Its first call in the trace.
    std::vector<std::uint64_t> complete = {};
  };

  [[noreturn]] void fail(const Otf2Event& event, const std::string& problem) const;
  void add_comms(std::uint32_t rank);
  const Meaning& meaning(std::uint32_t region);
  static Meaning meaning_of(const std::string& name);
  std::int64_t time_of(const Otf2Event& event);
  std::uint32_t comm_of(const Otf2Event& event) const;
  std::int32_t peer_of(const Otf2Event& event, std::uint32_t comm) const;

  void enter(const Otf2Event& event);
  void leave(const Otf2Event& event);
  void close(std::int64_t end);
  void join_sendrecv();
  void take(const Otf2Event& event);
  Call call_of(const Otf2Event& event, CallKind kind);
  void message(const Otf2Event& event, CallKind kind, bool nonblocking);
  std::size_t post(Call call, std::uint64_t request);
  void received(const Otf2Event& event);
  void collective(const Otf2Event& event);
  void collective_done(const Otf2Event& event);
  void fill_collective(const Otf2Event& event, Call& call);
  void complete(std::uint64_t request);
  void complete_unseen();
  void wait_for(std::vector<std::uint64_t> requests, std::int64_t end);

  const Otf2Definitions& definitions_;
  Otf2Rank out_;
  RankTrace& trace_ = out_.trace;
  std::unordered_map<std::uint32_t, Meaning> meanings_;  ///< By region.
  std::map<std::uint32_t, std::uint32_t> comms_;         ///< RankTrace::comms by number.
  std::map<std::uint64_t, std::size_t> posted_;          ///< Calls under way, by request.
  std::map<std::size_t, std::uint64_t> order_;           ///< Their requests, by call.
  std::set<std::size_t> open_receives_;                  ///< Calls without their message.
  std::map<std::size_t, std::string> open_collectives_;  ///< The same; what made them.
  std::optional<Open> open_;
  std::uint32_t depth_ = 0;
  std::optional<std::uint64_t> origin_;  ///< Ticks.
  std::int64_t latest_ = 0;              ///< Picoseconds.
  bool gives_up_ = false;                ///< A request: from then on lists say which were complete.
};

}  // namespace heddle::traces
