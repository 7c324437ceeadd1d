// What one member of a collective of NCCL does in one channel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "goal/nccl/nccl_pattern.hpp"
#include "goal/schedule_builder.hpp"

namespace heddle::goal {

/// One of `count` nearly equal parts.
constexpr std::uint64_t part_of(std::uint64_t bytes, std::uint64_t count, std::uint64_t i) {
  return (i + 1) * bytes / count - i * bytes / count;
}

/// Messages of one direction between two members keep their order, and do not wait for those of the
/// other: what goes up a tree and what comes down it.
enum class NcclWay : std::uint8_t { up, down };

/// Writes the messages of a GPU, or of the switch inside a node, in one channel.
class NcclChannel {
 public:
  using Ops = std::vector<std::uint32_t>;

  NcclChannel(const NcclPlan& plan, ScheduleBuilder& out, std::uint32_t rank,
              std::uint32_t channel);

  const NcclPlan& plan() const { return plan_; }
  std::uint32_t channel() const { return channel_; }
  std::uint64_t bytes() const { return bytes_; }  ///< Of the channel.
  std::uint32_t per_node() const { return per_node_; }
  /// Whether the member is a switch, and of which node it is, or in which it is.
  bool is_switch() const { return rank_ >= plan_.ranks; }
  std::uint32_t node() const { return is_switch() ? rank_ - plan_.ranks : rank_ / per_node_; }
  std::uint32_t number_in_node() const { return rank_ % per_node_; }  ///< Of a GPU.
  /// The rank of a node's switch.
  std::uint32_t switch_of(std::uint32_t node) const { return plan_.ranks + node; }

  /// Of a GPU: in the channel's order. Channels begin with different GPUs of a node, so that each
  /// leaves it by another.
  std::uint32_t place() const;
  std::uint32_t rank_at(std::uint32_t place) const;

  std::uint32_t send(std::uint64_t data, std::uint32_t to, const Ops& before,
                     NcclWay way = NcclWay::up);
  /// Receives from one member follow each other.
  std::uint32_t recv(std::uint64_t data, std::uint32_t from, const Ops& before = {},
                     NcclWay way = NcclWay::up);

  /// Calls `visit` with the bytes of one chunk after another.
  template <class Visitor>
  void for_chunks(Visitor visit) {
    const std::uint64_t chunk = plan_.division.chunk;
    for (std::uint64_t at = 0; at < bytes_; at += chunk) visit(std::min(chunk, bytes_ - at));
  }
  /// The same with those of so many chunks together.
  template <class Visitor>
  void for_loops(std::uint64_t chunks, Visitor visit) {
    const std::uint64_t loop = chunks * plan_.division.chunk;
    for (std::uint64_t at = 0; at < bytes_; at += loop) visit(std::min(loop, bytes_ - at));
  }

 private:
  std::uint32_t add(OpKind kind, std::uint64_t data, std::uint32_t peer, NcclWay way,
                    const Ops& before);

  const NcclPlan& plan_;
  ScheduleBuilder& out_;
  const std::uint32_t rank_;
  const std::uint32_t channel_;
  const std::uint32_t per_node_;
  const std::uint64_t bytes_;
  std::map<std::pair<std::uint32_t, NcclWay>, std::uint32_t> received_;  ///< The last, by member.
};

/// Who a member exchanges chunks with in a tree, by their ranks.
struct NcclBranches {
  std::optional<std::uint32_t> parent;
  std::vector<std::uint32_t> children;
};
/// Trees are over nodes, and channels take turns with the two of them: those around `node`, where
/// `rank_in` says by which GPU nodes take part.
template <class RankIn>
NcclBranches branches_of(const NcclChannel& channel, std::uint32_t node, RankIn rank_in) {
  const std::uint32_t nodes = channel.plan().nodes;
  const coll::nccl::TreePlace place = channel.channel() % 2 == 0
                                          ? coll::nccl::first_tree(node, nodes)
                                          : coll::nccl::second_tree(node, nodes);
  NcclBranches branches;
  if (place.parent) branches.parent = rank_in(*place.parent);
  for (const std::uint32_t child : place.children) branches.children.push_back(rank_in(child));
  return branches;
}
/// A chunk up the tree, to which `own` adds what it ends, and the sum down; what must have ended
/// for it to be there.
NcclChannel::Ops up_and_down(NcclChannel& channel, std::uint64_t chunk,
                             const NcclBranches& branches, NcclChannel::Ops own = {});

// All that a member does in a channel, by algorithm.
void write_ring(NcclChannel& channel);
void write_chain(NcclChannel& channel);
void write_tree(NcclChannel& channel);
void write_pat(NcclChannel& channel);
void write_nvls(NcclChannel& channel);

}  // namespace heddle::goal
