#include "host/rank/launch_service.hpp"

#include <fmt/core.h>

#include <bit>

namespace heddle::host {

void LaunchService::barrier(RankId rank, const char* call) {
  const std::uint32_t size = members_.size();
  const std::uint64_t round = round_;
  if (++arrived_ == size) {
    simulation_.schedule_in(release_, step_ * std::bit_width(size - 1), source_, kProgram);
  }
  const auto reason = [&] {
    return fmt::format("waits in {}: {} of {} ranks are there", call, arrived_, size);
  };
  while (round_ == round) members_.wait(rank, reason);
}

void LaunchService::release() {
  arrived_ = 0;
  ++round_;
  members_.ring_all();
}

void LaunchService::put(RankId rank, std::string key, std::string value) {
  hidden_[static_cast<std::uint32_t>(rank)].emplace_back(std::move(key), std::move(value));
}

void LaunchService::show(RankId rank) {
  const auto mine = hidden_.find(static_cast<std::uint32_t>(rank));
  if (mine == hidden_.end()) return;
  for (auto& [name, value] : mine->second) {
    owner_.insert_or_assign(name, rank);
    shown_.insert_or_assign(Key{rank, std::move(name)}, std::move(value));
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
