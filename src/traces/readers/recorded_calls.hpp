// Calls of one rank, recorded with what became of them, in the common form of traces.
//
// Such records say more than other traces: which requests were complete, what a receive got, and
// who is in a communicator. So persistent requests become messages where they are started, receives
// from any source or of any tag become those of what they got, and calls that wait for some
// requests wait for those that were complete.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "traces/readers/allprof_functions.hpp"
#include "traces/readers/recorded_trace.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

/// A function that calls may be of.
struct RecordableFunction {
  std::string name;         ///< Without MPI_: "Send", "Allreduce_c".
  bool moves_data = false;  ///< Counts as left out where a schedule cannot express it.
};

/// Takes calls one by one. Functions of calls are numbers in the list given here.
class RecordedCalls {
 public:
  RecordedCalls(std::string file, const std::vector<RecordableFunction>& functions,
                std::uint32_t rank, std::uint32_t ranks);

  /// Throws InputError with the number of the record where it contradicts those before.
  void add(const RecordedCall& record);
  void leave_out(const std::string& name) { ++trace_.left_out["MPI_" + name]; }
  bool finalized() const { return finalized_; }
  /// The trace; nothing is added after this. Throws InputError if the program was stopped early.
  RankTrace finish();

 private:
  /// What a function means in the common form.
  struct Meaning {
    std::string recorded;  ///< Its name.
    std::string name;      ///< The same without _c.
    const AllprofFunction* function = nullptr;
    bool initialises = false;
    bool finalizes = false;
    bool failed = false;
    bool receives_matched = false;  ///< MPI_Mrecv, MPI_Imrecv.
    bool moves_data = false;
    bool per_member = false;
  };

  static Meaning meaning(const RecordableFunction& recordable);
  [[noreturn]] void fail(const RecordedCall& record, std::string_view problem) const;

  void add_comm(std::uint64_t id, const CommName& name);
  void make_comm(const RecordedCall& record);
  std::uint32_t comm_of(const RecordedCall& record) const;

  Call timed(const RecordedCall& record, CallKind kind);
  void finalize(const RecordedCall& record);
  void add_communication(const RecordedCall& record, const Meaning& m);
  void add_call(const Call& call);
  std::int32_t rank32(const RecordedCall& record, std::int64_t rank) const;
  std::int32_t tag32(const RecordedCall& record, std::int64_t tag) const;
  void set_peers(const RecordedCall& record, const Meaning& m, Call& call) const;

  void add_requests(const RecordedCall& record, const Meaning& m);
  void start(const RecordedCall& record);
  void wait(const RecordedCall& record);

  RankTrace trace_;
  std::vector<Meaning> meanings_;                 ///< By function.
  std::map<std::uint64_t, std::uint32_t> comms_;  ///< Index in RankTrace::comms by name.
  std::map<std::uint64_t, Call> persistent_;      ///< By request.
  std::map<std::uint64_t, std::size_t> posted_;   ///< Calls under way, by request.
  std::uint32_t ranks_;
  std::int64_t origin_ = 0;  ///< ns; where MPI_Init ended.
  std::int64_t latest_ = 0;
  bool finalized_ = false;
  /// A request was cancelled or freed: from then on lists say which were complete, however few.
  bool gives_up_ = false;
};

}  // namespace heddle::traces
