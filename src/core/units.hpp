// Reading and writing quantities with their units: "100Gbps", "500ns", "64KiB".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"

namespace heddle {

// Each reader takes the whole text (blanks around and between number and unit are allowed), is
// exact for decimal figures down to the unit the type counts in, and answers nothing for text it
// does not understand, a negative number, a value that does not fit, or one that is more than zero
// but less than that unit.

std::optional<Time> parse_time(std::string_view text);  ///< ps ns us (or µs) ms s min h
std::optional<Bytes> parse_bytes(
    std::string_view text);  ///< B kB KiB MB MiB ... (a bare number is bytes)
std::optional<Bandwidth> parse_bandwidth(
    std::string_view text);  ///< bps Gbps Gb/s Gbit/s GBps GiB/s ..., "unlimited"; not zero
std::optional<TimePerByte> parse_time_per_byte(
    std::string_view text);                               ///< ns/B ps/B ..., or a time: per byte
std::optional<Speed> parse_speed(std::string_view text);  ///< f kf Mf Gf Tf
std::optional<std::int64_t> parse_count(
    std::string_view text);  ///< an integer, with k M G suffixes of 1000
/// "8,8,4" or "8x8x4": at least one number.
std::optional<std::vector<std::int64_t>> parse_counts(std::string_view text);
std::optional<double> parse_ratio(std::string_view text);  ///< 0.9 or 90%
std::optional<bool> parse_flag(std::string_view text);     ///< yes/no true/false on/off 1/0

// Short text for people: three or four significant digits and the natural unit.
std::string format_time(Time t);
std::string format_bytes(Bytes n);
std::string format_bandwidth(Bandwidth b);

// Exact text that the readers above turn into the same value.
std::string exact_time(Time t);
std::string exact_bytes(Bytes n);
std::string exact_bandwidth(Bandwidth b);
std::string exact_time_per_byte(TimePerByte t);
std::string exact_speed(Speed s);
std::string exact_counts(const std::vector<std::int64_t>& counts);
std::string exact_ratio(double r);

}  // namespace heddle
