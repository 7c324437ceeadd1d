// How long flows take where nothing else is under way.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "core/simulation.hpp"
#include "network/network.hpp"
#include "traffic/injector.hpp"

namespace heddle::traffic {

/// What flows take alone.
class IdleReference {
 public:
  /// From the flow's creation to the receiver's knowing.
  virtual Time of(const MessageRecord& flow) = 0;

 protected:
  ~IdleReference() = default;
};

/// That of the next flow to be asked for is known.
class KnownTimes final : public IdleReference {
 public:
  Time of(const MessageRecord&) override { return time; }
  Time time;
};

/// Sends flows alone through a network of its own, of the same model. Flows whose routes have the
/// same latencies and bandwidths, link by link, are alike. Those of more than 64 KiB are not each
/// simulated: their times lie on the straight lines between those of 16 sizes per doubling.
class IdleTimes final : public IdleReference, private network::TransferClient {
 public:
  /// Everything must outlive it.
  IdleTimes(const platform::Platform& platform, std::string_view network, const Settings& settings,
            std::int64_t seed, From from);

  Time of(const MessageRecord& flow) override;

 private:
  static constexpr std::int64_t kExactBelow = std::int64_t{64} << 10;
  static constexpr std::int64_t kSizesPerDoubling = 16;

  void transfer_reached(network::Instant, std::uint64_t) override { arrived_ = simulation_.now(); }
  std::uint64_t kind_of(const MessageRecord& flow) const;
  Time on_line(const MessageRecord& flow, std::uint64_t kind);
  Time known(const MessageRecord& flow, std::uint64_t kind, std::int64_t size);
  Time simulate(const MessageRecord& flow, std::int64_t size);

  const platform::Platform& platform_;
  platform::Port port_;
  Simulation simulation_;
  std::unique_ptr<network::Network> network_;
  Time arrived_;
  /// In the network alone, by kind and size; looked up only.
  std::unordered_map<std::uint64_t, Time> times_;
};

}  // namespace heddle::traffic
