#include "platform/topology.hpp"

namespace heddle::platform {

VertexId Topology::detour(std::uint64_t draw) const {
  return VertexId{nodes_ + static_cast<std::uint32_t>(draw % switches_)};
}

std::string Topology::name(VertexId v) const {
  return is_switch(v) ? "s" + std::to_string(index(v) - nodes_) : "n" + std::to_string(index(v));
}

std::string Topology::link_name(LinkId link) const {
  const LinkEnds e = ends(link);
  return name(e.from) + "->" + name(e.to);
}

std::optional<VertexId> Topology::find(std::string_view wanted) const {
  for (std::uint32_t v = 0; v < vertices(); ++v) {
    if (name(VertexId{v}) == wanted) return VertexId{v};
  }
  return std::nullopt;
}

}  // namespace heddle::platform
