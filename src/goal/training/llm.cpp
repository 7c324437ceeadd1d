#include "goal/training/llm.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "goal/patterns/room.hpp"
#include "goal/training/pipeline.hpp"

namespace heddle::goal {
namespace {

/// Layers of a part whose communication is written as one.
struct LayerGroup {
  std::uint64_t layers;
  std::uint64_t attention;  ///< Time of the forward pass through them.
  std::uint64_t rest;       ///< The same of their feed-forward blocks.
};

std::vector<LayerGroup> groups_of(const LlmPlan& plan, std::uint32_t part) {
  const std::uint64_t layers = plan.layers_of(part);
  const auto merged = static_cast<std::uint64_t>(plan.config.merge_layers);
  const std::uint64_t count = (layers + merged - 1) / merged;
  std::vector<LayerGroup> groups;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t first = i * layers / count;
    const std::uint64_t last = (i + 1) * layers / count;
    const std::uint64_t time = plan.forward * last / layers - plan.forward * first / layers;
    const auto attention =
        static_cast<std::uint64_t>(std::llround(static_cast<double>(time) * plan.attention_share));
    groups.push_back({last - first, attention, time - attention});
  }
  return groups;
}

/// Writes the step of one GPU. `now_` is what the next computation has to wait for.
class GpuStep {
 public:
  GpuStep(const LlmPlan& plan, const CollectiveAlgorithms& algorithms, ScheduleBuilder& out,
          std::uint32_t rank)
      : plan_(plan),
        config_(plan.config),
        place_(plan.place_of(rank)),
        out_(out, &algorithms),
        received_(2 * static_cast<std::size_t>(config_.virtual_stages)),
        reduced_(static_cast<std::size_t>(plan.micro_batches)) {
    for (std::uint32_t v = 0; v < config_.virtual_stages; ++v) {
      groups_.push_back(groups_of(plan, part_of(v)));
      all_groups_ += groups_.back().size();
    }
    const std::uint64_t gradients = plan.dense_gradients + plan.expert_gradients;
    const auto bucket = static_cast<std::uint64_t>(config_.bucket.count());
    buckets_ = std::clamp<std::uint64_t>((gradients + bucket - 1) / bucket, 1, all_groups_);
  }

  void write() {
    for (const Pass& pass : passes_of(place_.stage, static_cast<std::uint32_t>(config_.pp),
                                      static_cast<std::uint32_t>(config_.virtual_stages),
                                      static_cast<std::uint32_t>(plan_.micro_batches))) {
      if (pass.forward) {
        forward(pass);
      } else {
        backward(pass);
      }
    }
    update();
  }

 private:
  std::uint32_t part_of(std::uint32_t virtual_stage) const {
    return virtual_stage * static_cast<std::uint32_t>(config_.pp) + place_.stage;
  }

  void forward(const Pass& pass) {
    const std::uint32_t part = part_of(pass.virtual_stage);
    if (part > 0) receive(pass, part, -1);
    for (const LayerGroup& group : groups_[pass.virtual_stage]) {
      gather_parameters(group);
      forward(group);
    }
    if (part + 1 < plan_.parts()) return hand_on(part + 1, true, 1);
    for (int i = 0; i < 3; ++i) ring(Ring::allreduce, Stream::tp, place_.tp, plan_.losses);
  }

  void backward(const Pass& pass) {
    const std::uint32_t part = part_of(pass.virtual_stage);
    if (part + 1 < plan_.parts()) receive(pass, part, 1);
    const std::vector<LayerGroup>& groups = groups_[pass.virtual_stage];
    for (std::size_t i = groups.size(); i-- > 0;) {
      gather_parameters(groups[i]);
      if (config_.recompute) forward(groups[i]);
      backward(groups[i]);
      gradients_of(groups[i], pass.micro_batch);
    }
    if (part > 0) hand_on(part - 1, false, -1);
  }

  // Between stages.

