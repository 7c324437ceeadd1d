// A model of language for tests of training.
#pragma once

#include "goal/training/llm.hpp"

namespace heddle::goal {

/// A small model whose bytes are round numbers: 4 layers of width 64, 256 tokens.
inline LlmConfig small(std::int64_t gpus) {
  LlmConfig config = llm_table().defaults();
  config.layers = 4;
  config.hidden = 64;
  config.ffn = 256;
  config.heads = 8;
  config.kv_heads = 8;
  config.vocabulary = 1024;
  config.sequence = 256;
  config.batch = 8;
  config.gpus = gpus;
  config.speed = Speed::flops(1'000'000'000'000);
  return config;
}

}  // namespace heddle::goal
