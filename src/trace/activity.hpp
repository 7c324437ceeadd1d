// The kinds of activity that a trace records: their names and between whom they pass.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nic/observer.hpp"

namespace heddle::trace {

/// Between whom an activity passes.
enum class Path : std::uint8_t {
  process_to_adapter,  ///< Across the bus of a node.
  adapter_to_process,  ///< Across the bus of a node.
  between_adapters,    ///< Over the fabric.
  within_process,
};

/// What there is to say about a kind of activity.
struct ActivityKind {
  nic::Activity activity;
  std::string_view name;   ///< In files: S4BXI's.
  std::string_view label;  ///< In charts.
  Path path;
  bool payload;  ///< Carries data of the program: its size is worth telling.
};

inline constexpr std::size_t kActivities = 15;
/// All of them, each at the index of its number.
const std::array<ActivityKind, kActivities>& activity_kinds();
/// `activity` is one of the enumeration's.
const ActivityKind& kind_of(nic::Activity activity);
/// The activity of that name, or nothing.
std::optional<nic::Activity> activity_called(std::string_view name);
std::vector<std::string> activity_names();

}  // namespace heddle::trace
