// The values that SimGrid's attributes hold: quantities with SimGrid's units, counts, lists.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/quantity.hpp"
#include "platform/simgrid/reading/xml_element.hpp"

namespace heddle::platform::simgrid {

/// Notes for the user about what was read, in the order of the file.
using Warnings = std::vector<std::string>;

// Each reads one attribute and throws InputError at its value if it is not of the kind. A number
// without a unit counts in the first unit accepted and leaves a warning, as in SimGrid.

Bandwidth bandwidth_of(const Element& element, std::string_view attribute, Warnings& warnings);
/// At most `most`: sums of thousands of them still fit.
Time latency_of(const Element& element, std::string_view attribute, Warnings& warnings,
                Time most = Time::s(1000));
/// One speed, or one per power state separated by commas; that of a state in which the host is off
/// or starting is zero.
std::vector<Speed> speeds_of(const Element& element, std::string_view attribute,
                             Warnings& warnings);
/// The speed in the first power state, which must be more than zero.
Speed speed_of(const Element& element, Warnings& warnings);
/// A whole number from `least` to two billion.
std::uint32_t count_of(const Element& element, std::string_view attribute, std::string_view text,
                       std::uint32_t least);
/// Numbers separated by commas, each at least one.
std::vector<std::uint32_t> counts_of(const Element& element, std::string_view attribute,
                                     std::string_view text);
/// As many numbers, separated by spaces.
std::vector<double> numbers_of(const Element& element, std::string_view attribute,
                               std::size_t count);
/// The attribute, which must be one of `accepted`; the first is the default.
std::string choice_of(const Element& element, std::string_view attribute,
                      const std::vector<std::string>& accepted);
/// "0-3,7,10-12" as the list of the numbers; at most `limit` of them.
std::vector<std::uint32_t> radicals_of(const Element& element, std::uint64_t limit);

/// The parts of `text` between separators; one more than there are separators.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace heddle::platform::simgrid
