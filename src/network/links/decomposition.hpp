// All flows through a network, link by link.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "network/links/delay_samples.hpp"
#include "network/links/flow_routes.hpp"
#include "network/links/link_levels.hpp"
#include "network/links/link_profile.hpp"
#include "network/links/links_config.hpp"
#include "network/links/shared_link.hpp"

namespace heddle::network {

/// What messages become on the wire.
struct LinkUnits {
  double payload = 0;  ///< Most bytes of a packet; 0: there are no packets.
  double header = 0;   ///< Of each.
  double on_wire(Bytes size) const;
};

/// What became of a flow.
struct FlowTimes {
  Time arrival;  ///< Of its last byte.
  Time idle;     ///< What the network alone would have taken for it.
};

/// How it was found out.
struct DecompositionCounts {
  std::uint64_t crossings = 0;  ///< Links crossed by flows, of all flows.
  std::uint64_t simulated = 0;  ///< Of them, those that were simulated.
  std::uint32_t links = 0;      ///< That were simulated.
  std::uint32_t alike = 0;      ///< That were not, being like one of these.
  std::uint32_t levels = 0;     ///< Links of one level wait for no other of it.
};

/// Simulates every link alone with the flows that cross it, in an order in which, if there is one,
/// those come first that flows cross first. A flow comes to a link as the links before it have let
/// it pass, and its delays add up.
class Decomposition {
 public:
  using Pause = std::function<void(double done)>;  ///< May throw to end it.

  Decomposition(const platform::Platform& platform, const LinksConfig& config,
                const LinkUnits& units, std::size_t threads)
      : platform_(platform), config_(config), units_(units), threads_(threads) {}

  /// In the order of the flows.
  std::vector<FlowTimes> run(std::span<const Flow> flows, std::uint32_t first_salt,
                             const Pause& pause);
  const DecompositionCounts& counts() const { return counts_; }
  /// Bytes of the flows that begin in [begin, end), by link; no more than it lets through
  /// meanwhile.
  std::vector<std::int64_t> carried(Time begin, Time end) const;

 private:
  struct IdlePlace;
  using Level = LinkLevels::Level;
  /// Links of a level that are alike: one is simulated.
  struct Alike {
    std::uint32_t link;
    std::vector<std::uint32_t> others;
  };
  /// A flow as it came to a link.
  struct Came {
    std::uint32_t flow;
    double begin;
    double end;
    double rate;    ///< That the link lets it have; 0: any.
    double growth;  ///< By so much the link draws it out, with nobody else about.
  };
  struct Scratch {
    SharedLink link = {};
    std::vector<LinkPassage> passages = {};
    std::vector<Came> idle = {};             ///< By number of a passage.
    std::vector<std::uint32_t> inputs = {};  ///< By link: its number as an input; else none.
    std::vector<std::uint32_t> used = {};    ///< Links that have one.
    DelaySamples* samples = nullptr;         ///< Null: nobody needs them.
    std::uint32_t links = 0;
  };

  IdlePlace idle_place(std::uint32_t flow, std::uint32_t hop) const;
  std::vector<Alike> alike_of(const Level& level) const;
  LinkProfile profile_of(std::uint32_t link) const;
  std::uint32_t gather(std::uint32_t link, Scratch& scratch) const;
  void simulate(const Alike& alike, Scratch& scratch);
  void simulate(std::uint32_t link, Scratch& scratch);
  void draw(std::uint32_t link, const DelaySamples& samples);
  FlowTimes times_of(std::uint32_t flow) const;

  const platform::Platform& platform_;
  const LinksConfig& config_;
  LinkUnits units_;
  std::size_t threads_;
  std::span<const Flow> flows_;
  std::unique_ptr<FlowRoutes> routes_;
  std::vector<FlowDelay> delays_;  ///< By flow.
  Time first_start_;               ///< Of all flows, ...
  Time last_start_;                ///< ... and the last.
  std::atomic<std::uint64_t> simulated_ = 0;
  DecompositionCounts counts_;
};

}  // namespace heddle::network
