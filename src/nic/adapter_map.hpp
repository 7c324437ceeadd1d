// Which adapters a machine has, and which of them a process uses.
//
// Nothing else knows how adapters are spread over nodes. Every node has one; were there several,
// they would be numbered here, and this would say through which of them a process communicates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "nic/software.hpp"

namespace heddle::nic {

enum class AdapterId : std::uint32_t {};  ///< An adapter of the machine, numbered from 0.

constexpr std::size_t adapters_of_machine(std::uint32_t nodes) {
  return nodes;
}
constexpr std::array<AdapterId, 1> adapters_of(NodeId node) {
  return {AdapterId{static_cast<std::uint32_t>(node)}};
}
constexpr AdapterId adapter_of(const ProcessId& process) {
  return adapters_of(process.node).front();
}
constexpr NodeId node_of(AdapterId adapter) {
  return NodeId{static_cast<std::uint32_t>(adapter)};
}

}  // namespace heddle::nic
