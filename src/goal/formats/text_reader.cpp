// The reader of GOAL text:
//
//   file := "num_ranks" INT { "rank" INT "{" { statement } "}" }
//   statement := [label ":"] op | label "requires" label | label "irequires" label
//   op := "calc" INT | "send" INT "b" "to" INT | "recv" INT "b" "from" (INT | -1)
//         followed by any of "tag" (INT | -1), "cpu" INT, "nic" INT (a calc: only "cpu")
//
// A statement ends with its line. Ranks and labels may come in any order.
#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/core.h>

#include "goal/formats/formats.hpp"
#include "goal/formats/label_table.hpp"
#include "goal/formats/text_lexer.hpp"
#include "goal/schedule_builder.hpp"
#include "goal/shown_text.hpp"

namespace heddle::goal {
namespace {

constexpr std::string_view kStatements =
    "an operation (calc, send, recv), a dependency (label requires label, label irequires label) "
    "or '}'";

/// How Schedgen writes the tag -1.
constexpr std::string_view kMinusOneOf64Bits = "18446744073709551615";

constexpr std::size_t kLongestLabel = 65535;

class TextReader {
 public:
  TextReader(std::string_view text, const std::string& name, const ReadLimits& limits,
             const MappedFile* file)
      : lexer_(text, name), size_(text.size()), name_(name), limits_(limits), file_(file) {}

  Schedule read() {
    read_header();
    ScheduleBuilder builder(ranks_, name_);
    builder.keep(limits_.share);
    seen_.resize(ranks_);
    builder_ = &builder;
    read_ranks();
    return builder.finish();
  }

 private:
  struct Dependency {
    Token later;
    Token earlier;
    bool from_start;
  };

  void read_header() {
    lexer_.skip_newlines();
    expect_word("num_ranks");
    const Token token = lexer_.peek();
    ranks_ = static_cast<std::uint32_t>(number("the number of ranks", INT32_MAX));
    if (ranks_ == 0) lexer_.reject(token, "a number of ranks of at least 1");
    constexpr std::size_t kShortestRank = 8;  // rank 0{}
    if (ranks_ > size_ / kShortestRank + 1) {
      throw InputError(lexer_.where(token),
                       fmt::format("this file is too short to describe {} ranks", ranks_));
    }
    end_statement();
    lexer_.skip_newlines();
  }

  void read_ranks() {
    while (!lexer_.at(TokenKind::end)) {
      read_rank();
      lexer_.skip_newlines();
    }
    if (begun_ == ranks_) return;
    throw InputError(
        lexer_.where(lexer_.peek()),
        fmt::format("the file ends without rank {}: num_ranks is {}", first_missing(), ranks_));
  }

  std::uint32_t first_missing() const {
    return static_cast<std::uint32_t>(std::find(seen_.begin(), seen_.end(), false) - seen_.begin());
  }

  void read_rank() {
    expect_word("rank");
    begin_rank(lexer_.peek());
    if (!lexer_.at(TokenKind::open)) lexer_.reject(lexer_.peek(), "'{'");
    lexer_.take();
    for (lexer_.skip_newlines(); !lexer_.at(TokenKind::close); lexer_.skip_newlines()) {
      read_statement();
    }
    lexer_.take();
    resolve_dependencies();
    builder_->end_rank();
    if (file_ != nullptr) file_->forget(remembered_, lexer_.passed());
  }

  void begin_rank(const Token& token) {
    const auto rank = static_cast<std::uint32_t>(number("the number of a rank", UINT32_MAX));
    if (rank >= ranks_) {
      throw InputError(lexer_.where(token),
                       fmt::format("rank {} does not exist: ranks are 0 to {}", rank, ranks_ - 1));
    }
    if (seen_[rank]) {
      throw InputError(lexer_.where(token), fmt::format("rank {} was described before", rank));
    }
    seen_[rank] = true;
    ++begun_;
    builder_->begin_rank(rank);
    labels_.clear();
    dependencies_.clear();
  }

  void read_statement() {
    const Token first = lexer_.take();
    if (first.kind != TokenKind::word) lexer_.reject(first, kStatements);
    if (lexer_.at(TokenKind::colon)) {
      lexer_.take();
      const Token op = lexer_.take();
      if (!read_op(op, first)) lexer_.reject(op, "calc, send or recv");
    } else if (lexer_.at_word("requires") || lexer_.at_word("irequires")) {
      read_dependency(first);
    } else if (!read_op(first, {TokenKind::end, first.line, {}})) {
      throw InputError(
          lexer_.where(first),
          fmt::format("'{}' stands where {} is expected{}", shown_text(first.text), kStatements,
                      did_you_mean(first.text.substr(0, 40), {"calc", "send", "recv"})));
    }
    end_statement();
  }

  void read_dependency(const Token& later) {
    const bool from_start = lexer_.take().text == "irequires";
    if (!lexer_.at(TokenKind::word)) lexer_.reject(lexer_.peek(), "the label of an operation");
    const Token earlier = lexer_.take();
    const std::uint32_t later_op = labels_.find(later.text);
    const std::uint32_t earlier_op = labels_.find(earlier.text);
    // Dependencies keep their order: one whose label is not there yet holds up those after it.
    if (dependencies_.empty() && later_op != LabelTable::kAbsent &&
        earlier_op != LabelTable::kAbsent) {
      depend(later_op, earlier_op, from_start);
    } else {
      dependencies_.push_back({later, earlier, from_start});
    }
  }

  void depend(std::uint32_t later, std::uint32_t earlier, bool from_start) {
    if (from_start) {
      builder_->requires_start(later, earlier);
    } else {
      builder_->requires_end(later, earlier);
    }
  }

