// Machines calibrated from what was measured on four real ones, held against that and against what
// they were not told.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "osu_sets.hpp"
#include "validation.hpp"

namespace heddle::calibrated {
namespace {

using cli::Outcome;
using nlohmann::json;

constexpr const char* kSubject = "Machines calibrated from osu_latency and osu_bw of two nodes";

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

/// What calibration from the files of two nodes of a machine says, in a folder, with `more` on the
/// command line.
json calibrated(const TemporaryFolder& folder, const char* machine, const std::string& more) {
  std::ofstream(folder / "latency.txt") << osu_text(machine, "osu_latency_us");
  std::ofstream(folder / "bw.txt") << osu_text(machine, "osu_bw_MBps");
  const Outcome outcome =
      cli::heddle("calibrate latency.txt bw.txt " + more + " --json c.json", folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return json::parse(cli::file_text(folder / "c.json"));
}

class Calibrated : public testing::TestWithParam<const char*> {
 protected:
  json calibrate(const std::string& more) { return calibrated(folder_, GetParam(), more); }
  TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(RealMachines, Calibrated, testing::ValuesIn(kOsuSets));

// Time of each size, at the sizes that were measured.
TEST_P(Calibrated, ReproducesWhatItWasMadeOf) {
  const json found = calibrate("");
  const double allowed[] = {0.005, 0.02};
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<double> errors;
    for (const json& point : found["tests"][i]["points"]) {
      errors.push_back(std::abs(point["time_error"].get<double>()));
    }
    std::sort(errors.begin(), errors.end());
    const double median = errors[errors.size() / 2];
    validation_row(kSubject,
                   fmt::format("{}, {}, {} sizes", GetParam(),
                               found["tests"][i]["program"].get<std::string>(), errors.size()),
                   fmt::format("largest error {}", percent(errors.back())), "as measured",
                   "median " + percent(median), "median " + percent(allowed[i]));
    EXPECT_LE(median, allowed[i]);
  }
}

// The same of a fit to every other size, at the others: smooth curves are met, and where a protocol
// changes in between nobody can know.
TEST_P(Calibrated, HoldsBetweenSizes) {
  const json found = calibrate("--leave-out half");
  for (const json& one : found["between_sizes"]) {
    const double median = one["median_error"];
    const double most = one["error_of_90_percent"];
    validation_row(kSubject,
                   fmt::format("{}, {}, {} sizes left out", GetParam(),
                               one["program"].get<std::string>(), one["errors"].size()),
                   "90 of 100 within " + percent(most), "as measured", "median " + percent(median),
                   "median 4.0 %");
    EXPECT_LE(median, 0.04) << one["program"];
  }
}

// Likewise, of all machines together.
TEST(CalibratedTogether, HoldBetweenSizes) {
  std::vector<double> all;
  for (const char* machine : kOsuSets) {
    const TemporaryFolder folder;
    const json found = calibrated(folder, machine, "--leave-out half");
    for (const json& one : found["between_sizes"]) {
      for (const json& error : one["errors"]) all.push_back(error);
    }
  }
  std::sort(all.begin(), all.end());
  const double median = all[all.size() / 2];
  const double most = all[all.size() * 9 / 10];
  validation_row(kSubject, fmt::format("all machines, {} sizes left out", all.size()),
                 "90 of 100 within " + percent(most), "as measured", "median " + percent(median),
                 "median 2.0 %, 10 % for 90 of 100");
  EXPECT_LE(median, 0.02);
  EXPECT_LE(most, 0.1);
}

/// What a prediction may be off by.
constexpr double kAllowed = 0.3;

// Allreduces of thousands of ranks, which the fit knew nothing of: what ranks of a node share is
// guessed.
TEST_P(Calibrated, PredictsAllreduces) {
  const auto rows = osu_rows(GetParam(), "osu_allreduce_us");
  if (rows.empty() || std::getenv("HEDDLE_VALIDATE") == nullptr) GTEST_SKIP() << "left out";
  std::ofstream(folder_ / "allreduce.txt") << osu_text(GetParam(), "osu_allreduce_us");
  const json found = calibrate(fmt::format("allreduce.txt --procs {} --ranks-per-node {}",
                                           rows[0].ranks, rows[0].ranks / 32));
  for (const json& point : found["tests"][2]["points"]) {
    const double error = point["time_error"];
    validation_row(kSubject,
                   fmt::format("{}, allreduce of {} B, {} ranks on 32 nodes", GetParam(),
                               point["bytes"].get<int>(), rows[0].ranks),
                   fmt::format("{:.0f} us", point["simulated"].get<double>()),
                   fmt::format("{:.0f} us", point["measured"].get<double>()),
                   fmt::format("{:+.0f} %", 100 * error), fmt::format("{:.0f} %", 100 * kAllowed));
    EXPECT_LE(std::abs(error), kAllowed) << point["bytes"];
  }
}

}  // namespace
}  // namespace heddle::calibrated
