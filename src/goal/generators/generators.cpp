#include "goal/generators/generators.hpp"

#include "goal/nccl/nccl_pattern.hpp"
#include "goal/training/llm.hpp"

namespace heddle::goal {

const std::vector<Generator>& generators() {
  static const std::vector<Generator> list = {
      {kLlm, "a step of training a large language model",
       []() -> const ParamSection& { return llm_table(); },
       [](const Settings& settings, const RankShare& share,
          const CollectiveAlgorithms& algorithms) {
         return generate_llm(plan_of(settings.get(llm_table())), share, algorithms);
       }},
      {kNccl, "a collective of NCCL", []() -> const ParamSection& { return nccl_table(); },
       [](const Settings& settings, const RankShare& share, const CollectiveAlgorithms&) {
         return generate_nccl(plan_of(settings.get(nccl_table())), share);
       }},
  };
  return list;
}

const Generator* find_generator(std::string_view name) {
  for (const Generator& generator : generators()) {
    if (generator.name == name) return &generator;
  }
  return nullptr;
}

}  // namespace heddle::goal
