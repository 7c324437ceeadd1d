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

/// One rank's calls as records.
class DumpiRankReader {
 public:
  DumpiRankReader(DumpiTrace& in, const std::vector<DumpiMade>& made, std::uint32_t rank,
                  std::uint32_t ranks)
      : in_(in), made_(made), calls_(in.file(), recordable_functions(), rank, ranks) {
    comms_ = {{kDumpiWorld, kRecordedWorld}, {kDumpiSelf, kRecordedSelf}};
  }

  RankTrace read() {
    DumpiCall call;
    while (in_.next(call)) {
      if (call.function >= dumpi_functions().size()) {
        calls_.leave_out("functions of the program itself");
        continue;
      }
      if (calls_.finalized()) continue;
      count_odd(call);
      calls_.add(record_of(call));
    }
    return calls_.finish();
  }

 private:
  void count_odd(const DumpiCall& call) {
    if (call.thread != 0) calls_.leave_out("functions in threads but the first, in one order,");
    if (!call.timed) calls_.leave_out("functions without times");
  }

  RecordedCall record_of(const DumpiCall& call) {
    RecordedCall record;
    record.function = call.function;
    record.number = call.number;
    record.start = call.start;
    record.end = std::max(call.start, call.end);
    const std::string_view name = dumpi_functions()[call.function].name;
    const std::string_view layout = dumpi_functions()[call.function].layout;
    const bool completes = layout.find_first_of("qQ") != std::string_view::npos;
    if (layout.find('m') != std::string_view::npos) set_made(call, record);
    if (layout.find('c') != std::string_view::npos) set_arguments(layout, name, call, record);
    if (completes) set_requests(name, layout, call, record);
    return record;
  }

  // Communicators.

  void set_made(const DumpiCall& call, RecordedCall& record) {
    comms_.erase(call.number_of('m'));
    if (next_made_ == made_.size() || made_[next_made_].number != call.number) return;
    record.made = made_[next_made_].comm;
    comms_[made_[next_made_++].handle] = record.made->id;
  }
  std::uint64_t comm_of(std::int64_t handle) const {
    const auto found = comms_.find(handle);
    return found == comms_.end() ? kRecordedUnknown : found->second;
  }

  // Arguments.

  static std::int64_t receiver(std::int64_t rank) { return rank < 0 ? kNoPeer : rank; }
  static std::int64_t sender(std::int64_t rank) { return rank < kAnyPeer ? kNoPeer : rank; }

  void set_arguments(std::string_view layout, std::string_view name, const DumpiCall& call,
                     RecordedCall& record) {
    const bool rooted = layout.find('r') != std::string_view::npos;
    record.comm = comm_of(call.number_of('c'));
    record.peer = receiver(call.number_of(rooted ? 'r' : 'd'));
    record.source = sender(call.number_of('s'));
    record.tag = call.number_of('g');
    record.recv_tag = call.number_of('G');
    record.count = call.number_of('n');
    record.recv_count = call.number_of('N');
    record.counts = call.list_of('v');
    record.recv_counts = call.list_of('V');
    record.size = type_size(layout, 't', call);
    record.recv_size = type_size(layout, 'T', call);
    for (const std::int64_t type : call.list_of('y')) record.sizes.push_back(size32(type));
    for (const std::int64_t type : call.list_of('Y')) record.recv_sizes.push_back(size32(type));
    if (in_place(name, call)) record.buffer = kRecordedInPlace;
    if (!call.statuses.empty()) record.status = status_of(call.statuses[0]);
  }
  std::uint64_t type_size(std::string_view layout, char letter, const DumpiCall& call) const {
    return layout.find(letter) == std::string_view::npos ? 0 : in_.size_of(call.number_of(letter));
  }
  std::int64_t size32(std::int64_t type) const {
    return static_cast<std::int64_t>(in_.size_of(type));
  }
  /// MPI_IN_PLACE has no datatype to send; of one that all members have the same of, none says it.
  static bool in_place(std::string_view name, const DumpiCall& call) {
    const bool all = name.starts_with("Allgather") || name.starts_with("Alltoall");
    const bool each = name == "Allgather" || name == "Alltoall" || name == "Allgatherv";
    return all && name != "Alltoallw" &&
           (call.number_of('t') <= kDumpiNoType || (each && call.number_of('n') == 0));
  }
  static RecordedStatus status_of(const DumpiStatus& status) {
    return {status.source, status.tag,
            static_cast<std::uint64_t>(std::max<std::int32_t>(status.bytes, 0))};
  }

  // Requests.

  void set_requests(std::string_view name, std::string_view layout, const DumpiCall& call,
                    RecordedCall& record) const {
    const bool one = layout.find('q') != std::string_view::npos;
    record.request = static_cast<std::uint64_t>(call.number_of('q'));
    if (one) record.requests = {record.request};
    for (const std::int64_t request : call.list_of('Q')) {
      record.requests.push_back(static_cast<std::uint64_t>(request));
    }
    if (name.find("Wait") == 0 || name.find("Test") == 0) set_completed(name, layout, call, record);
  }

  static void set_completed(std::string_view name, std::string_view layout, const DumpiCall& call,
                            RecordedCall& record) {
    if (layout.find('f') != std::string_view::npos && call.number_of('f') == 0) return;
    std::vector<std::int64_t> positions = call.list_of('I');
    if (name.ends_with("any")) {
      positions = {call.number_of('i')};
    } else if (!name.ends_with("some")) {
      for (std::size_t i = 0; i < record.requests.size(); ++i) {
        positions.push_back(static_cast<std::int64_t>(i));
      }
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (positions[i] < 0 || positions[i] >= static_cast<std::int64_t>(record.requests.size())) {
        continue;
      }
      RecordedCompletion& completion = record.completed.emplace_back();
      completion.position = static_cast<std::uint64_t>(positions[i]);
      if (i < call.statuses.size()) completion.status = status_of(call.statuses[i]);
    }
  }

  DumpiTrace& in_;
  const std::vector<DumpiMade>& made_;
  std::size_t next_made_ = 0;
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
