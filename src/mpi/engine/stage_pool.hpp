// Memory for payloads that are kept aside.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::mpi {

/// Pieces of memory that are used again; long ones come from the heap and go back there.
class StagePool {
 public:
  std::byte* take(std::int64_t bytes) {
    const unsigned order = order_of(bytes);
    if (order >= kOrders) return new std::byte[static_cast<std::size_t>(bytes)];
    if (free_[order].empty()) return new std::byte[std::size_t{1} << order];
    std::byte* piece = free_[order].back();
    free_[order].pop_back();
    return piece;
  }
  void give_back(std::byte* piece, std::int64_t bytes) {
    const unsigned order = order_of(bytes);
    if (order >= kOrders || free_[order].size() * (std::size_t{1} << order) >= kKept) {
      delete[] piece;
    } else {
      free_[order].push_back(piece);
    }
  }
  StagePool() = default;
  ~StagePool() {
    for (const auto& pieces : free_) {
      for (const std::byte* piece : pieces) delete[] piece;
    }
  }
  StagePool(const StagePool&) = delete;
  StagePool& operator=(const StagePool&) = delete;

 private:
  static constexpr unsigned kOrders = 21;
  static constexpr std::size_t kKept = std::size_t{64} << 20;  ///< Of each size, at most.
  static unsigned order_of(std::int64_t bytes) {
    return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(bytes - 1)));
  }
  std::array<std::vector<std::byte*>, kOrders> free_;
};

}  // namespace heddle::mpi
