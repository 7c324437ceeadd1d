// Steps of training: bytes of every kind of parallelism, order of passes, and times in closed form.
#include "goal/training/llm.hpp"

#include <map>

#include <gmock/gmock.h>

#include "goal/check.hpp"
#include "goal/small_model.hpp"
#include "goal/training/pipeline.hpp"
#include "goal/training/step_facts.hpp"
#include "replay/loggops/loggops_replay.hpp"

namespace heddle::goal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Bytes that a rank sends, by stream.
std::map<std::string, std::uint64_t> sent_by(const Schedule& schedule, std::uint32_t rank) {
  std::map<std::string, std::uint64_t> sent;
  const RankView view = schedule.rank(rank);
  for (std::uint32_t i = 0; i < view.size(); ++i) {
    const Op op = view.op(i);
    if (op.kind == OpKind::send) sent[std::string(kStreamNames[op.cpu])] += op.value;
  }
  return sent;
}

replay::ReplayOptions idle_network(Time latency, TimePerByte gap_per_byte) {
  replay::ReplayConfig config = replay::replay_table().defaults();
  config.rendezvous = Bytes(INT64_MAX);
  return {{latency, Time::zero(), Time::zero(), gap_per_byte, TimePerByte(), config}};
}

Time ideal(const LlmConfig& config) {
  return replay::loggops_replay(generate_llm(plan_of(config)), idle_network(Time::zero(), {}))
      .makespan();
}

Time in_ns(std::uint64_t n) {
  return Time::ns(static_cast<std::int64_t>(n));
}

// Every kind of parallelism alone and with others has neither cycles nor messages without
// counterpart, and runs to its end.
TEST(Llm, StepsAreComplete) {
  const auto expect_complete = [](const char* what, const LlmConfig& config) {
    SCOPED_TRACE(what);
    const Schedule schedule = generate_llm(plan_of(config));
    for (const Finding& finding : check(schedule)) ADD_FAILURE() << finding.text;
    EXPECT_NO_THROW(replay::loggops_replay(schedule, idle_network(Time::us(1), {})));
  };
  LlmConfig config = small(16);
  config.tp = 2;
  config.pp = 2;
  config.cp = 2;
  for (const std::int64_t zero : {0, 1, 2, 3}) {
    config.zero = zero;
    expect_complete("zero", config);
    config.overlap = !config.overlap;
  }
  config.sequence_parallel = true;
  config.recompute = true;
  expect_complete("sequence parallel", config);
  config.cp_method = ContextMethod::allgather;
  config.virtual_stages = 2;
  expect_complete("interleaved", config);
  config.experts = 8;
  config.top_k = 2;
  config.ep = 4;
  expect_complete("experts", config);
  config.merge_layers = 4;
  expect_complete("merged", config);
}

// 1F1B with 4 stages and 5 micro-batches: stage 1 does two forward passes, then one forward and one
// backward by turns, then what is left.
TEST(Llm, PassesAlternate) {
  std::string text;
  for (const Pass& pass : passes_of(1, 4, 1, 5)) {
    text += (pass.forward ? "F" : "B") + std::to_string(pass.micro_batch) + " ";
  }
  EXPECT_EQ(text, "F0 F1 F2 B0 F3 B1 F4 B2 B3 B4 ");
}

// Interleaved, 2 stages with 2 parts: parts take turns of 2 micro-batches; the first stage is 2 + 2
// passes ahead.
TEST(Llm, PassesInterleave) {
  std::string text;
  for (const Pass& pass : passes_of(0, 2, 2, 2)) {
    text += (pass.forward ? "F" : "B") + std::to_string(pass.virtual_stage) + "." +
            std::to_string(pass.micro_batch) + " ";
  }
  EXPECT_EQ(text, "F0.0 F0.1 F1.0 F1.1 B1.0 B1.1 B0.0 B0.1 ");
}

