#include "report/replay/step_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "report/table.hpp"

namespace heddle::report {
namespace {

constexpr auto kPipeline = static_cast<unsigned>(goal::Stream::pp);

std::string share_text(double part, double whole) {
  return fmt::format("{:.2f}", whole > 0 ? 100 * part / whole : 0);
}

Time time_of(double ps) {
  return Time::ps(std::llround(ps));
}

}  // namespace

StepReport step_report(const goal::StepFacts& facts, const replay::ReplayResult& result,
                       const replay::IdleTimes& idle, Time ideal) {
  StepReport report;
  report.facts = facts;
  report.gpus = static_cast<std::uint32_t>(result.finish.size());
  report.step = static_cast<double>(result.makespan().ps());
  for (std::uint32_t r = 0; r < report.gpus; ++r) {
    report.compute += static_cast<double>(result.times[r].compute.ps()) / report.gpus;
    for (std::uint8_t kind = 1; kind < idle.cpus() && kind < report.exposed.size(); ++kind) {
      report.exposed[kind] +=
          static_cast<double>(idle.of(replay::RankId{r}, replay::CpuId{kind}).ps()) / report.gpus;
    }
  }
  double rest = report.step - report.compute;
  for (unsigned kind = 0; kind < report.exposed.size(); ++kind) {
    if (kind != kPipeline) rest -= report.exposed[kind];
  }
  // Communication of some stages may fill what would be the bubble of others.
  report.bubble = std::min(static_cast<double>(ideal.ps()) - report.compute, rest);
  report.exposed[kPipeline] = rest - report.bubble;
  return report;
}

std::string text_of(const StepReport& report) {
  Table table({{"part"}, {"time", Align::right}, {"percent", Align::right}});
  const auto add = [&](const std::string& name, double part) {
    table.add({name, format_time(time_of(part)), share_text(part, report.step)});
  };
  add("compute", report.compute);
  add("bubble", report.bubble);
  for (unsigned kind = 1; kind < report.exposed.size(); ++kind) {
    add("exposed " + std::string(goal::kStreamNames[kind]), report.exposed[kind]);
  }
  return fmt::format(
      "\nTraining step: {}, {:.0f} tokens/s, {:.1f} Tflop/s per GPU; mean over GPUs\n{}",
      format_time(time_of(report.step)), report.tokens_per_second(),
      report.flops_per_second() / 1e12, table.text());
}

Json json_of(const StepReport& report) {
  Json json;
  put(json, "time", time_of(report.step));
  json["tokens"] = report.facts.tokens;
  json["tokens_per_second"] = report.tokens_per_second();
  json["flops_per_second_and_gpu"] = report.flops_per_second();
  put(json, "compute", time_of(report.compute));
  put(json, "bubble", time_of(report.bubble));
  for (unsigned kind = 1; kind < report.exposed.size(); ++kind) {
    put(json, "exposed_" + std::string(goal::kStreamNames[kind]), time_of(report.exposed[kind]));
  }
  return json;
}

}  // namespace heddle::report
