#include "platform/simgrid/model.hpp"

#include "platform/simgrid/zone.hpp"

namespace heddle::platform::simgrid {

Model::Model(const Limits& limits) : limits_(limits) {}
Model::~Model() = default;

const Point& Model::add_point(std::string name, PointKind kind, const Zone* zone,
                              std::uint32_t position, const SourceLocation& where) {
  if (name.empty()) throw InputError(where, "an empty name: a host, router or zone needs one");
  if (find_point(name) != nullptr) {
    throw InputError(where, "'" + name +
                                "' is declared a second time: hosts, routers and zones need "
                                "names of their own");
  }
  const std::size_t number = kind == PointKind::host ? hosts_.size() : routers_.size();
  const Point& point = points_.emplace_back(
      Point{std::move(name), kind, zone, position, static_cast<std::uint32_t>(number)});
  point_by_name_.emplace(point.name, &point);
  return point;
}

void Model::add_host(const Point& point, Speed speed, std::int64_t cores,
                     const SourceLocation& where) {
  if (hosts_.size() >= limits_.hosts) {
    throw InputError(where, "more than " + std::to_string(limits_.hosts) + " hosts");
  }
  hosts_.push_back({&point, speed, cores});
}

void Model::add_link_name(std::string name, LinkId link, const SourceLocation& where) {
  const auto [it, added] = link_by_name_.try_emplace(std::move(name), link);
  if (!added) throw InputError(where, "link '" + it->first + "' is declared a second time");
}

std::uint32_t Model::add_cable(Cable cable, const SourceLocation& where) {
  if (cables_.size() >= limits_.cables) {
    throw InputError(where, "more than " + std::to_string(limits_.cables) + " links");
  }
  const auto number = static_cast<std::uint32_t>(cables_.size());
  if (cable.sharing == Sharing::split_duplex) {
    add_link_name(cable.name + "_UP", up(number), where);
    add_link_name(cable.name + "_DOWN", down(number, cable.sharing), where);
  } else {
    add_link_name(cable.name, up(number), where);
  }
  cables_.push_back(std::move(cable));
  return number;
}

Zone& Model::add_zone(std::unique_ptr<Zone> zone) {
  return *zones_.emplace_back(std::move(zone));
}

const Point* Model::find_point(std::string_view name) const {
  const auto it = point_by_name_.find(name);
  return it == point_by_name_.end() ? nullptr : it->second;
}

std::optional<LinkId> Model::find_link(std::string_view name) const {
  const auto it = link_by_name_.find(std::string(name));
  return it == link_by_name_.end() ? std::nullopt : std::optional(it->second);
}

std::optional<std::uint32_t> Model::find_split(std::string_view name) const {
  const auto link = find_link(std::string(name) + "_UP");
  if (!link || sharing(*link) != Sharing::split_duplex) return std::nullopt;
  const auto cable = static_cast<std::uint32_t>(index(*link) / 2);
  return cables_[cable].name == name ? std::optional(cable) : std::nullopt;
}

std::vector<std::string> Model::cable_names() const {
  // Enough to find a slip of the pen; a search through the links of a large cluster is not worth
  // it.
  constexpr std::size_t kMost = 1000;
  std::vector<std::string> names;
  for (const Cable& cable : cables_) {
    if (names.size() == kMost) break;
    names.push_back(cable.name);
  }
  return names;
}

std::string Model::link_name(LinkId link) const {
  const Cable& cable = cables_[index(link) / 2];
  if (cable.sharing != Sharing::split_duplex) return cable.name;
  return cable.name + (index(link) % 2 == 0 ? "_UP" : "_DOWN");
}

}  // namespace heddle::platform::simgrid
