#include "traces/scale/simplify.hpp"

#include <map>
#include <utility>

#include "traces/scale/loops.hpp"

namespace heddle::traces {
namespace {

/// Whether the calls from `i` on are one round of a dissemination among all ranks: a receive from
/// the rank so far below, a send to the one as far above, and the wait for both.
bool is_round(const RankTrace& trace, std::size_t i, std::int64_t rank, std::int64_t ranks,
              std::int64_t distance) {
  if (i + 2 >= trace.calls.size()) return false;
  const Call& recv = trace.calls[i];
  const Call& send = trace.calls[i + 1];
  const Call& wait = trace.calls[i + 2];
  return recv.kind == CallKind::recv && send.kind == CallKind::send && recv.nonblocking &&
         send.nonblocking && wait.kind == CallKind::wait && wait.list != kNoList &&
         trace.lists[wait.list].size() == 2 && recv.tag == send.tag && recv.bytes == send.bytes &&
         recv.peer == (rank - distance + ranks) % ranks && send.peer == (rank + distance) % ranks;
}

/// The calls that a dissemination from `i` on takes; 0 if there is none. Ranks do it to agree on
/// new communicators.
std::size_t dissemination(const RankTrace& trace, std::size_t i, std::int64_t rank,
                          std::int64_t ranks) {
  std::size_t calls = 0;
  for (std::int64_t distance = 1; distance < ranks; distance *= 2, calls += 3) {
    if (!is_round(trace, i + calls, rank, ranks, distance)) return 0;
    if (trace.calls[i].tag != trace.calls[i + calls].tag ||
        trace.calls[i].bytes != trace.calls[i + calls].bytes) {
      return 0;
    }
  }
  return calls;
}

/// Makes one call of each agreement and of each collective of some ranks, whatever messages they
/// took; the requests that are left get new numbers.
class Simplifier {
 public:
  explicit Simplifier(RankTrace& trace) : trace_(trace) {}

  void run(std::int64_t rank, std::int64_t ranks) {
    auto among = trace_.among.begin();
    for (std::size_t i = 0; i <= trace_.calls.size();) {
      if (among != trace_.among.end() && among->first == i) {
        Call call = among->call;
        call.comm = among->group + 1;
        calls_.push_back(call);
        i = (among++)->end;
      } else if (i == trace_.calls.size()) {
        break;
      } else if (const std::size_t taken = dissemination(trace_, i, rank, ranks)) {
        add_agreement(trace_.calls[i]);
        i += taken;
      } else {
        add(trace_.calls[i++]);
      }
    }
    trace_.calls = std::move(calls_);
    trace_.among.clear();
  }

 private:
  void add_agreement(const Call& message) {
    Call call;
    call.kind = CallKind::barrier;
    call.line = message.line;
    call.tag = message.tag;
    call.bytes = message.bytes;
    call.start = call.end = message.start;
    calls_.push_back(call);
  }
  void add(Call call) {
    if (is_message(call) && call.nonblocking) {
      call.request = requests_.try_emplace(call.request, requests_.size() + 1).first->second;
    }
    if (call.kind == CallKind::wait) {
      if (call.list == kNoList) {
        call.list = static_cast<std::uint32_t>(trace_.lists.size());
        trace_.lists.push_back({call.request});
      }
      for (std::uint64_t& request : trace_.lists[call.list]) request = requests_[request];
      call.request = 0;
    }
    calls_.push_back(call);
  }

  RankTrace& trace_;
  CallList calls_;
  std::map<std::uint64_t, std::uint64_t> requests_;
};

}  // namespace

void simplify(RankTrace& trace, std::int64_t rank, std::int64_t ranks) {
  Simplifier(trace).run(rank, ranks);
}

}  // namespace heddle::traces