// Parameters of the published models: 8.03, 70.6 and 405.9 thousand million; Mixtral 8x7B has 46.7.
TEST(Llm, ModelsHaveTheirParameters) {
  const auto parameters = [](const char* name) {
    LlmConfig config = llm_table().defaults();
    config.model = name;
    const LlmPlan plan = plan_of(config);
    return (plan.dense_parameters + plan.expert_parameters) / 1e9;
  };
  EXPECT_NEAR(parameters("llama3-8b"), 8.03, 0.01);
  EXPECT_NEAR(parameters("llama3-70b"), 70.6, 0.1);
  EXPECT_NEAR(parameters("llama3-405b"), 405.9, 0.2);
  EXPECT_NEAR(parameters("mixtral-8x7b"), 46.7, 0.1);
  EXPECT_NEAR(parameters("gpt3-175b"), 174.6, 1);
  EXPECT_NEAR(parameters("mt-nlg-530b"), 530, 2);
}

// tp: an all-reduce of 2 s b h bytes twice forward and twice backward in each layer; a ring sends
// 2 (n-1)/n of that from each GPU. Three of 4 s b bytes for the loss.
TEST(Llm, BytesOfTensorParallelism) {
  LlmConfig config = small(4);
  config.tp = 4;
  config.batch = 2;
  const std::uint64_t activations = 2 * 256 * 64;
  const std::uint64_t losses = 3 * 4 * 256;
  const std::uint64_t all = 2 * (4 * 4 * activations + losses);
  EXPECT_THAT(sent_by(generate_llm(plan_of(config)), 1), ElementsAre(std::pair("tp", all * 6 / 4)));
  // An all-gather and a reduce-scatter send as much as the all-reduce.
  config.sequence_parallel = true;
  EXPECT_THAT(sent_by(generate_llm(plan_of(config)), 1), ElementsAre(std::pair("tp", all * 6 / 4)));
  // Computing the forward pass again takes two more of four.
  config.sequence_parallel = false;
  config.recompute = true;
  const std::uint64_t again = 2 * (4 * 6 * activations + losses);
  EXPECT_EQ(sent_by(generate_llm(plan_of(config)), 1).at("tp"), again * 6 / 4);
}

// pp: 2 s b h bytes forward and as many backward, for each micro-batch and border of stages; with
// two parts to a stage there are three borders instead of one.
TEST(Llm, BytesOfPipelines) {
  LlmConfig config = small(2);
  config.pp = 2;
  const std::uint64_t message = 2 * 256 * 64;
  EXPECT_EQ(sent_by(generate_llm(plan_of(config)), 0).at("pp"), 8 * message);
  EXPECT_EQ(sent_by(generate_llm(plan_of(config)), 1).at("pp"), 8 * message);
  config.virtual_stages = 2;
  const Schedule interleaved = generate_llm(plan_of(config));
  EXPECT_EQ(sent_by(interleaved, 0).at("pp") + sent_by(interleaved, 1).at("pp"),
            8 * 2 * 3 * message);
}

// cp: c - 1 steps with 2 * 2 (s/c) b kv d bytes forward, twice backward, in each layer.
TEST(Llm, BytesOfContextParallelism) {
  LlmConfig config = small(4);
  config.cp = 4;
  const std::uint64_t step = 2 * 2 * (256 / 4) * 64;
  // 8 micro-batches, 4 layers, 3 steps.
  EXPECT_EQ(sent_by(generate_llm(plan_of(config)), 2).at("cp"), 8 * 4 * 3 * 3 * step);
  config.kv_heads = 2;
  EXPECT_EQ(sent_by(generate_llm(plan_of(config)), 2).at("cp"), 8 * 4 * 3 * 3 * step / 4);
  // Gathered: forward once, backward once, and the gradients scattered.
  config.cp_method = ContextMethod::allgather;
  EXPECT_EQ(sent_by(generate_llm(plan_of(config)), 2).at("cp"), 8 * 4 * 3 * 3 * step / 4);
}

// ep: 2 s b h top_k bytes to experts and back, forward and backward, of which 1/e stay.
TEST(Llm, BytesOfExperts) {
  LlmConfig config = small(4);
  config.experts = 4;
  config.top_k = 2;
  config.ep = 4;
  const std::uint64_t one = 2 * 256 * 64 * 2;
  EXPECT_EQ(sent_by(generate_llm(plan_of(config)), 3).at("ep"), 2 * 4 * 4 * one * 3 / 4);
}

