#include <iterator>

#include <fmt/core.h>

#include "goal/formats/formats.hpp"

namespace heddle::goal {
namespace {

/// A line "later requires earlier".
struct Line {
  std::uint32_t earlier;
  Edge edge;
};

/// The dependency lines of a rank, by the operation they are written behind: both ends are known
/// there, and the lines of one earlier operation keep their order.
class LinesByPlace {
 public:
  void gather(const RankView& rank) {
    begins_.assign(rank.size() + std::size_t{1}, 0);
    visit(rank, [this](std::uint32_t place, const Line&) { ++begins_[place + 1]; });
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    lines_.resize(rank.edges());
    cursors_.assign(begins_.begin(), begins_.end());
    visit(rank,
          [this](std::uint32_t place, const Line& line) { lines_[cursors_[place]++] = line; });
  }
  std::span<const Line> behind(std::uint32_t op) const {
    return {lines_.data() + begins_[op], begins_[op + 1] - begins_[op]};
  }

 private:
  template <class Visitor>
  static void visit(const RankView& rank, Visitor visitor) {
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      std::uint32_t place = i;
      for (const Edge edge : rank.successors(i)) {
        place = std::max<std::uint32_t>(place, edge.target);
        visitor(place, {i, edge});
      }
    }
  }

  std::vector<std::uint32_t> begins_;
  std::vector<std::uint32_t> cursors_;
  std::vector<Line> lines_;
};

std::string signed_text(std::uint32_t value) {
  return value == UINT32_MAX ? "-1" : std::to_string(value);
}

class TextWriter {
 public:
  TextWriter(const Schedule& schedule, std::ostream& out) : schedule_(schedule), out_(out) {}

  void write() {
    fmt::format_to(std::back_inserter(buffer_), "num_ranks {}\n", schedule_.ranks());
    for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) write_rank(r);
    flush();
  }

 private:
  void write_rank(std::uint32_t r) {
    const RankView rank = schedule_.rank(r);
    fmt::format_to(std::back_inserter(buffer_), "\nrank {} {{\n", r);
    lines_.gather(rank);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      write_op(rank, i);
      for (const Line& line : lines_.behind(i)) write_line(rank, line);
    }
    buffer_ += "}\n";
    if (buffer_.size() > 1 << 20) flush();
  }

  void write_op(const RankView& rank, std::uint32_t i) {
    const Op op = rank.op(i);
    auto out = std::back_inserter(buffer_);
    write_label(rank, i);
    fmt::format_to(out, ": {} {}", name_of(op.kind), op.value);
    if (op.kind != OpKind::calc) {
      fmt::format_to(out, "b {} {} tag {}", op.kind == OpKind::send ? "to" : "from",
                     signed_text(op.peer), signed_text(op.tag));
    }
    if (op.cpu != 0) fmt::format_to(out, " cpu {}", op.cpu);
    if (op.nic != 0) fmt::format_to(out, " nic {}", op.nic);
    buffer_ += '\n';
  }

  void write_line(const RankView& rank, const Line& line) {
    write_label(rank, line.edge.target);
    buffer_ += line.edge.from_start ? " irequires " : " requires ";
    write_label(rank, line.earlier);
    buffer_ += '\n';
  }

  void write_label(const RankView& rank, std::uint32_t i) {
    // A generated label could collide with a given one, so given ones count only if all have one.
    if (labels_given_) {
      buffer_ += rank.place(i).label;
    } else {
      fmt::format_to(std::back_inserter(buffer_), "l{}", i + 1);
    }
  }

  bool all_labelled() const {
    for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
      const RankView rank = schedule_.rank(r);
      for (std::uint32_t i = 0; i < rank.size(); ++i) {
        if (rank.place(i).label.empty()) return false;
      }
    }
    return true;
  }

  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

  const Schedule& schedule_;
  std::ostream& out_;
  const bool labels_given_ = all_labelled();
  std::string buffer_;
  LinesByPlace lines_;
};

}  // namespace

void write_text(const Schedule& schedule, std::ostream& out) {
  TextWriter(schedule, out).write();
}

}  // namespace heddle::goal
