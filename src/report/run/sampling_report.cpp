#include "report/run/sampling_report.hpp"

#include <fmt/core.h>

#include "core/units.hpp"

namespace heddle::report {
namespace {

using host::SampledLoop;

/// Lines that are told of; the document has all.
constexpr std::size_t kMost = 8;

/// Of loops that were left out, which are together charged for.
struct Sum {
  std::size_t loops = 0;
  std::uint64_t run = 0;
  std::uint64_t left_out = 0;
  Time charged;
  Time error;  ///< One loop's may be that of others, too.
};

Sum sum_of(const std::vector<SampledLoop>& loops) {
  Sum sum;
  for (const SampledLoop& loop : loops) {
    if (loop.left_out == 0) continue;
    ++sum.loops;
    sum.run += loop.run;
    sum.left_out += loop.left_out;
    sum.charged += loop.charged;
    sum.error += loop.error;
  }
  return sum;
}

double part(Time error, Time charged) {
  return charged > Time::zero() ? error.seconds() / charged.seconds() : 0;
}

std::string line_of(const SampledLoop& loop) {
  if (!loop.repeats) {
    return fmt::format("  {}: carried out as ever, as it costs or ends otherwise each time\n",
                       loop.place);
  }
  std::string text =
      fmt::format("  {}: {} run, {} left out, charged {} +-{:.2g} %", loop.place, loop.run,
                  loop.left_out, format_time(loop.charged), 100 * part(loop.error, loop.charged));
  if (loop.checks > 0) {
    text += fmt::format("; {} checked, off by {:+.2g} %", loop.checks, 100 * loop.off);
  }
  if (loop.noticed > 0) text += fmt::format("; went otherwise {} times", loop.noticed);
  return text + "\n";
}

Json json_of(const SampledLoop& loop) {
  Json json = {{"place", loop.place}, {"run", loop.run}, {"left_out", loop.left_out}};
  json["repeats"] = loop.repeats;
  put(json, "charged", loop.charged);
  put(json, "error", loop.error);
  json["checks"] = loop.checks;
  json["off"] = loop.off;
  json["went_otherwise"] = loop.noticed;
  return json;
}

}  // namespace

double time_error(const std::vector<SampledLoop>& loops, Time end) {
  const Sum sum = sum_of(loops);
  const double share = sum.charged < end ? part(sum.charged, end) : 1;
  return share * part(sum.error, sum.charged);
}

bool leaves_out(const std::vector<SampledLoop>& loops) {
  return sum_of(loops).left_out > 0;
}

std::string sampling_text(const std::vector<SampledLoop>& loops, Time end) {
  if (loops.empty()) return "";
  const Sum sum = sum_of(loops);
  std::string text = fmt::format(
      "sampled         {} loops, {} times run, {} times left out: simulated time +-{:.2g} % (95 "
      "%)\n",
      sum.loops, sum.run, sum.left_out, 100 * time_error(loops, end));
  for (std::size_t i = 0; i < loops.size() && i < kMost; ++i) text += line_of(loops[i]);
  if (loops.size() > kMost) text += fmt::format("  and {} others\n", loops.size() - kMost);
  return text;
}

std::string sampling_sentence(const std::vector<SampledLoop>& loops, Time end) {
  const Sum sum = sum_of(loops);
  if (sum.left_out == 0) return "";
  return fmt::format(
      "Computation is sampled: {} loops were carried out {} times and left out {} times, so that "
      "the simulated time is known to {:.2g} % (with 95 %); their results were not computed.",
      sum.loops, sum.run, sum.left_out, 100 * time_error(loops, end));
}

Json sampling_json(const std::vector<SampledLoop>& loops, Time end) {
  const Sum sum = sum_of(loops);
  Json json = {{"run", sum.run}, {"left_out", sum.left_out}};
  put(json, "charged", sum.charged);
  put(json, "error", sum.error);
  json["time_error_share"] = time_error(loops, end);
  Json& list = json["loops"] = Json::array();
  for (const SampledLoop& loop : loops) list.push_back(json_of(loop));
  return json;
}

}  // namespace heddle::report
