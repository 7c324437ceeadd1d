#include "report/svg.hpp"

#include <fmt/core.h>

#include <array>
#include <cassert>

#include "report/table.hpp"

namespace heddle::report {
namespace {

std::string point(Point p) {
  return svg_number(p.x) + "," + svg_number(p.y);
}

std::string attribute(std::string_view name, const std::string& value) {
  return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, xml_escaped(value));
}

std::string attributes(const Paint& paint) {
  const std::string opacity = paint.opacity > 0 ? svg_number(paint.opacity) : "";
  return attribute("fill", paint.fill) + attribute("stroke", paint.stroke) +
         attribute("stroke-width", paint.width > 0 ? svg_number(paint.width) : "") +
         attribute("stroke-opacity", opacity) + attribute("fill-opacity", opacity) +
         attribute("stroke-dasharray", paint.dash);
}

const char* anchor_name(Anchor anchor) {
  static constexpr std::array kNames = {"start", "middle", "end"};
  return kNames[static_cast<std::size_t>(anchor)];
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') {
      escaped += '?';
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string svg_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string palette(std::size_t i) {
  static constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#e69f00", "#56b4e9", "#6a51a3", "#7f7f7f"};
  return kColours[i % kColours.size()];
}

double drawn_width(const std::string& text, double size) {
  // A sans-serif letter is a little over half as wide as high.
  return 0.58 * size * static_cast<double>(text_width(text));
}

Svg::Svg(double width, double height, std::string_view title)
    : width_(width), height_(height), title_(title) {}

void Svg::nest(Point at, const Svg& drawing) {
  body_ += fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", svg_number(at.x),
                       svg_number(at.y), drawing.body_);
}

void Svg::open_group(std::string_view name, const Paint& paint) {
  body_ += fmt::format("<g class=\"{}\"{}>\n", xml_escaped(name), attributes(paint));
  ++depth_;
}

void Svg::close_group() {
  assert(depth_ > 0);
  body_ += "</g>\n";
  --depth_;
}

void Svg::element(std::string_view name, const std::string& geometry, const Paint& paint) {
  body_ += fmt::format("<{} {}{}", name, geometry, attributes(paint));
  body_ += paint.tooltip.empty()
               ? "/>\n"
               : fmt::format("><title>{}</title></{}>\n", xml_escaped(paint.tooltip), name);
}

void Svg::line(Point a, Point b, const Paint& paint) {
  element("line",
          fmt::format("x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", svg_number(a.x), svg_number(a.y),
                      svg_number(b.x), svg_number(b.y)),
          paint);
}

void Svg::polyline(const std::vector<Point>& points, const Paint& paint) {
  std::string list;
  for (const Point& p : points) list += (list.empty() ? "" : " ") + point(p);
  element("polyline", "points=\"" + list + "\"", paint);
}

void Svg::curve(Point a, Point from_a, Point to_b, Point b, const Paint& paint) {
  element("path",
          fmt::format("d=\"M{} C{} {} {}\"", point(a), point(from_a), point(to_b), point(b)),
          paint);
}

void Svg::rect(Point corner, double width, double height, double radius, const Paint& paint) {
  element(
      "rect",
      fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"", svg_number(corner.x),
                  svg_number(corner.y), svg_number(width), svg_number(height), svg_number(radius)),
      paint);
}

void Svg::circle(Point centre, double radius, const Paint& paint) {
  element("circle",
          fmt::format("cx=\"{}\" cy=\"{}\" r=\"{}\"", svg_number(centre.x), svg_number(centre.y),
                      svg_number(radius)),
          paint);
}

void Svg::text(Point at, std::string_view text, const TextStyle& style) {
  const std::string turn =
      style.rotate == 0 ? "" : fmt::format("rotate({} {})", svg_number(style.rotate), point(at));
  const char* halo =
      style.halo ? " stroke=\"white\" stroke-width=\"2.5\" paint-order=\"stroke\"" : "";
  body_ += fmt::format(
      "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\"{}{}{}{}>{}</text>\n",
      svg_number(at.x), svg_number(at.y), svg_number(style.size), anchor_name(style.anchor),
      attribute("fill", style.fill), attribute("font-weight", style.bold ? "bold" : ""),
      attribute("transform", turn), halo, xml_escaped(text));
}

std::string Svg::str() const {
  assert(depth_ == 0);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n"
      "<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n{3}</svg>\n",
      svg_number(width_), svg_number(height_), xml_escaped(title_), body_);
}

}  // namespace heddle::report
