// Values that depend on the size of a message, by classes of sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/params.hpp"

namespace heddle::coll {

/// Fixed values by class of sizes: `2` for all, or `0:2.01;257:1.95` where each holds for sizes
/// beyond its threshold, up to the next, and 1 for those before the first. A threshold of 0 is for
/// empty messages, too.
class Factors {
 public:
  Factors() = default;
  static std::optional<Factors> parse(std::string_view text);
  const std::string& text() const { return text_; }
  /// By text, as parameters of all types can be compared.
  bool operator<(const Factors& other) const { return text_ < other.text_; }
  double at(std::int64_t size) const;
  /// Whether it is 1 for all sizes.
  bool neutral() const;
  /// The least of them.
  double least() const;

 private:
  struct Class {
    std::int64_t above;
    double value;
  };
  std::vector<Class> classes_;  ///< Largest sizes first.
  std::string text_ = "1";
};

/// Times by class of sizes: `100ns` for all, `100ns:0.1ns/B` with a part per byte, or
/// `0:100ns;1024:200ns:0.1ns/B`, as Factors, but the lowest threshold itself belongs to its class,
/// and what is below costs nothing. Bare numbers are seconds. Both parts of a class may be
/// negative, as lines between points of a curve have them: what comes out below zero is zero.
class Overheads {
 public:
  Overheads() = default;
  static std::optional<Overheads> parse(std::string_view text);
  const std::string& text() const { return text_; }
  /// By text, as parameters of all types can be compared.
  bool operator<(const Overheads& other) const { return text_ < other.text_; }
  /// Whether it is zero for all sizes.
  bool zero() const;
  Time at(std::int64_t size) const {
    if (size != last_size_) {
      last_size_ = size;
      last_ = work_out(size);
    }
    return last_;
  }

 private:
  Time work_out(std::int64_t size) const;
  struct Class {
    std::int64_t above;
    double fixed_ps;
    double ps_per_byte;
  };
  std::vector<Class> classes_;  ///< Largest sizes first.
  std::string text_ = "0ns";
  // Most messages are as large as the one before.
  mutable std::int64_t last_size_ = -1;
  mutable Time last_;
};

}  // namespace heddle::coll

namespace heddle {
template <>
struct ParamType<coll::Factors> {
  static constexpr std::string_view name = "factors";
  static constexpr std::string_view accepted =
      "a number such as 1, or numbers by size such as 0:2.01;1426:1.61 (1.61 for more than 1426 "
      "bytes)";
  static std::optional<coll::Factors> parse(std::string_view text) {
    return coll::Factors::parse(text);
  }
  static std::string exact(const coll::Factors& value) { return value.text(); }
};
template <>
struct ParamType<coll::Overheads> {
  static constexpr std::string_view name = "times";
  static constexpr std::string_view accepted =
      "a time such as 100ns, with a time per byte such as 100ns:0.1ns/B, or those by size such as "
      "0:100ns;1024:-200ns:0.1ns/B (the latter for more than 1024 bytes, and not below 0)";
  static std::optional<coll::Overheads> parse(std::string_view text) {
    return coll::Overheads::parse(text);
  }
  static std::string exact(const coll::Overheads& value) { return value.text(); }
};
}  // namespace heddle
