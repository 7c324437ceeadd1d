// Routes on a fabric whose cables fail while messages are under way.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "platform/failures/degraded_fabric.hpp"
#include "platform/failures/failures.hpp"

namespace heddle::platform {

/// A routing that learns of failures late. Its tables are those of the fabric as it was `detection`
/// + `sweep` ago; if they lead along a cable that its ends have known to be down for `detection`,
/// the switch takes another minimal link of the tables that it knows to work, if there is one. A
/// message without a way goes where it would if nothing had failed, and meets the cable that is
/// down. Not for use by two threads at the same time.
class ChangingRoutes final : public Routing {
 public:
  using Maker = std::function<std::unique_ptr<const Routing>(const Topology&)>;

  /// All must outlive it; `base` is the fabric that a run begins with. Throws what `make` throws.
  ChangingRoutes(const Topology& base, const Outages& outages, const FailuresConfig& rules,
                 Maker make);
  ~ChangingRoutes() override;

  LinkId next(Hop& hop, const LoadView& loads) const override;
  RouteChoice choice() const override;
  void ways(const Hop& hop, std::vector<Way>& out) const override;
  bool can_wait_in_circles() const override;
  std::uint32_t longest_route() const override { return 2 * usual_->longest_route() + 2; }
  std::unique_ptr<RouteNotes> new_notes() const override;

  /// The fabric with these cables of the base down as well; the base itself if there are none.
  /// Valid until the next call of anything.
  const Topology& fabric_without(const std::vector<std::uint32_t>& down) const;

 private:
  struct Tables;
  class Loads;
  class Notes;

  const Tables& tables_without(const std::vector<std::uint32_t>& down) const;
  const Tables& tables_at(Time now) const;
  static LinkId chosen(const Routing& routing, const Topology& fabric, Hop& hop,
                       const LoadView& loads);
  bool is_known_down(LinkId link, Time now) const;
  LinkId other_than(LinkId down, const Tables& tables, const Hop& hop, Time now) const;

  const Topology& base_;
  const Outages& outages_;
  FailuresConfig rules_;
  Maker make_;
  std::unique_ptr<const Routing> usual_;
  mutable std::map<std::vector<std::uint32_t>, std::unique_ptr<Tables>> tables_;  ///< By cables.
  mutable std::size_t made_ = 0;             ///< Tables so far.
  mutable const Tables* current_ = nullptr;  ///< Of the instants from ...
  mutable Time from_;
  mutable Time until_;  ///< ... until before this one.
  mutable LinkSet candidates_;
};

}  // namespace heddle::platform
