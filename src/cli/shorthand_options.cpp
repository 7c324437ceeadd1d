#include "cli/shorthand_options.hpp"

#include <algorithm>

#include "cli/common.hpp"

namespace heddle::cli {

void assign_short(Settings& settings, const std::string& parameter, const std::string& value,
                  const std::string& option) {
  if (settings.origin(parameter) == Origin::set && settings.text(parameter) != value) {
    throw InputError({option}, "sets " + parameter + "=" + value + ", and " +
                                   settings.where(parameter).str() +
                                   " says otherwise: accepted is one of the two");
  }
  settings.assign(parameter, value, {option}, Origin::option);
}

void ShorthandOptions::add_to(CommandLine line, const std::vector<Shorthand>& shorthands) {
  for (const Shorthand& shorthand : shorthands) {
    Given& given = list_.emplace_back(Given{shorthand});
    given.option = line.add_option(shorthand.option, given.value, shorthand.help)
                       .type_name(shorthand.type)
                       .check(not_empty());
    if (shorthand.shows_default) given.option.default_text(default_of(shorthand.parameter));
  }
}

void ShorthandOptions::assign(Settings& settings) const {
  for (const auto& [shorthand, value, option] : list_) {
    if (!option.given()) continue;
    assign_short(settings, shorthand.parameter, value, shorthand.option);
    if (shorthand.also.empty()) continue;
    const std::size_t sign = shorthand.also.find('=');
    assign_short(settings, shorthand.also.substr(0, sign), shorthand.also.substr(sign + 1),
                 shorthand.option);
  }
}

bool ShorthandOptions::given() const {
  return std::any_of(list_.begin(), list_.end(),
                     [](const Given& given) { return given.option.given(); });
}

}  // namespace heddle::cli
