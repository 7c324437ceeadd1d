// What a blocking collective needs while it is under way.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "coll/steps/scratch.hpp"
#include "core/prefetch.hpp"
#include "mpi/completion.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi::collectives {

using namespace coll;  // What collectives are made of.

/// Counts the messages of a collective that are under way; is told of the end of each.
class Messages;

/// One message of a collective.
class Ticket final : public Completion {
 public:
  explicit Ticket(Messages& messages) : messages_(&messages) {}
  /// A receive expects this many bytes, a send kSends.
  static constexpr std::int64_t kSends = -1;
  void begin(int peer, std::int64_t expected) {
    peer_ = peer;
    expected_ = expected;
    done_ = false;
  }
  void completed(const Outcome& outcome) override;
  bool done() const { return done_; }
  int peer() const { return peer_; }
  bool sends() const { return expected_ == kSends; }

 private:
  Messages* messages_;
  std::int64_t expected_ = kSends;
  std::int32_t peer_ = 0;
  bool done_ = true;
};

class Messages {
 public:
  Messages() = default;
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  /// Process::satisfied is told of the end if the process waits for it itself, else
  /// Process::notify, for somebody else goes on with the collective.
  enum class Tell : std::uint8_t { satisfied, notify };
  void tell(Process& process, Tell how) {
    process_ = &process;
    how_ = how;
  }
  void tell_nobody() { process_ = nullptr; }

  /// A new message under way, whose number is one more than the last one's.
  Ticket& begin_send(int peer) { return begin(peer, Ticket::kSends); }
  Ticket& begin_receive(int peer, std::int64_t expected) { return begin(peer, expected); }
  std::uint32_t last_number() const { return begin_ + used_ - 1; }
  bool all_done() const { return open_ == 0; }
  bool done(std::uint32_t number) const {
    return open_ == 0 || number < begin_ || ticket(number - begin_).done();
  }
  /// Calls `visit(ticket)` for those that may be under way, or for the one with a number if it may.
  template <class Visitor>
  void for_each(Visitor visit) const {
    for (std::uint32_t i = 0; i < used_; ++i) visit(ticket(i));
  }
  template <class Visitor>
  void for_one(std::uint32_t number, Visitor visit) const {
    if (number >= begin_) visit(ticket(number - begin_));
  }
  /// The first that is not complete, or null.
  const Ticket* first_open() const;
  /// An error class, once a message has failed.
  int error() const { return error_; }
  /// For the next collective.
  void clear();

  /// It is going to be used: fetches what is used first from memory.
  void foresee() const {
    prefetch(this);
    prefetch(&few_[0]);
    prefetch(&few_[kFew / 2]);
  }

  /// The next that is waited for: all, or the one with a number.
  void expect_all() { awaited_ = nullptr; }
  void expect(std::uint32_t number) { awaited_ = &ticket(number - begin_); }
  /// Lists what is still missing of that; false if more is under way, which is waited for later.
  bool list_awaited(std::vector<Completion*>& list);

 private:
  friend class Ticket;
  Ticket& begin(int peer, std::int64_t expected);
  void completed(const Ticket& ticket, int error);

  static constexpr std::uint32_t kFew = 4;
  const Ticket& ticket(std::uint32_t place) const {
    return place < kFew ? few_[place] : more_[place - kFew];
  }
  Ticket& ticket(std::uint32_t place) { return place < kFew ? few_[place] : more_[place - kFew]; }

  // Most have few under way at a time, which are where the counts are.
  std::uint32_t begin_ = 0;  ///< The number of the first ticket; all before are done.
  std::uint32_t used_ = 0;
  std::uint32_t open_ = 0;
  int error_ = 0;
  const Ticket* awaited_ = nullptr;
  Process* process_ = nullptr;
  Tell how_ = Tell::satisfied;
  std::array<Ticket, kFew> few_{Ticket{*this}, Ticket{*this}, Ticket{*this}, Ticket{*this}};
  std::deque<Ticket> more_;
};

struct Workspace {
  Messages messages;
  Scratch memory;
};

}  // namespace heddle::mpi::collectives
