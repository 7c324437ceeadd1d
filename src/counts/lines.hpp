// Assembly, line by line.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "counts/dialect.hpp"

namespace heddle::counts {

enum class LineKind : std::uint8_t {
  other,  ///< Empty, a remark.
  label,
  directive,
  instruction,
};

struct Line {
  std::string_view text;
  LineKind kind = LineKind::other;
  std::string_view label;   ///< Without its colon.
  Instruction instruction;  ///< Or a directive with what follows it.
};

Line parsed(std::string_view text);
std::vector<Line> lines_of(std::string_view assembly);

/// Names that mean something for what counts.
struct Names {
  std::set<std::string_view> functions;
  std::set<std::string_view> landings;  ///< Labels at which handlers of exceptions begin.
};
Names names_of(const std::vector<Line>& lines);

/// Whether code is in the section that lines are in.
class Sections {
 public:
  /// To be told of each directive.
  void see(const Instruction& directive);
  bool has_code() const { return code_; }

 private:
  bool code_ = false;
  bool before_ = false;  ///< What `.previous` goes back to.
  std::vector<bool> pushed_;
};

}  // namespace heddle::counts
