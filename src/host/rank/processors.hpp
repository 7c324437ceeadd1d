// The processors that the ranks of a job compute on.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/time.hpp"
#include "host/rank/cores.hpp"
#include "host/rank/host_params.hpp"
#include "host/rank/rank_id.hpp"
#include "platform/noise.hpp"

namespace heddle::host {

class Rank;

/// Called when a rank has computed from `begin` to `end`.
using ComputeHook = std::function<void(Rank&, Time begin, Time end)>;

/// When ranks compute: cores that they share and wait for, and interruptions that make their work
/// take longer.
class Processors {
 public:
  /// The platform must outlive it; `ranks` is how many there are at first.
  Processors(const platform::Platform& platform, const HostParams& params,
             const platform::NoiseConfig& noise, std::uint32_t ranks)
      : noise_(noise, ranks),
        cores_(platform, static_cast<std::uint32_t>(params.threads_per_rank)),
        at_once_(params.compute == ComputeModel::none && noise_.silent()) {}

  const Cores& cores() const { return cores_; }
  Cores& cores() { return cores_; }
  /// When work of `duration` is done that a thread of the rank wants to begin at `begin`.
  Time reserve(const Cores::Member& member, Time begin, Time duration) {
    const std::int64_t noise = noise_.delay(member.rank, begin.ps(), duration.ps());
    return cores_.reserve(member, begin, duration + Time::ps(noise));
  }
  /// How much longer the interruption takes that a rank's processor is in, if it is in one.
  Time interrupted(RankId rank, Time now) const {
    return Time::ps(noise_.delay(static_cast<std::uint32_t>(rank), now.ps(), 0));
  }
  /// Whether neither computation nor noise comes before a call.
  bool calls_begin_at_once() const { return at_once_; }

  /// Layers above may want to know of computations.
  void tell(ComputeHook hook) { hooks_.push_back(std::move(hook)); }
  void computed(Rank& rank, Time begin, Time end) const {
    for (const ComputeHook& hook : hooks_) hook(rank, begin, end);
  }

 private:
  platform::Noise noise_;
  Cores cores_;
  bool at_once_;
  std::vector<ComputeHook> hooks_;
};

}  // namespace heddle::host
