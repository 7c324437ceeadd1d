#include "host/program/sampling/sampled_functions.hpp"

#include <fmt/core.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/units.hpp"
#include "host/program/loading/bindings.hpp"
#include "host/program/sampling/sample_stubs.hpp"
#include "host/rank/job.hpp"

namespace heddle::host {
namespace {

constexpr std::uint32_t kArguments = 6;

/// Of this thread of the host. A system call, because clock_gettime is the programs' simulated one.
Time processor_time_here() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
  return Time::ps(now.tv_sec * 1'000'000'000'000 + now.tv_nsec * 1000);
}

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::string& what) {
  throw InputError({option}, fmt::format("'{}': {}: accepted is "
                                         "function=NAME,first=N[,by=ARGUMENTS], where arguments "
                                         "are such as 1*2, or @1 for the int at an address",
                                         text, what));
}

std::vector<SampledFunction::Argument> parse_by(const std::string& text, const std::string& option,
                                                const std::string& whole) {
  std::vector<SampledFunction::Argument> list;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('*', begin), text.size());
    std::string one = text.substr(begin, end - begin);
    const bool pointed_to = one.starts_with('@');
    const auto number = parse_count(pointed_to ? one.substr(1) : one);
    if (!number || *number < 1 || *number > kArguments) {
      refuse(option, whole, fmt::format("'{}' is no argument from 1 to {}", one, kArguments));
    }
    list.push_back({static_cast<std::uint32_t>(*number - 1), pointed_to});
    begin = end + 1;
  }
  return list;
}

}  // namespace

SampledFunction parse_sampled_function(const std::string& text, const std::string& option) {
  SampledFunction function;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    const std::size_t equals = one.find('=');
    const std::string key = one.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : one.substr(equals + 1);
    if (key == "function" && !value.empty()) {
      function.name = value;
    } else if (key == "first") {
      const auto count = parse_count(value);
      if (!count || *count < 1 || *count > UINT32_MAX) refuse(option, text, "no number of calls");
      function.first = static_cast<std::uint32_t>(*count);
    } else if (key == "by") {
      function.by = parse_by(value, option, text);
    } else {
      refuse(option, text, "unknown part '" + one + "'");
    }
    begin = end + 1;
  }
  if (function.name.empty()) refuse(option, text, "no function");
  return function;
}

void CostLine::add(double product, double seconds) {
  ++count_;
  x_ += product;
  y_ += seconds;
  xx_ += product * product;
  xy_ += product * seconds;
}

double CostLine::seconds(double product) const {
  if (count_ == 0) return 0;
  const double n = count_;
  const double spread = n * xx_ - x_ * x_;
  const double mean = y_ / n;
  if (spread <= 1e-12 * n * xx_) return mean;
  const double slope = (n * xy_ - x_ * y_) / spread;
  return std::max(0.0, mean + slope * (product - x_ / n));
}

SampledFunctions::SampledFunctions(std::vector<SampledFunction> functions) {
  if (functions.size() > kSampleStubs) {
    throw InputError({"sampled functions"},
                     fmt::format("accepted are up to {} functions", kSampleStubs));
  }
  for (SampledFunction& function : functions) states_.push_back({std::move(function)});
}

/// Every place that the loader has put the address of one of the functions in.
void SampledFunctions::patch(const link_map& object) {
  if (states_.empty()) return;
  Bindings(object).each([&](const Binding& one) {
    for (std::size_t f = 0; f < states_.size(); ++f) {
      if (states_[f].function.name != one.name || *one.slot == sample_stub(f)) continue;
      states_[f].found = true;
      lead_to_sample_stub(f, object.l_addr, one.slot);
    }
  });
}

void SampledFunctions::check() const {
  for (const State& state : states_) {
    if (state.found) continue;
    throw InputError({"sampled functions"},
                     fmt::format("no call of '{}' can be found in the program: accepted are "
                                 "functions of libraries, and own ones that are linked with "
                                 "-Wl,--export-dynamic-symbol=NAME",
                                 state.function.name));
  }
}

bool SampledFunctions::begins(Rank& rank, std::uint32_t function, const std::uint64_t* arguments,
                              void** back) {
  State& state = states_[function];
  double product = 1;
  for (const SampledFunction::Argument& argument : state.function.by) {
    const std::uint64_t value = arguments[argument.number];
    product *= argument.pointed_to ? *reinterpret_cast<const int*>(value)
                                   : static_cast<double>(static_cast<std::int64_t>(value));
  }
  const Call call(rank);
  if (state.begun >= state.function.first) {
    rank.thread().work().compute(Time::ps(std::llround(state.cost.seconds(product) * 1e12)));
    return false;
  }
  ++state.begun;
  running_[&rank.thread()].push_back(
      {function, *back, product, rank.account().times().computing, processor_time_here()});
  *back = sample_return();
  return true;
}

/// What a call costs is what `--compute` charged for it or, where that is nothing, the processor
/// time it took.
void* SampledFunctions::ends(Rank& rank) {
  const Time here = processor_time_here();
  const Call call(rank);
  std::vector<Running>& running = running_[&rank.thread()];
  const Running done = running.back();
  running.pop_back();
  const HostParams& params = rank.job().params();
  Time cost = rank.account().times().computing - done.computed;
  if (params.compute == ComputeModel::none) {
    const auto taken = static_cast<double>((here - done.processor).ps());
    cost = Time::ps(std::llround(taken * params.compute_factor));
    rank.thread().work().compute(cost);
  }
  states_[done.function].cost.add(done.product, cost.seconds());
  return done.back;
}

}  // namespace heddle::host
