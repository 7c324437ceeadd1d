#include "goal/training/llm_plan.hpp"

#include <cmath>

#include <fmt/core.h>

namespace heddle::goal {
namespace {

constexpr double kActivation = 2;  ///< Bytes: activations and parameters have 16 bits.
/// Bytes that Adam moves for a parameter: its gradient, master copy and two moments are read, the
/// last three and the copy of 16 bits are written.
constexpr double kUpdated = 30;

void require(bool holds, std::vector<std::string> names, const std::string& problem) {
  for (std::string& name : names) name.insert(0, "llm.");
  if (!holds) throw ParamError(std::move(names), problem);
}

void check_division(const LlmConfig& c) {
  const std::int64_t one_copy = c.tp * c.pp * c.cp;
  require(c.gpus % one_copy == 0, {"gpus", "tp", "pp", "cp"},
          fmt::format("{} GPUs are no whole number of copies of the model, which take tp x pp x cp "
                      "= {} each",
                      c.gpus, one_copy));
  const std::int64_t copies = c.gpus / one_copy;
  require(c.batch % (copies * c.micro_batch) == 0, {"batch", "micro_batch"},
          fmt::format("{} sequences are no whole number of micro-batches of {} for {} copies of "
                      "the model: accepted are multiples of {}",
                      c.batch, c.micro_batch, copies, copies * c.micro_batch));
  require(c.sequence % c.cp == 0, {"sequence", "cp"},
          fmt::format("{} tokens cannot be shared by {} GPUs", c.sequence, c.cp));
  require(copies * c.cp % c.ep == 0, {"ep"},
          fmt::format("{} GPUs with the same layers are no whole number of groups of {}",
                      copies * c.cp, c.ep));
}

void check_model(const LlmConfig& c, const LlmModel& m) {
  require(m.hidden % m.heads == 0, {"hidden", "heads"},
          fmt::format("a width of {} cannot be shared by {} heads", m.hidden, m.heads));
  require(m.heads % c.tp == 0, {"tp"},
          fmt::format("{} heads cannot be shared by {} GPUs", m.heads, c.tp));
  require(m.experts % c.ep == 0, {"ep"},
          fmt::format("{} experts cannot be shared by {} GPUs", m.experts, c.ep));
  require(m.top_k <= m.experts, {"top_k"}, fmt::format("there are {} experts", m.experts));
  require(m.layers >= c.pp * c.virtual_stages, {"pp", "virtual_stages"},
          fmt::format("{} layers are too few for {} stages of {} parts", m.layers, c.pp,
                      c.virtual_stages));
}

void check_interleaving(const LlmPlan& p) {
  if (p.config.virtual_stages == 1) return;
  require(p.config.pp > 1, {"virtual_stages"}, "accepted with pp of 2 and more");
  require(p.micro_batches % p.config.pp == 0, {"virtual_stages", "batch"},
          fmt::format("{} micro-batches are no multiple of {} stages, as interleaving needs it",
                      p.micro_batches, p.config.pp));
}

/// Parameters of a layer.
struct LayerSize {
  double attention;  ///< With the norms.
  double expert;     ///< One of them.
  double router;
};
LayerSize layer_of(const LlmModel& m) {
  const auto h = static_cast<double>(m.hidden);
  const double kv = h / static_cast<double>(m.heads) * static_cast<double>(m.kv_heads);
  const double matrices = m.gated ? 3 : 2;
  const auto experts = static_cast<double>(m.experts);
  return {2 * h * h + 2 * h * kv + 2 * h, matrices * h * static_cast<double>(m.ffn),
          m.experts > 1 ? h * experts : 0};
}

std::uint64_t whole(double value) {
  return static_cast<std::uint64_t>(std::llround(value));
}

void count_parameters(LlmPlan& p) {
  const LayerSize layer = layer_of(p.model);
  const auto layers = static_cast<double>(p.model.layers);
  const double embedding =
      static_cast<double>(p.model.vocabulary) * static_cast<double>(p.model.hidden);
  const double experts = layers * layer.expert * static_cast<double>(p.model.experts);
  p.dense_parameters =
      layers * (layer.attention + layer.router) + embedding * (p.model.tied ? 1 : 2);
  (p.model.experts > 1 ? p.expert_parameters : p.dense_parameters) += experts;
}

void count_work(LlmPlan& p) {
  const LlmConfig& c = p.config;
  const LayerSize layer = layer_of(p.model);
  const auto layers = static_cast<double>(p.model.layers);
  const auto h = static_cast<double>(p.model.hidden);
  const auto sequence = static_cast<double>(c.sequence);
  const double attention = 2 * (layer.attention + layer.router) + 2 * sequence * h;
  const double experts = 2 * layer.expert * static_cast<double>(p.model.top_k);
  const double head = 2 * static_cast<double>(p.model.vocabulary) * h;
  const double per_token = layers * (attention + experts) + head;
  p.flops = 3 * per_token * static_cast<double>(p.tokens());
  p.attention_share = attention / (attention + experts);
  const double tokens = sequence * static_cast<double>(c.micro_batch);
  const double speed = static_cast<double>(c.speed.flops()) * c.efficiency;
  const auto sharing = static_cast<double>(c.tp * c.cp * c.pp * c.virtual_stages);
  p.forward = whole(per_token * tokens / (speed * sharing) * 1e9);
  p.backward = 2 * p.forward;
}

void count_activations(LlmPlan& p) {
  const LlmConfig& c = p.config;
  const auto tp = static_cast<double>(c.tp);
  const std::int64_t part = c.sequence / c.cp;
  const double tokens = static_cast<double>(part) * static_cast<double>(c.micro_batch);
  const double activations = kActivation * tokens * static_cast<double>(p.model.hidden);
  p.activations = whole(activations);
  p.handed_on = whole(c.sequence_parallel ? activations / tp : activations);
  p.keys = whole(2 * activations * static_cast<double>(p.model.kv_heads) /
                 static_cast<double>(p.model.heads) / tp);
  p.dispatched = whole(activations * static_cast<double>(p.model.top_k) / tp);
  p.losses = whole(4 * tokens);
}

void count_gradients(LlmPlan& p) {
  const LlmConfig& c = p.config;
  const auto sharing = static_cast<double>(c.tp * c.pp);
  const double dense = p.dense_parameters / sharing;
  const double experts = p.expert_parameters / sharing / static_cast<double>(c.ep);
  p.dense_bytes = whole(kActivation * dense);
  p.expert_bytes = whole(kActivation * experts);
  p.dense_gradients = whole(static_cast<double>(c.gradient_bytes) * dense);
  p.expert_gradients = whole(static_cast<double>(c.gradient_bytes) * experts);
  const auto alike = static_cast<double>(p.copies * c.cp);
  const double updated =
      c.zero == 0 ? dense + experts : dense / alike + experts / alike * static_cast<double>(c.ep);
  p.update = whole(kUpdated * updated / c.memory_bandwidth.bytes_per_ps() / 1e3);
}

}  // namespace

std::uint32_t LlmPlan::layers_of(std::uint32_t part) const {
  const auto all = static_cast<std::uint64_t>(model.layers);
  return static_cast<std::uint32_t>((part + 1) * all / parts() - part * all / parts());
}

GpuPlace LlmPlan::place_of(std::uint32_t rank) const {
  const auto tp = static_cast<std::uint32_t>(config.tp);
  const auto cp = static_cast<std::uint32_t>(config.cp);
  const auto ep = static_cast<std::uint32_t>(config.ep);
  const auto pp = static_cast<std::uint32_t>(config.pp);
  const auto alike = static_cast<std::uint32_t>(copies * config.cp);
  const std::uint32_t t = rank % tp;
  const std::uint32_t x = rank / tp % alike;
  const std::uint32_t stage = rank / tp / alike;
  const std::uint32_t line = t + tp * alike * stage;  // The first of those with the same part.
  GpuPlace place;
  place.stage = stage;
  place.tp = {rank - t, 1, tp, t};
  place.cp = {line + tp * (x - x % cp), tp, cp, x % cp};
  place.ep = {line + tp * (x - x % ep), tp, ep, x % ep};
  place.dp = {line, tp, alike, x};
  place.experts = {line + tp * (x % ep), tp * ep, alike / ep, x / ep};
  place.pp = {t + tp * x, tp * alike, pp, stage};
  return place;
}

LlmPlan plan_of(const LlmConfig& config) {
  LlmPlan plan;
  plan.config = config;
  plan.model = model_of(config);
  check_division(config);
  check_model(config, plan.model);
  plan.copies = config.gpus / (config.tp * config.pp * config.cp);
  plan.micro_batches = config.batch / (plan.copies * config.micro_batch);
  check_interleaving(plan);
  count_parameters(plan);
  count_work(plan);
  count_activations(plan);
  count_gradients(plan);
  return plan;
}

}  // namespace heddle::goal
