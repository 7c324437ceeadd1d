#include "platform/simgrid/reading/profile_reader.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>

#include "core/units.hpp"
#include "platform/text_file.hpp"

namespace heddle::platform::simgrid {
namespace {

constexpr std::string_view kAcceptedLines =
    "accepted are TIME VALUE (in seconds, and bytes per second or seconds), PERIODICITY TIME and "
    "LOOPAFTER TIME";

/// To the nearest picosecond.
Time time_of(double seconds) {
  return Time::whole_ps(seconds * 1e12 + 0.5);
}

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\v\f\r";
  std::vector<std::string_view> words;
  for (std::size_t end = 0;;) {
    const std::size_t begin = line.find_first_not_of(kBlanks, end);
    if (begin == std::string_view::npos) return words;
    end = std::min(line.find_first_of(kBlanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
  }
}

/// The lines of one profile, one after another.
class ProfileLines {
 public:
  explicit ProfileLines(Time period) : period_(period) {}

  /// False if this and all that follows are random draws.
  bool read(std::string_view line, const SourceLocation& where) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty() || words[0][0] == '#' || words[0][0] == '%') return true;
    if (words[0] == "STOCHASTIC") return false;
    if (words[0] == "PERIODICITY") {
      period_ = time_behind(words, where);
    } else if (words[0] == "LOOPAFTER") {
      pauses_ = true;
      pause_ = time_behind(words, where);
    } else {
      add_point(words, where);
    }
    return true;
  }

  Profile finish(const SourceLocation& where) {
    if (points_.empty()) throw InputError(where, "a profile without points: " + accepted());
    if (pauses_ && period_ > Time::zero()) {
      throw InputError(where, "a profile with PERIODICITY and LOOPAFTER: accepted is one of them");
    }
    const Time last = points_.back().at;
    if (pauses_) period_ = last + pause_;
    if ((pauses_ || period_ > Time::zero()) && (period_ < last || period_ == Time::zero())) {
      throw InputError(where, "a profile comes again after " + format_time(period_) +
                                  ": accepted is more than zero, and no less than its last time, " +
                                  format_time(last));
    }
    // What is beyond the clock does not come.
    if (period_ == Time::never()) period_ = Time::zero();
    return {std::move(points_), period_};
  }

 private:
  static std::string accepted() { return std::string(kAcceptedLines); }

  static double number_of(std::string_view word, const SourceLocation& where) {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value) ||
        value < 0) {
      throw InputError(
          where, "'" + std::string(word) + "' in a profile is not a number from 0: " + accepted());
    }
    return value;
  }

  static Time time_behind(const std::vector<std::string_view>& words, const SourceLocation& where) {
    if (words.size() != 2) {
      throw InputError(where, std::string(words[0]) + " without one time: " + accepted());
    }
    const Time time = time_of(number_of(words[1], where));
    if (words[0] == "PERIODICITY" && time == Time::zero()) {
      throw InputError(where, "PERIODICITY of zero: accepted is more");
    }
    return time;
  }

  void add_point(const std::vector<std::string_view>& words, const SourceLocation& where) {
    if (words.size() != 2) {
      throw InputError(where, "a line of a profile with " + std::to_string(words.size()) +
                                  (words.size() == 1 ? " word: " : " words: ") + accepted());
    }
    const Time at = time_of(number_of(words[0], where));
    const double value = number_of(words[1], where);
    if (!points_.empty() && at < points_.back().at) {
      throw InputError(where, "'" + std::string(words[0]) +
                                  "' in a profile is before the time of the line above it");
    }
    points_.push_back({at, value});
  }

  std::vector<Profile::Point> points_;
  Time period_;
  bool pauses_ = false;
  Time pause_ = Time::zero();
};

/// The largest value of a quantity that a link can have.
double most(LinkQuantity quantity) {
  return quantity == LinkQuantity::bandwidth ? 1.25e17 : 1000;
}

void check_values(const Profile& profile, LinkQuantity quantity, const SourceLocation& where) {
  for (const Profile::Point& point : profile.points()) {
    if (point.value <= most(quantity)) continue;
    throw InputError(where, quantity == LinkQuantity::bandwidth
                                ? "a profile of bandwidth goes up to 1.25e17 bytes per second"
                                : "a profile of latency goes up to 1000 seconds");
  }
}

/// Where SimGrid looks for it: beside the platform, and in the working directory.
std::string path_of(const std::string& name, const std::string& platform_file) {
  std::error_code ignored;
  const auto beside = std::filesystem::path(platform_file).parent_path() / name;
  return std::filesystem::exists(beside, ignored) ? beside.string() : name;
}

}  // namespace

std::optional<Profile> parse_profile(std::string_view text, const SourceLocation& where,
                                     Time period) {
  ProfileLines lines(period);
  SourceLocation place{where.file, where.line, 0};
  for (const std::string_view line : split(text, '\n')) {
    for (const std::string_view part : split(line, '\r')) {
      if (!lines.read(part, place)) return std::nullopt;
    }
    if (place.line != 0) ++place.line;
  }
  return lines.finish(where);
}

