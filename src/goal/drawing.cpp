// Schedules drawn for Graphviz.
#include <algorithm>

#include <fmt/core.h>

#include "goal/operations.hpp"
#include "goal/untimed_run.hpp"

namespace heddle::goal {
namespace {

std::string op_text(const Op& op) {
  const auto unless_0 = [](const char* name, std::uint32_t n) {
    if (n == 0) return std::string();
    return fmt::format(" {} {}", name, n == UINT32_MAX ? "any" : std::to_string(n));
  };
  const std::string units = unless_0("cpu", op.cpu) + unless_0("nic", op.nic);
  if (op.kind == OpKind::calc) return fmt::format("calc {}", op.value) + units;
  return fmt::format("{} {}b {} {}", name_of(op.kind), op.value,
                     op.kind == OpKind::send ? "to" : "from",
                     op.peer == kAnySource ? "any" : std::to_string(op.peer)) +
         unless_0("tag", op.tag) + units;
}

/// Time goes down the page: an operation stands below all it waits for, a receive below its send.
class Drawing {
 public:
  Drawing(const Schedule& schedule, std::ostream& out)
      : schedule_(schedule), out_(out), row_(schedule.ops(), 0), waiting_(schedule.ops(), 0) {
    find_messages();
    find_rows();
  }

  void write() const {
    out_ << "digraph schedule {\n  newrank=true;\n  nodesep=0.1;\n  ranksep=0.6;\n"
            "  node [shape=box, style=filled];\n";
    for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) write_rank(r);
    for (const auto& [send, receive] : messages_) {
      out_ << fmt::format("  {} -> {} [style=dashed, color=blue, constraint=false];\n", name(send),
                          name(receive));
    }
    write_rows();
    out_ << "}\n";
  }

 private:
  std::size_t index(OpRef ref) const { return schedule_.first_op(ref.rank) + ref.op; }
  static std::string name(OpRef ref) { return fmt::format("r{}_{}", ref.rank, ref.op); }

  void find_messages() {
    UntimedRun(schedule_, std::vector<bool>(schedule_.ranks(), false),
               [this](OpRef send, OpRef receive) { messages_.emplace_back(send, receive); })
        .run();
    std::sort(messages_.begin(), messages_.end(), [this](const Message& a, const Message& b) {
      return index(a.first) < index(b.first);
    });
    for (const auto& [send, receive] : messages_) ++waiting_[index(receive)];
  }

  /// Takes away what waits for nothing; what is in a cycle stays in the first row.
  void find_rows() {
    std::vector<OpRef> free;
    for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
      const std::vector<std::uint32_t> degrees = schedule_.rank(r).in_degrees();
      for (std::uint32_t i = 0; i < degrees.size(); ++i) {
        waiting_[index({r, i})] += degrees[i];
        if (waiting_[index({r, i})] == 0) free.push_back({r, i});
      }
    }
    while (!free.empty()) {
      const OpRef op = free.back();
      free.pop_back();
      for_followers(op, [&](OpRef next) {
        row_[index(next)] = std::max(row_[index(next)], row_[index(op)] + 1);
        if (--waiting_[index(next)] == 0) free.push_back(next);
      });
    }
  }

  template <class Visitor>
  void for_followers(OpRef op, Visitor visit) const {
    const RankView view = schedule_.rank(op.rank);
    for (const Edge edge : view.successors(op.op)) visit(OpRef{op.rank, edge.target});
    const auto message =
        std::lower_bound(messages_.begin(), messages_.end(), index(op),
                         [this](const Message& m, std::size_t i) { return index(m.first) < i; });
    if (message != messages_.end() && message->first == op) visit(message->second);
  }

  void write_rank(std::uint32_t r) const {
    constexpr const char* kColours[] = {"lightblue", "lightgreen", "lightgrey"};  // By kind.
    const RankView rank = schedule_.rank(r);
    out_ << fmt::format("  subgraph cluster_{} {{\n    label=\"rank {}\";\n    style=rounded;\n", r,
                        r);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const Op op = rank.op(i);
      out_ << fmt::format("    {} [label=\"{}: {}\", fillcolor={}];\n", name({r, i}), rank.label(i),
                          op_text(op), kColours[static_cast<int>(op.kind)]);
    }
    out_ << "  }\n";
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      for (const Edge edge : rank.successors(i)) {
        out_ << fmt::format("  {} -> {}{};\n", name({r, i}), name({r, edge.target}),
                            edge.from_start ? " [style=dotted]" : "");
      }
    }
  }

  /// Invisible lines hold the rows together, one below the other, and the ranks in their order.
  void write_rows() const {
    std::vector<std::string> rows;
    for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
      for (std::uint32_t i = 0; i < schedule_.rank(r).size(); ++i) {
        const std::uint32_t row = row_[index({r, i})];
        if (row >= rows.size()) rows.resize(row + 1);
        rows[row] += (rows[row].empty() ? "" : " -> ") + name({r, i});
      }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      out_ << fmt::format(
          "  {{rank=same; edge [style=invis]; row{} [style=invis, label=\"\", width=0]; {};}}\n", i,
          rows[i]);
      if (i > 0) out_ << fmt::format("  row{} -> row{} [style=invis];\n", i - 1, i);
    }
  }

  using Message = std::pair<OpRef, OpRef>;

  const Schedule& schedule_;
  std::ostream& out_;
  std::vector<Message> messages_;       ///< By their sends.
  std::vector<std::uint32_t> row_;      ///< By operation of all ranks.
  std::vector<std::uint32_t> waiting_;  ///< The same: what it waits for, messages among it.
};

}  // namespace

void write_dot(const Schedule& schedule, std::ostream& out) {
  Drawing(schedule, out).write();
}

}  // namespace heddle::goal
