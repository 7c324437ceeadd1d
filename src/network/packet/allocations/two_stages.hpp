// Allocation in two stages: the ports of one side of a crossbar choose among the requests, then
// those of the other side among these choices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "network/packet/allocation.hpp"

namespace heddle::network {

enum class CrossbarSide : std::uint8_t { inputs, outputs };

/// The ports of one side, each of which chooses in turn: the next one of the other side at or
/// behind its pointer.
class InTurn {
 public:
  InTurn(std::uint32_t ports, std::uint32_t others, std::uint64_t)
      : others_(others), pointers_(ports) {}
  void begin() {}
  /// Whether `port` would rather have `other` than `chosen`.
  bool prefers(std::uint32_t port, std::uint32_t other, std::uint32_t chosen) const {
    return turn(port, other) < turn(port, chosen);
  }
  void matched(std::uint32_t port, std::uint32_t other) {
    pointers_[port] = other + 1 < others_ ? other + 1 : 0;
  }

 private:
  std::uint32_t turn(std::uint32_t port, std::uint32_t other) const {
    const std::uint32_t pointer = pointers_[port];
    return other >= pointer ? other - pointer : other + others_ - pointer;
  }
  std::uint32_t others_;
  std::vector<std::uint32_t> pointers_;
};

/// Whether pointers move with every match, or with those of the first round only.
enum class PointersMove : std::uint8_t { always, first_round };

/// The ports of one side choose first, each by `Chooser`; in further rounds those that are left
/// over.
template <class Chooser>
class TwoStages final : public Allocator {
 public:
  TwoStages(const CrossbarShape& shape, CrossbarSide first, std::int64_t rounds, PointersMove move)
      : outputs_first_(first == CrossbarSide::outputs),
        rounds_(rounds),
        move_(move),
        first_(outputs_first_ ? shape.outputs : shape.inputs,
               outputs_first_ ? shape.inputs : shape.outputs, shape.seed),
        second_(outputs_first_ ? shape.inputs : shape.outputs,
                outputs_first_ ? shape.outputs : shape.inputs, ~shape.seed),
        of_first_(outputs_first_ ? shape.outputs : shape.inputs),
        of_second_(outputs_first_ ? shape.inputs : shape.outputs) {}

  void match(std::span<const CrossbarRequest> requests,
             std::vector<std::size_t>& matched) override {
    first_taken_.assign(of_first_.size(), false);
    second_taken_.assign(of_second_.size(), false);
    for (std::int64_t round = 0; round < rounds_; ++round) {
      choose(requests);
      const std::size_t before = matched.size();
      agree(requests, matched, round == 0 || move_ == PointersMove::always);
      if (matched.size() == before) break;
    }
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  std::uint32_t on_first(const CrossbarRequest& r) const {
    return outputs_first_ ? r.output : r.input;
  }
  std::uint32_t on_second(const CrossbarRequest& r) const {
    return outputs_first_ ? r.input : r.output;
  }

  /// Each port of the first side chooses among its requests.
  void choose(std::span<const CrossbarRequest> requests) {
    of_first_.assign(of_first_.size(), kNone);
    first_.begin();
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const std::uint32_t port = on_first(requests[i]);
      const std::uint32_t other = on_second(requests[i]);
      if (first_taken_[port] || second_taken_[other]) continue;
      std::size_t& choice = of_first_[port];
      if (choice == kNone || first_.prefers(port, other, on_second(requests[choice]))) {
        choice = i;
      }
    }
  }

  /// Each port of the second side chooses among those that have chosen it.
  void agree(std::span<const CrossbarRequest> requests, std::vector<std::size_t>& matched,
             bool move) {
    of_second_.assign(of_second_.size(), kNone);
    second_.begin();
    for (std::uint32_t port = 0; port < of_first_.size(); ++port) {
      if (of_first_[port] == kNone) continue;
      const std::uint32_t other = on_second(requests[of_first_[port]]);
      std::size_t& choice = of_second_[other];
      if (choice == kNone || second_.prefers(other, port, on_first(requests[choice]))) {
        choice = of_first_[port];
      }
    }
    for (std::uint32_t other = 0; other < of_second_.size(); ++other) {
      if (of_second_[other] == kNone) continue;
      const std::uint32_t port = on_first(requests[of_second_[other]]);
      first_taken_[port] = second_taken_[other] = true;
      matched.push_back(of_second_[other]);
      if (!move) continue;
      first_.matched(port, other);
      second_.matched(other, port);
    }
  }

  bool outputs_first_;
  std::int64_t rounds_;
  PointersMove move_;
  Chooser first_;
  Chooser second_;
  std::vector<std::size_t> of_first_;  ///< By port, the request that it has chosen.
  std::vector<std::size_t> of_second_;
  std::vector<bool> first_taken_;
  std::vector<bool> second_taken_;
};

/// An allocation whose ports take turns.
class AllocationInTurn final : public Allocation {
 public:
  AllocationInTurn(CrossbarSide first, std::int64_t rounds, PointersMove move)
      : first_(first), rounds_(rounds), move_(move) {}
  std::unique_ptr<Allocator> new_allocator(const CrossbarShape& shape) const override {
    return std::make_unique<TwoStages<InTurn>>(shape, first_, rounds_, move_);
  }

 private:
  CrossbarSide first_;
  std::int64_t rounds_;
  PointersMove move_;
};

}  // namespace heddle::network
