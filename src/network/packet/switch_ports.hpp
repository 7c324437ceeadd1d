// Inputs and outputs of switches by number.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/platform.hpp"

namespace heddle::network {

/// The links that come into a switch, and those that leave it, are numbered from 0 in their order.
class SwitchPorts {
 public:
  SwitchPorts() = default;
  explicit SwitchPorts(const platform::Topology& topology);

  std::uint32_t input(LinkId link) const { return input_[index(link)]; }
  std::uint32_t output(LinkId link) const { return output_[index(link)]; }
  std::uint32_t inputs(VertexId of) const { return inputs_[index(of)]; }
  std::uint32_t outputs(VertexId of) const { return outputs_[index(of)]; }

 private:
  std::vector<std::uint32_t> input_;  ///< By link.
  std::vector<std::uint32_t> output_;
  std::vector<std::uint32_t> inputs_;  ///< By vertex, how many.
  std::vector<std::uint32_t> outputs_;
};

}  // namespace heddle::network