  /// Activations and gradients of every part travel apart, each in the order of micro-batches.
  static std::uint32_t tag_of(std::uint32_t part, bool is_forward) {
    constexpr std::uint32_t kFirst = 16;
    return kFirst + 2 * part + (is_forward ? 0 : 1);
  }
  std::uint32_t neighbour(int distance) const {
    const auto stages = static_cast<int>(config_.pp);
    return place_.pp.rank_of(
        static_cast<std::uint32_t>((static_cast<int>(place_.stage) + stages + distance) % stages));
  }
  void receive(const Pass& pass, std::uint32_t part, int from) {
    std::optional<std::uint32_t>& last = received_[2 * pass.virtual_stage + (pass.forward ? 0 : 1)];
    last = out_.recv(Stream::pp, plan_.handed_on, neighbour(from), tag_of(part, pass.forward),
                     last ? Before(*last) : Before());
    now_.add(*last);
  }
  void hand_on(std::uint32_t part, bool is_forward, int to) {
    out_.send(Stream::pp, plan_.handed_on, neighbour(to), tag_of(part, is_forward), now_);
  }

  // Layers.

  void compute(std::uint64_t duration) { now_ = out_.calc(duration, now_); }
  void ring(Ring kind, Stream stream, const GpuGroup& group, std::uint64_t bytes) {
    now_ = out_.ring(kind, stream, group, bytes, now_);
  }
  void begin_block(const LayerGroup& group) {
    if (!config_.sequence_parallel) return;
    ring(Ring::allgather, Stream::tp, place_.tp, group.layers * plan_.activations);
  }
  void end_block(const LayerGroup& group) {
    ring(config_.sequence_parallel ? Ring::reduce_scatter : Ring::allreduce, Stream::tp, place_.tp,
         group.layers * plan_.activations);
  }
  void to_experts(const LayerGroup& group) {
    now_ = out_.alltoall(Stream::ep, place_.ep, group.layers * plan_.dispatched, now_);
  }

  void forward(const LayerGroup& group) {
    begin_block(group);
    attend(group, 1);
    end_block(group);
    begin_block(group);
    feed_forward(group, 1);
    end_block(group);
  }
  void backward(const LayerGroup& group) {
    begin_block(group);
    feed_forward(group, 2);
    end_block(group);
    begin_block(group);
    attend(group, 2);
    end_block(group);
  }
  void feed_forward(const LayerGroup& group, std::uint64_t times) {
    to_experts(group);
    compute(times * group.rest);
    to_experts(group);
  }
  /// Backwards everything counts twice: keys and values go round with their gradients.
  void attend(const LayerGroup& group, std::uint64_t times) {
    const std::uint64_t keys = group.layers * plan_.keys;
    if (place_.cp.size == 1) return compute(times * group.attention);
    if (config_.cp_method == ContextMethod::ring) return attend_round(group, keys, times);
    ring(Ring::allgather, Stream::cp, place_.cp, place_.cp.size * keys);
    compute(times * group.attention);
    if (times > 1) ring(Ring::reduce_scatter, Stream::cp, place_.cp, place_.cp.size * keys);
  }
  /// A piece of the attention with the keys and values that are there, while the next come.
  void attend_round(const LayerGroup& group, std::uint64_t keys, std::uint64_t times) {
    const GpuGroup& ring = place_.cp;
    const std::uint32_t right = ring.rank_of((ring.me + 1) % ring.size);
    const std::uint32_t left = ring.rank_of((ring.me + ring.size - 1) % ring.size);
    const auto tag = static_cast<std::uint32_t>(Stream::cp);
    const std::uint64_t time = times * group.attention;
    Before there = now_;
    for (std::uint32_t step = 0; step < ring.size; ++step) {
      Before next;
      for (std::uint64_t i = 0; i < times && step + 1 < ring.size; ++i) {
        out_.send(Stream::cp, keys, right, tag, there);
        next.add(out_.recv(Stream::cp, keys, left, tag, there));
      }
      if (step > 0) now_.add(there);
      compute((step + 1) * time / ring.size - step * time / ring.size);
      there = next;
    }
  }

  // Parameters and gradients.

