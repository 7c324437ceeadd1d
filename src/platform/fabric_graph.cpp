#include "platform/fabric_graph.hpp"

#include <algorithm>
#include <charconv>

namespace heddle::platform {
namespace {

/// The number at the end of a name, if there is one.
std::optional<std::uint32_t> trailing_number(std::string_view name) {
  const std::string_view digits = name.substr(name.find_last_not_of("0123456789") + 1);
  std::uint32_t number = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || result.ec != std::errc()) return std::nullopt;
  return number;
}

}  // namespace

std::string FabricGraph::name(VertexId v) const {
  return is_switch(v) ? "s" + std::to_string(index(v) - nodes_) : "n" + std::to_string(index(v));
}

std::string FabricGraph::link_name(LinkId link) const {
  const LinkEnds e = ends(link);
  const std::uint32_t n = twin(static_cast<std::uint32_t>(link) / 2);
  return name(e.from) + "->" + name(e.to) + (n == 0 ? "" : "#" + std::to_string(n));
}

std::vector<CableRun> FabricGraph::cable_runs() const {
  std::vector<CableRun> runs;
  for (std::uint32_t cable = 0; cable < cables_; ++cable) {
    std::string group = cable_group(cable);
    if (runs.empty() || runs.back().group != group) runs.push_back({std::move(group), cable, 0});
    ++runs.back().cables;
  }
  return runs;
}

std::optional<VertexId> FabricGraph::find(std::string_view wanted) const {
  if (!wanted.empty() && wanted.front() >= '0' && wanted.front() <= '9') return std::nullopt;
  if (const auto number = trailing_number(wanted)) {
    for (const std::uint64_t v : {std::uint64_t{*number}, std::uint64_t{*number} + nodes_}) {
      if (v < vertices() && name(static_cast<VertexId>(v)) == wanted) {
        return static_cast<VertexId>(v);
      }
    }
  }
  for (std::uint32_t v = 0; v < vertices(); ++v) {
    if (name(VertexId{v}) == wanted) return VertexId{v};
  }
  // "n007", as programs are told, where no name has zeros of its own.
  const bool padded = wanted.size() > 2 && wanted.starts_with("n0") && trailing_number(wanted);
  if (!padded) return std::nullopt;
  const std::size_t first = std::min(wanted.find_first_not_of('0', 1), wanted.size() - 1);
  return find("n" + std::string(wanted.substr(first)));
}

}  // namespace heddle::platform
