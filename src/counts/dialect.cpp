#include "counts/dialect.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace heddle::counts {
namespace {

/// What libraries of mathematics take for a value, about, in instructions.
constexpr std::array<std::string_view, 16> kFunctions = {
    "sin",  "cos",  "tan",  "exp",  "log",  "pow", "sincos", "atan",
    "acos", "asin", "sinh", "cosh", "tanh", "erf", "cbrt",   "hypot"};
constexpr std::uint64_t kFunctionWeight = 40;
constexpr std::array<std::string_view, 8> kMovers = {
    "memcpy",       "memmove",       "memset",       "memcmp",
    "__memcpy_chk", "__memmove_chk", "__memset_chk", "bcmp"};
/// Memory that is asked for and given back.
constexpr std::array<std::string_view, 4> kAllocators = {"malloc", "free", "_Znwm", "_ZdlPvm"};
constexpr std::uint64_t kAllocationWeight = 60;

}  // namespace

bool starts_with_any(std::string_view text, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](auto b) { return text.starts_with(b); });
}

bool is_code_label(std::string_view name) {
  return name.size() > 2 && name.starts_with(".L") &&
         std::isdigit(static_cast<unsigned char>(name[2])) != 0;
}

std::string_view plain_name(std::string_view operand) {
  return operand.substr(0, operand.find_first_of("@ \t,"));
}

std::uint64_t library_weight(std::string_view function) {
  if (std::ranges::find(kAllocators, function) != kAllocators.end()) return kAllocationWeight;
  for (const std::string_view name : kFunctions) {
    // exp, expf, exp2, expm1, log10, atan2f, ...
    if (function.starts_with(name) && function.size() <= name.size() + 3) return kFunctionWeight;
  }
  return 0;
}

bool moves_bytes(std::string_view function) {
  return std::ranges::find(kMovers, function) != kMovers.end();
}

}  // namespace heddle::counts
