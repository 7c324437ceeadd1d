#include "host/libc/getopt.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/log.hpp"

namespace heddle::host {
namespace {

bool is_option(const char* word) {
  return word[0] == '-' && word[1] != '\0';
}

bool starts_with_order(const char* accepted) {
  return *accepted == '+' || *accepted == '-';
}

bool same_effect(const struct option& a, const struct option& b) {
  return a.has_arg == b.has_arg && a.flag == b.flag && a.val == b.val;
}

enum class Match { none, one, ambiguous };
struct Found {
  Match match = Match::none;
  const struct option* option = nullptr;
};

/// The long option called `name`, or the only one whose name begins so.
Found find_long(const struct option* options, std::string_view name) {
  Found found;
  for (const auto* o = options; o->name != nullptr; ++o) {
    if (name == o->name) return {Match::one, o};
    if (!std::string_view(o->name).starts_with(name)) continue;
    if (found.match == Match::none) {
      found = {Match::one, o};
    } else if (!same_effect(*found.option, *o)) {
      found.match = Match::ambiguous;
    }
  }
  return found;
}

}  // namespace

/// The command line and what is accepted on it.
struct GetoptState::Line {
  int argc;
  char** argv;
  const char* accepted;
  const struct option* options;
  int* index;
  LongOptions kind;

  const char* word() const { return argv[optind]; }
  /// What a missing argument answers.
  int missing() const { return *accepted == ':' ? ':' : '?'; }
  void complain(const std::string& problem) const {
    if (opterr != 0 && *accepted != ':') write_stderr(fmt::format("{}: {}\n", argv[0], problem));
  }
};

int GetoptState::next(int argc, char* const* argv, const char* accepted,
                      const struct option* options, int* index, LongOptions kind) {
  if (argc < 1) return -1;
  if (optind == 0 || !begun_) begin(accepted);
  optarg = nullptr;
  const Line line{
      argc, const_cast<char**>(argv), accepted + starts_with_order(accepted), options, index, kind};
  if (place_ != nullptr && *place_ != '\0') return short_option(line);
  if (!find_argument(line)) return -1;
  if (!is_option(line.word())) {
    if (order_ == Order::require) return -1;
    optarg = line.argv[optind++];
    return 1;
  }
  const bool two_dashes = line.word()[1] == '-';
  place_ = line.argv[optind] + 1 + (options != nullptr && two_dashes);
  if (options != nullptr && two_dashes) return long_option(line, 2);
  const bool one_dash = options != nullptr && kind == LongOptions::with_one_dash_too &&
                        (place_[1] != '\0' || std::strchr(line.accepted, *place_) == nullptr);
  if (one_dash) {
    const int code = long_option(line, 1);
    if (code != -1) return code;
  }
  return short_option(line);
}

void GetoptState::begin(const char* accepted) {
  if (optind == 0) optind = 1;
  first_skipped_ = last_skipped_ = optind;
  place_ = nullptr;
  begun_ = true;
  order_ = *accepted == '-'                                                ? Order::in_order
           : *accepted == '+' || std::getenv("POSIXLY_CORRECT") != nullptr ? Order::require
                                                                           : Order::permute;
}

/// Moves the words skipped so far behind the options found since.
void GetoptState::move_skipped(char** argv) {
  std::rotate(argv + first_skipped_, argv + last_skipped_, argv + optind);
  first_skipped_ += optind - last_skipped_;
  last_skipped_ = optind;
}

bool GetoptState::find_argument(const Line& line) {
  first_skipped_ = std::min(first_skipped_, optind);
  last_skipped_ = std::min(last_skipped_, optind);
  if (order_ == Order::permute) {
    if (first_skipped_ != last_skipped_ && last_skipped_ != optind) {
      move_skipped(line.argv);
    } else if (last_skipped_ != optind) {
      first_skipped_ = optind;
    }
    while (optind < line.argc && !is_option(line.word())) ++optind;
    last_skipped_ = optind;
  }
  if (optind < line.argc && std::strcmp(line.word(), "--") == 0) {
    ++optind;
    if (first_skipped_ != last_skipped_ && last_skipped_ != optind) {
      move_skipped(line.argv);
    } else if (first_skipped_ == last_skipped_) {
      first_skipped_ = optind;
    }
    last_skipped_ = optind = line.argc;
  }
  if (optind < line.argc) return true;
  if (first_skipped_ != last_skipped_) optind = first_skipped_;
  return false;
}

int GetoptState::long_option(const Line& line, int dashes) {
  const std::size_t length = std::strcspn(place_, "=");
  const std::string_view name(place_, length);
  const Found found = find_long(line.options, name);
  if (found.match == Match::one) {
    const char* value = place_[length] == '=' ? place_ + length + 1 : nullptr;
    return take_long(line, *found.option, value, dashes);
  }
  const bool may_be_short = dashes == 1 && std::strchr(line.accepted, *place_) != nullptr;
  if (found.match == Match::none && may_be_short) return -1;
  const char* prefix = dashes == 2 ? "--" : "-";
  line.complain(found.match == Match::none
                    ? fmt::format("unrecognized option '{}{}'", prefix, name)
                    : fmt::format("option '{}{}' is ambiguous", prefix, name));
  place_ = nullptr;
  ++optind;
  optopt = 0;
  return '?';
}

int GetoptState::take_long(const Line& line, const struct option& found, const char* value,
                           int dashes) {
  const char* prefix = dashes == 2 ? "--" : "-";
  place_ = nullptr;
  ++optind;
  optopt = found.val;
  if (value != nullptr && found.has_arg == no_argument) {
    line.complain(fmt::format("option '{}{}' doesn't allow an argument", prefix, found.name));
    return '?';
  }
  optarg = const_cast<char*>(value);
  if (value == nullptr && found.has_arg == required_argument) {
    if (optind >= line.argc) {
      line.complain(fmt::format("option '{}{}' requires an argument", prefix, found.name));
      return line.missing();
    }
    optarg = line.argv[optind++];
  }
  if (line.index != nullptr) *line.index = static_cast<int>(&found - line.options);
  if (found.flag == nullptr) return found.val;
  *found.flag = found.val;
  return 0;
}

int GetoptState::short_option(const Line& line) {
  const char letter = *place_++;
  const char* found = std::strchr(line.accepted, letter);
  const bool last = *place_ == '\0';
  if (found == nullptr || letter == ':' || letter == ';') {
    if (last) ++optind;
    line.complain(fmt::format("invalid option -- '{}'", letter));
    optopt = int{letter};
    return '?';
  }
  if (found[1] != ':') {
    if (last) ++optind;
    return letter;
  }
  ++optind;
  optarg = last ? nullptr : place_;
  place_ = nullptr;
  if (!last || found[2] == ':') return letter;
  if (optind >= line.argc) {
    line.complain(fmt::format("option requires an argument -- '{}'", letter));
    optopt = int{letter};
    return line.missing();
  }
  optarg = line.argv[optind++];
  return letter;
}

}  // namespace heddle::host
