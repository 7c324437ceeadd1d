// What OSU's benchmarks measured on four real machines (tests/data/osu_measured.csv), as the text
// that they print.
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace heddle {

struct OsuRow {
  std::string set;   ///< "aws-efa".
  std::string test;  ///< "osu_latency_us".
  int ranks = 0;
  long bytes = 0;
  double value = 0;
};

inline std::vector<OsuRow> osu_rows(const std::string& set, const std::string& test) {
  std::ifstream in(HEDDLE_TEST_DATA "/osu_measured.csv");
  std::vector<OsuRow> rows;
  for (std::string line; std::getline(in, line);) {
    for (char& c : line) c = c == ',' ? ' ' : c;
    std::istringstream fields(line);
    OsuRow row;
    if (fields >> row.set >> row.test >> row.ranks >> row.bytes >> row.value && row.set == set &&
        row.test == test) {
      rows.push_back(row);
    }
  }
  return rows;
}

/// `test`: "osu_latency_us", "osu_bw_MBps" or "osu_allreduce_us".
inline std::string osu_text(const std::string& set, const std::string& test) {
  const bool rate = test == "osu_bw_MBps";
  const char* name = rate                       ? "Bandwidth"
                     : test == "osu_latency_us" ? "Latency"
                                                : "Allreduce Latency";
  std::string text = fmt::format("# OSU MPI {} Test v5.8\n# Size {:>25}\n", name,
                                 rate ? "Bandwidth (MB/s)" : "Latency (us)");
  for (const OsuRow& row : osu_rows(set, test)) {
    text += fmt::format("{:<10}{:>20.2f}\n", row.bytes, row.value);
  }
  return text;
}

inline constexpr const char* kOsuSets[] = {"aws-efa", "gcp-gke", "lcc2-qdr", "sjtu-3"};

}  // namespace heddle
