// Where messages and receives wait for each other: what MPI demands of their order.
#pragma once

#include <mpi.h>

#include "mpi/engine/match_table.hpp"
#include "mpi/engine/message.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

/// What a message is for. Messages of different kinds never meet.
enum class Traffic : std::uint8_t { point_to_point, collective, window, management, partitioned };
inline constexpr std::uint32_t kTraffics = 5;

inline bool is_wild(const MatchKey& key) {
  return key.source == MPI_ANY_SOURCE || key.tag == MPI_ANY_TAG;
}

/// Messages that nobody has received and receives that no message has met, of all processes of a
/// job. What every message passes through is a part of who calls it.
class MessageQueues {
 public:
  using Place = MatchTable::Place;

  /// The oldest receive for a message, taken out; or null.
  [[gnu::always_inline]] Receive* take_receive(const Message& message, Place& place) {
    Mailbox& box = message.receiver->mailbox;
    if (box.wild_first != nullptr && may_be_wild(message.key)) return take_oldest(message);
    auto* const exact = static_cast<Receive*>(table_.take(message.key, kReceive, place));
    if (exact != nullptr) --box.receives;
    return exact;
  }
  /// The oldest message with a key that is not wild, taken out; or null.
  [[gnu::always_inline]] Message* take_message(const MatchKey& key, Place& place) {
    auto* const message = static_cast<Message*>(table_.take(key, kMessage, place));
    if (message != nullptr) unlist(*message);
    return message;
  }
  /// The message that a receive with this key would get, or null.
  Message* find(const Process& process, const MatchKey& key) const;

  /// At the places where they were looked for in vain.
  void add(Message& message, const Place& place);
  [[gnu::always_inline]] void add(Receive& receive, const Place& place) {
    ++receive.process->mailbox.receives;
    if (receive.wild) return add_wild(receive);
    table_.append(receive, place);
  }
  void remove(Message& message);
  void remove(Receive& receive);

  /// A message is going to look for its receive: what that needs is fetched from memory.
  void foresee(const Message& message) const { table_.foresee_first(message.key); }
  /// The receive that is there for it, or null.
  const Receive* receive_for(const Message& message) const {
    return static_cast<const Receive*>(table_.first(message.key, kReceive));
  }

  /// `f(message)` for each message that nobody has received.
  template <class F>
  void for_each_message(F f) const {
    table_.for_each([&](const Waiting& item) {
      if (item.kind == kMessage) f(static_cast<const Message&>(item));
    });
  }
  std::vector<Receive*> receives_of(const Process& process) const;

 private:
  static constexpr auto kMessage = Waiting::Kind::message;
  static constexpr auto kReceive = Waiting::Kind::receive;
  static bool may_be_wild(const MatchKey& key) {
    return key.context % kTraffics == static_cast<std::uint32_t>(Traffic::point_to_point);
  }
  Receive* take_oldest(const Message& message);
  static void add_wild(Receive& receive);
  static void unlist(Message& message);

  MatchTable table_;
};

}  // namespace heddle::mpi
