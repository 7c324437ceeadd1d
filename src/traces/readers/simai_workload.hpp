// A text workload of SimAI or ASTRA-sim: layers, with the time and the communication of each pass.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::traces {

struct SimaiComm {
  enum class Kind : std::uint8_t { none, allreduce, allgather, reduce_scatter, alltoall };
  /// Among whom: those that passes of that kind are divided among, or a group that is named.
  enum class Among : std::uint8_t { own, tp, dp, ep, dp_ep };
  Kind kind = Kind::none;
  Among among = Among::own;
  std::uint64_t bytes = 0;
};

struct SimaiPass {
  std::uint64_t time = 0;  ///< In nanoseconds.
  SimaiComm comm;
};

struct SimaiLayer {
  SimaiPass forward;
  SimaiPass input_gradient;
  SimaiPass weight_gradient;
  std::uint64_t update = 0;
};

struct SimaiWorkload {
  std::string policy;
  std::uint64_t tp = 1;
  std::uint64_t ep = 1;
  std::uint64_t pp = 1;
  std::uint64_t gpus = 0;  ///< 0 if it does not say.
  std::vector<SimaiLayer> layers;
};

/// Throws InputError with line and column.
SimaiWorkload parse_simai(std::string_view text, const std::string& file);

}  // namespace heddle::traces
