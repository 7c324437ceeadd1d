// A calibration under construction: what the files have, and what was found so far.
#pragma once

#include <string>
#include <vector>

#include "calibrate/calibration.hpp"

namespace heddle::calibrate {

inline constexpr double kMicrosecond = 1e-6;
/// Where the shortest message takes longer than this, a kernel or a hypervisor has a part in it.
inline constexpr double kBehindSoftware = 10 * kMicrosecond;

/// How long a window and its answer take, or a message: what the clock of the test saw, in seconds.
double seconds_of(const Measurement& test, const Point& point);
/// Of the point at a size, or of the next one, in seconds.
double time_at(const Measurement& test, std::int64_t bytes);
std::string text_of_time(double seconds);
std::string shown_size(std::int64_t bytes);

class Draft {
 public:
  /// The input must outlive this.
  explicit Draft(const FitInput& input);

  const FitInput& input() const { return input_; }
  Calibration& found() { return found_; }
  const std::vector<Measurement>& tests() const { return input_.readings.measurements; }

  /// The first table of a kind between two nodes, or inside of one, or null; tables of pairs by the
  /// thousand tell of something else.
  const Measurement* find_test(Loop loop, bool inside) const;
  /// Whether a test that is simulated has several ranks on a node.
  bool shares_nodes() const;
  /// Whether a file has the parameter word for word.
  bool is_given(const std::string& parameter) const;

  void set(const std::string& parameter, const std::string& value,
           std::vector<std::string> remarks);
  void guess(const std::string& parameter, const std::string& value, const std::string& why);
  /// Times of a call by themselves.
  void take_curve(const std::string& parameter, const Measurement& test, const std::string& what);
  void take_given();
  /// The machine with what was found so far.
  void rebuild();
  std::vector<double> simulated(const Measurement& test) const;

 private:
  const FitInput& input_;
  Calibration found_;
};

}  // namespace heddle::calibrate
