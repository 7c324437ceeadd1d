#include "goal/nccl/nccl_pattern.hpp"

#include <algorithm>
#include <map>

#include "goal/patterns/room.hpp"
#include "goal/schedule_builder.hpp"

namespace heddle::goal {
namespace {

using coll::nccl::Algorithm;
using coll::nccl::Operation;

/// One of `count` nearly equal parts.
std::uint64_t part_of(std::uint64_t bytes, std::uint64_t count, std::uint64_t i) {
  return (i + 1) * bytes / count - i * bytes / count;
}

/// What one GPU does in one channel. Messages of a channel between two GPUs keep their order.
class ChannelWriter {
 public:
  ChannelWriter(const NcclPlan& plan, ScheduleBuilder& out, std::uint32_t rank,
                std::uint32_t channel)
      : plan_(plan),
        out_(out),
        channel_(channel),
        per_node_(plan.ranks / plan.nodes),
        place_(place_of(rank)),
        bytes_(part_of(plan.bytes, plan.channels, channel)) {}

  void write() {
    if (bytes_ == 0) return;
    switch (plan_.algorithm) {
      case Algorithm::tree:
        return tree();
      case Algorithm::pat:
        return pat();
      default:
        return plan_.operation == Operation::broadcast || plan_.operation == Operation::reduce
                   ? chain()
                   : ring();
    }
  }

 private:
  using Ops = std::vector<std::uint32_t>;

  // Channels begin with different GPUs of a node, so that each leaves it by another.
  std::uint32_t rank_at(std::uint32_t place) const {
    const std::uint32_t node = place / per_node_;
    return node * per_node_ + (place % per_node_ + channel_) % per_node_;
  }
  std::uint32_t place_of(std::uint32_t rank) const {
    const std::uint32_t node = rank / per_node_;
    return node * per_node_ + (rank % per_node_ + per_node_ - channel_ % per_node_) % per_node_;
  }

  std::uint32_t add(OpKind kind, std::uint64_t data, std::uint32_t place, const Ops& before) {
    // What goes up a tree and what comes down it do not wait for each other.
    const auto cpu = static_cast<std::uint8_t>(channel_ + (down_ ? kDown : 0));
    const std::uint32_t op =
        out_.add({kind, wire_bytes(plan_.protocol, data), rank_at(place), cpu, cpu, 0});
    for (const std::uint32_t earlier : before) out_.requires_end(op, earlier);
    return op;
  }
  std::uint32_t send(std::uint64_t data, std::uint32_t to, const Ops& before) {
    return add(OpKind::send, data, to, before);
  }
  /// Receives from one GPU follow each other.
  std::uint32_t recv(std::uint64_t data, std::uint32_t from, const Ops& before = {}) {
    const std::pair key(from, down_);
    Ops all = before;
    if (const auto last = received_.find(key); last != received_.end()) {
      all.push_back(last->second);
    }
    return received_[key] = add(OpKind::recv, data, from, all);
  }

  /// Chunks of all GPUs go round together, until all data have. A slice is sent on when it is
  /// there.
  void ring() {
    const std::uint64_t n = plan_.ranks;
    const std::uint64_t steps = (plan_.operation == Operation::allreduce ? 2 : 1) * (n - 1);
    const std::uint64_t loop = n * plan_.division.chunk;
    const auto right = static_cast<std::uint32_t>((place_ + 1) % n);
    const auto left = static_cast<std::uint32_t>((place_ + n - 1) % n);
    for (std::uint64_t done = 0; done < bytes_; done += loop) {
      const std::uint64_t here = std::min(loop, bytes_ - done);
      Ops there;  // Slices that came in the step before.
      for (std::uint64_t step = 0; step < steps; ++step) {
        const std::uint64_t sent = (place_ + 2 * n - step) % n;
        const std::vector<std::uint64_t> out = slices(part_of(here, n, sent));
        for (std::size_t i = 0; i < out.size(); ++i) {
          send(out[i], right, i < there.size() ? Ops{there[i]} : begin_of_loop(i));
        }
        there.clear();
        for (const std::uint64_t slice : slices(part_of(here, n, (sent + n - 1) % n))) {
          there.push_back(recv(slice, left));
        }
      }
      last_ = there;
    }
  }
  /// The first slices of a loop follow the last ones of the loop before.
  Ops begin_of_loop(std::size_t i) const {
    if (last_.empty()) return {};
    return {last_[std::min(i, last_.size() - 1)]};
  }
  std::vector<std::uint64_t> slices(std::uint64_t chunk) const {
    std::vector<std::uint64_t> all;
    const std::uint64_t slice = plan_.division.slice;
    for (std::uint64_t at = 0; at < chunk; at += slice) all.push_back(std::min(slice, chunk - at));
    return all;
  }

