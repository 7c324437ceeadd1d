#include "host/program/sampling/loop_limits.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/units.hpp"
#include "host/program/sampling/loop_sampler.hpp"

namespace heddle::host {
namespace {

[[noreturn]] void refuse_loops(const std::string& option, const std::string& text,
                               const std::string& what) {
  throw InputError({option}, "'" + text + "': " + what);
}

void parse_part(const std::string& part, LoopLimits& limits, const std::string& option,
                const std::string& text) {
  const std::string value = part.substr(std::min(part.find('=') + 1, part.size()));
  const auto count = parse_count(value);
  const auto ratio = parse_ratio(value);
  if (part.starts_with("first=") && count && *count >= 2 && *count <= UINT32_MAX) {
    limits.first = static_cast<std::uint32_t>(*count);
  } else if (part.starts_with("error=") && ratio && *ratio > 0) {
    limits.error = *ratio;
  } else {
    refuse_loops(option, text,
                 "'" + part + "': accepted is auto[,first=N][,error=P%], with at least 2 runs");
  }
}

}  // namespace

std::optional<LoopLimits> parse_loop_limits(const std::string& text, const std::string& option) {
  LoopLimits limits;
  std::size_t begin = std::min(text.find(','), text.size());
  if (text.substr(0, begin) != "auto") return {};
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(',', begin + 1), text.size());
    parse_part(text.substr(begin + 1, end - begin - 1), limits, option, text);
    begin = end;
  }
  if (!LoopSampler::possible()) {
    refuse_loops(
        option, text,
        "loops are found in the code of x86-64 only: accepted on this processor are functions, "
        "function=NAME,first=N[,by=ARGUMENTS]");
  }
  return limits;
}

}  // namespace heddle::host
