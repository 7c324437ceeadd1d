// Who looks at messages without being a part of them: checks, recorders, logs of calls.
#pragma once

#include <cstdint>

#include "mpi/datatypes.hpp"

namespace heddle::mpi {

class Completion;
class Process;
class Request;
struct MatchKey;
struct Message;
enum class SendCall : std::uint8_t;

/// Is told what becomes of the messages of a job, in the order in which it happens. Sends and
/// receives are known by the completion that is told of their end, until the rank has seen that it
/// was. Whoever looks at less leaves the rest as it is.
class MessageObserver {
 public:
  virtual ~MessageObserver() = default;

  /// A call sends a message; on the fiber of its rank.
  virtual void sends(const Message&, SendCall) {}
  /// The call returns before the message sets out, which an event is going to let it do,
  virtual void puts_off(Message&) {}
  /// and does, from one of these to the other.
  virtual void goes_on(const Message&) {}
  virtual void went_on(const Message&) {}
  /// The sender has done its part.
  virtual void sets_out(Message&) {}

  /// A receive is posted; on the fiber of its rank.
  virtual void receives(Process&, const MatchKey&, const Buffer&, const Completion&) {}
  /// The same of a message that a matched probe has found.
  virtual void receives_extracted(const Message&, const Completion&) {}
  /// A probe with wildcards has told of a message.
  virtual void probed(const Message&) {}
  /// A receive that was told of has been taken back.
  virtual void cancelled(Process&, const Completion&) {}

  /// A message and a receive meet; the stage of the message is that before. From any code.
  virtual void meets(Message&, const Buffer&, const Completion&) {}
  /// What has met writes to the receiver's memory, from one of these to the other.
  virtual void writes(Process&, const Message&) {}
  virtual void wrote(Process&, const Message&) {}
  /// All of a message is there that has met no receive.
  virtual void arrived(Message&) {}
  /// All of it is there, and it has met its receive.
  virtual void delivered(const Message&) {}
  /// The rank has seen, in a call, that the operations of a completion have ended.
  virtual void sees_end(Process&, const Completion&) {}

  /// Memory that the program has given to a request.
  struct Lent {
    const Buffer& memory;
    bool receives;  ///< Else it is sent.
    const Request& borrower;
  };
  /// The program has given memory to a request that is under way,
  virtual void lends(Process&, const Completion&, const Lent&) {}
  /// has it back,
  virtual void has_back(Process&, const Completion&) {}
  /// or will never ask.
  virtual void forgets(Process&, const Completion&) {}

  MessageObserver* next_observer() const { return next_; }
  void set_next_observer(MessageObserver* next) { next_ = next; }

 private:
  MessageObserver* next_ = nullptr;
};

/// Those of a job, told in the order in which they came. To ask whether there are any is all that
/// it costs where there are none.
class MessageObservers {
 public:
  /// It must outlive the messages; it cannot be in two lists.
  void add(MessageObserver& observer) {
    if (last_ != nullptr) {
      last_->set_next_observer(&observer);
    } else {
      first_ = &observer;
    }
    last_ = &observer;
  }
  bool empty() const { return first_ == nullptr; }
  /// `tell(observer)` for each.
  template <class Tell>
  [[gnu::always_inline]] void tell(const Tell& tell) const {
    if (first_ != nullptr) {
      [[unlikely]] tell_all(tell);
    }
  }

 private:
  template <class Tell>
  [[gnu::noinline]] void tell_all(const Tell& tell) const {
    for (MessageObserver* one = first_; one != nullptr; one = one->next_observer()) tell(*one);
  }
  MessageObserver* first_ = nullptr;
  MessageObserver* last_ = nullptr;
};

}  // namespace heddle::mpi
