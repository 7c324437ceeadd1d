#include "calibrate/collective_fit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace heddle::calibrate {
namespace {

/// A parameter that no file measured, as a number.
struct Knob {
  const char* parameter;
  const char* format;  ///< Of its value.
  double value;        ///< To begin with, if it has none.
  double least;
  double most;
};
/// In the order in which they are turned: what nodes share has most to say.
constexpr Knob kKnobs[] = {
    {"nic.gap", "{:.3f}ns", 100, 0.1, 1e5},
    {"mpi.node_latency", "{:.3f}ns", 400, 10, 1e5},
    {"mpi.node_memory_bandwidth", "{:.3f}GBps", 100, 0.1, 1e4},
    {"mpi.reduction_cost", "0ns:{:.6f}ns/B", 0.2, 0.001, 100},
};
/// By what a knob is turned, from coarse to fine.
constexpr double kTurns[] = {4, 2, 1.3, 1.1, 1.03};

/// Turns knobs one after another, for as long as that helps.
class CollectiveFit {
 public:
  explicit CollectiveFit(Draft& draft) : draft_(draft) {
    for (const Measurement& test : draft.tests()) {
      if (test.fitted) tests_.push_back(&test);
    }
  }

  void run() {
    if (tests_.empty()) return;
    for (const Knob& knob : kKnobs) {
      if (is_free(knob)) knobs_.push_back(knob);
    }
    for (Knob& knob : knobs_) put(knob);
    least_ = error();
    for (const double turn : kTurns) {
      for (Knob& knob : knobs_) {
        if (!turned(knob, turn)) turned(knob, 1 / turn);
      }
    }
    for (const Knob& knob : knobs_) draft_.set(knob.parameter, text(knob), {remark()});
    draft_.rebuild();
    std::erase_if(draft_.found().guesses, [&](const std::string& guess) {
      return std::ranges::any_of(knobs_, [&](const Knob& knob) {
        return guess.starts_with(std::string(knob.parameter) + "=");
      });
    });
  }

 private:
  /// Whether no file says what it is.
  bool is_free(const Knob& knob) const {
    const auto& values = draft_.found().values;
    const auto found = std::ranges::find(values, knob.parameter, &FittedValue::parameter);
    return found == values.end() || found->remarks.front().starts_with("guessed");
  }

  static std::string text(const Knob& knob) {
    return fmt::format(fmt::runtime(knob.format), knob.value);
  }
  std::string remark() const {
    std::string files;
    for (const Measurement* test : tests_) {
      files += (files.empty() ? "" : ", ") + SourceLocation{test->file, test->line}.str();
    }
    return "so that collectives come out as measured: " + files;
  }
  void put(const Knob& knob) { draft_.found().settings.assign(knob.parameter, text(knob), {}); }

  /// For as long as the error gets less; whether it did.
  bool turned(Knob& knob, double by) {
    bool helped = false;
    for (;;) {
      const double before = knob.value;
      knob.value = std::clamp(knob.value * by, knob.least, knob.most);
      put(knob);
      const double now = knob.value == before ? least_ : error();
      if (now < least_ * 0.999) {
        least_ = now;
        helped = true;
        continue;
      }
      knob.value = before;
      put(knob);
      return helped;
    }
  }

  /// The sum of squares, of logarithms: twice as long is as bad as half.
  double error() {
    draft_.rebuild();
    double sum = 0;
    for (const Measurement* test : tests_) {
      const std::vector<double> simulated = draft_.simulated(*test);
      for (std::size_t i = 0; i < simulated.size(); ++i) {
        const double log = std::log(simulated[i] / test->points[i].value);
        sum += log * log;
      }
    }
    return sum;
  }

  Draft& draft_;
  std::vector<const Measurement*> tests_;
  std::vector<Knob> knobs_;
  double least_ = 0;
};

}  // namespace

void fit_collectives(Draft& draft) {
  CollectiveFit(draft).run();
}

}  // namespace heddle::calibrate
