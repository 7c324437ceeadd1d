// What reaches a rank without its doing.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>

namespace heddle::run {

/// Which transfers have reached a rank from the side, and which of its operations wait for some.
class OneSidedBox {
 public:
  /// Whether the transfer is there; if not, `op` waits for it.
  bool expect(std::uint32_t source, std::uint32_t tag, std::uint32_t op);
  /// The operation that waits for a transfer that has come, or kNobody.
  std::uint32_t arrived(std::uint32_t source, std::uint32_t tag);
  static constexpr std::uint32_t kNobody = UINT32_MAX;

 private:
  struct Pair {
    std::uint32_t there = 0;
    std::deque<std::uint32_t> waiting;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Pair> pairs_;
};

}  // namespace heddle::run
