// Designs on one HTML page: a plot of cost and saturation, a table that can be sorted, drawings.
#include <fmt/core.h>

#include "report/design/design_report.hpp"
#include "report/plot.hpp"

namespace heddle::report {
namespace {

std::string html_of(const std::string& text) {
  std::string html;
  for (const char c : text) {
    if (c == '<') {
      html += "&lt;";
    } else if (c == '&') {
      html += "&amp;";
    } else {
      html += c;
    }
  }
  return html;
}

/// Without the declaration that a document of its own begins with.
std::string svg_element(const std::string& svg) {
  const std::size_t start = svg.find("<svg");
  return start == std::string::npos ? svg : svg.substr(start);
}

/// What a design costs per node: money where there are prices, else switches and cables.
double design_cost(const platform::DesignFigures& f) {
  return (f.cost ? f.cost->price : static_cast<double>(f.switches) + f.cables) / f.nodes;
}

std::string cost_plot(const DesignReport& report) {
  const bool money = !report.figures.empty() && report.figures[0].cost.has_value();
  Plot plot{"What load costs",
            "adversarial: the better of minimal routes and detours",
            {money ? report.figures[0].cost->currency + " per node"
                   : std::string("switches and cables per node")},
            {"load that is borne [part of injection]"},
            {}};
  for (const bool uniform : {true, false}) {
    Series series{uniform ? "uniform" : "adversarial", {}, {}, false};
    for (const platform::DesignFigures& f : report.figures) {
      series.x.push_back(design_cost(f));
      series.y.push_back(uniform ? f.uniform.load.saturation : f.adversarial());
    }
    plot.series.push_back(series);
  }
  return svg_element(plot_svg(plot));
}

/// The CSV as rows of HTML; the report's table is its one source.
std::string html_table(const DesignReport& report) {
  std::string html = "<table id=\"designs\">\n";
  const std::string csv = csv_of(report);
  for (std::size_t at = 0, row = 0; at < csv.size(); ++row) {
    const std::size_t end = csv.find('\n', at);
    std::string line = html_of(csv.substr(at, end - at));
    const char* const cell = row == 0 ? "th" : "td";
    for (std::size_t comma = 0; (comma = line.find(',', comma)) != std::string::npos;) {
      line.replace(comma, 1, fmt::format("</{0}><{0}>", cell));
    }
    html += fmt::format("<tr><{0}>{1}</{0}></tr>\n", cell, line);
    at = end + 1;
  }
  return html + "</table>\n";
}

constexpr const char* kStyle = R"(<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 80em; padding: 0 1em; color: #222; background: #fff }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px }
th { cursor: pointer; text-align: right; border-bottom: 2px solid #888; padding: .3em .6em }
td { text-align: right; padding: .25em .6em; border-bottom: 1px solid #ddd }
td:nth-child(2), th:nth-child(2) { text-align: left }
tr.front td { background: #eef6ee }
svg { max-width: 100%; height: auto; background: #fff }
code { font-size: 13px }
.wide { overflow-x: auto }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } td { border-color: #444 } tr.front td { background: #223322 } }
</style>
)";

constexpr const char* kScript = R"(<script>
const table = document.getElementById('designs')
const value = (row, i) => row.cells[i].textContent.replace(/^(~|<=)/, '')
for (const row of table.rows) if (row.cells[0].textContent === '*') row.className = 'front'
Array.from(table.rows[0].cells).forEach((head, i) => head.addEventListener('click', () => {
  const rows = Array.from(table.rows).slice(1)
  const up = head.dataset.up = head.dataset.up === '1' ? '' : '1'
  rows.sort((a, b) => {
    const x = value(a, i), y = value(b, i)
    const order = isNaN(parseFloat(x)) || isNaN(parseFloat(y)) ? x.localeCompare(y) : x - y
    return up ? order : -order
  })
  for (const row of rows) table.tBodies[0].append(row)
}))
</script>
)";

std::string design_details(const DesignReport& report, const std::vector<std::string>& drawings,
                           std::size_t i) {
  const std::string drawing =
      drawings[i].empty() ? "<p>It is too large to be drawn.</p>" : svg_element(drawings[i]);
  return fmt::format(
      "<details><summary>{}{}</summary>\n<p>{}</p>\n<p><code>topology: {}</code></p>\n{}\n"
      "</details>\n",
      html_of(report.designs[i].name), report.front[i] ? " *" : "",
      html_of(report.figures[i].about), html_of(report.designs[i].yaml()), drawing);
}

}  // namespace

std::string page_of(const DesignReport& report, const std::vector<std::string>& drawings) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>Fabrics for {} "
      "nodes</title>\n{}</head><body>\n<h1>Fabrics for {} nodes, switches of up to {} ports</h1>\n",
      report.nodes, kStyle, report.nodes, report.radix);
  html += fmt::format(
      "<p>Loads are parts of what nodes can inject, upper bounds of what can be delivered of every "
      "flow, counted on fixed minimal routes and not "
      "simulated (~: of a sample). by_detour is what any traffic gets by way of random switches. "
      "The last but two columns: uniform traffic and pairs without a way with {} of the cables "
      "down. * and colour: no other design is better or equal in cost, uniform and adversarial "
      "load and mean hops. Click a heading to sort.</p>\n",
      html_of(report.failures));
  html += cost_plot(report) + "\n<div class=\"wide\">" + html_table(report) + "</div>\n";
  html += "<h2>Designs</h2>\n";
  for (std::size_t i = 0; i < report.designs.size(); ++i) {
    html += design_details(report, drawings, i);
  }
  return html + kScript + "</body></html>\n";
}

}  // namespace heddle::report
