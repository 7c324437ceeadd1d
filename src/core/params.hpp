// Parameters, declared once: name, unit, default, range and meaning, in one table per model.
//
// The table drives the YAML reader, `--set`, `heddle params`, `--print-config` and the errors.
#pragma once

#include <cassert>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/quantity.hpp"
#include "core/units.hpp"

namespace heddle {

/// How values of one type are read and written.
template <class T>
struct ParamType;  // { name, accepted, parse(text) -> optional<T>, exact(T) -> text }

#define HEDDLE_PARAM_TYPE(T, NAME, ACCEPTED, PARSE, EXACT)                       \
  template <>                                                                    \
  struct ParamType<T> {                                                          \
    static constexpr std::string_view name = NAME;                               \
    static constexpr std::string_view accepted = ACCEPTED;                       \
    static std::optional<T> parse(std::string_view text) { return PARSE(text); } \
    static std::string exact(const T& value) { return EXACT(value); }            \
  };
HEDDLE_PARAM_TYPE(Time, "time",
                  "a time such as 500ns, 2.5us or 1ms (ps, ns, us, ms, s, min, h; not between 0 "
                  "and 1ps)",
                  parse_time, exact_time)
HEDDLE_PARAM_TYPE(Bytes, "size",
                  "a size such as 64, 4kB (4000 bytes), 4KiB (4096) or 1MB, in whole bytes",
                  parse_bytes, exact_bytes)
HEDDLE_PARAM_TYPE(Bandwidth, "bandwidth",
                  "a bandwidth such as 100Gbps or 100Gbit/s (bits), 12.5GB/s or 12GiB/s (bytes)",
                  parse_bandwidth, exact_bandwidth)
HEDDLE_PARAM_TYPE(TimePerByte, "time/byte", "a time per byte such as 0.08ns/B", parse_time_per_byte,
                  exact_time_per_byte)
HEDDLE_PARAM_TYPE(Speed, "speed", "a speed such as 2.5Gf (flop/s)", parse_speed, exact_speed)
HEDDLE_PARAM_TYPE(std::int64_t, "count", "a whole number such as 16 or 2k", parse_count,
                  std::to_string)
HEDDLE_PARAM_TYPE(std::vector<std::int64_t>, "list",
                  "a list of whole numbers such as 8,8,4 or 8x8x4", parse_counts, exact_counts)
HEDDLE_PARAM_TYPE(double, "ratio", "a number such as 0.9 or 90%", parse_ratio, exact_ratio)
#undef HEDDLE_PARAM_TYPE
template <>
struct ParamType<bool> {
  static constexpr std::string_view name = "flag";
  static constexpr std::string_view accepted = "yes or no";
  static std::optional<bool> parse(std::string_view text) { return parse_flag(text); }
  static std::string exact(bool value) { return value ? "yes" : "no"; }
};
template <>
struct ParamType<std::string> {
  static constexpr std::string_view name = "text";
  static constexpr std::string_view accepted = "text";
  static std::optional<std::string> parse(std::string_view text) { return std::string(text); }
  static std::string exact(const std::string& value) { return value; }
};
/// A parameter that the model works out for itself unless it is given.
template <class T>
struct ParamType<std::optional<T>> {
  static constexpr std::string_view name = ParamType<T>::name;
  static inline const std::string accepted = "auto, or " + std::string(ParamType<T>::accepted);
  static std::optional<std::optional<T>> parse(std::string_view text) {
    if (text == "auto") return std::optional<std::optional<T>>(std::in_place);
    const auto value = ParamType<T>::parse(text);
    if (!value) return std::nullopt;
    return std::optional<T>(*value);
  }
  static std::string exact(const std::optional<T>& value) {
    return value ? ParamType<T>::exact(*value) : "auto";
  }
};

class Settings;

/// Whether a value lies in a range with optional ends; "auto" always does.
template <class T>
bool in_range(const T& value, const std::optional<T>& low, const std::optional<T>& high) {
  return !(low && value < *low) && !(high && *high < value);
}
template <class T>
bool in_range(const std::optional<T>& value, const std::optional<std::optional<T>>& low,
              const std::optional<std::optional<T>>& high) {
  return !value || (!(low && *value < **low) && !(high && **high < *value));
}

/// The type of parameters that are paths.
inline constexpr std::string_view kFileType = "file";

/// What can be said of a parameter without knowing its C++ type.
struct ParamInfo {
  std::string name;                       ///< Within its section: "latency".
  std::string type;                       ///< "time", "size", "choice", ...
  std::string default_text;               ///< As a user would write it.
  std::string min_text;                   ///< Inclusive; empty for none.
  std::string max_text;                   ///< Inclusive; empty for none.
  std::string meaning;                    ///< One sentence.
  std::string accepted;                   ///< For errors: what may be written.
  std::vector<std::string> choices = {};  ///< The words of a choice; empty for other types.
};

/// Whether `value` of `param` is the path of a file: not its default, nor "-", the standard input.
bool names_file(const ParamInfo& param, std::string_view value);

/// The range of a parameter, as text in its own unit; an empty end is open.
struct ParamRange {
  std::string_view min = {};
  std::string_view max = {};
};

/// A section of parameters that fills one configuration struct; the part that does not know the
/// struct.
class ParamSection {
 public:
  ParamSection(std::string section, std::string about)
      : section_(std::move(section)), about_(std::move(about)) {}
  virtual ~ParamSection() = default;

