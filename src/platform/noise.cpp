#include "platform/noise.hpp"

#include <algorithm>
#include <charconv>

#include "core/error.hpp"
#include "core/random.hpp"
#include "platform/text_file.hpp"

namespace heddle::platform {

const ParamTable<NoiseConfig>& noise_table() {
  static const auto table = [] {
    ParamTable<NoiseConfig> t("noise", "operating-system noise on the ranks of run and replay");
    t.add_choice("kind", &NoiseConfig::kind, "none",
                 {{"none", NoiseKind::none},
                  {"trace", NoiseKind::trace},
                  {"periodic", NoiseKind::periodic},
                  {"exponential", NoiseKind::exponential}},
                 "where the interruptions come from");
    t.add_file("file", &NoiseConfig::file, "", "trace: lines 'start duration' in nanoseconds");
    t.add("period", &NoiseConfig::period, "1ms", {"1ns", "1h"},
          "time from one interruption to the next; the mean if exponential");
    t.add("duration", &NoiseConfig::duration, "10us", {"0ns", "1h"},
          "length of an interruption; the mean if exponential");
    t.add("seed", &NoiseConfig::seed, "1", {"0", ""},
          "decides when each rank is interrupted, and in a replay where random routes go");
    t.add("coscheduled", &NoiseConfig::coscheduled, "no", {},
          "all ranks are interrupted at the same moments");
    return t;
  }();
  return table;
}

namespace {

constexpr int kGenerated = 16384;  ///< Interruptions drawn before the pattern repeats,
constexpr std::int64_t kLongest = INT64_MAX / 16;  ///< or this time, 6.6 days.

[[noreturn]] void reject(const std::string& name, std::uint32_t line, std::string_view text) {
  throw InputError({name, line, 1}, "'" + std::string(text.substr(0, 40)) +
                                        "' where 'start duration' is expected: two whole numbers "
                                        "of nanoseconds, starts in ascending order");
}

std::string_view next_word(std::string_view& rest) {
  const std::size_t begin = std::min(rest.find_first_not_of(" \t\r"), rest.size());
  const std::size_t end = std::min(rest.find_first_of(" \t\r", begin), rest.size());
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

bool parse_ns(std::string_view word, Time& time) {
  std::int64_t ns = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), ns);
  if (error != std::errc() || stop != word.data() + word.size() || ns < 0 ||
      ns > kLongest / 1'000) {
    return false;
  }
  time = Time::ns(ns);
  return true;
}

std::vector<Interruption> draw(const NoiseConfig& config) {
  RandomStream random = RandomStream(static_cast<std::uint64_t>(config.seed)).split("noise");
  std::vector<Interruption> events;
  double at = 0;
  for (int i = 0; i < kGenerated && at < static_cast<double>(kLongest); ++i) {
    at += random.exponential(static_cast<double>(config.period.ps()));
    const double duration = random.exponential(static_cast<double>(config.duration.ps()));
    events.push_back(
        {Time::ps(static_cast<std::int64_t>(at)), Time::ps(static_cast<std::int64_t>(duration))});
  }
  return events;
}

std::vector<Interruption> events_of(const NoiseConfig& config) {
  switch (config.kind) {
    case NoiseKind::none:
      break;
    case NoiseKind::trace:
      if (config.file.empty()) {
        throw ParamError(
            {"noise.kind"},
            "'trace' needs a file: noise.file is expected, such as noise.file=noise.txt");
      }
      return read_named_by("noise.file",
                           [&] { return parse_noise(read_text_file(config.file), config.file); });
    case NoiseKind::periodic:
      return {{Time::zero(), config.duration}};
    case NoiseKind::exponential:
      return draw(config);
  }
  return {};
}

/// When the pattern begins again: right behind its last interruption, or after the period.
Time length_of(const std::vector<Interruption>& events, const NoiseConfig& config) {
  if (config.kind == NoiseKind::periodic) return config.period;
  return events.empty() ? Time::ps(1) : events.back().start + events.back().duration;
}

}  // namespace

std::vector<Interruption> parse_noise(std::string_view text, const std::string& name) {
  std::vector<Interruption> events;
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string_view rest = whole;
    const std::string_view first = next_word(rest);
    if (first.empty() || first.front() == '#') continue;
    Interruption event;
    if (!parse_ns(first, event.start) || !parse_ns(next_word(rest), event.duration) ||
        !next_word(rest).empty() || (!events.empty() && event.start < events.back().start)) {
      reject(name, line, whole);
    }
    events.push_back(event);
  }
  return events;
}

Noise::Noise(const NoiseConfig& config, std::uint32_t ranks) {
  const std::vector<Interruption> events = events_of(config);
  *this = Noise(events, length_of(events, config), config, ranks);
}

Noise::Noise(const std::vector<Interruption>& events, Time length, const NoiseConfig& config,
             std::uint32_t ranks)
    : length_(std::max<std::int64_t>(1, length.ps())) {
  for (const Interruption& event : events) {
    starts_.push_back(event.start.ps());
    totals_.push_back(total_);
    total_ += event.duration.ps();
  }
  totals_.push_back(total_);
  if (starts_.empty()) return;
  const RandomStream random = RandomStream(static_cast<std::uint64_t>(config.seed)).split("offset");
  for (std::uint32_t r = 0; r < ranks; ++r) {
    RandomStream own = random.split(config.coscheduled ? 0 : std::uint64_t{r});
    offsets_.push_back(static_cast<std::int64_t>(own.below(static_cast<std::uint64_t>(length_))));
  }
}

__int128 Noise::begun_before(std::int64_t instant) const {
  const std::int64_t within = instant % length_;
  const auto it = std::lower_bound(starts_.begin(), starts_.end(), within);
  return __int128{instant / length_} * total_ +
         totals_[static_cast<std::size_t>(it - starts_.begin())];
}

std::int64_t Noise::rest_at(std::int64_t instant) const {
  const std::int64_t within = instant % length_;
  const auto it = std::lower_bound(starts_.begin(), starts_.end(), within);
  const bool before_first = it == starts_.begin();
  if (before_first && instant < length_) return 0;
  const auto last =
      static_cast<std::size_t>((before_first ? starts_.end() : it) - starts_.begin()) - 1;
  const std::int64_t start = starts_[last] - (before_first ? length_ : 0);
  const auto duration = static_cast<std::int64_t>(totals_[last + 1] - totals_[last]);
  return std::max<std::int64_t>(0, start + duration - within);
}

std::int64_t Noise::compute(std::uint32_t rank, std::int64_t start, std::int64_t length) const {
  const std::int64_t begin = start + offsets_[rank % offsets_.size()];
  const __int128 delay = rest_at(begin) + begun_before(begin + length) - begun_before(begin);
  if (delay > kLongest) {
    throw RunError("interruptions of rank " + std::to_string(rank) +
                   " take longer than 6 days at a stretch: they must end before the next ones");
  }
  return static_cast<std::int64_t>(delay);
}

}  // namespace heddle::platform
