// A small harness that measures what we cost against what a peer costs, in one run.
//
// A group of cases is one file that defines `void add_xxx_cases(Suite&)`, declared in cases.hpp and
// called in main.cpp. Every sample is taken in a child process of its own, so that a peer whose
// engine exists once per process can be measured many times and no case warms up another.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::bench {

/// CPU seconds this process has used so far.
double cpu_seconds();

/// What one execution cost: `amount` (CPU seconds, bytes, ...) for `units` pieces of work.
struct Sample {
  double amount = 0;
  double units = 1;
};

/// Runs `work` and samples its CPU time for `units` pieces of work. Keep preparations outside.
template <class Work>
Sample timed(double units, Work&& work) {
  const double begin = cpu_seconds();
  std::forward<Work>(work)();
  return {cpu_seconds() - begin, units};
}

/// How an amount per unit is shown: as `amount * scale` in `unit`, for example {1e9, "ns/message"}.
struct Scale {
  double factor;
  std::string unit;
};

/// What the peer's figure is, so that nobody takes a ratio for more than it says.
enum class PeerKind {
  same_work,    ///< The peer did the same work in this run, on this machine.
  one_message,  ///< The peer's cost of one message between two actors, measured in this run.
  published,    ///< A figure that somebody published, of another machine.
};

/// Something to measure. Lower amounts per unit are better.
struct Case {
  std::string group;
  std::string name;
  Scale scale;
  std::function<Sample()> ours;
  std::function<Sample()> peer = {};  ///< Empty where there is nothing to compare with.
  double target_ratio = 0;            ///< Least peer/ours that is a pass; 0 for no target.
  double limit = 0;                   ///< Most of our amount per unit that is a pass; 0 for any.
  int max_repetitions = 1000;         ///< Fewer samples than asked for, where one takes long.
  int peer_repetitions = 1000;        ///< The same for those of the peer.
  PeerKind peer_kind = PeerKind::same_work;
  std::string models = {};  ///< What carried messages on either side: "ours / the peer's".
};

/// A limit on how the cost of one piece of work grows between two cases of ours.
struct Growth {
  std::string small;    ///< Name of the case with the smaller problem.
  std::string large;    ///< Name of the case with the larger one.
  double size_ratio;    ///< How many times larger.
  double max_exponent;  ///< Cost of the whole problem may grow by size_ratio^max_exponent.
};

struct Suite {
  std::vector<Case> cases;
  std::vector<Growth> growths;
};

struct Options {
  int repetitions = 5;      ///< Samples of each side, taken in turns; the least counts.
  std::string filter = {};  ///< Only cases whose "group/name" contains it.
};

/// The least sample of each side.
struct Result {
  const Case* subject = nullptr;
  Sample ours;
  Sample peer;  ///< Meaningless where the case has no peer.

  double ours_per_unit() const { return ours.amount / ours.units; }
  double peer_per_unit() const { return peer.amount / peer.units; }
  double ratio() const { return peer_per_unit() / ours_per_unit(); }
  bool passed() const {
    return (!subject->peer || ratio() >= subject->target_ratio) &&
           (subject->limit == 0 || ours_per_unit() <= subject->limit);
  }
};

/// The exponent with which our cost grew between two cases that were measured.
struct GrowthResult {
  const Growth* subject = nullptr;
  double exponent = 0;
  bool passed() const { return exponent <= subject->max_exponent; }
};

struct Results {
  std::vector<Result> cases;
  std::vector<GrowthResult> growths;
  bool passed() const;
};

/// Measures the suite, one case after another; the suite must outlive the results. Throws
/// std::runtime_error if a side fails.
Results measure(const Suite& suite, const Options& options);

/// Prints a table for people to standard output.
void print_table(const Results& results);
/// Writes the results as JSON; throws std::runtime_error if the file cannot be written.
void write_json(const Results& results, const std::string& path);

}  // namespace heddle::bench
