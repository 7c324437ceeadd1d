// What a collective algorithm does, written down as operations of a schedule.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "coll/algorithms/run.hpp"
#include "goal/patterns/side.hpp"

namespace heddle::goal {

/// What an algorithm's steps take that have no size of their own.
struct StepCosts {
  WorkFor work = {};        ///< Of reductions; null: none.
  std::uint64_t token = 0;  ///< Bytes of messages without data, which only say that one is there.
  /// Rounds are parted by an operation that takes no time, however few messages they have.
  bool parted = false;
};

/// One member's steps become its operations. What begins behind a wait follows the ends of all that
/// was waited for; a reduction follows what has arrived, and holds up what comes behind it. Between
/// two waits sends stand before receives, as their order does not matter there.
class StepWriter final : public coll::Steps {
 public:
  StepWriter(const Side& side, StepCosts costs);

  using Steps::scratch;
  coll::Step send(const coll::Buffer& data, int peer) override { return begin(data, peer, true); }
  coll::Step receive(const coll::Buffer& data, int peer) override {
    return begin(data, peer, false);
  }
  void copy(const coll::Buffer&, const coll::Buffer&) override {}
  void reduce(const coll::Buffer& operand, const coll::Buffer& result) override;
  void wait() override;
  void wait(coll::Step step) override;
  bool complete(coll::Step step) override;
  coll::Buffer scratch(std::int64_t count, const coll::Datatype& type) override;

 private:
  /// A message that has begun.
  struct Message {
    std::uint64_t bytes;
    std::uint32_t peer;
    bool sends;
    bool over = false;     ///< It has been waited for.
    std::uint32_t op = 0;  ///< Once it is written,
    std::size_t when = 0;  ///< and after how many other things.
  };
  /// What everything that begins now follows.
  struct Before {
    std::uint32_t op;
    bool sends;        ///< No reduction needs its end.
    std::size_t when;  ///< After how many other things it became one.
  };

  coll::Step begin(const coll::Buffer& data, int peer, bool sends);
  void write_messages();
  void write(Message& message);
  void join_many();
  void follow(std::uint32_t op) const;
  void end(Message& message);

  Side side_;
  StepCosts costs_;
  coll::Places places_;
  std::vector<Message> messages_;
  std::size_t written_ = 0;  ///< So many of them are.
  std::size_t over_ = 0;     ///< So many have been waited for, from the first on.
  std::vector<Before> before_;
  std::size_t things_ = 0;  ///< Ends and reductions so far.
};

/// Data that nobody looks at.
coll::Buffer data_of(std::uint64_t bytes);
/// The same, a block for each member.
coll::Blocks blocks_of(std::span<const std::int64_t> bytes);

/// Writes what `algorithm` has one member do.
template <class Algorithm>
void write_steps(const Side& side, Algorithm algorithm, StepCosts costs = {}) {
  StepWriter steps(side, std::move(costs));
  algorithm(steps);
  steps.wait();
}
/// Writes what the algorithm called `name` of a list has one member do.
template <class Work>
void write_steps(const Side& side, std::span<const coll::Algorithm<Work>> all,
                 std::string_view name, const Work& work, StepCosts costs = {}) {
  write_steps(
      side, [&](StepWriter& steps) { run(steps, *coll::find_algorithm(all, name), work, {}); },
      std::move(costs));
}

}  // namespace heddle::goal