  const std::string& section() const { return section_; }
  const std::string& about() const { return about_; }
  const std::vector<ParamInfo>& params() const { return params_; }
  /// The names within the section.
  std::vector<std::string> names() const;
  /// Index of `name` in params(), or nothing.
  std::optional<std::size_t> find(std::string_view name) const;
  /// Throws InputError at `where` if parameter `i` does not accept `text`.
  virtual void check(std::size_t i, std::string_view text, const SourceLocation& where) const = 0;
  /// Each parameter's name and value under `settings`, in the order of params(), as text that reads
  /// back to the same value.
  virtual std::vector<std::pair<std::string, std::string>> effective(
      const Settings& settings) const = 0;

 protected:
  /// Adds to params(). `accepted` is what can be written where there is no range.
  void declare(std::string_view name, std::string_view type, std::string_view default_text,
               const ParamRange& range, std::string_view meaning, std::string_view accepted);
  /// Throws that parameter `i` does not accept `text`.
  [[noreturn]] void refuse(std::size_t i, std::string_view text, const SourceLocation& where) const;

  std::vector<ParamInfo> params_;

 private:
  std::string section_;
  std::string about_;
};

/// The table of the parameters that fill a `Config`.
template <class Config>
class ParamTable final : public ParamSection {
 public:
  using ParamSection::ParamSection;

  /// Declares one parameter. The default is given as text, here and nowhere else.
  template <class T>
  ParamTable& add(std::string_view name, T Config::*member, std::string_view default_text,
                  const ParamRange& range, std::string_view meaning) {
    using Type = ParamType<T>;
    const auto low = range.min.empty() ? std::nullopt : Type::parse(range.min);
    const auto high = range.max.empty() ? std::nullopt : Type::parse(range.max);
    assert(low.has_value() != range.min.empty() && high.has_value() != range.max.empty());
    declare(name, Type::name, default_text, range, meaning, Type::accepted);
    // No limit counts as zero, so it is accepted where there is no minimum.
    if (std::is_same_v<T, Bandwidth> && !low) params_.back().accepted += ", or unlimited";
    access_.push_back({[member, low, high](Config& config, std::string_view text) {
                         const auto value = Type::parse(text);
                         if (!value || !in_range(*value, low, high)) return false;
                         config.*member = *value;
                         return true;
                       },
                       [member](const Config& config) { return Type::exact(config.*member); }});
    return *this;
  }

  /// Declares a parameter that is the path of a file. In a machine's file it starts from there.
  ParamTable& add_file(std::string_view name, std::string Config::*member,
                       std::string_view default_text, std::string_view meaning) {
    add(name, member, default_text, {}, meaning);
    params_.back().type = std::string(kFileType);
    params_.back().accepted = "the path of a file";
    return *this;
  }

  /// Declares a parameter that takes one of a few words.
  template <class E>
  ParamTable& add_choice(std::string_view name, E Config::*member, std::string_view default_text,
                         const std::vector<std::pair<std::string, E>>& choices,
                         std::string_view meaning) {
    std::vector<std::string> words;
    for (const auto& [word, value] : choices) words.push_back(word);
    declare(name, "choice", default_text, {}, meaning, "one of " + joined(words));
    params_.back().choices = std::move(words);
    access_.push_back({[member, choices](Config& config, std::string_view text) {
                         for (const auto& [word, value] : choices) {
                           if (word != text) continue;
                           config.*member = value;
                           return true;
                         }
                         return false;
                       },
                       [member, choices](const Config& config) -> std::string {
                         for (const auto& [word, value] : choices) {
                           if (config.*member == value) return word;
                         }
                         return "?";
                       }});
    return *this;
  }

