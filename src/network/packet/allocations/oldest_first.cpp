#include <algorithm>
#include <numeric>
#include <tuple>

#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

/// Takes the requests by age, as far as their ports are free. Of equal age the first input's comes
/// first, which waits no longer than the others for that.
class OldestAllocator final : public Allocator {
 public:
  explicit OldestAllocator(const CrossbarShape& shape)
      : input_taken_(shape.inputs), output_taken_(shape.outputs) {}

  void match(std::span<const CrossbarRequest> requests,
             std::vector<std::size_t>& matched) override {
    by_age_.resize(requests.size());
    std::iota(by_age_.begin(), by_age_.end(), std::size_t{0});
    std::sort(by_age_.begin(), by_age_.end(), [requests](std::size_t a, std::size_t b) {
      const auto key = [requests](std::size_t i) {
        return std::tuple(requests[i].since, requests[i].input, requests[i].output);
      };
      return key(a) < key(b);
    });
    input_taken_.assign(input_taken_.size(), false);
    output_taken_.assign(output_taken_.size(), false);
    for (const std::size_t i : by_age_) {
      const CrossbarRequest& request = requests[i];
      if (input_taken_[request.input] || output_taken_[request.output]) continue;
      input_taken_[request.input] = output_taken_[request.output] = true;
      matched.push_back(i);
    }
  }

 private:
  std::vector<std::size_t> by_age_;
  std::vector<bool> input_taken_;
  std::vector<bool> output_taken_;
};

class OldestFirst final : public Allocation {
 public:
  std::unique_ptr<Allocator> new_allocator(const CrossbarShape& shape) const override {
    return std::make_unique<OldestAllocator>(shape);
  }
};

}  // namespace

const PacketRule<Allocation>& oldest_first() {
  static const PacketRule<Allocation> rule = {
      "oldest-first", "the packet that has waited longest at the switch, then the next one",
      nullptr, [](const RuleInputs&) -> std::unique_ptr<const Allocation> {
        return std::make_unique<OldestFirst>();
      }};
  return rule;
}

}  // namespace heddle::network
