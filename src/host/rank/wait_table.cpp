#include "host/rank/wait_table.hpp"

#include <algorithm>

namespace heddle::host {

void WaitTable::remove(const Key& key, const Waiter& waiter) {
  const auto found = waiters_.find(key);
  if (found == waiters_.end()) return;
  std::erase(found->second, &waiter);
  if (found->second.empty()) waiters_.erase(found);
}

std::size_t WaitTable::wake(const Key& key, std::size_t most, const Thread* by) {
  if (waiters_.empty()) return 0;
  const auto found = waiters_.find(key);
  if (found == waiters_.end()) return 0;
  auto& queue = found->second;
  const std::size_t count = std::min(most, queue.size());
  for (std::size_t i = 0; i < count; ++i) {
    queue.front()->wake(by);
    queue.pop_front();
  }
  if (queue.empty()) waiters_.erase(found);
  return count;
}

void WaitTable::forget(const Rank& rank) {
  for (auto it = waiters_.begin(); it != waiters_.end();) {
    std::erase_if(it->second, [&](const Waiter* w) { return &w->rank() == &rank; });
    it = it->second.empty() ? waiters_.erase(it) : std::next(it);
  }
}

}  // namespace heddle::host
