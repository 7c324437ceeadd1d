#include "goal/training/step_facts.hpp"

#include <charconv>

#include <fmt/core.h>

namespace heddle::goal {
namespace {

constexpr std::string_view kNote = "// training step: tokens ";
constexpr std::string_view kFlops = ", flops ";

/// The number that `text` begins with, which is then taken off it.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

StepFacts facts_of(const LlmPlan& plan) {
  return {static_cast<std::uint64_t>(plan.tokens()), plan.flops};
}

std::string note_of(const StepFacts& facts) {
  return fmt::format("{}{}{}{}\n", kNote, facts.tokens, kFlops, facts.flops);
}

std::optional<StepFacts> noted_step(std::string_view text) {
  if (!text.starts_with(kNote)) return std::nullopt;
  text.remove_prefix(kNote.size());
  const auto tokens = take_number<std::uint64_t>(text);
  if (!tokens || !text.starts_with(kFlops)) return std::nullopt;
  text.remove_prefix(kFlops.size());
  const auto flops = take_number<double>(text);
  if (!flops) return std::nullopt;
  return StepFacts{*tokens, *flops};
}

}  // namespace heddle::goal