std::optional<std::uint32_t> ProfileReader::add(std::optional<Profile> profile,
                                                const SourceLocation& where) {
  if (!profile) {
    warnings_.push_back(where.str() +
                        ": a profile that is STOCHASTIC is not applied: write its values out");
    return std::nullopt;
  }
  model_.profiles.profiles.push_back(std::move(*profile));
  return static_cast<std::uint32_t>(model_.profiles.profiles.size() - 1);
}

std::optional<std::uint32_t> ProfileReader::profile_of_file(const Element& element,
                                                            std::string_view attribute) {
  const SourceLocation where = element.where(attribute);
  const std::string path = path_of(std::string(element.text(attribute)), where.file);
  const auto known = files_.find(path);
  if (known != files_.end()) return known->second;
  const std::string text = read_text_file(path, where);
  require_text(text, path);
  return files_[path] = add(parse_profile(text, {path, 1, 0}, Time::zero()), {path});
}

void ProfileReader::read_trace(const Element& element) {
  element.accept_attributes({"id", "file", "periodicity"});
  std::string id(element.text("id"));
  if (traces_.count(id) != 0) element.fail_at("id", "a second trace of that name");
  std::optional<std::uint32_t> profile;
  if (!element.text_or("file", "").empty()) {
    profile = profile_of_file(element, "file");
  } else {
    const Element::Content content = element.content();
    profile = add(parse_profile(content.text, content.where, period_of(element)), element.where());
  }
  traces_.emplace(std::move(id), profile);
}

Time ProfileReader::period_of(const Element& trace) {
  const std::string_view text = trace.text_or("periodicity", "-1");
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(seconds)) {
    trace.fail_at("periodicity", "accepted is a number of seconds; zero or less: once");
  }
  return seconds > 0 ? time_of(seconds) : Time::zero();
}

void ProfileReader::read_connection(const Element& element) {
  element.accept_attributes({"kind", "trace", "element"});
  const std::string kind =
      choice_of(element, "kind", {"HOST_AVAIL", "SPEED", "LINK_AVAIL", "BANDWIDTH", "LATENCY"});
  std::string trace(element.text("trace"));
  std::string link(element.text("element"));
  if (kind != "BANDWIDTH" && kind != "LATENCY") {
    warnings_.push_back(element.where().str() + ": the profile '" + trace + "' of " + kind +
                        " is not applied");
    return;
  }
  connections_.push_back({kind == "LATENCY" ? LinkQuantity::latency : LinkQuantity::bandwidth,
                          std::move(trace), std::move(link), element.where()});
}

void ProfileReader::read_file(const Element& element, std::string_view attribute,
                              LinkQuantity quantity, std::uint32_t cable) {
  if (element.text_or(attribute, "").empty()) return;
  const std::optional<std::uint32_t> profile = profile_of_file(element, attribute);
  if (!profile) return;
  follow(up(cable), quantity, *profile, element.where(attribute));
  const LinkId back = down(cable, model_.sharing(up(cable)));
  if (back != up(cable)) follow(back, quantity, *profile, element.where(attribute));
}

void ProfileReader::follow(LinkId link, LinkQuantity quantity, std::uint32_t profile,
                           const SourceLocation& where) {
  check_values(model_.profiles.profiles[profile], quantity, where);
  model_.profiles.links.push_back({link, quantity, profile, where});
}

void ProfileReader::finish() {
  for (const Connection& connection : connections_) connect(connection);
  std::set<std::pair<LinkId, LinkQuantity>> seen;
  for (const LinkProfile& link : model_.profiles.links) {
    if (seen.emplace(link.link, link.quantity).second) continue;
    throw InputError(link.where, "a second profile of that kind for link '" +
                                     model_.link_name(link.link) + "': accepted is one");
  }
}

void ProfileReader::connect(const Connection& connection) {
  const auto trace = traces_.find(connection.trace);
  if (trace == traces_.end()) {
    std::vector<std::string> names;
    for (const auto& [name, profile] : traces_) names.push_back(name);
    throw InputError(connection.where, "no <trace> is called '" + connection.trace + "'" +
                                           did_you_mean(connection.trace, names));
  }
  if (!trace->second) return;
  for (const LinkId link : links_called(connection)) {
    follow(link, connection.quantity, *trace->second, connection.where);
  }
}

/// Both halves of a SPLITDUPLEX link that is called by its own name.
std::vector<LinkId> ProfileReader::links_called(const Connection& connection) const {
  if (const auto link = model_.find_link(connection.link)) return {*link};
  if (const auto cable = model_.find_split(connection.link)) {
    return {up(*cable), down(*cable, Sharing::split_duplex)};
  }
  throw InputError(connection.where, "no link is called '" + connection.link + "'" +
                                         did_you_mean(connection.link, model_.cable_names()));
}

}  // namespace heddle::platform::simgrid