  std::uint64_t share_of(const LayerGroup& group, std::uint64_t bytes) const {
    return bytes * group.layers * static_cast<std::uint64_t>(config_.pp) /
           static_cast<std::uint64_t>(plan_.model.layers);
  }
  /// A collective of all that have the same parameters, behind those before it.
  void of_copies(Ring kind, std::uint64_t dense, std::uint64_t experts, const Before& before) {
    for (const auto& [group, bytes] :
         {std::pair{&place_.dp, dense}, std::pair{&place_.experts, experts}}) {
      if (group->size == 1 || bytes == 0) continue;
      Before both = before;
      both.add(copies_);
      copies_ = out_.ring(kind, Stream::dp, *group, bytes, both);
    }
  }
  /// While the layers before are computed.
  void gather_parameters(const LayerGroup& group) {
    if (config_.zero < 3) return;
    of_copies(Ring::allgather, share_of(group, plan_.dense_bytes),
              share_of(group, plan_.expert_bytes), gate_);
    gate_ = now_;
    now_.add(copies_);
  }
  void gradients_of(const LayerGroup& group, std::uint32_t micro_batch) {
    if (config_.zero == 3) {
      return of_copies(Ring::reduce_scatter, share_of(group, plan_.dense_gradients),
                       share_of(group, plan_.expert_gradients), now_);
    }
    const bool kept = config_.zero < 2 && micro_batch + 1 < plan_.micro_batches;
    if (kept || !config_.overlap) return;
    const std::uint64_t done = reduced_[micro_batch]++;
    reduce(done * buckets_ / all_groups_, (done + 1) * buckets_ / all_groups_);
  }
  /// So many buckets of them.
  void reduce(std::uint64_t first, std::uint64_t last) {
    const auto bucket = [this](std::uint64_t bytes, std::uint64_t i) {
      return (i + 1) * bytes / buckets_ - i * bytes / buckets_;
    };
    for (std::uint64_t i = first; i < last; ++i) {
      of_copies(config_.zero == 0 ? Ring::allreduce : Ring::reduce_scatter,
                bucket(plan_.dense_gradients, i), bucket(plan_.expert_gradients, i), now_);
    }
  }
  void update() {
    const std::int64_t times = config_.zero == 2 ? plan_.micro_batches : 1;
    for (std::int64_t i = 0; i < times && !config_.overlap && config_.zero < 3; ++i) {
      reduce(0, buckets_);
    }
    now_.add(copies_);
    compute(plan_.update);
    if (config_.zero != 1 && config_.zero != 2) return;
    copies_ = Before();
    of_copies(Ring::allgather, plan_.dense_bytes, plan_.expert_bytes, now_);
    now_.add(copies_);
    compute(0);
  }

  const LlmPlan& plan_;
  const LlmConfig& config_;
  const GpuPlace place_;
  StreamWriter out_;
  std::vector<std::vector<LayerGroup>> groups_;  ///< By virtual stage.
  std::uint64_t all_groups_ = 0;
  std::uint64_t buckets_ = 1;
  Before now_;
  Before gate_;    ///< Parameters are gathered from then on.
  Before copies_;  ///< The last collective of those that have the same parameters.
  /// The last receive, by virtual stage and direction.
  std::vector<std::optional<std::uint32_t>> received_;
  std::vector<std::uint64_t> reduced_;  ///< By micro-batch: groups whose gradients are complete.
};

void write_rank(const LlmPlan& plan, const CollectiveAlgorithms& algorithms,
                ScheduleBuilder& builder, std::uint32_t rank) {
  builder.begin_rank(rank);
  GpuStep(plan, algorithms, builder, rank).write();
  builder.end_rank();
}

}  // namespace

Schedule generate_llm(const LlmPlan& plan, const RankShare& share,
                      const CollectiveAlgorithms& algorithms) {
  const auto ranks = static_cast<std::uint32_t>(plan.config.gpus);
  // All have about as many operations as the first.
  ScheduleBuilder one(ranks);
  write_rank(plan, algorithms, one, 0);
  require_room(kLlm, ranks, static_cast<double>(one.total_ops()) * ranks);
  ScheduleBuilder builder(ranks, std::string(kLlm));
  builder.keep(share);
  for (std::uint32_t r = share.begin(ranks); r < share.end(ranks); ++r) {
    write_rank(plan, algorithms, builder, r);
  }
  return builder.finish();
}

}  // namespace heddle::goal
