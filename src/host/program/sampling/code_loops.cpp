#include "host/program/sampling/code_loops.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::host {
namespace {

using FlowKind = Flow::Kind;
using Number = std::uint32_t;
constexpr Number kNone = UINT32_MAX;

/// Instructions of which all are carried out if the first one is.
struct Block {
  std::size_t begin = 0;  ///< Among the steps.
  std::size_t end = 0;
  bool wanted = true;
  bool counts = false;
  std::vector<Number> next;
  std::vector<Number> before;
};

class Graph {
 public:
  explicit Graph(std::span<const CodeStep> steps) : steps_(steps) {
    cut();
    for (Number i = 0; i < blocks_.size(); ++i) join_next(i);
    join_unknown();
    number_backwards();
    find_dominators();
  }
  std::vector<CodeLoop> wanted_loops() const;

 private:
  struct Natural {
    Number head;
    std::set<Number> blocks;
  };

  bool is_inside(std::uint64_t place) const {
    return place >= steps_.front().place && place <= steps_.back().place;
  }
  Number block_at(std::uint64_t place) const {
    const auto found = starts_.find(place);
    return found == starts_.end() ? kNone : found->second;
  }
  void cut();
  void join(Number from, Number to) {
    if (to == kNone) return;
    blocks_[from].next.push_back(to);
    blocks_[to].before.push_back(from);
  }
  void join_next(Number block);
  void join_unknown();
  void number_backwards();
  void find_dominators();
  Number common(Number a, Number b) const;
  bool dominates(Number a, Number b) const;
  std::vector<Natural> natural_loops() const;
  bool all_wanted(const Natural& loop) const;
  CodeLoop described(const Natural& loop) const;

  std::span<const CodeStep> steps_;
  std::vector<Block> blocks_;
  std::map<std::uint64_t, Number> starts_;
  std::vector<Number> order_;       ///< Blocks that can be come to, each before what follows it.
  std::vector<Number> place_;       ///< Of each block in that order.
  std::vector<Number> dominators_;  ///< The nearest of each block.
};

/// Blocks begin where jumps lead, and behind jumps.
void Graph::cut() {
  std::set<std::uint64_t> begins = {steps_.front().place};
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Flow& flow = steps_[i].flow;
    if (flow.kind == FlowKind::next || flow.kind == FlowKind::call) continue;
    if (i + 1 < steps_.size()) begins.insert(steps_[i + 1].place);
    if (flow.kind != FlowKind::away && !flow.by_word && is_inside(flow.target)) {
      begins.insert(flow.target);
    }
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (begins.contains(steps_[i].place)) {
      starts_[steps_[i].place] = static_cast<Number>(blocks_.size());
      blocks_.push_back({i, i, true, false, {}, {}});
    }
    blocks_.back().end = i + 1;
    blocks_.back().wanted &= steps_[i].wanted;
    blocks_.back().counts |= steps_[i].flow.counts;
  }
}

void Graph::join_next(Number block) {
  const Block& of = blocks_[block];
  const Flow& last = steps_[of.end - 1].flow;
  const bool falls = last.kind != FlowKind::jump && last.kind != FlowKind::away;
  if (falls && of.end < steps_.size()) join(block, block + 1);
  if ((last.kind == FlowKind::jump || last.kind == FlowKind::branch) && !last.by_word) {
    join(block, block_at(last.target));
  }
}

void Graph::join_unknown() {
  std::vector<Number> from;
  std::vector<Number> to;
  for (Number i = 0; i < blocks_.size(); ++i) {
    const Flow& last = steps_[blocks_[i].end - 1].flow;
    if (last.kind == FlowKind::away && last.unknown) from.push_back(i);
    if (i != 0 && blocks_[i].before.empty()) to.push_back(i);
  }
  for (const Number block : from) {
    for (const Number target : to) join(block, target);
  }
}

/// Depth first, without calling itself: functions may have any number of blocks.
void Graph::number_backwards() {
  std::vector<bool> seen(blocks_.size());
  std::vector<std::pair<Number, std::size_t>> path = {{0, 0}};
  seen[0] = true;
  while (!path.empty()) {
    auto& [block, done] = path.back();
    if (done == blocks_[block].next.size()) {
      order_.push_back(block);
      path.pop_back();
      continue;
    }
    const Number next = blocks_[block].next[done++];
    if (seen[next]) continue;
    seen[next] = true;
    path.emplace_back(next, 0);
  }
  std::reverse(order_.begin(), order_.end());
  place_.assign(blocks_.size(), kNone);
  for (Number i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
}

/// After Cooper, Harvey and Kennedy: the nearest common ones of what comes before, until nothing
/// changes.
void Graph::find_dominators() {
  dominators_.assign(blocks_.size(), kNone);
  dominators_[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Number block : order_) {
      if (block == 0) continue;
      Number found = kNone;
      for (const Number before : blocks_[block].before) {
        if (dominators_[before] == kNone) continue;
        found = found == kNone ? before : common(before, found);
      }
      changed |= dominators_[block] != found;
      dominators_[block] = found;
    }
  }
}

Number Graph::common(Number a, Number b) const {
  while (a != b) {
    while (place_[a] > place_[b]) a = dominators_[a];
    while (place_[b] > place_[a]) b = dominators_[b];
  }
  return a;
}

bool Graph::dominates(Number a, Number b) const {
  while (place_[b] > place_[a]) b = dominators_[b];
  return a == b;
}

/// Of each head: all blocks from which one of its jumps back can be reached without it.
std::vector<Graph::Natural> Graph::natural_loops() const {
  std::vector<Natural> loops;
  for (const Number head : order_) {
    std::vector<Number> rest;
    for (const Number before : blocks_[head].before) {
      if (place_[before] != kNone && dominates(head, before)) rest.push_back(before);
    }
    if (rest.empty()) continue;
    Natural loop{head, {head}};
    while (!rest.empty()) {
      const Number block = rest.back();
      rest.pop_back();
      if (!loop.blocks.insert(block).second) continue;
      for (const Number before : blocks_[block].before) {
        if (place_[before] != kNone) rest.push_back(before);
      }
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

bool Graph::all_wanted(const Natural& loop) const {
  return std::ranges::all_of(loop.blocks, [&](Number block) { return blocks_[block].wanted; });
}

CodeLoop Graph::described(const Natural& loop) const {
  CodeLoop code{steps_[blocks_[loop.head].begin].place, {}, false};
  std::set<std::uint64_t> exits;
  for (const Number block : loop.blocks) {
    code.counts |= blocks_[block].counts;
    for (const Number next : blocks_[block].next) {
      if (!loop.blocks.contains(next)) exits.insert(steps_[blocks_[next].begin].place);
    }
  }
  code.exits.assign(exits.begin(), exits.end());
  return code;
}

std::vector<CodeLoop> Graph::wanted_loops() const {
  std::vector<Natural> loops = natural_loops();
  std::ranges::stable_sort(
      loops, [](const Natural& a, const Natural& b) { return a.blocks.size() > b.blocks.size(); });
  std::vector<CodeLoop> found;
  std::set<Number> covered;
  for (const Natural& loop : loops) {
    if (covered.contains(loop.head) || !all_wanted(loop)) continue;
    CodeLoop code = described(loop);
    covered.insert(loop.blocks.begin(), loop.blocks.end());
    if (!code.exits.empty()) found.push_back(std::move(code));
  }
  return found;
}

}  // namespace

std::vector<CodeLoop> wanted_loops(std::span<const CodeStep> steps) {
  return steps.empty() ? std::vector<CodeLoop>{} : Graph(steps).wanted_loops();
}

}  // namespace heddle::host
