// Messages: types at both ends, those that depend on buffers or on collectives that do not wait,
// and receives that might have got another.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "mpi/check/causality.hpp"
#include "mpi/check/collective_check.hpp"
#include "mpi/check/findings.hpp"
#include "mpi/engine/message.hpp"

namespace heddle::mpi {

class Process;

class MessageCheck {
 public:
  MessageCheck(Findings& findings, Causality& causality, const CollectiveCheck& collectives)
      : findings_(findings), causality_(causality), collectives_(collectives) {}

  void sent(const Message& message);
  /// A receive is posted, with wildcards or without.
  void posted(const Process& process, const MatchKey& key, const Completion& completion);
  void cancelled(const Completion& completion) { posted_.erase(&completion); }
  /// A probe with wildcards has told of a message: who receives it has not asked for its source.
  void probed(const Message& message);
  /// A message meets a receive.
  void met(const Message& message, const Buffer& buffer, const Completion& completion);
  /// It is there: the receiver may know what the sender knew.
  void delivered(const Message& message);
  /// The program sees the end of a send or a receive.
  void sees_end(const Process& process, const Completion& completion);
  /// Receives that might have got another message, and others then none; of a run that has ended.
  void look_at_races();

  /// Messages of one source and tag that receives took that were posted later than another.
  struct LaterMessages {
    std::uint64_t first = 0;      ///< Serial of the first.
    Causality::Stamp first_knew;  ///< Its sender, when it was sent.
    std::int64_t all = 0;
    std::int64_t asked_for = 0;  ///< By receives that name the source.
  };
  using LaterByTag = std::map<std::int32_t, LaterMessages>;
  using LaterBySource = std::map<std::int32_t, LaterByTag>;

 private:
  struct Sent {
    Signature signature;
    bool typed = false;
    bool probed = false;
    bool seen = false;                       ///< The sender's program knows that it is complete.
    const Completion* completion = nullptr;  ///< Of a send that must not depend on buffers.
    std::uint32_t communicator = 0;
    std::uint32_t ended = 0;         ///< Collective calls of the sender, when it was sent,
    std::uint32_t begun_at_end = 0;  ///< and those begun when the program saw the end.
    Causality::Stamp stamp;
  };
  struct Posted {
    MatchKey key;
    std::uint64_t order = 0;
    std::uint32_t ended = 0;  ///< Collective calls of its rank at that time.
  };
  /// A receive that has got a message, and the program does not know it yet.
  struct Got {
    std::uint32_t context;
    std::int32_t source;
    std::int32_t tag;
    std::uint32_t sender;
    std::uint32_t sender_ended;  ///< Collective calls, when it was sent.
  };
  /// What the program will be told of a send that has met its receive.
  struct Taken {
    MatchKey key;
    std::uint32_t receiver_ended;  ///< Collective calls, when the receive was posted.
  };
  /// One receive, of a rank that has used wildcards.
  struct Reception {
    std::uint64_t order;   ///< Of its posting.
    std::uint64_t serial;  ///< Of its message.
    std::int32_t source;
    std::int32_t tag;
    std::int32_t wanted_tag;
    bool from_any;        ///< It asked for a message of anybody's,
    bool wild;            ///< or for one that such a probe had told of.
    std::uint32_t event;  ///< Of the receiving rank, when they met.
    Causality::Stamp sender_knew;
  };
  using Box = std::pair<std::uint32_t, std::uint32_t>;  ///< Receiver and context.

  void compare_types(const Message& message, const Sent& sent, const Buffer& buffer);
  void compare_order(const Message& message, const Sent& sent, const Posted& posted);
  void note(const Message& message, const Sent& sent, const Posted& posted);
  void sees_receive(const Process& process, const Got& got);
  void complain_of_buffering(std::uint32_t sender, const MatchKey& key, std::uint32_t begun);
  void look_at(const Box& box, std::vector<Reception>& receptions);
  void compare(const Box& box, const Reception& one, const LaterBySource& later);

  Findings& findings_;
  Causality& causality_;
  const CollectiveCheck& collectives_;
  std::unordered_map<std::uint64_t, Sent> under_way_;           ///< By serial.
  std::unordered_map<const Completion*, std::uint64_t> sends_;  ///< That nobody has received.
  std::unordered_map<const Completion*, Posted> posted_;
  std::unordered_map<const Completion*, Got> got_;
  std::unordered_map<const Completion*, Taken> taken_;
  std::map<Box, std::vector<Reception>> receptions_;
  std::uint64_t orders_ = 0;
};

/// "MPI_COMM_WORLD", or "communicator 3", of the context of a message.
std::string label_of(std::uint32_t context);

}  // namespace heddle::mpi
