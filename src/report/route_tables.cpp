#include "report/route_tables.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/source_dependent.hpp"
#include "report/packed_numbers.hpp"

namespace heddle::report {
namespace {

using platform::Hop;
using platform::Topology;

/// By destination, the port.
using Row = std::vector<std::uint16_t>;

constexpr std::uint64_t kMostEntries = 4'000'000;
constexpr std::size_t kMostCharacters = 256 * 1024;

const char* name_of(platform::RouteChoice choice) {
  switch (choice) {
    case platform::RouteChoice::fixed:
      return "fixed";
    case platform::RouteChoice::drawn:
      return "drawn";
    case platform::RouteChoice::adaptive:
      return "adaptive";
    case platform::RouteChoice::detour:
      return "detour";
    case platform::RouteChoice::own:
      return "own";
  }
  return "";
}

class Tables {
 public:
  explicit Tables(const Topology& topology) : topology_(topology), leaving_(topology.vertices()) {}

  std::optional<Json> make(platform::RouteChoice choice) {
    if (!find_classes() || !find_links()) return std::nullopt;
    table_rows_ = count_rows();
    if (entries() > kMostEntries) return std::nullopt;
    PackedNumbers tables;
    rows_.assign(1, Row(topology_.nodes(), 0));
    for (const VertexId from : sources_) {
      for (std::uint32_t v = 0; v < leaving_.size(); ++v) {
        if (leaving_[v].size() > 1) put_row(tables, row(from, VertexId{v}));
      }
    }
    std::string text = tables.base64();
    if (text.size() > kMostCharacters) return std::nullopt;
    return Json{{"choice", name_of(choice)},
                {"classes", classes_.base64()},
                {"ports", packed_ports()},
                {"tables", std::move(text)}};
  }

 private:
  /// Numbers the classes of nodes in the order in which they come.
  bool find_classes() {
    std::map<std::uint32_t, std::uint32_t> numbers;
    for (std::uint32_t n = 0; n < topology_.nodes(); ++n) {
      const std::optional<std::uint32_t> kind = platform::route_class(topology_, VertexId{n});
      if (!kind) return false;
      const auto [it, is_new] = numbers.emplace(*kind, static_cast<std::uint32_t>(sources_.size()));
      if (is_new) sources_.push_back(VertexId{n});
      classes_.put(it->second);
    }
    return true;
  }

  bool find_links() {
    for (std::uint32_t l = 0; l < topology_.links(); ++l) {
      const platform::LinkEnds ends = topology_.ends(LinkId{l});
      if (ends.from == kNoVertex || ends.to == kNoVertex) return false;
      leaving_[index(ends.from)].push_back(LinkId{l});
    }
    return true;
  }

  /// Vertices that have a choice: rows of the table of a class.
  std::size_t count_rows() const {
    return static_cast<std::size_t>(std::count_if(
        leaving_.begin(), leaving_.end(), [](const auto& links) { return links.size() > 1; }));
  }
  std::uint64_t entries() const {
    return std::uint64_t{table_rows_} * sources_.size() * topology_.nodes();
  }

  std::string packed_ports() const {
    PackedNumbers numbers;
    for (const std::vector<LinkId>& links : leaving_) {
      numbers.put(links.size());
      std::int64_t before = 0;
      for (const LinkId link : links) {
        const auto to = static_cast<std::int64_t>(index(topology_.ends(link).to));
        numbers.put_signed(to - before);
        before = to;
      }
    }
    return numbers.base64();
  }

  std::uint16_t port(VertexId from, VertexId at, VertexId to) const {
    const LinkId link = topology_.output(Hop{from, at, to});
    const std::vector<LinkId>& links = leaving_[index(at)];
    return static_cast<std::uint16_t>(std::find(links.begin(), links.end(), link) - links.begin());
  }

  Row row(VertexId from, VertexId at) const {
    Row ports;
    for (std::uint32_t to = 0; to < topology_.nodes(); ++to) {
      ports.push_back(VertexId{to} == at ? rows_.back()[to] : port(from, at, VertexId{to}));
    }
    return ports;
  }

  /// How many rows before the one stands that differs least: of those just before, those a line or
  /// a plane of a grid before, and that of the same vertex in the class before.
  std::size_t most_alike(const Row& row) const {
    std::size_t best = 1;
    std::size_t least = SIZE_MAX;
    const auto try_one = [&](std::size_t back) {
      if (back > rows_.size() || least == 0) return;
      const Row& other = rows_[rows_.size() - back];
      std::size_t differs = 0;
      for (std::size_t i = 0; i < row.size() && differs < least; ++i) differs += row[i] != other[i];
      if (differs < least) std::tie(best, least) = std::pair(back, differs);
    };
    for (std::size_t back = 1; back <= 16; ++back) try_one(back);
    for (std::size_t part = 32; part > 0; --part) {
      if (table_rows_ % part == 0 && table_rows_ / part > 16) try_one(table_rows_ / part);
    }
    return best;
  }

  /// How far back the row stands that it is told by; then, in turns, how many destinations have the
  /// same port as there, how many have another, and those.
  void put_row(PackedNumbers& numbers, Row row) {
    const std::size_t back = most_alike(row);
    const Row& other = rows_[rows_.size() - back];
    numbers.put(back);
    for (std::size_t to = 0; to < row.size();) {
      std::size_t same = to;
      while (same < row.size() && row[same] == other[same]) ++same;
      std::size_t end = same;
      while (end < row.size() && row[end] != other[end]) ++end;
      numbers.put(same - to);
      numbers.put(end - same);
      for (std::size_t i = same; i < end; ++i) numbers.put(row[i]);
      to = end;
    }
    rows_.push_back(std::move(row));
  }

  const Topology& topology_;
  std::vector<std::vector<LinkId>> leaving_;  ///< By vertex, ascending.
  std::vector<VertexId> sources_;             ///< One of each class.
  PackedNumbers classes_;
  std::size_t table_rows_ = 0;  ///< Of a class.
  std::vector<Row> rows_;       ///< Told so far, and one of zeros before them.
};

}  // namespace

std::optional<Json> route_tables(const platform::Platform& platform) {
  return Tables(platform.topology()).make(platform.routing().choice());
}

}  // namespace heddle::report
