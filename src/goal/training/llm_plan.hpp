// What a step of training costs each GPU: times of its passes, bytes of its messages, who they are
// for.
#pragma once

#include <cstdint>

#include "goal/training/llm_config.hpp"

namespace heddle::goal {

/// GPUs that communicate: `size` of them, `stride` apart or as a list says.
struct GpuGroup {
  std::uint32_t first = 0;
  std::uint32_t stride = 1;
  std::uint32_t size = 1;
  std::uint32_t me = 0;  ///< The place of one of them.

  /// Ranks of all, where they are not as far apart from each other; or null.
  const std::uint32_t* members = nullptr;

  std::uint32_t rank_of(std::uint32_t member) const {
    return members != nullptr ? members[member] : first + member * stride;
  }
};

/// Where a GPU stands. Those that share matrices are next to each other, then those that share a
/// sequence, then copies of the model; stages are furthest apart.
struct GpuPlace {
  std::uint32_t stage = 0;
  GpuGroup tp;
  GpuGroup cp;
  GpuGroup ep;
  GpuGroup dp;       ///< That have the same parameters, except of experts.
  GpuGroup experts;  ///< That have the same experts.
  GpuGroup pp;
};

/// A step, as every GPU of its stages sees it.
struct LlmPlan {
  LlmConfig config;
  LlmModel model;
  std::int64_t copies = 1;         ///< Of the model: D.
  std::int64_t micro_batches = 1;  ///< Of each copy: m.
  // Parameters of the whole model.
  double dense_parameters = 0;   ///< All but experts.
  double expert_parameters = 0;  ///< 0 where there is one expert only: it counts as dense.
  double flops = 0;              ///< Of the model's step: forward and backward, none twice.
  // Of a GPU and a part of the layers (a stage, or one of its virtual stages), in ns.
  std::uint64_t forward = 0;
  std::uint64_t backward = 0;  ///< Without what is computed again.
  std::uint64_t update = 0;    ///< Of the parameters, once a step.
  double attention_share = 0;  ///< Of a layer's time.
  // Bytes, for a micro-batch.
  std::uint64_t activations = 0;  ///< Of a GPU without tp: what tp reduces.
  std::uint64_t handed_on = 0;    ///< From stage to stage.
  std::uint64_t keys = 0;         ///< And values, of one step round the ring of cp.
  std::uint64_t dispatched = 0;   ///< To experts, by one GPU.
  std::uint64_t losses = 0;       ///< Of tokens, which tp reduces three times.
  // Bytes of the parameters of a GPU in 16 bits, which those that share it gather.
  std::uint64_t dense_bytes = 0;
  std::uint64_t expert_bytes = 0;
  // And of their gradients.
  std::uint64_t dense_gradients = 0;
  std::uint64_t expert_gradients = 0;

  std::uint32_t parts() const {
    return static_cast<std::uint32_t>(config.pp * config.virtual_stages);
  }
  /// Layers of one part.
  std::uint32_t layers_of(std::uint32_t part) const;
  std::int64_t tokens() const { return config.batch * config.sequence; }
  GpuPlace place_of(std::uint32_t rank) const;
};

/// Throws InputError where numbers do not go together.
LlmPlan plan_of(const LlmConfig& config);

}  // namespace heddle::goal
