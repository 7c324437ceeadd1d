// A zone: hosts and routers, or zones, and how messages find their way between them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "platform/simgrid/model.hpp"

namespace heddle::platform::simgrid {

/// A route between two points of one zone. Between two zones it begins and ends at gateways: hosts
/// or routers inside them.
struct LocalRoute {
  Links links;
  const Point* source_gateway = nullptr;
  const Point* target_gateway = nullptr;
  Time distance = Time::zero();  ///< What the way takes beyond the latencies of its links.
};

/// The file leaves two points of a zone without a route.
class NoRoute final : public InputError {
 public:
  using InputError::InputError;
};

/// Appends the way from one host or router to another, through all the zones between them: its
/// links, and its distance. Throws InputError if the platform declares no such route.
void append_route(const Point& from, const Point& to, LocalRoute& way);

class Zone {
 public:
  Zone(std::string name, const Zone* parent, SourceLocation where);
  virtual ~Zone() = default;
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;

  const std::string& name() const { return name_; }
  const Zone* parent() const { return parent_; }
  std::uint32_t depth() const { return depth_; }
  const SourceLocation& where() const { return where_; }
  /// The point that stands for this zone in its parent.
  const Point& point() const { return *point_; }
  void set_point(const Point& point) { point_ = &point; }
  /// The number of the next point of this zone.
  std::uint32_t next_position() { return points_++; }
  std::uint32_t points() const { return points_; }
  /// Whether `point` lies in this zone or in one inside it.
  bool contains(const Point& point) const;

  /// Adds the links between two points of this zone and sets the gateways if these are zones.
  /// Throws NoRoute.
  virtual void route(const Point& from, const Point& to, LocalRoute& route) const = 0;
  /// Declares a way between two points of this zone, or two zones inside it, that is taken before
  /// all others, and not back; false if there is one already.
  bool add_bypass(const Point& from, const Point& to, LocalRoute&& route);
  /// Appends such a way from one host or router to another that lie in this zone, but in no other
  /// one inside it together; false if none is declared.
  bool append_bypass(const Point& from, const Point& to, LocalRoute& way) const;
  /// How messages from `host`, a host of this zone, to itself go.
  virtual Loopback loopback(const Point& host, const Model& model) const;
  /// Called when all of the zone has been read.
  virtual void seal() {}

 protected:
  [[noreturn]] void fail_no_route(const Point& from, const Point& to) const;

 private:
  std::string name_;
  const Zone* parent_;
  SourceLocation where_;
  std::uint32_t depth_;
  const Point* point_ = nullptr;
  std::uint32_t points_ = 0;
  std::map<std::pair<const Point*, const Point*>, LocalRoute> bypasses_;
};

}  // namespace heddle::platform::simgrid
