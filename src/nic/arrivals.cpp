#include "nic/arrivals.hpp"

#include <utility>

namespace heddle::nic {

Message* Arrivals::pop_waiting(std::uint64_t pair) {
  Window* const window = windows_ ? windows_->find_if_used(pair) : nullptr;
  if (!window) return nullptr;
  Order& order = this->order(pair);
  while (true) {
    Place& next = (*window)[order.expected & (window->size() - 1)];
    if (!next.known) return nullptr;
    Message* const message = std::exchange(next, {}).message;
    ++order.expected;
    --waiting_;
    if (message) return message;
  }
}

Arrivals::Place& Arrivals::place(std::uint64_t pair, std::uint32_t number) {
  const std::uint32_t expected = order(pair).expected;
  if (!windows_) windows_ = std::make_unique<KeyTable<Window>>();
  Window& window = (*windows_)[pair];
  const std::size_t ahead = number - expected;
  if (ahead >= window.size()) {
    std::size_t size = window.empty() ? 1 : window.size();
    while (size <= ahead) size *= 2;
    Window larger(size);
    for (std::size_t i = 0; i < window.size(); ++i) {
      const std::uint32_t old = expected + static_cast<std::uint32_t>(i);
      larger[old & (size - 1)] = window[old & (window.size() - 1)];
    }
    window = std::move(larger);
  }
  return window[number & (window.size() - 1)];
}

}  // namespace heddle::nic
