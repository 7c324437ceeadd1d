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
    if (box.near.wild_ones && may_be_wild(message.key)) return take_oldest(message);
    if (box.in_table == 0) return take_near(box.near, message.key);
    auto* const exact = static_cast<Receive*>(table_.take(message.key, kReceive, place));
    if (exact != nullptr) --box.in_table;
    return exact;
  }
  /// The oldest message for a process with a key that is not wild, taken out; or null.
  [[gnu::always_inline]] Message* take_message(const Process& process, const MatchKey& key,
                                               Place& place) {
    if (process.mailbox.unexpected == 0) return nullptr;
    auto* const message = static_cast<Message*>(table_.take(key, kMessage, place));
    if (message != nullptr) unlist(*message);
    return message;
  }
  /// The message that a receive with this key would get, or null.
  Message* find(const Process& process, const MatchKey& key) const;

  /// At the places where they were looked for in vain.
  void add(Message& message, const Place& place);
  [[gnu::always_inline]] void add(Receive& receive, const Place& place) {
    Mailbox& box = receive.process->mailbox;
    if (receive.wild) return add_wild(receive);
    if (box.in_table > 0 || box.near.full()) return add_to_table(receive, place);
    box.near.add(receive, receive.key.mark());
  }
  void remove(Message& message);
  void remove(Receive& receive);

  /// A message is going to look for its receive, which is at hand by now if it is near: what that
  /// needs is fetched from memory.
  void foresee(const Message& message) const {
    const Mailbox& box = message.receiver->mailbox;
    if (box.in_table > 0) return table_.foresee_first(message.key);
    const std::size_t place = find_near(box.near, message.key.mark());
    if (place < box.near.count) prefetch_lines(box.near.receives[place], 2);
  }
  /// The receive that is there for it, or null.
  const Receive* receive_for(const Message& message) const {
    return exact_for(message.receiver->mailbox, message.key);
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
  /// The first one that may have this key, from a place on; or their number.
  static std::size_t find_near(const NearReceives& near, std::uint8_t mark, std::size_t place = 0) {
    while (place < near.count && near.marks[place] != mark) ++place;
    return place;
  }
  static std::size_t find_near(const NearReceives& near, const MatchKey& key) {
    const std::uint8_t mark = key.mark();
    std::size_t place = find_near(near, mark);
    while (place < near.count && near.receives[place]->key != key) {
      place = find_near(near, mark, place + 1);
    }
    return place;
  }
  [[gnu::always_inline]] static Receive* take_near(NearReceives& near, const MatchKey& key) {
    const std::size_t place = find_near(near, key);
    if (place == near.count) return nullptr;
    Receive* const receive = near.receives[place];
    near.remove(place);
    return receive;
  }
  /// Without wildcards, the oldest; or null.
  Receive* exact_for(const Mailbox& box, const MatchKey& key) const;
  Receive* take_oldest(const Message& message);
  void add_to_table(Receive& receive, const Place& place);
  void remove_exact(Mailbox& box, Receive& receive);
  static void add_wild(Receive& receive);
  static void unlist(Message& message);

  MatchTable table_;
};

}  // namespace heddle::mpi
