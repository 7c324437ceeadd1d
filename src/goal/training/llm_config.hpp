// What is trained, on how many GPUs, and how the work is divided among them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/params.hpp"

namespace heddle::goal {

/// How context parallelism hands keys and values on.
enum class ContextMethod : std::uint8_t { ring, allgather };

/// Numbers of a model that has a name, as its authors published them.
struct LlmModel {
  std::string_view name;
  std::int64_t layers;
  std::int64_t hidden;
  std::int64_t ffn;  ///< Inner width of the feed-forward block, of each expert.
  std::int64_t heads;
  std::int64_t kv_heads;
  std::int64_t vocabulary;
  bool gated = true;  ///< Three matrices in a feed-forward block instead of two.
  bool tied = false;  ///< Input and output embedding are the same matrix.
  std::int64_t experts = 1;
  std::int64_t top_k = 1;  ///< Experts that a token goes through.
};
const std::vector<LlmModel>& llm_models();

struct LlmConfig {
  std::string model;
  // Those of the model unless they are given.
  std::optional<std::int64_t> layers, hidden, ffn, heads, kv_heads, vocabulary, experts, top_k;
  std::optional<bool> gated, tied;
  std::int64_t sequence = 0;     ///< Tokens.
  std::int64_t micro_batch = 0;  ///< Sequences.
  std::int64_t batch = 0;        ///< Sequences of a step, of all GPUs.
  std::int64_t gpus = 0;
  std::int64_t tp = 0;
  std::int64_t pp = 0;
  std::int64_t cp = 0;
  std::int64_t ep = 0;
  std::int64_t virtual_stages = 0;
  std::int64_t zero = 0;
  bool sequence_parallel = false;
  ContextMethod cp_method = ContextMethod::ring;
  bool recompute = false;
  bool overlap = false;
  Bytes bucket;
  std::int64_t gradient_bytes = 0;  ///< Of a parameter's gradient when it is reduced.
  std::int64_t merge_layers = 0;
  Speed speed;
  double efficiency = 0;
  Bandwidth memory_bandwidth;
};
/// Section "llm".
const ParamTable<LlmConfig>& llm_table();

/// The numbers of the configuration's model, with those that were given instead. Throws InputError
/// for an unknown name.
LlmModel model_of(const LlmConfig& config);

}  // namespace heddle::goal