  template <class Visitor>
  void for_chunks(Visitor visit) {
    const std::uint64_t chunk = plan_.division.chunk;
    for (std::uint64_t at = 0; at < bytes_; at += chunk) visit(std::min(chunk, bytes_ - at));
  }

  /// From the first to the last, or back.
  void chain() {
    const bool away = plan_.operation == Operation::broadcast;
    const bool first = place_ == 0;
    const bool last = place_ + 1 == plan_.ranks;
    for_chunks([&](std::uint64_t chunk) {
      Ops there;
      if (!(away ? first : last)) there = {recv(chunk, away ? place_ - 1 : place_ + 1)};
      if (!(away ? last : first)) send(chunk, away ? place_ + 1 : place_ - 1, there);
    });
  }

  /// Trees are over nodes; inside one GPUs are a chain, whose first is the node's place in the
  /// tree. Channels take turns with the two trees.
  void tree() {
    const std::uint32_t node = place_ / per_node_;
    const auto of_node = [this](std::uint32_t other) { return other * per_node_; };
    std::optional<std::uint32_t> parent;
    std::vector<std::uint32_t> children;
    if (place_ % per_node_ > 0) {
      parent = place_ - 1;
    } else {
      const coll::nccl::TreePlace place = channel_ % 2 == 0
                                              ? coll::nccl::first_tree(node, plan_.nodes)
                                              : coll::nccl::second_tree(node, plan_.nodes);
      if (place.parent) parent = of_node(*place.parent);
      for (const std::uint32_t child : place.children) children.push_back(of_node(child));
    }
    if (place_ % per_node_ + 1 < per_node_) children.push_back(place_ + 1);
    for_chunks([&](std::uint64_t chunk) { up_and_down(chunk, parent, children); });
  }
  void up_and_down(std::uint64_t chunk, std::optional<std::uint32_t> parent,
                   const std::vector<std::uint32_t>& children) {
    Ops there;
    for (const std::uint32_t child : children) there.push_back(recv(chunk, child));
    if (parent) send(chunk, *parent, there);
    down_ = true;
    if (parent) there = {recv(chunk, *parent)};
    for (const std::uint32_t child : children) send(chunk, child, there);
    down_ = false;
  }

  /// To gather, everybody sends what it has to the one so far away, from the largest distance on;
  /// to scatter, the same backwards.
  void pat() {
    const std::uint32_t n = plan_.ranks;
    const bool gathers = plan_.operation == Operation::allgather;
    std::vector<std::uint32_t> distances;
    for (std::uint32_t d = 1; d < n; d *= 2) distances.push_back(d);
    if (gathers) std::reverse(distances.begin(), distances.end());
    const std::uint64_t loop = n * plan_.division.chunk;
    Ops there;
    for (std::uint64_t done = 0; done < bytes_; done += loop) {
      const std::uint64_t chunk = (std::min(loop, bytes_ - done) + n - 1) / n;
      for (const std::uint32_t d : distances) {
        const std::uint64_t chunks = (n - d + 2 * d - 1) / (2 * d);
        const std::uint32_t ahead = (place_ + d) % n;
        const std::uint32_t behind = (place_ + n - d) % n;
        send(chunks * chunk, gathers ? ahead : behind, there);
        there = {recv(chunks * chunk, gathers ? behind : ahead, there)};
      }
    }
  }

  static constexpr std::uint32_t kDown = 64;

  const NcclPlan& plan_;
  ScheduleBuilder& out_;
  const std::uint32_t channel_;
  const std::uint32_t per_node_;
  const std::uint32_t place_;  ///< In the channel's order of GPUs.
  const std::uint64_t bytes_;  ///< Of the channel.
  bool down_ = false;
  Ops last_;  ///< Slices that came last in the loop before.
  std::map<std::pair<std::uint32_t, bool>, std::uint32_t> received_;
};

void write_rank(const NcclPlan& plan, ScheduleBuilder& builder, std::uint32_t rank) {
  builder.begin_rank(rank);
  for (std::uint32_t channel = 0; channel < plan.channels; ++channel) {
    ChannelWriter(plan, builder, rank, channel).write();
  }
  builder.end_rank();
}

}  // namespace

Schedule generate_nccl(const NcclPlan& plan, const RankShare& share) {
  ScheduleBuilder one(plan.ranks);
  write_rank(plan, one, 0);
  require_room(kNccl, plan.ranks, static_cast<double>(one.total_ops()) * plan.ranks);
  ScheduleBuilder builder(plan.ranks, std::string(kNccl));
  builder.keep(share);
  for (std::uint32_t r = share.begin(plan.ranks); r < share.end(plan.ranks); ++r) {
    write_rank(plan, builder, r);
  }
  return builder.finish();
}

}  // namespace heddle::goal
