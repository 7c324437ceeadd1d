#include "traces/scale/rank_kind.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/error.hpp"

namespace heddle::traces {

void refuse_call(const Model& model, std::size_t i, const std::string& what) {
  const Call& call = model.call(i);
  throw InputError(model.calls().where(call),
                   fmt::format("{} of rank {} of {}, its call {}: {}", name_of(call.kind),
                               model.rank, model.trace->ranks.size(), i + 1, what));
}

std::vector<SeenValue> Means::values() const {
  std::vector<SeenValue> seen;
  for (const auto& [grid, sum] : sums_) {
    seen.push_back({grid, sum.first / static_cast<double>(sum.second)});
  }
  std::ranges::sort(seen, {}, [](const SeenValue& s) { return s.grid->ranks(); });
  return seen;
}

double computed_before(const Model& model, std::size_t i) {
  const std::int64_t before = i == 0 ? 0 : model.call(i - 1).end;
  return static_cast<double>(model.call(i).start - before);
}

void AllKinds::add(const Looped& rank, const std::vector<CallName>& names) {
  std::size_t name = 0;
  for (const Loop& loop : rank.loops) {
    for (std::size_t c = 0; c < loop.calls; ++c, ++name) {
      const std::size_t i = loop.first + c;
      computation_[names[name]].add(*rank.model.grid, computed_before(rank.model, i));
      bytes_[names[name]].add(*rank.model.grid, static_cast<double>(rank.model.call(i).bytes));
    }
  }
}

namespace {

/// All must do the same calls, in the same order.
[[noreturn]] void differ(const Model& model, const Model& guide, const Followed& followed) {
  const std::size_t here = *followed.differs_at;
  if (here >= model.size()) {
    refuse_call(guide, std::min(followed.guide_call, guide.size() - 1),
                fmt::format("rank {} of {} has no such call: their numbers differ", model.rank,
                            model.trace->ranks.size()));
  }
  const bool ended = followed.guide_call >= guide.size();
  refuse_call(model, here,
              fmt::format("rank {} of {} does something else there ({})", guide.rank,
                          guide.trace->ranks.size(),
                          ended ? "nothing" : name_of(guide.call(followed.guide_call).kind)));
}

}  // namespace

RankKind::RankKind(const std::vector<Model>& models) {
  const Model& guide = *std::ranges::max_element(models, {}, &Model::size);
  const std::vector<Loop> loops = find_loops(guide);
  for (const Model& model : models) {
    Followed followed = follow(model, guide, loops);
    if (followed.differs_at) differ(model, guide, followed);
    ranks_.push_back({model, std::move(followed.loops)});
  }
  name_calls(guide, loops);
}

void RankKind::add_to(AllKinds& all) const {
  for (const Looped& rank : ranks_) all.add(rank, names_);
}

void RankKind::name_calls(const Model& guide, const std::vector<Loop>& loops) {
  std::map<std::tuple<CallKind, bool, std::int32_t>, std::uint32_t> counts;
  for (const Loop& loop : loops) {
    for (std::size_t c = 0; c < loop.calls; ++c) {
      const Call& call = guide.call(loop.first + c);
      const std::uint32_t number = counts[{call.kind, call.nonblocking, call.tag}]++;
      names_.emplace_back(call.kind, call.nonblocking, call.tag, number);
    }
  }
}

}  // namespace heddle::traces
