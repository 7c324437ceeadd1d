// Threads that wait for something in their memory by looking at it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/address_space.hpp"
#include "core/fiber.hpp"
#include "core/ids.hpp"
#include "host/rank/looked_at.hpp"

namespace heddle::host {

/// How long a thread that is set aside, and of which it is not known what it looks at, lets others
/// of its node run before it looks again.
class SpinPatience {
 public:
  /// Another thread of its node has run: whether it goes on waiting. The more often it has looked
  /// in vain, the more of them it lets pass.
  bool lets_pass() {
    if (++passed_ < (1U << vain_)) return true;
    passed_ = 0;
    vain_ += vain_ < kMost ? 1 : 0;
    return false;
  }
  /// It has found what it waited for, or at least made a call.
  void start_anew() { passed_ = vain_ = 0; }

 private:
  static constexpr std::uint32_t kMost = 10;
  std::uint32_t passed_ = 0;
  std::uint32_t vain_ = 0;
};

/// What is known of code that looks at its memory again and again.
struct Look {
  const LookedAt* looked_at = nullptr;  ///< If that is known.
  bool new_state = false;          ///< It is in another loop, or another state, than the last time.
  std::uint32_t instructions = 0;  ///< Of the code, that were looked at.
  /// How it is found when it comes there again: it is looked at, or there is a trap, since now or
  /// before.
  enum class Found : std::uint8_t { by_looks, by_new_trap, by_trap };
  Found found = Found::by_looks;
};

/// A thread that waits by looking, from the first time on.
class Spinner {
 public:
  /// All must outlive it.
  Spinner(Fiber& fiber, AddressSpace& memory, NodeId node)
      : fiber_(fiber), memory_(memory), node_(node) {}

  Fiber& fiber() const { return fiber_; }
  AddressSpace& memory() const { return memory_; }
  NodeId node() const { return node_; }

  /// It is set aside, and has made so many calls by then. Answers whether it has got on since the
  /// last time: it has if it has made a call, or has gone on because somebody changed what it
  /// looked at; code of which that is not known, if it is in another state than before.
  bool set_aside(const Look& look, std::uint64_t calls);
  /// It goes on.
  void go_on() { released_ = looks_at_known(); }

  /// Whether it is known what it looks at, and that that is as it was.
  bool looks_at_known() const { return looked_at_.known(); }
  bool looks_in_vain() const { return looks_at_known() && looked_at_.same_in(memory_); }
  /// Another thread of its node has run: whether that is nothing to it.
  bool lets_pass() { return looks_in_vain() || (!looks_at_known() && patience_.lets_pass()); }

  /// Whether it is looked at soon whenever it goes on, for nobody waits so only once.
  bool watched() const { return watches_ > 0; }
  void count_watch() { watches_ -= watches_ > 0 ? 1 : 0; }
  /// Whether a trap has found it the last time, or stands where it waited then.
  bool has_trap() const { return found_ != Look::Found::by_looks; }
  /// So many instructions of its code it took to know what it does.
  std::uint32_t instructions() const { return instructions_; }

 private:
  Fiber& fiber_;
  AddressSpace& memory_;
  NodeId node_;
  SpinPatience patience_;
  // When it was last set aside:
  LookedAt looked_at_;
  Look::Found found_ = Look::Found::by_looks;
  std::uint32_t instructions_ = 0;
  std::uint64_t calls_ = ~static_cast<std::uint64_t>(0);  ///< Made by then.
  bool released_ = false;      ///< Since then, for what it looked at had changed.
  std::uint32_t changes_ = 0;  ///< Of its state in a row, without a call.
  std::uint32_t watches_ = 0;  ///< So many times more is it looked at soon after it goes on.
};

/// The threads of a run that are set aside. What wakes one is that what it looks at has changed, if
/// that is known, and else a write to its rank's memory, another thread of its node that has run,
/// or that nothing else is left to happen.
class Spinners {
 public:
  bool any() const { return !spinning_.empty(); }
  void add(Spinner& spinner);
  /// The one whose code this fiber runs, if it is there.
  void remove(const Fiber& fiber);
  /// Something is about to be written to this memory from outside.
  void written(const AddressSpace& memory);
  /// A thread of this node has run, other than to look again in vain: it may have written something
  /// that others there see.
  void ran(const Fiber& fiber, NodeId node);
  /// Nothing else is left: lets all look again; false if there is none, or if that has led to
  /// nothing several times in a row.
  bool last_resort();

 private:
  std::vector<Spinner*> spinning_;
  std::uint64_t runs_ = 0;            ///< Of threads that did more than to look again.
  std::uint64_t runs_at_resort_ = 0;  ///< So many there were at the last one.
  int resorts_ = 0;                   ///< In a row, without one.
};

}  // namespace heddle::host
