// Reads DUMPI traces into the common form of traces: once for the communicators, and once for the
// calls.
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/error.hpp"
#include "goal/formats/mapped_file.hpp"
#include "traces/readers/dumpi_communicators.hpp"
#include "traces/readers/dumpi_functions.hpp"
#include "traces/readers/dumpi_trace.hpp"
#include "traces/readers/recorded_calls.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

std::vector<RecordableFunction> recordable_functions() {
  std::vector<RecordableFunction> functions;
  for (const DumpiFunction& f : dumpi_functions()) {
    const std::string plain = plain_name("MPI_" + std::string(f.name));
    functions.push_back({std::string(f.name), !is_local_function(plain)});
  }
  return functions;
}

/// Which requests a call may have found complete.
enum class DumpiCompletes : std::uint8_t { nothing, all, any, some };

/// What of a function's arguments its record is made of.
struct DumpiTraits {
  bool makes_comm = false;
  bool communicates = false;
  bool rooted = false;
  bool typed = false;
  bool recv_typed = false;
  bool has_requests = false;
  bool has_request = false;  ///< One by itself.
  bool has_flag = false;
  bool in_place_untyped = false;  ///< MPI_IN_PLACE shows as no datatype,
  bool in_place_empty = false;    ///< or as nothing to send.
  DumpiCompletes completes = DumpiCompletes::nothing;
};

DumpiTraits traits_of(const DumpiFunction& function) {
  const std::string_view name = function.name;
  const auto has = [&](std::string_view letters) {
    return function.layout.find_first_of(letters) != std::string_view::npos;
  };
  DumpiTraits t;
  t.makes_comm = has("m");
  t.communicates = has("c");
  t.rooted = has("r");
  t.typed = has("t");
  t.recv_typed = has("T");
  t.has_requests = has("qQ");
  t.has_request = has("q");
  t.has_flag = has("f");
  // It has no datatype to send; where all members have the same of one, none says it.
  t.in_place_empty = name == "Allgather" || name == "Alltoall" || name == "Allgatherv";
  t.in_place_untyped = t.in_place_empty || name == "Alltoallv";
  if (name.starts_with("Wait") || name.starts_with("Test")) {
    t.completes = name.ends_with("any")    ? DumpiCompletes::any
                  : name.ends_with("some") ? DumpiCompletes::some
                                           : DumpiCompletes::all;
  }
  return t;
}

/// By the numbers of functions.
const std::vector<DumpiTraits>& all_traits() {
  static const std::vector<DumpiTraits> all = [] {
    std::vector<DumpiTraits> traits;
    for (const DumpiFunction& f : dumpi_functions()) traits.push_back(traits_of(f));
    return traits;
  }();
  return all;
}

/// One rank's calls as records.
class DumpiRankReader {
 public:
  DumpiRankReader(DumpiTrace& in, const std::vector<DumpiMade>& made, std::uint32_t rank,
                  std::uint32_t ranks)
      : in_(in),
        made_(made),
        traits_(all_traits()),
        calls_(in.file(), recordable_functions(), rank, ranks) {
    comms_ = {{kDumpiWorld, kRecordedWorld}, {kDumpiSelf, kRecordedSelf}};
  }

  RankTrace read() {
    DumpiCall call;
    while (in_.next(call)) {
      if (call.function >= traits_.size()) {
        calls_.leave_out("functions of the program itself");
        continue;
      }
      if (calls_.finalized()) continue;
      count_odd(call);
      fill(call, traits_[call.function]);
      calls_.add(record_);
    }
    return calls_.finish();
  }

 private:
  void count_odd(const DumpiCall& call) {
    if (call.thread != 0) calls_.leave_out("functions in threads but the first, in one order,");
    if (!call.timed) calls_.leave_out("functions without times");
  }

  /// The record of a call, in the place of the one before.
  void fill(const DumpiCall& call, const DumpiTraits& traits) {
    record_.clear();
    record_.function = call.function;
    record_.number = call.number;
    record_.start = call.start;
    record_.end = std::max(call.start, call.end);
    if (traits.makes_comm) set_made(call);
    if (traits.communicates) set_arguments(call, traits);
    if (traits.has_requests) set_requests(call, traits);
  }

  // Communicators.

  void set_made(const DumpiCall& call) {
    comms_.erase(call.number_of('m'));
    if (next_made_ == made_.size() || made_[next_made_].number != call.number) return;
    record_.made = made_[next_made_].comm;
    comms_[made_[next_made_++].handle] = record_.made->id;
  }
  std::uint64_t comm_of(std::int64_t handle) const {
    const auto found = comms_.find(handle);
    return found == comms_.end() ? kRecordedUnknown : found->second;
  }

  // Arguments.

  static std::int64_t receiver(std::int64_t rank) { return rank < 0 ? kNoPeer : rank; }
  static std::int64_t sender(std::int64_t rank) { return rank < kAnyPeer ? kNoPeer : rank; }

