// What layers above keep for a rank.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "core/prefetch.hpp"
#include "host/rank/slot.hpp"

namespace heddle::host {

/// What a layer above keeps for a rank; destroyed with the rank's process.
class RankExtension {
 public:
  virtual ~RankExtension() = default;
  /// The program has jumped out of a signal handler: calls that were under way will not return.
  virtual void calls_abandoned() {}
  /// The rank's code ran ahead of its turn, which has come: on its fiber, before that goes on.
  virtual void turn_has_come() {}
  /// The rank waits: if it does so in a call of this layer, and all that it is going to find is
  /// certain, ends the wait at once. From the event loop, as is the next.
  virtual bool ends_wait_early() { return false; }
  /// It has been woken from such a wait: whether what it waited for is there. If not, it waits on.
  virtual bool early_wait_is_over() { return true; }
};

/// Those of one rank, of each layer that has one.
class RankExtensions {
 public:
  /// A layer's place, null until it fills it.
  std::unique_ptr<RankExtension>& at(const Slot& of) { return extensions_[of.number()]; }

  void calls_abandoned() {
    for (auto& extension : extensions_) {
      if (extension != nullptr) extension->calls_abandoned();
    }
  }
  void turn_has_come() {
    for (auto& extension : extensions_) {
      if (extension != nullptr) extension->turn_has_come();
    }
  }
  /// From now on others may write to the rank's memory at any time, not only to what it waits for.
  void others_write() { others_write_ = true; }
  bool end_wait_early() {
    return !others_write_ && std::ranges::any_of(extensions_, [](const auto& extension) {
      return extension != nullptr && extension->ends_wait_early();
    });
  }
  bool early_wait_is_over() {
    return std::ranges::all_of(extensions_, [](const auto& extension) {
      return extension == nullptr || extension->early_wait_is_over();
    });
  }
  /// The rank's code goes on soon: fetches from memory what that needs first.
  void foresee() const {
    constexpr std::size_t kNeeded = 256;  ///< Bytes of each, at least.
    for (const auto& extension : extensions_) {
      if (extension != nullptr) prefetch_bytes(extension.get(), kNeeded);
    }
  }

 private:
  std::array<std::unique_ptr<RankExtension>, Slot::kMost> extensions_;
  bool others_write_ = false;
};

}  // namespace heddle::host
