#include "goal/training/llm_config.hpp"

#include "core/error.hpp"

namespace heddle::goal {
namespace {

void add_model(ParamTable<LlmConfig>& t) {
  using C = LlmConfig;
  t.add("model", &C::model, "llama3-8b", {}, "the model, by its name");
  t.add("layers", &C::layers, "auto", {"1", "10000"}, "transformer layers; auto: the model's");
  t.add("hidden", &C::hidden, "auto", {"1", "1M"}, "width of a token; auto: the model's");
  t.add("ffn", &C::ffn, "auto", {"1", "10M"},
        "inner width of the feed-forward block or of an expert; auto: the model's");
  t.add("heads", &C::heads, "auto", {"1", "10000"}, "heads of attention; auto: the model's");
  t.add("kv_heads", &C::kv_heads, "auto", {"1", "10000"},
        "heads of keys and values; auto: the model's");
  t.add("vocabulary", &C::vocabulary, "auto", {"1", "100M"}, "tokens there are; auto: the model's");
  t.add("experts", &C::experts, "auto", {"1", "10000"}, "experts of a layer; auto: the model's");
  t.add("top_k", &C::top_k, "auto", {"1", "10000"},
        "experts that a token goes through; auto: the model's");
  t.add("gated", &C::gated, "auto", {},
        "whether feed-forward blocks have three matrices (SwiGLU) instead of two; auto: the "
        "model's");
  t.add("tied", &C::tied, "auto", {},
        "whether input and output share one embedding; auto: the model's");
}

void add_parallelism(ParamTable<LlmConfig>& t) {
  using C = LlmConfig;
  t.add("gpus", &C::gpus, "8", {"1", "1000000"}, "GPUs, each a rank");
  t.add("tp", &C::tp, "1", {"1", "1024"}, "GPUs that share the matrices of a layer");
  t.add("pp", &C::pp, "1", {"1", "1024"}, "stages of the pipeline of layers");
  t.add("cp", &C::cp, "1", {"1", "1024"}, "GPUs that share a sequence");
  t.add("ep", &C::ep, "1", {"1", "1024"}, "GPUs that share the experts of a layer");
  t.add("virtual_stages", &C::virtual_stages, "1", {"1", "1000"},
        "parts of the layers that a stage has; more than 1: interleaved 1F1B");
  t.add("zero", &C::zero, "0", {"0", "3"},
        "what copies of the model share: 0 nothing, 1 the optimizer's state, 2 gradients, too, 3 "
        "parameters, too");
  t.add("sequence_parallel", &C::sequence_parallel, "no", {},
        "tp: all-reduces become reduce-scatters and all-gathers");
  t.add_choice("cp_method", &C::cp_method, "ring",
               {{"ring", ContextMethod::ring}, {"allgather", ContextMethod::allgather}},
               "how keys and values are handed on: step by step under the attention, or before it");
}

void add_work(ParamTable<LlmConfig>& t) {
  using C = LlmConfig;
  t.add("sequence", &C::sequence, "8192", {"1", "100M"}, "tokens of a sequence");
  t.add("micro_batch", &C::micro_batch, "1", {"1", "100000"}, "sequences of a micro-batch");
  t.add("batch", &C::batch, "64", {"1", "10M"}, "sequences of a step, on all GPUs together");
  t.add("recompute", &C::recompute, "no", {}, "the backward pass computes the forward pass again");
  t.add("overlap", &C::overlap, "yes", {},
        "gradients are reduced while the last backward pass goes on");
  t.add("bucket", &C::bucket, "400MB", {"1", "1TiB"}, "gradients that are reduced together");
  t.add("gradient_bytes", &C::gradient_bytes, "4", {"1", "8"},
        "bytes of a parameter's gradient where it is reduced");
  t.add("merge_layers", &C::merge_layers, "1", {"1", "10000"},
        "layers whose communication is written as one: fewer operations, the same bytes");
  t.add("speed", &C::speed, "989Tf", {"1f", "1000Pf"}, "peak speed of a GPU");
  t.add("efficiency", &C::efficiency, "0.5", {"0.001", "1"},
        "part of the peak that kernels reach, without communication");
  t.add("memory_bandwidth", &C::memory_bandwidth, "3.35TB/s", {"1MB/s", "1000000Tbps"},
        "of a GPU: the update of the parameters takes as long as its bytes");
}

}  // namespace

const std::vector<LlmModel>& llm_models() {
  static const std::vector<LlmModel> list = {
      {"gpt3-175b", 96, 12288, 49152, 96, 96, 50257, false, true},
      {"llama2-7b", 32, 4096, 11008, 32, 32, 32000},
      {"llama2-70b", 80, 8192, 28672, 64, 8, 32000},
      {"llama3-8b", 32, 4096, 14336, 32, 8, 128256},
      {"llama3-70b", 80, 8192, 28672, 64, 8, 128256},
      {"llama3-405b", 126, 16384, 53248, 128, 8, 128256},
      {"mixtral-8x7b", 32, 4096, 14336, 32, 8, 32000, true, false, 8, 2},
      {"mixtral-8x22b", 56, 6144, 16384, 48, 8, 32768, true, false, 8, 2},
      {"mt-nlg-530b", 105, 20480, 81920, 128, 128, 50257, false, true},
  };
  return list;
}

const ParamTable<LlmConfig>& llm_table() {
  static const auto table = [] {
    ParamTable<LlmConfig> t("llm", "a step of training, as a generated schedule (pattern llm)");
    add_model(t);
    add_parallelism(t);
    add_work(t);
    return t;
  }();
  return table;
}

LlmModel model_of(const LlmConfig& config) {
  std::vector<std::string> names;
  for (LlmModel model : llm_models()) {
    names.emplace_back(model.name);
    if (model.name != config.model) continue;
    model.layers = config.layers.value_or(model.layers);
    model.hidden = config.hidden.value_or(model.hidden);
    model.ffn = config.ffn.value_or(model.ffn);
    model.heads = config.heads.value_or(model.heads);
    model.kv_heads = config.kv_heads.value_or(model.kv_heads);
    model.vocabulary = config.vocabulary.value_or(model.vocabulary);
    model.gated = config.gated.value_or(model.gated);
    model.tied = config.tied.value_or(model.tied);
    model.experts = config.experts.value_or(model.experts);
    model.top_k = config.top_k.value_or(model.top_k);
    return model;
  }
  throw ParamError({"llm.model"}, "'" + config.model + "' is not a model: accepted are " +
                                      joined(names) + did_you_mean(config.model, names));
}

}  // namespace heddle::goal
