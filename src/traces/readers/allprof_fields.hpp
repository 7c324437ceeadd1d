// What stands in the lines of liballprof traces: times, numbers, lists.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "traces/readers/fields.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

/// Picoseconds of a wall clock in microseconds: too large for 64 bits, so in two parts.
struct Instant {
  std::int64_t us = 0;
  std::int64_t ps = 0;
};

/// "1302767374553965" or "1237666047187471.0".
std::optional<Instant> parse_instant(std::string_view text);
/// The next field.
Instant instant_of(Fields& fields);

/// The clock of a rank, which starts at 0 when the first thing happens.
class AllprofClock {
 public:
  bool started() const { return started_; }
  void start(const Instant& instant) {
    if (!started_) origin_ = instant;
    started_ = true;
  }
  /// The next field, in picoseconds. No time is before the one before: those that are count in
  /// `backwards`.
  std::int64_t time(Fields& fields, std::uint64_t& backwards);

 private:
  Instant origin_;
  std::int64_t latest_ = 0;
  bool started_ = false;
};

/// Of one call, besides what stands in it.
struct AllprofArguments {
  std::int64_t count = 0;
  std::int64_t recv_count = 0;
  std::int64_t size = 0;
  std::int64_t recv_size = 0;
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> recv_counts;
  std::vector<std::int64_t> displacements;
  std::optional<std::int64_t> requests;
  int types = 0;      ///< Send datatypes given.
  bool lost = false;  ///< What is received was not found by any probe.
};

/// The next field.
std::int32_t number32(Fields& fields, std::string_view what);
/// The next field, "code,size,extent"; gives the size.
std::int64_t datatype(Fields& fields);
/// Throws where this is no size.
std::uint64_t product(const Fields& fields, std::int64_t count, std::int64_t size);
/// Reads what a letter of AllprofFunction stands for, if that is a number or a list that needs no
/// knowledge of other calls; else false.
bool read_number(Fields& fields, char letter, AllprofArguments& arguments, Call& call);

}  // namespace heddle::traces
