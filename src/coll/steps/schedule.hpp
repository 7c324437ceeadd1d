// The steps of a collective, recorded to be carried out later, once or again and again.
#pragma once

#include <cstdint>
#include <vector>

#include "coll/steps/scratch.hpp"
#include "coll/steps/steps.hpp"

namespace heddle::coll {

/// What one rank does, in order.
struct Schedule {
  enum class Kind : std::uint8_t { send, receive, copy, reduce, wait, wait_for };
  struct Instruction {
    Kind kind;
    std::int32_t number = 0;  ///< The peer of a message, or the message that is waited for.
    Buffer buffer = {};       ///< Of a message; the source of a copy, the operand of a reduction.
    Buffer target = {};
  };
  std::vector<Instruction> instructions;
  std::uint32_t messages = 0;  ///< Numbered in the order in which they begin.
  Scratch memory;
};

/// Writes what an algorithm does into a schedule, which must outlive it.
class Recorder final : public Steps {
 public:
  Recorder(Schedule& schedule, int rank, int size, const Places& places,
           const Selector* selector = nullptr)
      : Steps(rank, size, places, selector), schedule_(schedule) {}
  using Steps::scratch;
  Step send(const Buffer& data, int peer) override;
  Step receive(const Buffer& data, int peer) override;
  void copy(const Buffer& from, const Buffer& to) override;
  void reduce(const Buffer& operand, const Buffer& result) override;
  void wait() override;
  void wait(Step step) override;
  bool complete(Step step) override;
  Buffer scratch(std::int64_t count, const Datatype& type) override;

 private:
  Step message(Schedule::Kind kind, const Buffer& data, int peer);

  Schedule& schedule_;
};

}  // namespace heddle::coll
