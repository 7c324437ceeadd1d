#include "traces/readers/otf2_receives.hpp"

#include <algorithm>
#include <tuple>

namespace heddle::traces {
namespace {

/// A message to a rank, as its receiver sees it.
struct Otf2Arrival {
  std::int64_t sent = 0;
  std::uint64_t comm = 0;  ///< Its handle.
  std::int32_t source = 0;
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;

  auto key() const { return std::tuple(comm, source, tag, bytes); }
};

class MessageSearch {
 public:
  MessageSearch(const Otf2Definitions& definitions, std::vector<Otf2Rank>& ranks)
      : definitions_(definitions), ranks_(ranks), arrivals_(ranks.size()) {}

  void run() {
    for (std::size_t r = 0; r < ranks_.size(); ++r) collect_sent(r);
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (!ranks_[r].unsaid.empty()) give_out(r);
    }
  }

 private:
  void collect_sent(std::size_t rank) {
    const RankTrace& trace = ranks_[rank].trace;
    for (const Call& call : trace.calls) {
      if (call.kind != CallKind::send && call.kind != CallKind::sendrecv) continue;
      if (call.peer < 0) continue;
      const CommName& comm = trace.comms[call.comm];
      const std::size_t to = world_rank(comm, call.peer, rank);
      if (ranks_[to].unsaid.empty()) continue;
      arrivals_[to].push_back({call.start, comm.handle, comm.rank, call.tag, call.bytes});
    }
  }

  std::size_t world_rank(const CommName& comm, std::int32_t peer, std::size_t self) const {
    const auto found = definitions_.comms.find(static_cast<std::uint32_t>(comm.handle));
    if (comm.size == static_cast<std::int32_t>(ranks_.size()) &&
        found == definitions_.comms.end()) {
      return static_cast<std::size_t>(peer);
    }
    if (found == definitions_.comms.end() || found->second.self) return self;
    return found->second.members[static_cast<std::size_t>(peer)];
  }

  void give_out(std::size_t rank) {
    std::vector<Otf2Arrival>& arrivals = arrivals_[rank];
    std::stable_sort(arrivals.begin(), arrivals.end(),
                     [](const Otf2Arrival& a, const Otf2Arrival& b) { return a.sent < b.sent; });
    remove_received(rank);
    RankTrace& trace = ranks_[rank].trace;
    std::size_t next = 0;
    for (const std::size_t place : ranks_[rank].unsaid) {
      if (next == arrivals.size()) {
        ++trace.remarks["non-blocking receives that no message is left for, left out"];
        take_back(trace, place);
        continue;
      }
      ++trace.remarks
            ["non-blocking receives whose message the trace does not tell: those that are "
             "left are taken in the order of their sending"];
      fill(trace, trace.calls[place], arrivals[next++]);
    }
  }

  static void fill(const RankTrace& trace, Call& call, const Otf2Arrival& arrival) {
    const auto comm =
        std::find_if(trace.comms.begin(), trace.comms.end(),
                     [&](const CommName& name) { return name.handle == arrival.comm; });
    call.comm = static_cast<std::uint32_t>(comm - trace.comms.begin());
    call.peer = arrival.source;
    call.tag = arrival.tag;
    call.bytes = arrival.bytes;
  }

  /// Messages that are alike are received in the order of their sending; which of them receives
  /// with a message got is not told, so the last ones are left.
  void remove_received(std::size_t rank) {
    std::map<decltype(Otf2Arrival().key()), std::uint64_t> received;
    const RankTrace& trace = ranks_[rank].trace;
    const auto& unsaid = ranks_[rank].unsaid;
    for (std::size_t i = 0; i < trace.calls.size(); ++i) {
      const Call& call = trace.calls[i];
      const bool both = call.kind == CallKind::sendrecv;
      if (!both && call.kind != CallKind::recv) continue;
      if (std::binary_search(unsaid.begin(), unsaid.end(), i)) continue;
      const std::uint64_t handle = trace.comms[call.comm].handle;
      ++received[{handle, both ? call.source : call.peer, both ? call.recv_tag : call.tag,
                  both ? call.recv_bytes : call.bytes}];
    }
    std::erase_if(arrivals_[rank], [&](const Otf2Arrival& arrival) {
      const auto found = received.find(arrival.key());
      return found != received.end() && found->second > 0 && found->second-- > 0;
    });
  }

  const Otf2Definitions& definitions_;
  std::vector<Otf2Rank>& ranks_;
  std::vector<std::vector<Otf2Arrival>> arrivals_;  ///< By receiver.
};

}  // namespace

void find_messages(const Otf2Definitions& definitions, std::vector<Otf2Rank>& ranks) {
  MessageSearch(definitions, ranks).run();
}

}  // namespace heddle::traces
