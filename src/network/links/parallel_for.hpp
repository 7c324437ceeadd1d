// The same work for many items, on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace heddle::network {

/// Calls `work(worker, item)` for each item below `items` from `threads` threads, this one being
/// worker 0. Items are taken in their order, each by whoever is free; `pause()` is called by worker
/// 0 between two of its own, and may throw: then the others end after the items they are at.
template <class Work, class Pause>
void parallel_for(std::size_t threads, std::size_t items, const Work& work, const Pause& pause) {
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> helpers;
  struct Stop {
    std::atomic<std::size_t>& next;
    std::size_t items;
    ~Stop() { next = items; }
  } stop{next, items};  // Goes first: whatever happens, helpers take no more.
  for (std::size_t worker = 1; worker < threads && worker < items; ++worker) {
    helpers.emplace_back([&, worker] {
      for (std::size_t item = next++; item < items; item = next++) work(worker, item);
    });
  }
  for (std::size_t item = next++; item < items; item = next++) {
    work(std::size_t{0}, item);
    pause();
  }
}

}  // namespace heddle::network
