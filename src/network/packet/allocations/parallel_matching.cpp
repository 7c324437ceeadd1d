#include "core/random.hpp"
#include "network/packet/allocations/two_stages.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

/// The ports of one side, each of which chooses any of its requests, each as likely.
class AtRandom {
 public:
  AtRandom(std::uint32_t ports, std::uint32_t, std::uint64_t seed) : random_(seed), asked_(ports) {}
  void begin() { asked_.assign(asked_.size(), 0); }
  /// Of k requests so far the last one is taken with the probability 1 / k.
  bool prefers(std::uint32_t port, std::uint32_t, std::uint32_t) {
    return random_.below(++asked_[port] + 1) == 0;
  }
  void matched(std::uint32_t, std::uint32_t) {}

 private:
  RandomStream random_;
  std::vector<std::uint64_t> asked_;  ///< By port, how often besides the first time.
};

class ParallelMatching final : public Allocation {
 public:
  explicit ParallelMatching(std::int64_t rounds) : rounds_(rounds) {}
  std::unique_ptr<Allocator> new_allocator(const CrossbarShape& shape) const override {
    return std::make_unique<TwoStages<AtRandom>>(shape, CrossbarSide::outputs, rounds_,
                                                 PointersMove::always);
  }

 private:
  std::int64_t rounds_;
};

}  // namespace

const PacketRule<Allocation>& parallel_matching() {
  static const PacketRule<Allocation> rule = {
      "pim", "outputs grant at random, inputs accept at random", nullptr,
      [](const RuleInputs& inputs) -> std::unique_ptr<const Allocation> {
        return std::make_unique<ParallelMatching>(inputs.config.allocation_rounds);
      }};
  return rule;
}

}  // namespace heddle::network
