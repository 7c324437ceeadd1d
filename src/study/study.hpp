// Studies: one command simulated at many points, as users describe them in YAML.
//
//     name: loads                    # or the file's own name
//     about: one sentence
//     command: traffic               # run, replay or traffic
//     set:                           # the same at every point
//       platform: fat-tree-64
//       duration: 20us
//     grid:                          # each with each
//       load: 0.1:0.9:0.1            # first:last:step
//       network: [queue, packet]
//       link.latency: {from: 10ns, to: 1us, points: 5, scale: log}
//     zip:                           # the first with the first, the second with the second, ...
//       size: [64B, 4KiB]
//       window: [64, 1]
//     list:                          # point by point
//       - {pattern: uniform}
//       - {pattern: tornado, routing: valiant}
//     random: {points: 50, seed: 7, nic.gap: {from: 1ns, to: 100ns, scale: log}}
//     latin-hypercube: {points: 50, seed: 7, loggops.L: {from: 1us, to: 9us}}
//     measures: {rate: 'rate: ([0-9.]+)'}   # numbers in what a program prints
//
// Where several of grid, zip, list, random and latin-hypercube stand, each of one is combined with
// each of the others. A name with a dot is a parameter, another one an option of the command.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace heddle::study {

/// Text of the user's, and where it stands.
struct Value {
  std::string text;
  SourceLocation where;
};

/// What is set at points, with all values that it takes.
struct Parameter {
  std::string name;
  SourceLocation where;
  std::vector<Value> values;
  /// It belongs to the part of the study that says what differs.
  bool varies = false;
};

/// A number that is looked for in the output of programs.
struct Measure {
  std::string name;
  Value pattern;  ///< A regular expression; its first group is the number.
};

/// For each parameter the number of its value, or Study::kUnset.
using Point = std::vector<std::uint32_t>;

struct Study {
  static constexpr std::uint32_t kUnset = UINT32_MAX;
  static constexpr std::size_t kMostPoints = 1'000'000;

  std::string name;
  std::string about;
  std::string file;
  Value command;
  std::vector<Parameter> parameters;  ///< In the order of the file.
  std::vector<Point> points;          ///< At least one.
  std::vector<Measure> measures;

  /// The value of parameter `p` at `point`, or null if it is not set there.
  const Value* value(const Point& point, std::size_t p) const {
    return point[p] == kUnset ? nullptr : &parameters[p].values[point[p]];
  }
};

/// The study in a YAML text; errors name it `file`. Throws InputError at the first mistake.
Study read_study_text(std::string_view text, const std::string& file);
Study read_study_file(const std::string& path);

}  // namespace heddle::study
