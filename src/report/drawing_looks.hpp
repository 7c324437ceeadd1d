// What the parts of a drawing of a fabric look like and say, the same in every format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/platform.hpp"
#include "report/drawing_graph.hpp"
#include "report/drawing_places.hpp"

namespace heddle::report {

inline constexpr const char* kNodeColour = "#f4b942";
inline constexpr const char* kNodeEdge = "#8a5a00";
inline constexpr const char* kSwitchColour = "#34495e";
inline constexpr const char* kLinkColour = "#e4ecf4";  ///< Of links that are vertices themselves.
inline constexpr const char* kLinkEdge = "#34495e";
inline constexpr const char* kAccessColour = "#8a94a0";
inline constexpr const char* kRouteColour = "#c0143c";

/// How vertices of a kind are filled, outlined and lettered.
struct VertexLook {
  const char* fill;
  const char* edge;
  const char* letters;
};
VertexLook look_of(VertexKind kind);

/// Cables that look the same: those of one group and equal parameters, where these are few.
struct CableLook {
  std::string colour;
  double width = 0;  ///< More for more bandwidth, from 0.7 to 4.
  std::string text;  ///< "level 1: 64 cables, 100 Gb/s, 100 ns".
};

/// What a row of the legend shows beside its text.
enum class Sample { node, fabric_switch, shared_link, junction, cable, none };
struct LegendRow {
  Sample sample;
  std::string text;
  std::size_t look = 0;  ///< Of a cable.
};

class Looks {
 public:
  /// Both must outlive the looks.
  Looks(const platform::Platform& platform, const DrawingGraph& graph);

  /// All cables' looks, in the order of their first cables.
  const std::vector<CableLook>& all() const { return looks_; }
  /// The number of the look of a line: that of its first cable; of a line without cables, the
  /// first.
  std::size_t number_of(const Line& line) const {
    return line.cables.empty() ? 0 : of_cable_[line.cables.front()];
  }
  const CableLook& of(const Line& line) const { return looks_[number_of(line)]; }
  const std::vector<LegendRow>& legend() const { return legend_; }

  /// "n0 - L1.0 x2: 100 Gb/s, 100 ns".
  std::string line_text(const std::string& a, const std::string& b, const Line& line) const;
  std::string vertex_text(const DrawnVertex& vertex) const;

 private:
  void make_looks();
  void make_legend(const DrawingGraph& graph);
  std::string cable_text(std::uint32_t cable) const;

  const platform::Platform& platform_;
  std::vector<CableLook> looks_;
  std::vector<std::uint32_t> of_cable_;
  std::vector<LegendRow> legend_;
};

/// How much larger than usual titles and legend of a drawing must be to be read when all of it is
/// in view.
double word_scale(double width, double height);

/// How lines between vertices are drawn.
struct LineTone {
  double opacity;  ///< Less than 1 where they would blacken the page.
  double scale;    ///< More than 1 on a large page that has room for thicker ones.
};
LineTone line_tone(const DrawingGraph& graph, const Looks& looks, const Places& places);

}  // namespace heddle::report
