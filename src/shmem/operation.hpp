// One access to the memory of another PE, from the call that starts it to its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/simulation.hpp"
#include "shmem/type.hpp"

namespace heddle::shmem {

class Pe;
struct Context;
class Team;
class Transport;

/// What an atomic operation does with `target`.
enum class Atomic : std::uint8_t { fetch, set, compare_swap, add, bit_and, bit_or, bit_xor };

/// A record of a pool. What collectives send nobody acknowledges: a message, whose data goes into
/// the receiver's mailbox, and what goes along a tree: a report without data or with data that is
/// combined at the receiver, and what is spread from the root.
class Operation final : public Event {
 public:
  enum class Kind : std::uint8_t {
    put,
    get,
    atomic,
    fetch_atomic,
    message,
    report,
    combine,
    spread
  };

  /// What starts anew with each.
  struct State {
    Kind kind = Kind::put;
    Pe* initiator = nullptr;
    Pe* target = nullptr;
    Context* context = nullptr;  ///< Which is told of its completion; null: nobody is.
    Transport* transport = nullptr;
    void* local = nullptr;   ///< In the initiator's memory: source of a put, destination of
                             ///< a get or fetch (null: none).
    void* remote = nullptr;  ///< In the target's memory.
    std::size_t bytes = 0;
    bool staged = false;      ///< The data is in `payload`.
    bool wants_sent = false;  ///< The call waits for its source to be free.
    bool taken = false;       ///< The call may go on.
    bool sent = false;        ///< The source is free.
    bool done = false;        ///< Completed; the caller looks and gives the record back.
    bool kept = false;        ///< The caller wants to look at `done`.
    bool arrived = false;
    bool sending = false;    ///< On the way to `sent`,
    bool answered = false;   ///< and its answer has come meanwhile.
    bool answering = false;  ///< On its way back, over a network.

    // For recorders.
    Time began;                    ///< When it set out on the way that it is on.
    std::uint32_t thread = 0;      ///< Of the initiator.
    std::uint64_t request = 0;     ///< The number of its way there.
    std::uint64_t because_of = 0;  ///< The step of adapters that had it begin.

    // An atomic operation.
    Atomic atomic{};
    Type type;
    std::uint64_t value = 0;
    std::uint64_t condition = 0;
    std::uint64_t fetched = 0;

    // What follows the data of a put.
    void* signal = nullptr;  ///< In the target's memory; null: nothing.
    std::uint64_t signal_value = 0;
    bool signal_adds = false;

    std::uint64_t channel = 0;  ///< Of what collectives send.
    Team* team = nullptr;       ///< Whose tree it goes along,
    int member = 0;             ///< to which of its members.
    Operation* next = nullptr;  ///< In whatever list it is.
  };

  bool is_collective() const { return state_.kind >= Kind::message; }
  bool is_of_tree() const { return state_.kind > Kind::message; }

  State& operator*() { return state_; }
  State* operator->() { return &state_; }
  const State* operator->() const { return &state_; }
  std::vector<std::byte> payload;  ///< Keeps its capacity from one operation to the next.

 private:
  void fire() override;
  State state_;
};

/// Operations in their order.
class OperationList {
 public:
  bool empty() const { return first_ == nullptr; }
  void add(Operation& operation) {
    operation->next = nullptr;
    (last_ != nullptr ? (*last_)->next : first_) = &operation;
    last_ = &operation;
  }
  /// The first, which is taken out; null if there is none.
  Operation* take() {
    Operation* first = first_;
    if (first != nullptr) {
      first_ = (*first)->next;
      if (first_ == nullptr) last_ = nullptr;
    }
    return first;
  }

 private:
  Operation* first_ = nullptr;
  Operation* last_ = nullptr;
};

}  // namespace heddle::shmem
