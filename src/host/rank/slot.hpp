// Places that layers above have for what they keep for ranks and jobs.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace heddle::host {

/// The place of one layer, the same in every rank and job. A layer makes one for itself when the
/// program starts; nobody lists the layers.
class Slot {
 public:
  /// Layers that there is room for in a program.
  static constexpr std::size_t kMost = 4;

  Slot() : number_(taken_++) {
    if (number_ >= kMost) std::abort();
  }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  std::size_t number() const { return number_; }

 private:
  inline static std::size_t taken_ = 0;
  std::size_t number_;
};

}  // namespace heddle::host
