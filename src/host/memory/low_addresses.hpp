// Where programs are loaded.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace heddle::host {

/// As long as it lives, what the system's loader takes in lies low: below the heap and below all
/// that is mapped at other times, as programs lie on a real system, where some tell globals, heap
/// and the rest apart by comparing addresses. Where the system has no room to do so, it does
/// nothing.
class LowAddresses {
 public:
  LowAddresses();
  ~LowAddresses();
  LowAddresses(const LowAddresses&) = delete;
  LowAddresses& operator=(const LowAddresses&) = delete;

 private:
  std::vector<std::unique_ptr<std::byte[]>> heap_;  ///< Room that the loader's own records take.
  std::vector<std::span<std::byte>> taken_;  ///< All that is free above, so that nobody gets it.
};

}  // namespace heddle::host
