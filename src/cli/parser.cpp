#include "cli/parser.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

#include "core/error.hpp"

namespace heddle::cli {
namespace {

/// Says what follows the options, which is no option of ours.
class UsageWithRest final : public CLI::Formatter {
 public:
  explicit UsageWithRest(std::string rest) : rest_(std::move(rest)) {}
  std::string make_usage(const CLI::App*, std::string name) const override {
    return "Usage: " + name + " [OPTIONS] " + rest_ + "\n";
  }
  const std::string& rest() const { return rest_; }

 private:
  std::string rest_;
};

}  // namespace

Option Option::type_name(std::string_view name) const {
  option_->type_name(std::string(name));
  return *this;
}

Option Option::check(const Check& check) const {
  option_->check(CLI::Validator([check](const std::string& text) { return check(text); }, ""));
  return *this;
}

Option Option::required() const {
  option_->required();
  return *this;
}

Option Option::excludes(Option other) const {
  option_->excludes(other.option_);
  return *this;
}

Option Option::needs(std::string_view other) const {
  option_->needs(std::string(other));
  return *this;
}

Option Option::delimiter(char delimiter) const {
  option_->delimiter(delimiter);
  return *this;
}

Option Option::one_at_a_time() const {
  option_->allow_extra_args(false);
  return *this;
}

Option Option::default_text(std::string_view text) const {
  option_->default_str(std::string(text));
  return *this;
}

Option Option::show_default() const {
  option_->capture_default_str();
  return *this;
}

bool Option::given() const {
  return option_->count() > 0;
}

template <class Value>
Option CommandLine::add_option(std::string_view names, Value& value, std::string_view help) const {
  return Option(app_->add_option(std::string(names), value, std::string(help)));
}

// What values of options can be.
template Option CommandLine::add_option(std::string_view, std::string&, std::string_view) const;
template Option CommandLine::add_option(std::string_view, std::uint32_t&, std::string_view) const;
template Option CommandLine::add_option(std::string_view, std::uint64_t&, std::string_view) const;
template Option CommandLine::add_option(std::string_view, std::optional<std::uint32_t>&,
                                        std::string_view) const;
template Option CommandLine::add_option(std::string_view, std::vector<std::string>&,
                                        std::string_view) const;
template Option CommandLine::add_option(std::string_view, std::vector<std::uint32_t>&,
                                        std::string_view) const;
template Option CommandLine::add_option(std::string_view, std::vector<std::uint64_t>&,
                                        std::string_view) const;
template Option CommandLine::add_option(std::string_view, std::pair<std::string, std::string>&,
                                        std::string_view) const;

Option CommandLine::add_flag(std::string_view names, bool& value, std::string_view help) const {
  return Option(
      app_->add_flag(std::string(names), value, std::string(help))->disable_flag_override());
}

Option CommandLine::add_flag(std::string_view names, std::string& value,
                             const std::vector<std::string>& ways, std::string_view help) const {
  CLI::Option* const flag = app_->add_flag(std::string(names), value, std::string(help));
  const auto check = [accepted = one_of(ways)](const std::string& text) {
    return text == kPlainFlag ? "" : accepted(text);
  };
  return Option(flag).check(check);
}

Option CommandLine::option(std::string_view name) const {
  return Option(app_->get_option(std::string(name)));
}

void CommandLine::take_rest(const std::string& usage) const {
  app_->prefix_command();
  app_->formatter(std::make_shared<UsageWithRest>(usage));
}

std::vector<std::string> CommandLine::rest() const {
  return app_->remaining();
}

std::string rest_usage(const CLI::App& app) {
  const auto usage = std::dynamic_pointer_cast<UsageWithRest>(app.get_formatter());
  return usage == nullptr ? "" : usage->rest();
}

std::string CommandLine::name() const {
  return app_->get_name();
}

std::vector<std::string> CommandLine::option_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

Check whole_number(std::uint64_t least, std::uint64_t most) {
  return [=](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && stop == end && value >= least && value <= most) return {};
    return fmt::format("'{}' is not accepted: accepted is a whole number from {} to {}", text,
                       least, most);
  };
}

Check one_of(const std::vector<std::string>& names) {
  return [names](const std::string& text) -> std::string {
    for (const std::string& name : names) {
      if (text == name) return {};
    }
    return fmt::format("'{}' is not accepted: accepted are {}", text, joined(names));
  };
}

Check not_empty() {
  return [](const std::string& text) -> std::string {
    return text.empty() ? "'' is not accepted: it says nothing" : "";
  };
}

}  // namespace heddle::cli
