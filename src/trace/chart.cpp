#include "trace/chart.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "core/units.hpp"
#include "trace/activity.hpp"

namespace heddle::trace {
namespace {

/// Who has a lifeline: an adapter, or one of the processes of its node.
struct Participant {
  std::uint32_t nid = 0;
  bool adapter = false;
  std::optional<std::uint32_t> rank;  ///< Of a process; those without one share a lifeline.
  auto operator<=>(const Participant&) const = default;

  std::string name() const {
    if (adapter) return fmt::format("nic {}", nid);
    return rank ? fmt::format("rank {}", *rank) : fmt::format("node {}", nid);
  }
};

Participant process(const End& end) {
  return {end.nid, false, end.rank};
}
Participant adapter(const End& end) {
  return {end.nid, true, std::nullopt};
}

/// An arrow of the chart; from and to are the same for what does not leave its place.
struct Arrow {
  Participant from;
  Participant to;
  std::string label;
};

std::string label_of(const Row& row, const ActivityKind& kind) {
  std::string label(kind.label);
  if (kind.payload && row.size.count() > 0) label += " " + format_bytes(row.size);
  if (row.failed) label += " lost";
  return label;
}

Arrow arrow_of(const Row& row) {
  const ActivityKind& kind = kind_of(row.activity);
  const std::string label = label_of(row, kind);
  switch (kind.path) {
    case Path::process_to_adapter:
      return {process(row.initiator), adapter(row.initiator), label};
    case Path::adapter_to_process:
      return {adapter(row.initiator), process(row.initiator), label};
    case Path::between_adapters:
      return {adapter(row.initiator), adapter(row.target), label};
    case Path::within_process:
      break;
  }
  return {process(row.initiator), process(row.initiator), label};
}

/// A line of text addressed by column, whatever the characters weigh in bytes.
class Canvas {
 public:
  explicit Canvas(std::size_t width) : cells_(width, " ") {}

  void put(std::size_t column, std::string_view character) {
    if (column >= cells_.size()) cells_.resize(column + 1, " ");
    cells_[column] = character;
  }
  /// `text` is ASCII and outlives the canvas.
  void write(std::size_t column, std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) put(column + i, text.substr(i, 1));
  }
  bool blank(std::size_t column) const { return cells_[column] == " "; }
  std::string str() const {
    std::string text;
    for (const std::string_view cell : cells_) text += cell;
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }

 private:
  std::vector<std::string_view> cells_;
};

/// Where the lifelines stand, so that every name and every label has room.
class Layout {
 public:
  explicit Layout(const std::vector<Arrow>& arrows) {
    for (const Arrow& arrow : arrows) {
      index_[arrow.from] = 0;
      index_[arrow.to] = 0;
    }
    order();
    gaps_.resize(names_.size());
    make_room_for_names();
    for (const Arrow& arrow : arrows) make_room(arrow);
    place();
  }

  std::size_t position(const Participant& who) const { return positions_[index_.at(who)]; }
  const std::vector<std::size_t>& positions() const { return positions_; }
  const std::vector<std::string>& names() const { return names_; }
  std::size_t width() const { return positions_.back() + 1; }

 private:
  /// Those of the last node are mirrored, so that the adapters of two nodes face each other.
  void order() {
    std::vector<Participant> all;
    for (const auto& [who, unused] : index_) all.push_back(who);
    const std::uint32_t last = all.back().nid;
    const bool mirrored = all.front().nid != last;
    std::stable_sort(all.begin(), all.end(), [=](const Participant& a, const Participant& b) {
      if (a.nid != b.nid || !mirrored || a.nid != last) return a < b;
      return a.adapter > b.adapter;
    });
    for (std::size_t i = 0; i < all.size(); ++i) {
      index_[all[i]] = i;
      names_.push_back(all[i].name());
    }
  }

  /// The gap left of each lifeline: names are centred on them and stand two blanks apart.
  void make_room_for_names() {
    gaps_[0] = names_[0].size() / 2;
    for (std::size_t i = 1; i < names_.size(); ++i) {
      gaps_[i] = (names_[i - 1].size() + names_[i].size()) / 2 + 2;
    }
  }

