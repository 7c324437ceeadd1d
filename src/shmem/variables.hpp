// Variables of a PE that it waits for to change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shmem/call.hpp"

namespace heddle::shmem {

/// Some variables side by side, each compared with a value.
class Variables final {
 public:
  struct Wanted {
    const void* variables = nullptr;
    std::size_t count = 1;
    const int* excluded = nullptr;  ///< Where not zero, the variable does not count; null: all do.
    int comparison = 0;             ///< SHMEM_CMP_...
    const void* values = nullptr;
    bool value_each = false;  ///< Or one for all.
  };
  /// Ends the run if the arguments cannot be.
  Variables(const Call& call, Type type, const Wanted& wanted);

  std::size_t count() const { return count_; }
  bool counts(std::size_t i) const { return excluded_.empty() || !excluded_[i]; }
  /// Whether all are excluded.
  bool none() const;
  bool holds(std::size_t i) const;
  bool all_hold() const;
  /// The first that does, or SIZE_MAX.
  std::size_t first() const;
  /// The numbers of those that do; how many.
  std::size_t list(std::size_t* indices) const;
  /// What the first is now.
  std::uint64_t value(std::size_t i) const;
  /// "waits in shmem_int_wait_until for heap+0x40 to be > 3: it is 2, written last by PE 5".
  std::string waiting_text() const;

 private:
  const std::byte* address(std::size_t i) const;
  std::uint64_t wanted(std::size_t i) const { return values_[values_.size() == 1 ? 0 : i]; }
  std::string text(std::uint64_t value) const;

  Pe& pe_;
  Type type_;
  const void* variables_;
  std::size_t count_;
  int comparison_;
  std::vector<bool> excluded_;
  std::vector<std::uint64_t> values_;
};

/// Waits until `holds(variables)`.
template <class Holds>
void wait_for(Pe& pe, const Variables& variables, const Holds& holds) {
  struct Until final : Watch {
    Until(const Variables& variables, const Holds& holds) : variables_(variables), holds_(holds) {}
    bool holds() const override { return holds_(variables_); }
    const Variables& variables_;
    const Holds& holds_;
  };
  pe.wait_for(Until(variables, holds), [&] { return variables.waiting_text(); });
}

}  // namespace heddle::shmem