// dp: gradients are reduced once a step, 4 P bytes; ZeRO 1 scatters them and gathers 2 P bytes of
// parameters; ZeRO 2 scatters them after each micro-batch; ZeRO 3 gathers the parameters twice and
// scatters the gradients in each layer and micro-batch. Each sends (n-1)/n of its buffer, an
// all-reduce twice that.
TEST(Llm, BytesOfCopies) {
  LlmConfig config = small(4);
  config.batch = 8;  // Two micro-batches each.
  const LlmPlan plan = plan_of(config);
  const auto p = static_cast<std::uint64_t>(plan.dense_parameters);
  EXPECT_EQ(p, 4U * (4 * 64 * 64 + 2 * 64 + 3 * 64 * 256) + 2 * 1024 * 64);
  const auto sent = [&](std::int64_t zero) {
    config.zero = zero;
    return sent_by(generate_llm(plan_of(config)), 0).at("dp");
  };
  EXPECT_EQ(sent(0), 2 * 4 * p * 3 / 4);
  EXPECT_EQ(sent(1), (4 + 2) * p * 3 / 4);
  EXPECT_EQ(sent(2), (2 * 4 + 2) * p * 3 / 4);
  config.gradient_bytes = 2;
  EXPECT_EQ(sent(3), 2 * (2 + 2 + 2) * p * 3 / 4);
}

// Buckets: with room for a quarter of the gradients there are four all-reduces, one after each
// layer, and as many bytes.
TEST(Llm, GradientsComeInBuckets) {
  LlmConfig config = small(2);
  const LlmPlan plan = plan_of(config);
  config.bucket = Bytes(static_cast<std::int64_t>((plan.dense_gradients + 3) / 4));
  const Schedule schedule = generate_llm(plan_of(config));
  int sends = 0;
  for (std::uint32_t i = 0; i < schedule.rank(0).size(); ++i) {
    const Op op = schedule.rank(0).op(i);
    if (op.kind == OpKind::send) ++sends;
  }
  EXPECT_EQ(sends, 4 * 2);
  EXPECT_EQ(sent_by(schedule, 0).at("dp"), plan.dense_gradients);
}

// If messages cost nothing, a step of m micro-batches over p stages takes
// (m + p - 1) (t_f + t_b) + update; interleaved with v parts of t_f / v and t_b / v each,
// m (t_f + t_b) + (p - 1) (t_f + t_b) / v + update.
TEST(Llm, StepsWithoutNetworkInClosedForm) {
  for (const std::int64_t pp : {1, 2, 4}) {
    for (const std::int64_t tp : {1, 2}) {
      LlmConfig config = small(2 * pp * tp);
      config.pp = pp;
      config.tp = tp;
      config.batch = 16;
      for (const bool recompute : {false, true}) {
        config.recompute = recompute;
        SCOPED_TRACE(testing::Message() << pp << " stages, tp " << tp);
        const LlmPlan plan = plan_of(config);
        ASSERT_EQ(plan.micro_batches, 8);
        const std::uint64_t both = plan.forward * (recompute ? 4 : 3);
        EXPECT_EQ(ideal(config),
                  in_ns((8 + static_cast<std::uint64_t>(pp) - 1) * both + plan.update));
      }
    }
  }
  LlmConfig config = small(2);
  config.pp = 2;
  config.virtual_stages = 2;
  const LlmPlan plan = plan_of(config);
  EXPECT_EQ(ideal(config), in_ns(8 * 2 * 3 * plan.forward + 3 * plan.forward + plan.update));
}

