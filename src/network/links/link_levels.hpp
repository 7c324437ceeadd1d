// In which order links are simulated.
#pragma once

#include <cstdint>
#include <vector>

#include "network/links/flow_routes.hpp"

namespace heddle::network {

/// Links go into a level as soon as all links that flows cross before them are in earlier ones.
/// Where flows run in circles none is left that could: then those come next that flows cross
/// earliest in the mean.
class LinkLevels {
 public:
  struct Level {
    std::vector<std::uint32_t> links;
    bool independent;  ///< No flow crosses two of them.
  };

  /// Of all links that so many flows cross. The routes must outlive the levels.
  LinkLevels(const FlowRoutes& routes, std::size_t flows);

  bool done() const { return left_ == 0; }
  /// The next one, unless all are done.
  Level next();

 private:
  void count_hops(std::size_t flows);
  void collect_used();
  std::uint64_t mean_hop(std::uint32_t link) const;
  std::vector<std::uint32_t> earliest() const;
  void pass(std::uint32_t link);

  const FlowRoutes& routes_;
  std::vector<std::uint32_t> waiting_;  ///< By link: for how many flows on the links before.
  std::vector<std::uint64_t> hops_;     ///< By link: the sum of its places on the flows' ways.
  std::vector<bool> placed_;            ///< In a level, or not used.
  std::vector<std::uint32_t> ready_;    ///< They wait for no flow.
  std::size_t left_ = 0;                ///< Links without a level.
};

}  // namespace heddle::network
