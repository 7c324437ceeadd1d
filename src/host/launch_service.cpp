#include "host/exchange.hpp"

#include <fmt/format.h>

#include <bit>

#include "host/job.hpp"

namespace heddle::host {

void Exchange::barrier(Rank& rank) {
  meet(rank, "heddle_barrier");
}

void Exchange::meet(Rank& rank, const char* call) {
  const std::uint32_t size = job_.size();
  const std::uint64_t round = round_;
  if (++arrived_ == size)
    simulation_.schedule_in(release_, step_ * std::bit_width(size - 1), source_, kProgram);
  const auto reason = [&] {
    return fmt::format("waits in {}: {} of {} ranks are there", call, arrived_, size);
  };
  while (round_ == round) rank.wait(reason);
}

void Exchange::release() {
  arrived_ = 0;
  ++round_;
  for (std::uint32_t r = 0; r < job_.size(); ++r) job_.rank(RankId{r}).ring();
}

void Exchange::put(Rank& rank, std::string key, std::string value) {
  hidden_[{rank.id(), std::move(key)}] = std::move(value);
}

void Exchange::fence(Rank& rank) {
  const auto first = hidden_.lower_bound({rank.id(), ""});
  auto last = first;
  for (; last != hidden_.end() && last->first.first == rank.id(); ++last)
    shown_[last->first] = std::move(last->second);
  hidden_.erase(first, last);
  meet(rank, "heddle_fence");
}

std::optional<std::string_view> Exchange::get(RankId owner, const std::string& key) const {
  const auto it = shown_.find({owner, key});
  if (it == shown_.end()) return std::nullopt;
  return it->second;
}

}  // namespace heddle::host