// tp only, over LogGOPS with L and G: all of an all-reduce is exposed. Each of its 2 (n-1) steps
// takes L + (bytes/n - 1) G.
TEST(Llm, TensorParallelismInClosedForm) {
  LlmConfig config = small(4);
  config.tp = 4;
  config.batch = 1;
  const LlmPlan plan = plan_of(config);
  const replay::ReplayOptions options =
      idle_network(Time::us(1), TimePerByte::attoseconds(1'000'000'000));
  const Time found = replay::loggops_replay(generate_llm(plan), options).makespan();
  const auto reduce = [](std::uint64_t bytes) { return 6 * (1000 + (bytes / 4 - 1)); };
  EXPECT_EQ(found, in_ns(3 * plan.forward + plan.update + 16 * reduce(2 * 256 * 64) +
                         3 * reduce(4 * 256)));
}

// pp only, one micro-batch: the forward pass crosses p - 1 borders, so does the backward pass, each
// for L + (bytes - 1) G.
TEST(Llm, PipelinesInClosedForm) {
  LlmConfig config = small(4);
  config.pp = 4;
  config.batch = 1;
  const LlmPlan plan = plan_of(config);
  const replay::ReplayOptions options =
      idle_network(Time::us(1), TimePerByte::attoseconds(1'000'000'000));
  const Time found = replay::loggops_replay(generate_llm(plan), options).makespan();
  EXPECT_EQ(found, in_ns(4 * 3 * plan.forward + plan.update + 2 * 3 * (1000 + 2 * 256 * 64 - 1)));
}

// dp only: without overlap the all-reduce follows the last backward pass, 2 (n-1) steps of
// L + (4 P / n - 1) G. With overlap and a bucket for each of four layers, of which the reduction is
// faster than a layer, only that of the first layer, which is done last, is exposed.
TEST(Llm, CopiesInClosedForm) {
  LlmConfig config = small(4);
  config.overlap = false;
  const LlmPlan plan = plan_of(config);
  const auto found = [&] {
    const Schedule schedule = generate_llm(plan_of(config));
    replay::IdleTimes idle(schedule);
    replay::ReplayOptions options =
        idle_network(Time::us(1), TimePerByte::attoseconds(1'000'000'000));
    options.idle = &idle;
    const Time makespan = replay::loggops_replay(schedule, options).makespan();
    return std::pair(makespan, idle.of(replay::RankId{0}, static_cast<replay::CpuId>(Stream::dp)));
  };
  const std::uint64_t passes = 2 * 3 * plan.forward + plan.update;
  const std::uint64_t chunk = plan.dense_gradients / 4;
  EXPECT_EQ(found().first, in_ns(passes + 6 * (1000 + chunk - 1)));
  config.overlap = true;
  config.bucket = Bytes(static_cast<std::int64_t>((plan.dense_gradients + 3) / 4));
  config.speed = Speed::flops(10'000'000'000);
  const LlmPlan slow = plan_of(config);
  const std::uint64_t exposed = 6 * (1000 + chunk / 4 - 1);
  ASSERT_GT(2 * slow.forward / 4, exposed);
  EXPECT_EQ(found().first, in_ns(2 * 3 * slow.forward + slow.update + exposed));
  EXPECT_EQ(found().second, in_ns(exposed));
}

// Numbers that do not go together are named, with what would.
TEST(Llm, NumbersMustGoTogether) {
  const auto problem = [](auto change) -> std::string {
    LlmConfig config = small(8);
    change(config);
    try {
      plan_of(config);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(problem([](LlmConfig& c) { c.tp = 3; }), HasSubstr("tp x pp x cp = 3"));
  EXPECT_THAT(problem([](LlmConfig& c) { c.batch = 9; }), HasSubstr("multiples of 8"));
  EXPECT_THAT(problem([](LlmConfig& c) { c.pp = 8; }), HasSubstr("4 layers are too few"));
  EXPECT_THAT(problem([](LlmConfig& c) { c.ep = 2; }),
              HasSubstr("1 experts cannot be shared by 2"));
  EXPECT_THAT(problem([](LlmConfig& c) { c.model = "lama3-8b"; }), HasSubstr("llama3-8b"));
  EXPECT_THAT(problem([](LlmConfig& c) { c.virtual_stages = 2; }), HasSubstr("pp of 2 and more"));
}

// What is said of a step in front of its text is read back; anything else is not taken for it.
TEST(Llm, FactsOfAStepAreNoted) {
  const auto facts = noted_step(note_of({4194304, 1.25e18}) + "num_ranks 1\n");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->tokens, 4194304U);
  EXPECT_EQ(facts->flops, 1.25e18);
  EXPECT_FALSE(noted_step("num_ranks 1\n"));
  EXPECT_FALSE(noted_step("// training step: tokens x"));
  EXPECT_FALSE(noted_step("// training step: tokens 12, flops "));
}

}  // namespace
}  // namespace heddle::goal
