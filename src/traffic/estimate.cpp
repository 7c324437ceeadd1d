#include "traffic/estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::traffic {
namespace {

/// The 97.5 % point of Student's t with that many degrees of freedom, at least 1. Above 30 it
/// approaches the normal distribution's, to 0.002.
double student_t(std::size_t freedom) {
  constexpr std::array kTable = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                 2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                 2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
  if (freedom <= kTable.size()) return kTable[freedom - 1];
  return 1.96 + 2.4 / static_cast<double>(freedom);
}

}  // namespace

Estimate estimate(std::span<const double> samples) {
  if (samples.empty()) return {};
  const auto count = static_cast<double>(samples.size());
  double sum = 0;
  for (const double sample : samples) sum += sample;
  const double mean = sum / count;
  if (samples.size() == 1) return {mean, 0, 1};
  double squares = 0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  const double error = std::sqrt(squares / (count - 1) / count);
  return {mean, student_t(samples.size() - 1) * error, samples.size()};
}

void BatchMeans::add(Time at, double value) {
  const double part = (at - begin_).seconds() / length_;
  const auto batch = static_cast<std::size_t>(part * static_cast<double>(kBatches));
  Batch& to = batches_[std::min(batch, kBatches - 1)];
  to.sum += value;
  ++to.count;
}

Estimate BatchMeans::estimate() const {
  std::vector<double> means;
  for (const Batch& batch : batches_) {
    if (batch.count > 0) means.push_back(batch.sum / batch.count);
  }
  return traffic::estimate(means);
}

}  // namespace heddle::traffic