  /// False if `word` is not an operation.
  bool read_op(const Token& word, const Token& label) {
    Op op;
    if (word.text == "calc") {
      op.value = number("a duration", UINT64_MAX);
    } else if (word.text == "send") {
      op.kind = OpKind::send;
      read_message(op, "to");
    } else if (word.text == "recv") {
      op.kind = OpKind::recv;
      read_message(op, "from");
    } else {
      return false;
    }
    read_options(op);
    add(op, word, label);
    return true;
  }

  void read_message(Op& op, std::string_view direction) {
    op.value = number("a size in bytes", UINT64_MAX);
    expect_word("b");
    expect_word(direction);
    const Token token = lexer_.peek();
    if (op.kind == OpKind::recv && token.kind == TokenKind::minus) {
      op.peer = minus_one("a rank or -1 for any");
      return;
    }
    const std::uint64_t peer = number("a rank", UINT64_MAX);
    if (peer >= ranks_) {
      throw InputError(lexer_.where(token),
                       fmt::format("rank {} does not exist: ranks are 0 to {}", peer, ranks_ - 1));
    }
    op.peer = static_cast<std::uint32_t>(peer);
  }

  void read_options(Op& op) {
    bool tag = false;
    bool cpu = false;
    bool nic = false;
    for (;;) {
      const bool message = op.kind != OpKind::calc;
      if (message && lexer_.at_word("tag") && !std::exchange(tag, true)) {
        lexer_.take();
        op.tag = read_tag();
      } else if (lexer_.at_word("cpu") && !std::exchange(cpu, true)) {
        lexer_.take();
        op.cpu = static_cast<std::uint8_t>(number("a cpu from 0 to 255", 255));
      } else if (message && lexer_.at_word("nic") && !std::exchange(nic, true)) {
        lexer_.take();
        op.nic = static_cast<std::uint8_t>(number("a nic from 0 to 255", 255));
      } else {
        return;
      }
    }
  }

  std::uint32_t read_tag() {
    if (lexer_.at(TokenKind::minus)) return minus_one("a tag or -1 for any");
    if (lexer_.peek().text == kMinusOneOf64Bits) {
      lexer_.take();
      return kAnyTag;
    }
    return static_cast<std::uint32_t>(
        number("a tag from 0 to 4294967295, or -1 for any", UINT32_MAX));
  }

  void add(const Op& op, const Token& word, const Token& label) {
    if (builder_->total_ops() >= limits_.ops) {
      throw InputError(lexer_.where(word), fmt::format("more than {} operations", limits_.ops));
    }
    if (label.text.size() > kLongestLabel) {
      throw InputError(lexer_.where(label),
                       fmt::format("the label '{}' has {} characters: at most {} are accepted",
                                   shown_text(label.text), label.text.size(), kLongestLabel));
    }
    const std::uint32_t index = builder_->add(op);
    builder_->mark(label.text, word.line);
    if (label.text.empty() || labels_.add(label.text, index)) return;
    throw InputError(lexer_.where(label),
                     fmt::format("label '{}' is used twice in this rank", shown_text(label.text)));
  }

  void resolve_dependencies() {
    for (const Dependency& d : dependencies_) {
      depend(index_of(d.later), index_of(d.earlier), d.from_start);
    }
  }

  std::uint32_t index_of(const Token& label) const {
    const std::uint32_t op = labels_.find(label.text);
    if (op != LabelTable::kAbsent) return op;
    throw InputError(
        lexer_.where(label),
        fmt::format("no operation of this rank has the label '{}'", shown_text(label.text)));
  }

  void expect_word(std::string_view word) {
    if (!lexer_.at_word(word)) lexer_.reject(lexer_.peek(), fmt::format("'{}'", word));
    lexer_.take();
  }

  void end_statement() {
    if (lexer_.at(TokenKind::newline) || lexer_.at(TokenKind::close) || lexer_.at(TokenKind::end)) {
      return;
    }
    lexer_.reject(lexer_.peek(), "the end of the line");
  }

  std::uint64_t number(std::string_view what, std::uint64_t limit) {
    const Token token = lexer_.peek();
    if (token.kind != TokenKind::number) lexer_.reject(token, what);
    std::uint64_t value = 0;
    const char* const end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, value);
    if (error != std::errc() || stop != end || value > limit) {
      throw InputError(lexer_.where(token), fmt::format("{} is too large: at most {} is accepted",
                                                        shown_text(token.text), limit));
    }
    lexer_.take();
    return value;
  }

  std::uint32_t minus_one(std::string_view accepted) {
    const Token minus = lexer_.take();
    if (!lexer_.at(TokenKind::number) || lexer_.peek().text != "1") lexer_.reject(minus, accepted);
    lexer_.take();
    return UINT32_MAX;
  }

  TextLexer lexer_;
  std::size_t size_;
  const std::string& name_;
  const ReadLimits& limits_;
  const MappedFile* file_;
  std::size_t remembered_ = 0;  ///< Where the part of the file begins that takes memory.
  ScheduleBuilder* builder_ = nullptr;
  std::uint32_t ranks_ = 0;
  std::uint32_t begun_ = 0;
  std::vector<bool> seen_;  ///< By rank.
  LabelTable labels_;
  std::vector<Dependency> dependencies_;  ///< Of the rank, from the first that could not be added.
};

}  // namespace

Schedule parse_text(std::string_view text, const std::string& name, const ReadLimits& limits,
                    const MappedFile* file) {
  return TextReader(text, name, limits, file).read();
}

}  // namespace heddle::goal
