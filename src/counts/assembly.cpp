#include "counts/assembly.hpp"

#include <utility>
#include <vector>

#include "counts/lines.hpp"

namespace heddle::counts {
namespace {

/// Files of so many instructions may have functions that some branches do not reach across.
constexpr std::size_t kLong = 5000;

/// Writes the counted program. Code is a row of stretches, each of which is run from its beginning
/// to its end; at its head, what it holds is counted.
class Writer {
 public:
  Writer(const std::vector<Line>& lines, const Dialect& dialect)
      : lines_(lines), dialect_(dialect), names_(names_of(lines)), far_(lines.size() > kLong) {}

  std::string written() {
    for (next_ = 0; next_ < lines_.size(); ++next_) take(lines_[next_]);
    close();
    std::string text;
    for (const std::string& piece : pieces_) text += piece;
    return text;
  }

 private:
  enum class Head : std::uint8_t { none, set, add };

  void take(const Line& line) {
    note_own(line);
    if (line.kind == LineKind::directive) sections_.see(line.instruction);
    if (line.kind == LineKind::label) return take_label(line);
    if (line.kind == LineKind::directive && line.instruction.name == ".size") leave_function();
    sequence_ = sequence_ || (inside() && begins_sequence(line));
    if (line.kind == LineKind::instruction && inside()) return take_instruction(line);
    put(line);
  }

  void take_label(const Line& line) {
    if (!sections_.has_code()) return put(line);
    const bool function = names_.functions.contains(line.label);
    if (!function && (!inside() || !is_code_label(line.label))) return put(line);
    close();
    put(line);
    if (function) {
      in_function_ = true;
      quiet_until_ = last_disturbance();
    }
    open(function || names_.landings.contains(line.label) ? Head::set : Head::add);
  }

  void take_instruction(const Line& line) {
    if (next_ <= quiet_until_) return take_quietly(line);
    const Instruction& i = line.instruction;
    if (dialect_.comes_first(i) && head_ == 0) return put(line);
    place_head();
    weight_ += dialect_.weight(i);
    switch (dialect_.flow(i)) {
      case Flow::next:
        return own_ && dialect_.disturbs(line.text) ? take_call(line) : put(line);
      case Flow::call:
        return take_call(line);
      case Flow::branch:
        return put_branch(line), reopen(Head::add);
      case Flow::jump:
        return put(line), reopen(Head::add);
      case Flow::leave:
        put(dialect_.spill(false));
        // Where a table leads to, counting goes on.
        put(dialect_.set(0));
        return put(line), reopen(Head::add);
      case Flow::leave_if:
        put(dialect_.spill_between());
        put(dialect_.set(0));
        return put(line), reopen(Head::add);
    }
  }

  void take_call(const Line& line) {
    if (sequence_) {
      sequence_ = false;
      put(line);
      if (dialect_.sequence_is_call()) reopen(Head::set);
      return;
    }
    const std::string_view function = plain_name(line.instruction.operands);
    weight_ += library_weight(function);
    put(dialect_.spill(moves_bytes(function)));
    put(line);
    reopen(Head::set);
  }

  /// A function whose beginning needs the register counts from there on.
  void take_quietly(const Line& line) {
    put(line);
    const Flow flow = dialect_.flow(line.instruction);
    if (next_ < quiet_until_) return;
    if (flow == Flow::next && next_ + 1 < lines_.size() &&
        lines_[next_ + 1].kind == LineKind::instruction &&
        dialect_.flow(lines_[next_ + 1].instruction) == Flow::branch) {
      quiet_until_ = next_ + 1;
      return;
    }
    open(Head::set);
  }

  bool begins_sequence(const Line& line) {
    if (!dialect_.begins_sequence(line.text)) return false;
    if (!dialect_.sequence_is_call()) return true;
    place_head();
    put(dialect_.spill(false));
    return true;
  }

  /// The last line of the function, from here, at which the compiler itself uses the register; zero
  /// if it does not.
  std::size_t last_disturbance() const {
    std::size_t last = 0;
    bool own = false;
    for (std::size_t n = next_ + 1; n < lines_.size(); ++n) {
      const Line& line = lines_[n];
      if (line.kind == LineKind::directive && line.instruction.name == ".size") break;
      own = own_after(line, own);
      const bool code = line.kind == LineKind::instruction;
      if (code && !own && dialect_.disturbs(line.text)) last = n;
    }
    return last;
  }

  /// Between these marks are instructions that a programmer wrote.
  static bool own_after(const Line& line, bool own) {
    if (line.text.starts_with("#APP")) return true;
    return own && !line.text.starts_with("#NO_APP");
  }
  void note_own(const Line& line) { own_ = own_after(line, own_); }

  bool inside() const { return in_function_ && sections_.has_code(); }

  void leave_function() {
    if (!sections_.has_code()) return;
    close();
    in_function_ = false;
  }

  /// A stretch begins, and its head is before its first instruction.
  void open(Head kind) {
    head_kind_ = kind;
    head_ = 0;
    weight_ = 0;
  }

  void place_head() {
    if (head_ > 0) return;
    head_ = pieces_.size();
    pieces_.emplace_back();
  }

  void close() {
    if (head_kind_ == Head::set) place_head();
    if (head_kind_ == Head::set) pieces_[head_] = dialect_.set(weight_);
    if (head_kind_ == Head::add && weight_ > 0) pieces_[head_] = dialect_.add(weight_);
    head_kind_ = Head::none;
  }

  void reopen(Head kind) {
    close();
    open(kind);
  }

  void put(const Line& line) { put(std::string(line.text) + "\n"); }
  void put(std::string text) { pieces_.push_back(std::move(text)); }
  void put_branch(const Line& line) {
    const std::string far = far_ ? dialect_.reaching_far(line.instruction) : "";
    if (far.empty()) return put(line);
    put(far);
  }

  const std::vector<Line>& lines_;
  const Dialect& dialect_;
  Names names_;
  Sections sections_;
  std::vector<std::string> pieces_;
  std::size_t next_ = 0;         ///< The line to take.
  std::size_t quiet_until_ = 0;  ///< The line up to which nothing is counted.
  std::size_t head_ = 0;         ///< The piece at the head of the stretch, once it is known.
  std::uint64_t weight_ = 0;     ///< Of the stretch so far.
  Head head_kind_ = Head::none;
  bool in_function_ = false;
  bool own_ = false;       ///< A programmer's own instructions.
  bool sequence_ = false;  ///< The next call belongs to what was before it.
  bool far_;
};

/// How a program that counts is known.
constexpr std::string_view kMark =
    R"(	.section	.rodata.heddle_has_counts,"aG",%progbits,heddle_has_counts,comdat
	.weak	heddle_has_counts
	.type	heddle_has_counts, %object
	.size	heddle_has_counts, 1
heddle_has_counts:
	.byte	1
)";

}  // namespace

std::optional<Machine> machine_of(std::string_view assembly) {
  if (assembly.find("\t.ident\t\"GCC") == assembly.npos) return {};
  // Its assembly says what it is for, or has registers with signs before them.
  if (assembly.find("\t.arch armv") != assembly.npos) return Machine::aarch64;
  return Machine::x86_64;
}

std::string counted(std::string_view assembly, Machine machine) {
  const std::vector<Line> lines = lines_of(assembly);
  const Dialect& dialect = machine == Machine::aarch64 ? aarch64() : x86_64();
  return Writer(lines, dialect).written() + std::string(kMark);
}

}  // namespace heddle::counts
