// A small writer of SVG drawings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/topology.hpp"

namespace heddle::report {

using platform::Point;

/// How a shape looks and what it says when pointed at. What is empty is inherited from the group.
struct Paint {
  std::string fill = {};
  std::string stroke = {};
  double width = 0;       ///< Of the stroke; 0 inherits.
  double opacity = 0;     ///< Of fill and stroke; 0 inherits.
  std::string dash = {};  ///< SVG dash pattern: "4 2".
  std::string tooltip = {};
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 12;
  Anchor anchor = Anchor::start;
  std::string fill = "#222222";
  bool bold = false;
  double rotate = 0;  ///< Degrees clockwise around the anchor.
  bool halo = false;  ///< White around the letters, to be read on lines.
};

/// A drawing of `width` by `height` units on a white page; y grows downwards. Coordinates are
/// written to a hundredth, so equal drawings are equal files.
class Svg {
 public:
  Svg(double width, double height, std::string_view title);

  /// Shapes up to the matching close_group() inherit `paint`; `name` is its class, for scripts.
  void open_group(std::string_view name, const Paint& paint = {});
  void close_group();
  void line(Point a, Point b, const Paint& paint = {});
  void polyline(const std::vector<Point>& points, const Paint& paint = {});
  /// A cubic curve from `a` to `b`, leaving towards `from_a` and arriving from `to_b`.
  void curve(Point a, Point from_a, Point to_b, Point b, const Paint& paint = {});
  void rect(Point corner, double width, double height, double radius, const Paint& paint = {});
  void circle(Point centre, double radius, const Paint& paint = {});
  void text(Point at, std::string_view text, const TextStyle& style = {});

  /// Puts the other drawing, without its title, into this one with its corner at `at`.
  void nest(Point at, const Svg& drawing);
  double width() const { return width_; }
  double height() const { return height_; }

  /// The whole document.
  std::string str() const;

 private:
  void element(std::string_view name, const std::string& geometry, const Paint& paint);

  double width_;
  double height_;
  std::string title_;
  std::string body_;
  std::size_t depth_ = 0;
};

/// `text` with the characters that XML keeps for itself (and control characters) replaced.
std::string xml_escaped(std::string_view text);
/// A number to a hundredth, without needless zeros.
std::string svg_number(double value);
/// The i-th of a few colours that are told apart on white, also by the colour-blind.
std::string palette(std::size_t i);
/// About how wide `text` will be drawn, in the units of `size`.
double drawn_width(const std::string& text, double size);

}  // namespace heddle::report
