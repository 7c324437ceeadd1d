#include "goal/rank_packer.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/error.hpp"

namespace heddle::goal {

RankPacker::RankPacker(std::uint32_t ranks, std::string source) {
  schedule_.ranks_ = ranks;
  schedule_.blocks_.resize(ranks);
  schedule_.source_ = std::move(source);
}

void RankPacker::keep(const RankShare& share) {
  schedule_.first_kept_ = share.begin(ranks());
  schedule_.blocks_ = std::vector<Schedule::Block>(share.end(ranks()) - schedule_.first_kept_);
}

void RankPacker::reserve(std::uint64_t ops, std::uint64_t edges) {
  schedule_.ops_.reserve(ops);
  schedule_.predecessors_.reserve(ops);
  schedule_.edges_.reserve(edges);
}

void RankPacker::begin_rank(std::uint32_t rank) {
  rank_ = rank;
  first_ = schedule_.ops_.size();
  first_edge_ = schedule_.edges_.size();
  first_dependency_ = schedule_.dependencies_;
  first_label_ = schedule_.label_chars_.size();
}

/// Takes back what the rank was given.
void RankPacker::drop_rank() {
  schedule_.ops_.resize(first_);
  schedule_.predecessors_.resize(first_);
  schedule_.edges_.resize(first_edge_);
  schedule_.dependencies_ = first_dependency_;
  schedule_.marks_.resize(std::min<std::size_t>(schedule_.marks_.size(), first_));
  schedule_.label_chars_.resize(first_label_);
}

void RankPacker::end_rank() {
  if (!keeps(rank_)) return drop_rank();
  schedule_.blocks_[rank_ - schedule_.first_kept_] = {first_, first_edge_, size()};
  schedule_.predecessors_.resize(schedule_.ops_.size(), 0);
}

void RankPacker::throw_too_many(std::string_view what) const {
  throw InputError({schedule_.source_},
                   fmt::format("rank {} has more than {} {}", rank_, kMostOps, what));
}

RankPacker::Room RankPacker::make_room(std::uint32_t ops) {
  if (ops > kMostOps) throw_too_many("operations");
  schedule_.ops_.resize(first_ + ops);
  schedule_.predecessors_.resize(first_ + ops);
  return {schedule_.ops_.data() + first_, schedule_.predecessors_.data() + first_};
}

/// Its place among the edges of the rank.
std::uint32_t RankPacker::add_list(std::span<const Edge> edges) {
  LargeVector<Edge>& all = schedule_.edges_;
  const std::size_t place = all.size() - first_edge_;
  if (edges.size() > kMostOps - 4 || place > kMostOps - 4 - edges.size()) {
    throw_too_many("dependencies");
  }
  all.resize(all.size() + 1 + edges.size());
  Edge* const list = all.data() + first_edge_ + place;
  list[0] = {static_cast<std::uint32_t>(edges.size()), 0};
  std::copy(edges.begin(), edges.end(), list + 1);
  return static_cast<std::uint32_t>(place);
}

void RankPacker::mark(std::string_view label, std::uint32_t line) {
  schedule_.marks_.resize(schedule_.ops_.size() - 1);
  schedule_.marks_.push_back(
      {schedule_.label_chars_.size(), static_cast<std::uint32_t>(label.size()), line});
  schedule_.label_chars_ += label;
}

Schedule RankPacker::finish() {
  if (!schedule_.marks_.empty()) schedule_.marks_.resize(schedule_.ops_.size());
  return std::exchange(schedule_, {});
}

}  // namespace heddle::goal
