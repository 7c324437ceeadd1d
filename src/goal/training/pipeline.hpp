// In which order a stage of a pipeline does its passes.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::goal {

/// One pass of a micro-batch through a part of the layers.
struct Pass {
  bool forward = true;
  std::uint32_t micro_batch = 0;
  std::uint32_t virtual_stage = 0;
  bool operator==(const Pass&) const = default;
};

/// 1F1B: as many forward passes as keep the stages behind busy, then one forward and one backward
/// by turns, then the backward passes that are left. With several virtual stages interleaved as
/// Megatron-LM does: they take turns of as many micro-batches as there are stages.
std::vector<Pass> passes_of(std::uint32_t stage, std::uint32_t stages, std::uint32_t virtual_stages,
                            std::uint32_t micro_batches);

}  // namespace heddle::goal
