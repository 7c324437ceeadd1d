#include "traces/ti_writer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace heddle::traces {
namespace {

/// SMPI's numbers of datatypes.
constexpr int kDoubleType = 0;
constexpr int kIntType = 1;
constexpr int kByteType = 6;

class TimeIndependentWriter {
 public:
  TimeIndependentWriter(const RankTrace& trace, std::uint32_t rank, std::uint32_t ranks,
                        double speed)
      : trace_(trace), rank_(rank), ranks_(ranks), speed_(speed) {}

  std::string text() {
    line("init");
    auto among = trace_.among.begin();
    for (std::size_t i = 0; i <= trace_.calls.size(); ++i) {
      for (; among != trace_.among.end() && among->first <= i; ++among) {
        if (among->first == i) begin(*among);
        if (among->end > i) break;
        line_of_marks("#end {}", rank_);
      }
      if (i == trace_.calls.size()) break;
      work(trace_.calls[i].start);
      action(trace_.calls[i]);
    }
    return std::move(out_);
  }

 private:
  template <class... A>
  void line(fmt::format_string<A...> format, A&&... arguments) {
    fmt::format_to(std::back_inserter(out_), "{} ", rank_);
    fmt::format_to(std::back_inserter(out_), format, std::forward<A>(arguments)...);
    out_.push_back('\n');
  }

  template <class... A>
  void line_of_marks(fmt::format_string<A...> format, A&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<A>(arguments)...);
    out_.push_back('\n');
  }
  /// What the messages up to the mark of the end are together: a remark to other readers.
  void begin(const Among& among) {
    work(among.call.start);
    fmt::format_to(std::back_inserter(out_), "#among {} ", trace_.groups[among.group].text());
    action(among.call);
  }

  void work(std::int64_t until) {
    const std::int64_t ps = until - clock_;
    clock_ = until;
    if (ps > 0) line("compute {}", static_cast<double>(ps) * 1e-12 * speed_);
  }

  // Sizes are written in elements.

  static int datatype(const Call& call) {
    return call.element == 8 ? kDoubleType : call.element == 4 ? kIntType : kByteType;
  }
  static std::uint64_t elements(const Call& call, std::uint64_t bytes) {
    return bytes / (datatype(call) == kByteType ? 1 : call.element);
  }
  /// A number for each member; zeros where the rank has none to say.
  std::string each(const Call& call, std::uint32_t list) const {
    std::string text;
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      const std::uint64_t bytes = list == kNoList ? 0 : trace_.lists[list][r];
      text += fmt::format("{}{}", r == 0 ? "" : " ", elements(call, bytes));
    }
    return text;
  }
  std::uint64_t sum(const Call& call, std::uint32_t list) const {
    std::uint64_t bytes = 0;
    for (const std::uint64_t one : trace_.lists[list]) bytes += one;
    return elements(call, bytes);
  }

  void action(const Call& call) {
    switch (call.kind) {
      case CallKind::send:
      case CallKind::recv:
        return message(call);
      case CallKind::wait:
        return wait(call);
      case CallKind::barrier:
        return line("barrier");
      case CallKind::finalize:
        return line("finalize");
      default:
        return call.per_member ? uneven(call) : even(call);
    }
  }

  void message(const Call& call) {
    const bool sends = call.kind == CallKind::send;
    if (call.synchronous) line_of_marks("#synchronous {}", rank_);
    if (call.buffered) line_of_marks("#buffered {}", rank_);
    line("{}{} {} {} {} {}", call.nonblocking ? "i" : "", sends ? "send" : "recv", call.peer,
         call.tag, call.bytes, kByteType);
    if (!call.nonblocking) return;
    const auto me = static_cast<std::int32_t>(rank_);
    pending_[call.request] = {sends ? me : call.peer, sends ? call.peer : me, call.tag};
  }

  void wait(const Call& call) {
    const std::vector<std::uint64_t>& requests = trace_.lists[call.list];
    if (requests.size() > 1 && requests.size() == pending_.size()) {
      pending_.clear();
      return line("waitall {}", requests.size());
    }
    for (const std::uint64_t request : requests) {
      const auto found = pending_.find(request);
      if (found == pending_.end()) continue;
      const Message& m = found->second;
      line("wait {} {} {}", m.source, m.destination, m.tag);
      pending_.erase(found);
    }
  }

  void even(const Call& call) {
    const std::uint64_t sent = elements(call, call.bytes);
    const std::uint64_t got = elements(call, call.others);
    const int type = datatype(call);
    switch (call.kind) {
      case CallKind::bcast:
        return line("bcast {} {} {}", sent, call.peer, type);
      case CallKind::reduce:
        return line("reduce {} 0 {} {}", sent, call.peer, type);
      case CallKind::allreduce:
      case CallKind::scan:
      case CallKind::exscan:
        return line("{} {} 0 {}", name_of(call.kind), sent, type);
      case CallKind::gather:
      case CallKind::scatter:
        return line("{} {} {} {} {} {}", name_of(call.kind), sent, got, call.peer, type, type);
      default:
        return line("{} {} {} {} {}", name_of(call.kind), sent, got, type, type);
    }
  }

  void uneven(const Call& call) {
    const std::uint64_t own = elements(call, call.bytes);
    const int type = datatype(call);
    switch (call.kind) {
      case CallKind::gather:
        return line("gatherv {} {} {} {} {}", own, each(call, call.others_list), call.peer, type,
                    type);
      case CallKind::scatter:
        return line("scatterv {} {} {} {} {}", each(call, call.others_list), own, call.peer, type,
                    type);
      case CallKind::allgather:
        return line("allgatherv {} {} {} {}", own, each(call, call.others_list), type, type);
      case CallKind::reduce_scatter:
        return line("reducescatter {} 0 {}", each(call, call.list), type);
      default:
        return line("alltoallv {} {} {} {} {} {}", sum(call, call.list), each(call, call.list),
                    sum(call, call.others_list), each(call, call.others_list), type, type);
    }
  }

  struct Message {
    std::int32_t source;
    std::int32_t destination;
    std::int32_t tag;
  };

  const RankTrace& trace_;
  std::uint32_t rank_;
  std::uint32_t ranks_;
  double speed_;
  std::int64_t clock_ = 0;
  std::unordered_map<std::uint64_t, Message> pending_;  ///< By request.
  std::string out_;
};

}  // namespace

std::string time_independent_text(const RankTrace& trace, std::uint32_t rank, std::uint32_t ranks,
                                  double flops_per_second) {
  return TimeIndependentWriter(trace, rank, ranks, flops_per_second).text();
}

}  // namespace heddle::traces
