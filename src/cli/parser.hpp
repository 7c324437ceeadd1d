// How commands declare what they accept on the command line. The one door to CLI11, which costs
// seconds in every file that includes it: parser.cpp and program.cpp do, and no other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace heddle::cli {

/// What is wrong with a value, or "".
using Check = std::function<std::string(const std::string& value)>;

/// An option or a positional argument. A handle: copies stand for the same one.
class Option {
 public:
  explicit Option(CLI::Option* option = nullptr) : option_(option) {}

  /// What the help calls its value: "FILE".
  Option type_name(std::string_view name) const;
  Option check(const Check& check) const;
  Option required() const;
  /// Not together with `other`.
  Option excludes(Option other) const;
  /// Only together with the option called `other`.
  Option needs(std::string_view other) const;
  /// A value may be a list, parted by this.
  Option delimiter(char delimiter) const;
  /// Each time it is given it takes one value, so that what follows is not taken for another.
  Option one_at_a_time() const;
  /// What the help shows as its default: this text.
  Option default_text(std::string_view text) const;
  /// What the help shows as its default: the present value.
  Option show_default() const;
  /// Whether the user gave it.
  bool given() const;

 private:
  CLI::Option* option_;
};

/// What a flag without a value stores that may have one.
inline constexpr std::string_view kPlainFlag = "true";

/// What one command accepts. A handle: copies stand for the same one.
class CommandLine {
 public:
  explicit CommandLine(CLI::App* app) : app_(app) {}

  /// Declares an option ("-o,--output") or an argument without dashes. Parsing stores into `value`,
  /// which must stay where it is: a text, a whole number, an optional one, a pair of texts or a
  /// list.
  template <class Value>
  Option add_option(std::string_view names, Value& value, std::string_view help) const;
  Option add_flag(std::string_view names, bool& value, std::string_view help) const;
  /// One that may say how: "--name" stores kPlainFlag, "--name=HOW" one of `ways`.
  Option add_flag(std::string_view names, std::string& value, const std::vector<std::string>& ways,
                  std::string_view help) const;
  /// The option called "--name", which must exist.
  Option option(std::string_view name) const;

  /// From the first word that is no option on, words are not looked at: rest() has them. The help
  /// calls them `usage`.
  void take_rest(const std::string& usage) const;
  std::vector<std::string> rest() const;

  /// The command's own name, and the long names of its options with their dashes.
  std::string name() const;
  std::vector<std::string> option_names() const;

  CLI::App* app() const { return app_; }

 private:
  CLI::App* app_;
};

/// What the help calls the words that take_rest() leaves to a command, or "".
std::string rest_usage(const CLI::App& app);

/// Checks of values, with an error that says what is accepted.
Check whole_number(std::uint64_t least, std::uint64_t most);
Check one_of(const std::vector<std::string>& names);
/// The value is not an empty text.
Check not_empty();
/// The most of anything that can be asked to be shown.
inline constexpr std::uint64_t kMostShown = 1'000'000'000;

}  // namespace heddle::cli