  /// An arrow needs its label, a blank on either side of it, and some of the line and its head.
  void make_room(const Arrow& arrow) {
    constexpr std::size_t kLine = 7;
    std::size_t from = index_.at(arrow.from);
    std::size_t to = index_.at(arrow.to);
    if (from == to) to = std::min(from + 1, names_.size() - 1);
    if (from > to) std::swap(from, to);
    if (from == to) return;
    std::size_t room = 0;
    for (std::size_t i = from + 1; i <= to; ++i) room += gaps_[i];
    if (room < arrow.label.size() + kLine) gaps_[to] += arrow.label.size() + kLine - room;
  }

  void place() {
    std::size_t at = 0;
    for (const std::size_t gap : gaps_) positions_.push_back(at += gap);
  }

  std::map<Participant, std::size_t> index_;
  std::vector<std::string> names_;
  std::vector<std::size_t> gaps_;  ///< Left of each lifeline.
  std::vector<std::size_t> positions_;
};

std::string head_line(const Layout& layout) {
  Canvas canvas(layout.width());
  for (std::size_t i = 0; i < layout.names().size(); ++i) {
    const std::string& name = layout.names()[i];
    canvas.write(layout.positions()[i] - name.size() / 2, name);
  }
  return canvas.str();
}

void draw_local(Canvas& canvas, std::size_t at, const Arrow& arrow) {
  canvas.put(at, arrow.from.adapter ? "↺" : "■");
  canvas.write(at + 2, arrow.label);
}

void draw_arrow(Canvas& canvas, std::size_t from, std::size_t to, const Arrow& arrow, bool failed) {
  const std::size_t left = std::min(from, to);
  const std::size_t right = std::max(from, to);
  for (std::size_t i = left + 1; i < right; ++i) canvas.put(i, canvas.blank(i) ? "─" : "┼");
  const std::string_view head = to > from ? "►" : "◄";
  canvas.put(from, to > from ? "├" : "┤");
  canvas.put(to > from ? to - 1 : to + 1, failed ? "x" : head);
  const std::size_t start = (left + right + 1 - arrow.label.size()) / 2;
  canvas.put(start - 1, " ");
  canvas.write(start, arrow.label);
  canvas.put(start + arrow.label.size(), " ");
}

std::string line_of(const Layout& layout, const Row& row, const Arrow& arrow) {
  Canvas canvas(layout.width());
  for (const std::size_t at : layout.positions()) canvas.put(at, "│");
  const std::size_t from = layout.position(arrow.from);
  const std::size_t to = layout.position(arrow.to);
  if (from == to) {
    draw_local(canvas, from, arrow);
  } else {
    draw_arrow(canvas, from, to, arrow, row.failed);
  }
  return canvas.str();
}

std::string microseconds(Time t) {
  const std::int64_t ns = rounded_quotient(t.ps(), 1000);
  return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

/// The names of the lifelines are repeated, to be in sight on a long chart.
constexpr std::size_t kRowsPerHead = 50;

/// What stands left of the lifelines.
std::string prefix(std::string_view start, std::string_view end, std::string_view operation) {
  return fmt::format("{:>12} {:>12} {:>6}  ", start, end, operation);
}

}  // namespace

bool earlier(const Row& a, const Row& b) {
  const auto key = [](const Row& r) {
    return std::tuple(r.start, r.end, r.operation, r.activity, r.initiator.nid, r.initiator.rank);
  };
  return key(a) < key(b);
}

void EarliestRows::add(const Row& row) {
  heap_.push_back(row);
  std::push_heap(heap_.begin(), heap_.end(), earlier);
  if (heap_.size() <= capacity_) return;
  std::pop_heap(heap_.begin(), heap_.end(), earlier);
  heap_.pop_back();
  ++left_out_;
}

std::string chart(std::vector<Row> rows) {
  if (rows.empty()) return "";
  std::stable_sort(rows.begin(), rows.end(), earlier);
  std::vector<Arrow> arrows(rows.size());
  std::transform(rows.begin(), rows.end(), arrows.begin(), arrow_of);
  const Layout layout(arrows);
  const std::string head = prefix("start_us", "end_us", "op") + head_line(layout) + "\n";
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    if (i % kRowsPerHead == 0) text += head;
    const std::string operation = row.operation == 0 ? "" : std::to_string(row.operation);
    text += prefix(microseconds(row.start), microseconds(row.end), operation) +
            line_of(layout, row, arrows[i]) + "\n";
  }
  return text;
}

}  // namespace heddle::trace