  /// A configuration with every default.
  Config defaults() const {
    Config config{};
    for (std::size_t i = 0; i < params_.size(); ++i) set(config, i, params_[i].default_text, {});
    return config;
  }

  /// Sets parameter `i`; throws InputError at `where` if the text is not accepted.
  void set(Config& config, std::size_t i, std::string_view text,
           const SourceLocation& where) const {
    if (!access_[i].set(config, text)) refuse(i, text, where);
  }

  void check(std::size_t i, std::string_view text, const SourceLocation& where) const override {
    Config scratch{};
    set(scratch, i, text, where);
  }
  std::vector<std::pair<std::string, std::string>> effective(
      const Settings& settings) const override;

  /// The value of parameter `i` as text that reads back to the same value.
  std::string get(const Config& config, std::size_t i) const { return access_[i].get(config); }

 private:
  struct Access {
    std::function<bool(Config&, std::string_view)> set;
    std::function<std::string(const Config&)> get;
  };
  std::vector<Access> access_;
};

/// Who says what a parameter is.
enum class Origin : std::uint8_t {
  default_,  ///< Its table: nobody has set it.
  file,      ///< What was read: a machine, a study.
  set,       ///< The user, by its name.
  option,    ///< The user, by something that is short for it.
};
/// Whether the user said so for this run alone, and not by what it reads.
inline bool of_this_run(Origin origin) {
  return origin == Origin::set || origin == Origin::option;
}

/// What the user set: "section.name" to text, by whom and where it was said. Later assignments win.
class Settings {
 public:
  /// `known` are all sections of the program; they must outlive the settings.
  explicit Settings(std::vector<const ParamSection*> known) : known_(std::move(known)) {}

  /// Records an assignment. Throws InputError if no such parameter is declared or it does not
  /// accept the value.
  void assign(std::string_view full_name, std::string_view value, const SourceLocation& where,
              Origin origin = Origin::file);
  /// Records "section.name=value". Throws if a user who sets it by name has said otherwise before.
  void assign(std::string_view assignment, const SourceLocation& where,
              Origin origin = Origin::file);

  /// The defaults of `table` with the assignments of its section applied.
  template <class Config>
  Config get(const ParamTable<Config>& table) const {
    Config config = table.defaults();
    apply(table, config);
    return config;
  }
  template <class Config>
  void apply(const ParamTable<Config>& table, Config& config) const {
    for (std::size_t i = 0; i < table.params().size(); ++i) {
      const auto it = values_.find(table.section() + "." + table.params()[i].name);
      if (it != values_.end()) table.set(config, i, it->second.text, it->second.where);
    }
  }

  const std::vector<const ParamSection*>& known() const { return known_; }
  /// Whether the user set "section.name".
  bool has(std::string_view full_name) const { return values_.contains(std::string(full_name)); }
  /// Whether the user set any parameter of the section.
  bool has_any(const ParamSection& section) const;
  /// Where the user set "section.name"; unknown if it was not set.
  SourceLocation where(std::string_view full_name) const;
  /// Who did,
  Origin origin(std::string_view full_name) const;
  /// and to what; "" if nobody did.
  std::string text(std::string_view full_name) const;
  /// Which of these parameters the user set last; "" if none is set.
  std::string last_of(const std::vector<std::string>& full_names) const;
  /// Where the user last set a parameter of the section, or `otherwise` if none is set.
  SourceLocation where_last(const ParamSection& section, const SourceLocation& otherwise) const;

 private:
  struct Value {
    std::string text;
    SourceLocation where;
    Origin origin;
    std::uint64_t number;  ///< Counts the assignments.
  };
  /// Null if nobody set it.
  const Value* find(std::string_view full_name) const;

  std::vector<const ParamSection*> known_;
  std::uint64_t assignments_ = 0;
  std::map<std::string, Value> values_;
};

template <class Config>
std::vector<std::pair<std::string, std::string>> ParamTable<Config>::effective(
    const Settings& settings) const {
  const Config config = settings.get(*this);
  std::vector<std::pair<std::string, std::string>> values;
  for (std::size_t i = 0; i < params_.size(); ++i) {
    values.emplace_back(params_[i].name, get(config, i));
  }
  return values;
}

}  // namespace heddle
