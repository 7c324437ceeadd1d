#include "host/launch_service.hpp"

#include <fmt/core.h>

#include <bit>

#include "host/job.hpp"

namespace heddle::host {

void LaunchService::barrier(Rank& rank, const char* call) {
  const std::uint32_t size = job_.size();
  const std::uint64_t round = round_;
  if (++arrived_ == size) {
    simulation_.schedule_in(release_, step_ * std::bit_width(size - 1), source_, kProgram);
  }
  const auto reason = [&] {
    return fmt::format("waits in {}: {} of {} ranks are there", call, arrived_, size);
  };
  while (round_ == round) rank.wait(reason);
}

void LaunchService::release() {
  arrived_ = 0;
  ++round_;
  for (std::uint32_t r = 0; r < job_.size(); ++r) job_.rank(RankId{r}).ring();
}

void LaunchService::put(Rank& rank, std::string key, std::string value) {
  hidden_[static_cast<std::uint32_t>(rank.id())].emplace_back(std::move(key), std::move(value));
}

void LaunchService::show(Rank& rank) {
  const auto mine = hidden_.find(static_cast<std::uint32_t>(rank.id()));
  if (mine == hidden_.end()) return;
  for (auto& [name, value] : mine->second) {
    owner_.insert_or_assign(name, rank.id());
    shown_.insert_or_assign(Key{rank.id(), std::move(name)}, std::move(value));
  }
  hidden_.erase(mine);
}

std::optional<std::string_view> LaunchService::get(RankId owner, const std::string& key) const {
  const auto found = shown_.find(Key{owner, key});
  if (found == shown_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string_view> LaunchService::find(const std::string& key) const {
  const auto owner = owner_.find(key);
  if (owner == owner_.end()) return std::nullopt;
  return get(owner->second, key);
}

bool LaunchService::remove(const std::string& key) {
  const auto owner = owner_.find(key);
  if (owner == owner_.end()) return false;
  shown_.erase(Key{owner->second, key});
  owner_.erase(owner);
  return true;
}

}  // namespace heddle::host
