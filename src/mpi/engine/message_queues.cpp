#include "mpi/engine/message_queues.hpp"

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
  auto* oldest = static_cast<Receive*>(table_.first(message.key, kReceive));
  Receive* const wild = wild_for(message);
  if (oldest == nullptr || (wild != nullptr && wild->serial < oldest->serial)) oldest = wild;
  if (oldest != nullptr) remove(*oldest);
  return oldest;
}

Message* MessageQueues::find(const Process& process, const MatchKey& key) const {
  if (!is_wild(key)) return static_cast<Message*>(table_.first(key, kMessage));
  Message* message = process.mailbox.first;
  while (message != nullptr && !takes(key, message->key)) message = message->after;
  return message;
}

void MessageQueues::add(Message& message, const Place& place) {
  table_.append(message, place);
  if (!may_be_wild(message.key)) return;
  Mailbox& box = message.receiver->mailbox;
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
  if (!message.listed) return;
  Mailbox& box = message.receiver->mailbox;
  (message.before != nullptr ? message.before->after : box.first) = message.after;
  (message.after != nullptr ? message.after->before : box.last) = message.before;
  message.listed = false;
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
}

void MessageQueues::remove(Receive& receive) {
  Mailbox& box = receive.process->mailbox;
  --box.receives;
  if (!receive.wild) return table_.remove(receive);
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
}

std::vector<Receive*> MessageQueues::receives_of(const Process& process) const {
  std::vector<Receive*> receives;
  if (process.mailbox.receives == 0) return receives;
  table_.for_each([&](Waiting& item) {
    if (item.kind == kReceive && item.key.receiver == process.id()) {
      receives.push_back(static_cast<Receive*>(&item));
    }
  });
  for (Waiting* w = process.mailbox.wild_first; w != nullptr; w = w->next) {
    receives.push_back(static_cast<Receive*>(w));
  }
  return receives;
}

}  // namespace heddle::mpi
