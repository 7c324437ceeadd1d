#include "goal/training/pipeline.hpp"

#include <algorithm>

namespace heddle::goal {
namespace {

struct Turns {
  std::uint32_t stages;
  std::uint32_t virtual_stages;

  Pass pass(bool forward, std::uint32_t number) const {
    if (virtual_stages == 1) return {forward, number, 0};
    const std::uint32_t turn = stages * virtual_stages;
    const std::uint32_t part = number % turn / stages;
    return {forward, number / turn * stages + number % stages,
            forward ? part : virtual_stages - 1 - part};
  }
};

std::uint32_t warm_up(std::uint32_t stage, std::uint32_t stages, std::uint32_t virtual_stages) {
  const std::uint32_t behind = stages - 1 - stage;
  return virtual_stages == 1 ? behind : 2 * behind + (virtual_stages - 1) * stages;
}

}  // namespace

std::vector<Pass> passes_of(std::uint32_t stage, std::uint32_t stages, std::uint32_t virtual_stages,
                            std::uint32_t micro_batches) {
  const Turns turns{stages, virtual_stages};
  const std::uint32_t all = micro_batches * virtual_stages;
  const std::uint32_t ahead = std::min(warm_up(stage, stages, virtual_stages), all);
  std::vector<Pass> passes;
  for (std::uint32_t i = 0; i < ahead; ++i) passes.push_back(turns.pass(true, i));
  for (std::uint32_t i = 0; i < all; ++i) {
    if (ahead + i < all) passes.push_back(turns.pass(true, ahead + i));
    passes.push_back(turns.pass(false, i));
  }
  return passes;
}

}  // namespace heddle::goal
