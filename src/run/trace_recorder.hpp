// Makes a trace of what the ranks of a job do with MPI.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "mpi/call_log.hpp"
#include "mpi/engine/message.hpp"
#include "run/trace_tags.hpp"
#include "traces/trace.hpp"

namespace heddle::host {
class Job;
}

namespace heddle::run {

/// What is written down of blocking collectives on all ranks.
enum class Recorded : std::uint8_t {
  calls,     ///< The call; of those on some ranks only also their messages.
  messages,  ///< The messages of the algorithm.
};

/// Keeps the calls of all ranks in memory. Times are those that ranks compute or sleep: what calls
/// take is for a replay to find out. All peers are ranks of the job, receives name the sender that
/// they found, and messages that other communicators or calls keep apart have tags of their own.
class TraceRecorder final : public mpi::CallLog {
 public:
  TraceRecorder(host::Job& job, Recorded recorded);

  void sends(const mpi::Message& message, mpi::SendCall call) override;
  void receives(mpi::Process& process, const mpi::MatchKey& key, const mpi::Buffer& buffer,
                const mpi::Completion& completion) override;
  void receives_extracted(const mpi::Message& message, const mpi::Completion& completion) override;
  void meets(mpi::Message& message, const mpi::Buffer& buffer,
             const mpi::Completion& completion) override;
  void cancelled(mpi::Process& process, const mpi::Completion& completion) override;
  void sees_end(mpi::Process& process, const mpi::Completion& completion) override;
  void begins(const mpi::Communicator& communicator, int tag) override;
  void says(mpi::Process& process, coll::Collective collective,
            const mpi::CollectiveAmounts& amounts) override;
  void ends(mpi::Process& process) override;
  void stays(mpi::Process& process, Time duration) override;
  void carries(const void* parcel, mpi::Process& from, mpi::Process& to, std::int64_t bytes,
               const mpi::ParcelTraits& traits) override;
  void arrives(const void* parcel) override;
  void handled() override { cause_ = traces::OneSided::kNoCause; }
  void looks(mpi::Process& process, mpi::News news) override;

  /// The trace, once the job has ended; the recorder is then empty.
  traces::Trace finish();
  /// Calls whose communication is not in the trace: how often.
  const std::map<std::string, std::uint64_t>& left_out() const { return left_out_; }

 private:
  static constexpr std::uint32_t kNobody = UINT32_MAX;
  /// A message under way, by its place among the calls of its rank.
  struct Open {
    std::uint32_t rank;
    std::uint32_t call;
    bool may_block;  ///< A receive, or a send that blocks.
  };
  /// A one-sided transfer under way.
  struct Carried {
    std::uint32_t number;
    mpi::ParcelTraits traits;
    bool there;
  };
  /// The blocking collective that a rank is in.
  struct Inside {
    const mpi::Communicator* communicator = nullptr;
    std::uint32_t context = 0;
    int tag = 0;
    bool told = false;   ///< As a call: its messages are left out.
    bool among = false;  ///< As a call of some ranks: its messages are what it takes.
    bool leaves_out(std::uint32_t of_context, int of_tag) const {
      return told && context == of_context && tag == of_tag;
    }
  };

  traces::Call& add(std::uint32_t rank, traces::CallKind kind);
  void open(std::uint32_t rank, const mpi::Completion& completion, bool may_block);
  std::int64_t computed(std::uint32_t rank) const;
  Time take_polls(std::uint32_t rank);
  void add_wait(std::uint32_t rank, std::uint64_t request);
  void add_among(std::uint32_t rank, const traces::Call& call);
  std::uint32_t group_of(std::uint32_t rank);
  bool was_blocking(std::uint32_t rank, const Open& message) const;

  host::Job& job_;
  Recorded recorded_;
  std::vector<traces::RankTrace> ranks_;
  std::vector<Inside> inside_;           ///< By rank.
  std::vector<Time> stayed_;             ///< By rank: in calls that wait for no messages.
  std::vector<Time> polled_;             ///< By rank: how much of its polls has been looked at.
  std::vector<std::uint64_t> requests_;  ///< By rank: how many it has made.
  std::unordered_multimap<const mpi::Completion*, Open> open_;
  TraceTags tags_;
  /// By rank and context: the number of the members among the rank's groups.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> groups_;
  std::map<std::string, std::uint64_t> left_out_;
  std::vector<traces::OneSided> one_sided_;
  std::unordered_map<const void*, Carried> carried_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;  ///< From, to.
  /// By rank and what they told it: transfers.
  std::vector<std::map<mpi::News, std::vector<std::uint64_t>>> unseen_;
  std::uint32_t cause_ = traces::OneSided::kNoCause;
};

}  // namespace heddle::run