  void set_arguments(const DumpiCall& call, const DumpiTraits& traits) {
    record_.comm = comm_of(call.number_of('c'));
    record_.peer = receiver(call.number_of(traits.rooted ? 'r' : 'd'));
    record_.source = sender(call.number_of('s'));
    record_.tag = call.number_of('g');
    record_.recv_tag = call.number_of('G');
    record_.count = call.number_of('n');
    record_.recv_count = call.number_of('N');
    record_.counts = call.list_of('v');
    record_.recv_counts = call.list_of('V');
    if (traits.typed) record_.size = in_.size_of(call.number_of('t'));
    if (traits.recv_typed) record_.recv_size = in_.size_of(call.number_of('T'));
    for (const std::int64_t type : call.list_of('y')) record_.sizes.push_back(size32(type));
    for (const std::int64_t type : call.list_of('Y')) record_.recv_sizes.push_back(size32(type));
    if ((traits.in_place_untyped && call.number_of('t') <= kDumpiNoType) ||
        (traits.in_place_empty && call.number_of('n') == 0)) {
      record_.buffer = kRecordedInPlace;
    }
    if (!call.statuses.empty()) record_.status = status_of(call.statuses[0]);
  }
  std::int64_t size32(std::int64_t type) const {
    return static_cast<std::int64_t>(in_.size_of(type));
  }
  static RecordedStatus status_of(const DumpiStatus& status) {
    return {status.source, status.tag,
            static_cast<std::uint64_t>(std::max<std::int32_t>(status.bytes, 0))};
  }

  // Requests.

  void set_requests(const DumpiCall& call, const DumpiTraits& traits) {
    record_.request = static_cast<std::uint64_t>(call.number_of('q'));
    if (traits.has_request) record_.requests.push_back(record_.request);
    for (const std::int64_t request : call.list_of('Q')) {
      record_.requests.push_back(static_cast<std::uint64_t>(request));
    }
    const bool found = !traits.has_flag || call.number_of('f') != 0;
    if (found) set_completed(call, traits.completes);
  }

  void set_completed(const DumpiCall& call, DumpiCompletes completes) {
    switch (completes) {
      case DumpiCompletes::nothing:
        return;
      case DumpiCompletes::all:
        for (std::size_t i = 0; i < record_.requests.size(); ++i) {
          complete(call, static_cast<std::int64_t>(i), i);
        }
        return;
      case DumpiCompletes::any:
        return complete(call, call.number_of('i'), 0);
      case DumpiCompletes::some:
        const std::vector<std::int64_t>& positions = call.list_of('I');
        for (std::size_t i = 0; i < positions.size(); ++i) complete(call, positions[i], i);
    }
  }
  void complete(const DumpiCall& call, std::int64_t position, std::size_t status) {
    if (position < 0 || position >= static_cast<std::int64_t>(record_.requests.size())) return;
    RecordedCompletion& completion = record_.completed.emplace_back();
    completion.position = static_cast<std::uint64_t>(position);
    if (status < call.statuses.size()) completion.status = status_of(call.statuses[status]);
  }

  DumpiTrace& in_;
  const std::vector<DumpiMade>& made_;
  const std::vector<DumpiTraits>& traits_;
  std::size_t next_made_ = 0;
  RecordedCall record_;  ///< Of the call being read.
  RecordedCalls calls_;
  std::map<std::int64_t, std::uint64_t> comms_;  ///< Names by handle.
};

bool begins_like_any_dumpi(std::string_view beginning) {
  return begins_like_dumpi(beginning) || begins_like_dumpi_text(beginning);
}

/// The calls of a rank that make communicators and groups.
std::vector<DumpiMaking> read_makings(const std::string& file) {
  const goal::MappedFile mapped(file, "trace");
  const auto in = open_dumpi(mapped.bytes(), file);
  std::vector<DumpiMaking> makings;
  for (DumpiCall call; in->next(call);) {
    if (makes_dumpi_comm(call)) makings.push_back(dumpi_making(call));
  }
  return makings;
}

Trace read_dumpi(const std::vector<std::string>& files, const TraceReadOptions&) {
  std::vector<std::vector<DumpiMaking>> makings;
  for (const std::string& file : files) makings.push_back(read_makings(file));
  const auto made = follow_dumpi_comms(makings, files);
  Trace trace;
  trace.agreed_handles = true;
  for (std::uint32_t r = 0; r < files.size(); ++r) {
    const goal::MappedFile mapped(files[r], "trace");
    const auto in = open_dumpi(mapped.bytes(), files[r]);
    trace.ranks.push_back(
        DumpiRankReader(*in, made[r], r, static_cast<std::uint32_t>(files.size())).read());
  }
  return trace;
}

}  // namespace

const TraceReader& dumpi_reader() {
  static const TraceReader reader = {
      "DUMPI",
      "a DUMPI trace (binary, or the text that dumpi2ascii makes of it)",
      begins_like_any_dumpi,
      read_dumpi,
      nullptr,
      nullptr,
      nullptr,
      nullptr,
      true};
  return reader;
}

}  // namespace heddle::traces
