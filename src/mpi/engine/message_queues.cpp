#include "mpi/engine/message_queues.hpp"

#include <utility>

namespace heddle::mpi {
namespace {

bool takes(const MatchKey& wanted, const MatchKey& key) {
  return wanted.context == key.context &&
         (wanted.source == MPI_ANY_SOURCE || wanted.source == key.source) &&
         (wanted.tag == MPI_ANY_TAG || wanted.tag == key.tag);
}

Receive* wild_for(const Message& message) {
  Waiting* item = message.receiver->mailbox.wild_first;
  while (item != nullptr && !takes(item->key, message.key)) item = item->next;
  return static_cast<Receive*>(item);
}

}  // namespace

Receive* MessageQueues::take_oldest(const Message& message) {
  Receive* oldest = exact_for(message.receiver->mailbox, message.key);
  Receive* const wild = wild_for(message);
  if (oldest == nullptr || (wild != nullptr && wild->serial < oldest->serial)) oldest = wild;
  if (oldest != nullptr) remove(*oldest);
  return oldest;
}

Receive* MessageQueues::exact_for(const Mailbox& box, const MatchKey& key) const {
  if (box.in_table > 0) return static_cast<Receive*>(table_.first(key, kReceive));
  const std::size_t place = find_near(box.near, key);
  return place < box.near.count ? box.near.receives[place] : nullptr;
}

Message* MessageQueues::find(const Process& process, const MatchKey& key) const {
  if (process.mailbox.unexpected == 0) return nullptr;
  if (!is_wild(key)) return static_cast<Message*>(table_.first(key, kMessage));
  Message* message = process.mailbox.first;
  while (message != nullptr && !takes(key, message->key)) message = message->after;
  return message;
}

void MessageQueues::add(Message& message, const Place& place) {
  table_.append(message, place);
  Mailbox& box = message.receiver->mailbox;
  ++box.unexpected;
  if (!may_be_wild(message.key)) return;
  message.listed = true;
  message.before = box.last;
  message.after = nullptr;
  (box.last != nullptr ? box.last->after : box.first) = &message;
  box.last = &message;
}

void MessageQueues::remove(Message& message) {
  table_.remove(message);
  unlist(message);
}

void MessageQueues::unlist(Message& message) {
  Mailbox& box = message.receiver->mailbox;
  --box.unexpected;
  if (!message.listed) return;
  (message.before != nullptr ? message.before->after : box.first) = message.after;
  (message.after != nullptr ? message.after->before : box.last) = message.before;
  message.listed = false;
}

/// Those that were near go there first, for they are older.
void MessageQueues::add_to_table(Receive& receive, const Place& place) {
  Mailbox& box = receive.process->mailbox;
  if (box.near.count == 0) {
    table_.append(receive, place);
  } else {
    for (std::size_t i = 0; i < box.near.count; ++i) table_.append(*box.near.receives[i], {});
    table_.append(receive, {});
  }
  box.in_table += std::exchange(box.near.count, 0) + 1U;
}

void MessageQueues::add_wild(Receive& receive) {
  Mailbox& box = receive.process->mailbox;
  receive.previous = box.wild_last;
  receive.next = nullptr;
  if (box.wild_last != nullptr) {
    box.wild_last->next = &receive;
  } else {
    box.wild_first = &receive;
  }
  box.wild_last = &receive;
  box.near.wild_ones = true;
}

void MessageQueues::remove_exact(Mailbox& box, Receive& receive) {
  if (box.in_table > 0) {
    --box.in_table;
    return table_.remove(receive);
  }
  std::size_t place = 0;
  while (box.near.receives[place] != &receive) ++place;
  box.near.remove(place);
}

void MessageQueues::remove(Receive& receive) {
  Mailbox& box = receive.process->mailbox;
  if (!receive.wild) return remove_exact(box, receive);
  auto* previous = static_cast<Receive*>(receive.previous);
  auto* next = static_cast<Receive*>(receive.next);
  if (previous != nullptr) {
    previous->next = next;
  } else {
    box.wild_first = next;
  }
  if (next != nullptr) {
    next->previous = previous;
  } else {
    box.wild_last = previous;
  }
  box.near.wild_ones = box.wild_first != nullptr;
}

std::vector<Receive*> MessageQueues::receives_of(const Process& process) const {
  const Mailbox& box = process.mailbox;
  std::vector<Receive*> receives(box.near.receives.begin(),
                                 box.near.receives.begin() + box.near.count);
  if (box.in_table > 0) {
    table_.for_each([&](Waiting& item) {
      if (item.kind == kReceive && item.key.receiver == process.id()) {
        receives.push_back(static_cast<Receive*>(&item));
      }
    });
  }
  for (Waiting* w = box.wild_first; w != nullptr; w = w->next) {
    receives.push_back(static_cast<Receive*>(w));
  }
  return receives;
}

}  // namespace heddle::mpi
