// What a collective algorithm is written in: messages, copies and reductions of one rank.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "coll/datatype/datatype.hpp"
#include "coll/steps/places.hpp"
#include "core/prefetch.hpp"

namespace heddle::coll {

class Selector;

/// Names a send or a receive that has been started.
enum class Step : std::uint32_t {};

/// What becomes of data where it is.
class DataSteps {
 public:
  /// Copies between buffers of the same number of bytes, whatever their types.
  virtual void copy(const Buffer& from, const Buffer& to) = 0;
  /// result = operand ∘ result, with the operation of the collective.
  virtual void reduce(const Buffer& operand, const Buffer& result) = 0;

 protected:
  ~DataSteps() = default;
};

/// Data to one rank, and data from one (the same or another).
struct Exchange {
  Buffer out;
  int to = 0;
  Buffer in;
  int from = 0;
};
/// Says what comes next in a series of exchanges, each of which waits for the one before; false at
/// the end. What is to be done with what has arrived it does before. It may be called when the code
/// that made it does not run: all it knows is its own copy, and of data it reaches only what the
/// last exchange sent and received.
class NextExchange {
 public:
  /// `next(steps, exchange)` answers whether there is one.
  template <class Next>
  NextExchange(Next next)  // NOLINT: as std::function is made
      : function_(std::make_unique<Made<Next>>(std::move(next))) {}

  bool operator()(DataSteps& steps, Exchange& next) { return function_->next(steps, next); }
  /// It is going to be called: fetches from memory what it knows.
  void foresee() const { prefetch_lines(function_.get(), 4); }

 private:
  struct Function {
    virtual ~Function() = default;
    virtual bool next(DataSteps& steps, Exchange& next) = 0;
  };
  template <class Next>
  struct Made final : Function {
    explicit Made(Next function) : function_(std::move(function)) {}
    bool next(DataSteps& steps, Exchange& next) override { return function_(steps, next); }
    Next function_;
  };
  std::unique_ptr<Function> function_;
};

/// Where an algorithm says what its rank does. Steps happen in the order in which they are said:
/// sends and receives begin and are not waited for, copies and reductions are done at once. What
/// becomes of a step is up to the derived class: carried out, or recorded for later.
///
/// An algorithm never looks at data. All ranks run the same function, each with its own rank();
/// messages between two ranks are received in the order in which they are sent.
class Steps : public DataSteps {
 public:
  virtual ~Steps() = default;
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Which ranks share a node or a switch.
  const Places& places() const { return *places_; }
  /// How the library does operations that are parts of others; null: nobody has said.
  const Selector* selector() const { return selector_; }

  virtual Step send(const Buffer& data, int peer) = 0;
  virtual Step receive(const Buffer& data, int peer) = 0;
  /// Until everything that has been started is complete.
  virtual void wait() = 0;
  /// Until this one is complete.
  virtual void wait(Step step) = 0;
  /// Whether this one is complete already. Where steps are recorded nobody can know yet: the answer
  /// is yes, and the schedule waits for it.
  virtual bool complete(Step step) = 0;
  /// Memory for `count` elements of the type, valid until the end of the collective.
  virtual Buffer scratch(std::int64_t count, const Datatype& type) = 0;
  /// A series of exchanges, one after another.
  virtual void exchanges(NextExchange next) {
    for (Exchange one; next(*this, one);) exchange(one.out, one.to, one.in, one.from);
  }

  // In terms of the above:

  /// Memory for what `like` holds.
  Buffer scratch(const Buffer& like) { return scratch(like.count, *like.type); }
  /// Sends and waits until the buffer may be used again.
  void send_now(const Buffer& data, int peer) { wait(send(data, peer)); }
  void receive_now(const Buffer& data, int peer) { wait(receive(data, peer)); }
  /// Sends to one rank while receiving from another (or the same).
  void exchange(const Buffer& out, int to, const Buffer& in, int from) {
    const Step received = receive(in, from);
    const Step sent = send(out, to);
    wait(received);
    wait(sent);
  }

 protected:
  Steps(int rank, int size, const Places& places, const Selector* selector)
      : rank_(rank), size_(size), places_(&places), selector_(selector) {}

 private:
  int rank_;
  int size_;
  const Places* places_;
  const Selector* selector_;
};

/// The same steps for some of the ranks, which are called 0, 1, 2... in the order of `members`: so
/// any algorithm can be a part of another. The rank itself must be a member.
class TeamSteps final : public Steps {
 public:
  TeamSteps(Steps& steps, std::span<const int> members, int rank)
      : Steps(rank, static_cast<int>(members.size()), steps.places(), steps.selector()),
        steps_(steps),
        members_(members) {}
  using Steps::scratch;
  Step send(const Buffer& data, int peer) override { return steps_.send(data, world(peer)); }
  Step receive(const Buffer& data, int peer) override { return steps_.receive(data, world(peer)); }
  void copy(const Buffer& from, const Buffer& to) override { steps_.copy(from, to); }
  void reduce(const Buffer& operand, const Buffer& result) override {
    steps_.reduce(operand, result);
  }
  void wait() override { steps_.wait(); }
  void wait(Step step) override { steps_.wait(step); }
  bool complete(Step step) override { return steps_.complete(step); }
  Buffer scratch(std::int64_t count, const Datatype& type) override {
    return steps_.scratch(count, type);
  }

 private:
  int world(int peer) const { return members_[static_cast<std::size_t>(peer)]; }

  Steps& steps_;
  std::span<const int> members_;
};

}  // namespace heddle::coll
