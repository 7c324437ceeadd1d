// The formats of benchmarks' output. Each has a file of its own, formats/NAME_format.cpp, that
// defines a function NAME_format(); the build lists those files.
#pragma once

#include <string>
#include <vector>

#include "calibrate/measurement.hpp"
#include "calibrate/text.hpp"

namespace heddle::calibrate {

struct Format {
  const char* name;        ///< "OSU micro-benchmarks".
  const char* looked_for;  ///< What is recognised, for errors: "# OSU MPI Latency Test v5.8".
  /// Whether a table of this format begins at a line.
  bool (*recognises)(const Text& text, std::size_t at);
  /// Adds what is there, and answers the first line behind it, which is beyond `at`. Throws
  /// InputError.
  std::size_t (*read)(const Text& text, std::size_t at, Readings& readings);
};

/// Every format there is, by the names of their files.
const std::vector<const Format*>& formats();

/// Adds all that a text has to `readings`. Throws InputError if that is nothing.
void read_text(std::string_view text, const std::string& file, Readings& readings);

/// Mean of an exponentially distributed excess over the least, of which the median is known.
double spread_of(double median, double least);
/// A whole number of bytes; -1, which add() leaves out, if it is none.
std::int64_t bytes_of(double number);

/// Points of two columns of a table.
std::vector<Point> points_of(const TextTable& table, std::size_t size, std::size_t value,
                             double scale = 1);

/// Adds a measurement without points that are no sizes or not positive, sorted by size; of several
/// for a size the median. Throws InputError if no point is left.
void add(Readings& readings, Measurement measurement);

/// The collective that a benchmark calls so in its title ("all-to-all personalized exchange").
std::optional<coll::Collective> collective_in(std::string_view title);

}  // namespace heddle::calibrate
