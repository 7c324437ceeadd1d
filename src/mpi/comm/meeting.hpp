// How processes agree: what each brings is put together in one place, and messages say when all
// have come.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "mpi/comm/communicator.hpp"

namespace heddle::mpi {

/// What one process brings.
struct Contribution {
  bool present = false;
  int colour = 0;
  int key = 0;
  std::uint32_t number = 0;
  GroupRef group = nullptr;
};

/// Some processes that make communicators together.
struct Meeting {
  int id = 0;  ///< Differs between meetings of a job that go on at a time.
  GroupRef participants;
  std::vector<Contribution> contributions;  ///< By rank among the participants.
  int left = 0;                             ///< Who have taken their result.
  /// What came of it, by colour and side of an intercommunicator.
  std::map<std::pair<int, int>, CommunicatorDataRef> results = {};
  std::map<int, std::uint32_t> numbers = {};  ///< Of new communicators, by colour.
  /// By side of an intercommunicator and colour, those that gave it, in the order of their keys;
  /// worked out when all have come and the first asks.
  std::map<std::pair<int, int>, GroupRef> colours = {};
  std::optional<bool> disjoint = {};  ///< Whether two groups that are to be joined are.
};

/// Which processes meet, and what for.
struct MeetingKey {
  std::uint32_t communicator = 0;
  int tag = 0;                ///< What a program gives, or -1.
  std::uint64_t members = 0;  ///< A number that follows from who takes part.
  auto operator<=>(const MeetingKey&) const = default;
};

/// The meetings of a job.
class Meetings {
 public:
  /// Who takes part in the meetings with this key; null if there is none now.
  GroupRef participants(const MeetingKey& key) const;
  /// The one that the process is to join: the first that it has not been to.
  Meeting& join(const MeetingKey& key, const GroupRef& participants, std::uint32_t process,
                Contribution contribution);
  /// A participant has what it came for.
  void leave(const MeetingKey& key, Meeting& meeting);

 private:
  std::map<MeetingKey, std::list<Meeting>> meetings_;
  int ids_ = 0;
};

/// The messages of a meeting: each participant hears of all others in log2(n) rounds.
class Agreement final : public Progress {
 public:
  /// `context` is one of traffic for management; each message has `bytes` bytes.
  Agreement(Process& process, GroupRef participants, std::uint32_t context, int tag,
            std::int64_t bytes);
  ~Agreement();
  Agreement(const Agreement&) = delete;
  Agreement& operator=(const Agreement&) = delete;

  /// On the fiber of the process, as are all steps.
  void start();
  bool done() const { return done_; }
  void advance() override;
  /// Goes on until it is done.
  void wait();

 private:
  void begin_round();
  void see_end_of_round();
  Process& process_;
  GroupRef participants_;
  std::uint32_t context_;
  int tag_;
  std::int64_t bytes_;
  int rank_;
  std::int64_t distance_ = 1;
  Countdown round_;
  std::vector<std::byte> payload_;
  bool done_ = false;
  bool advancing_ = false;
};

}  // namespace heddle::mpi
