// Fabrics in which any two switches are neighbours or have a common one (Slim Fly, PolarFly).
#pragma once

#include <string>
#include <vector>

#include "platform/topology/direct.hpp"

namespace heddle::platform {

/// What such a fabric is made of. Switches are numbered from 0, cables in the order of the list.
struct DiameterTwoPlan {
  struct Cable {
    std::uint32_t a;
    std::uint32_t b;
  };
  std::string about;  ///< "Slim Fly, q = 5".
  std::uint32_t switches = 0;
  std::int64_t nodes_per_switch = 1;
  std::vector<Cable> cables;
  std::vector<CableRun> runs;  ///< All cables, by their numbers in the list.
};

/// Routes go directly, or by way of a common neighbour: by destination where there are several.
/// Nothing grows with the number of pairs: neighbours are kept in lists, and common ones are found
/// by going through two of them.
class DiameterTwo final : public Direct {
 public:
  /// Throws ParamError if there are too many of anything.
  explicit DiameterTwo(DiameterTwoPlan plan);

  std::string describe() const override;
  bool concurrent() const override { return true; }
  bool can_wait_in_circles(RouteChoice) const override { return true; }

 protected:
  Pair joined_by(std::uint32_t cable) const override {
    return {plan_.cables[cable].a, plan_.cables[cable].b};
  }
  LinkId towards(std::uint32_t at, std::uint32_t to, const Hop& hop) const override;
  void all_towards(std::uint32_t at, std::uint32_t to, LinkSet& out) const override;
  std::string switch_cable_group(std::uint32_t cable) const override;
  std::vector<CableRun> switch_cable_runs() const override { return plan_.runs; }
  SwitchDistances switch_distances() const override;
  Point switch_place(std::uint32_t s) const override;
  Point node_place(std::uint32_t s, std::uint32_t port) const override;

 private:
  struct Neighbour {
    std::uint32_t at;
    LinkId link;  ///< The link to it.
  };

  void join();
  const Neighbour* begin_of(std::uint32_t s) const { return neighbours_.data() + first_[s]; }
  const Neighbour* end_of(std::uint32_t s) const { return neighbours_.data() + first_[s + 1]; }
  /// The link to a neighbour; kNoLink if it is none.
  LinkId direct(std::uint32_t at, std::uint32_t to) const;
  /// Calls `use` with the link from `at` to each switch that is a neighbour of both.
  template <class Use>
  void for_common(std::uint32_t at, std::uint32_t to, Use use) const;

  DiameterTwoPlan plan_;
  std::vector<std::uint32_t> first_;   ///< By switch, into neighbours_; one more for the end.
  std::vector<Neighbour> neighbours_;  ///< Of each switch, by their numbers.
};

}  // namespace heddle::platform
