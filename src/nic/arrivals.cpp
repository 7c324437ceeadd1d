#include "nic/arrivals.hpp"

namespace heddle::nic {

Message* Arrivals::pop() {
  while (!window_.empty()) {
    Place& next = window_[expected_ & (window_.size() - 1)];
    if (!next.known) return nullptr;
    Message* const message = std::exchange(next, {}).message;
    ++expected_;
    if (message) return message;
  }
  return nullptr;
}

Arrivals::Place& Arrivals::place(std::uint32_t number) {
  const std::size_t ahead = number - expected_;
  if (ahead >= window_.size()) {
    std::size_t size = window_.empty() ? 1 : window_.size();
    while (size <= ahead) size *= 2;
    std::vector<Place> larger(size);
    for (std::size_t i = 0; i < window_.size(); ++i) {
      const std::uint32_t old = expected_ + static_cast<std::uint32_t>(i);
      larger[old & (size - 1)] = window_[old & (window_.size() - 1)];
    }
    window_ = std::move(larger);
  }
  return window_[number & (window_.size() - 1)];
}

}  // namespace heddle::nic
