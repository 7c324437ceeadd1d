// The results of a study, looked at by the names of their columns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/result_store.hpp"
#include "traffic/estimate.hpp"

namespace heddle::study {

/// A column: a parameter, or a measure in a unit that may not be the stored one.
struct ResultName {
  std::string name;    ///< As the user calls it: "latency.mean_us".
  std::string stored;  ///< "latency.mean_ps"
  bool is_parameter = false;
  double scale = 1;  ///< From the stored unit to the one wanted.
};

/// Points that agree in some columns, and what is measured at them.
struct ResultGroup {
  std::vector<std::string> key;  ///< The texts of those columns.
  const StoredPoint* first = nullptr;
  std::vector<double> samples;

  traffic::Estimate estimate() const { return traffic::estimate(samples); }
};

/// The points of a study that were computed.
class ResultView {
 public:
  explicit ResultView(std::vector<StoredPoint> points);

  /// Leaves out all points at which a condition "name=value" does not hold. Throws InputError at
  /// `option` for names and values that there are not.
  void keep(const std::string& condition, const std::string& option);
  /// Throws InputError at `option`, naming what there is, if there is no such column.
  ResultName find(const std::string& name, const std::string& option) const;

  const std::vector<StoredPoint>& points() const { return points_; }
  std::string text(const StoredPoint& point, const ResultName& name) const;
  /// Quantities as numbers: times in us, sizes in bytes, bandwidths in Gb/s, times per byte in ns.
  std::optional<double> number(const StoredPoint& point, const ResultName& name) const;
  /// For an axis: "latency.mean [us]".
  std::string label(const ResultName& name) const;
  /// The parameters that differ between points, without seeds.
  std::vector<std::string> varying() const;

  /// The points that agree in `names`, in the order of the study. Throws InputError at `option` if
  /// they differ in anything else than seeds, or if `measure` is not a number.
  std::vector<ResultGroup> groups(const std::vector<ResultName>& names, const ResultName& measure,
                                  const std::string& option) const;

 private:
  void check_alike(const std::vector<const StoredPoint*>& points, const std::string& option) const;

  std::vector<StoredPoint> points_;
  std::vector<std::string> parameters_;
  std::vector<std::string> measures_;
};

/// A quantity as a number, in the unit that goes with it.
struct PlainQuantity {
  double value = 0;
  std::string unit = {};
};
std::optional<PlainQuantity> plain_quantity(const std::string& text);

}  // namespace heddle::study
