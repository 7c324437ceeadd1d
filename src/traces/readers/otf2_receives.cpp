#include "traces/readers/otf2_receives.hpp"

#include <algorithm>

#include "traces/readers/otf2_follower.hpp"

namespace heddle::traces {
namespace {

class MessageSearch {
 public:
  MessageSearch(const Otf2Definitions& definitions, std::vector<Otf2Rank>& ranks)
      : definitions_(definitions), ranks_(ranks), arrivals_(ranks.size()) {}

  void run() {
    const auto nothing = [](const Otf2Rank& rank) { return rank.unsaid.empty(); };
    if (std::all_of(ranks_.begin(), ranks_.end(), nothing)) return;
    for (std::size_t r = 0; r < ranks_.size(); ++r) collect_sent(r);
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (!ranks_[r].unsaid.empty()) find_left(r);
    }
    const auto got = Otf2Follower(ranks_, arrivals_,
                                  [this](const CommName& comm, std::int32_t peer,
                                         std::size_t self) { return world_rank(comm, peer, self); })
                         .run();
    for (std::size_t r = 0; r < ranks_.size(); ++r) give_out(r, got[r]);
  }

 private:
  void collect_sent(std::size_t rank) {
    const RankTrace& trace = ranks_[rank].trace;
    constexpr CallKinds kSends = set_of(CallKind::send) | set_of(CallKind::sendrecv);
    trace.calls.for_kinds(kSends, [&](std::uint32_t i, const Call& call) {
      if (call.peer < 0) return;
      const CommName& comm = trace.comms[call.comm];
      const std::size_t to = world_rank(comm, call.peer, rank);
      if (ranks_[to].unsaid.empty()) return;
      arrivals_[to].push_back({call.start, comm.handle, comm.rank, call.tag, call.bytes,
                               static_cast<std::uint32_t>(rank), i});
    });
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

  /// The messages that receives without one have got, in the order of their sending.
  void find_left(std::size_t rank) {
    std::vector<Otf2Arrival>& arrivals = arrivals_[rank];
    std::stable_sort(arrivals.begin(), arrivals.end(),
                     [](const Otf2Arrival& a, const Otf2Arrival& b) { return a.sent < b.sent; });
    remove_received(rank);
  }

  /// What is known of none goes to the others in the order of posting and sending.
  void give_out(std::size_t rank, const std::map<std::size_t, std::size_t>& got) {
    RankTrace& trace = ranks_[rank].trace;
    std::vector<bool> taken(arrivals_[rank].size());
    for (const auto& [call, arrival] : got) taken[arrival] = true;
    std::size_t next = 0;
    for (const std::size_t place : ranks_[rank].unsaid) {
      const auto known = got.find(place);
      while (known == got.end() && next < taken.size() && taken[next]) ++next;
      if (known == got.end() && next == taken.size()) {
        ++trace.remarks["non-blocking receives that no message is left for, left out"];
        take_back(trace, place);
        continue;
      }
      ++trace.remarks
            ["non-blocking receives whose message the trace does not tell: those that are "
             "left are taken in the order of their sending"];
      const std::size_t arrival = known == got.end() ? next++ : known->second;
      fill(trace, trace.calls.edit(place), arrivals_[rank][arrival]);
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
    std::map<Otf2Arrival::Key, std::uint64_t> received;
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
