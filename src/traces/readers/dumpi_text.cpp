// What dumpi2ascii writes: for every call a line where it begins, one per argument by its name, and
// one where it ends.
#include <charconv>
#include <optional>

#include <fmt/core.h>

#include "core/error.hpp"
#include "traces/readers/dumpi_functions.hpp"
#include "traces/readers/dumpi_trace.hpp"
#include "traces/readers/fields.hpp"

namespace heddle::traces {
namespace {

constexpr std::string_view kEntering = " entering at walltime ";
constexpr std::string_view kReturning = " returning at walltime ";
constexpr std::string_view kCpuTime = ", cputime ";
constexpr std::string_view kThread = " seconds in thread ";
/// The most that may lie between two times.
constexpr std::int64_t kLongestRun = 100LL * 24 * 3600 * 1'000'000'000;

/// Which letter of DumpiFunction::layout an argument of this name is.
struct NamedArgument {
  std::string_view name;
  char letter;
};
constexpr NamedArgument kNamedArguments[] = {
    {"count", 'n'},      {"sendcount", 'n'},  {"recvcount", 'N'}, {"datatype", 't'},
    {"sendtype", 't'},   {"recvtype", 'T'},   {"dest", 'd'},      {"source", 's'},
    {"tag", 'g'},        {"sendtag", 'g'},    {"recvtag", 'G'},   {"comm", 'c'},
    {"oldcomm", 'c'},    {"newcomm", 'm'},    {"root", 'r'},      {"request", 'q'},
    {"requests", 'Q'},   {"flag", 'f'},       {"index", 'i'},     {"indices", 'I'},
    {"outcount", 'o'},   {"color", 'C'},      {"key", 'K'},       {"nodes", 'z'},
    {"sendcounts", 'v'}, {"recvcounts", 'V'}, {"sendtypes", 'y'}, {"recvtypes", 'Y'},
    {"ranks", 'R'},      {"ranges", 'X'},     {"dims", 'D'},      {"remain_dims", 'D'},
    {"group", 'u'},      {"group1", 'u'},     {"group2", 'w'},    {"newgroup", 'U'},
    {"status", 'S'},     {"statuses", 'S'},   {"commrank", 'a'},  {"oldcommrank", 'a'}};

std::optional<char> letter_of(std::string_view name, std::string_view layout) {
  for (const NamedArgument& known : kNamedArguments) {
    if (known.name != name) continue;
    if (layout.find(known.letter) == std::string_view::npos) return std::nullopt;
    return known.letter;
  }
  return std::nullopt;
}

/// The numbers in a text, whatever stands between them.
template <class Visitor>
void for_each_number(std::string_view text, Visitor visit) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::int64_t number = 0;
    const auto [behind, problem] = std::from_chars(at, end, number);
    if (problem == std::errc()) visit(number);
    at = problem == std::errc() ? behind : at + 1;
  }
}

class DumpiText final : public DumpiTrace {
 public:
  DumpiText(std::string_view text, const std::string& name) : DumpiTrace(name), text_(text) {
    read_sizes();
  }

  bool next(DumpiCall& call) override {
    std::string_view line;
    std::size_t name = std::string_view::npos;
    do {
      if (text_.empty()) return false;
      line = take_line();
      name = line.find(kEntering);
    } while (name == std::string_view::npos);
    begin(line, name, call);
    const std::string ending = std::string(line.substr(0, name)) + std::string(kReturning);
    do {
      if (text_.empty()) fail(fmt::format("the file ends where '{}...' is expected", ending));
      line = take_line();
      if (line.starts_with(ending)) break;
      read_argument(line, call);
    } while (true);
    DumpiCall behind;
    read_times(line.substr(ending.size()), behind);
    call.end = behind.start;
    return true;
  }

 private:
  std::string_view take_line() {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++line_;
    return line;
  }
  [[noreturn]] void fail(std::string_view problem) const {
    throw InputError({file(), line_}, problem);
  }

  void begin(std::string_view line, std::size_t name_ends, DumpiCall& call) {
    const auto function = find_dumpi_function(line.substr(0, name_ends));
    if (!function) {
      fail(fmt::format("'{}' is no function of MPI that DUMPI knows", line.substr(0, name_ends)));
    }
    call.clear();
    call.function = *function;
    call.number = line_;
    read_times(line.substr(name_ends + kEntering.size()), call);
  }

  /// "1296777956.737669000, cputime 0.007712000 seconds in thread 0."
  void read_times(std::string_view text, DumpiCall& call) {
    const std::size_t cpu = text.find(kCpuTime);
    const std::size_t thread = text.find(kThread);
    if (cpu == std::string_view::npos || thread == std::string_view::npos || thread < cpu) {
      fail(fmt::format("'{}' is no time: accepted is 'SECONDS{}SECONDS{}NUMBER.'", text, kCpuTime,
                       kThread));
    }
    const std::size_t cpu_begins = cpu + kCpuTime.size();
    const std::int64_t wall = nanoseconds(text.substr(0, cpu));
    const std::int64_t used = nanoseconds(text.substr(cpu_begins, thread - cpu_begins));
    call.timed = wall != 0 || used != 0;
    call.start = since_first(wall != 0 ? wall : used);
    for_each_number(text.substr(thread + kThread.size()),
                    [&](std::int64_t number) { call.thread = static_cast<std::uint16_t>(number); });
  }
  std::int64_t nanoseconds(std::string_view text) const {
    const std::size_t point = text.find('.');
    const auto seconds = whole_number<std::uint32_t>(text.substr(0, point));
    const auto rest = point == std::string_view::npos
                          ? std::nullopt
                          : whole_number<std::uint32_t>(text.substr(point + 1));
    if (!seconds || !rest) fail(fmt::format("'{}' is no time in seconds", text));
    return *seconds * std::int64_t{1'000'000'000} + *rest;
  }
  std::int64_t since_first(std::int64_t time) {
    if (!first_) first_ = time;
    if (time - *first_ > kLongestRun) fail("a time more than 100 days behind the first");
    return time - *first_;
  }

  /// "MPI_Datatype datatype=9 (MPI_INT)", "int recvcounts[2]=[3, 4]".
  void read_argument(std::string_view line, DumpiCall& call) {
    if (line.starts_with(", [")) return read_numbers('X', line, call);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return;
    std::string_view name = line.substr(0, std::min(equals, line.find('[')));
    name.remove_prefix(std::min(name.rfind(' ') + 1, name.size()));
    const auto letter = letter_of(name, dumpi_functions()[call.function].layout);
    const std::string_view value = line.substr(equals + 1);
    if (!letter || value.starts_with("<IGNORED>")) return;
    if (*letter == 'S') return read_statuses(value, call);
    if (line.find('[') < equals) return read_numbers(*letter, value, call);
    read_number(*letter, value, call);
  }
  void read_numbers(char letter, std::string_view value, DumpiCall& call) {
    std::vector<std::int64_t>& list = call.list_to_fill(letter);
    for_each_number(value, [&](std::int64_t number) { list.push_back(number); });
  }
  /// "9 (MPI_INT)"; requests stand in brackets.
  void read_number(char letter, std::string_view value, DumpiCall& call) {
    if (value.starts_with('[')) value.remove_prefix(1);
    std::int32_t number = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem != std::errc()) {
      fail(fmt::format("'{}' is no number of 32 bits", value.substr(0, 40)));
    }
    call.set(letter, number);
  }
  /// "[{bytes=4, cancelled=0, source=3, tag=1337, error=0}]"
  static void read_statuses(std::string_view value, DumpiCall& call) {
    while ((value = value.substr(std::min(value.find('{'), value.size()))).size() > 1) {
      const std::string_view one = value.substr(1, value.find('}') - 1);
      value.remove_prefix(1);
      std::int32_t numbers[5] = {};
      std::size_t count = 0;
      for_each_number(one, [&](std::int64_t number) {
        if (count < 5) numbers[count++] = static_cast<std::int32_t>(number);
      });
      call.statuses.push_back({numbers[0], numbers[2], numbers[3]});
    }
  }

  /// "Datatype 9 (MPI_INT) has size 4": behind the calls.
  void read_sizes() {
    const std::size_t begin = text_.rfind("\nDatatype 0 (");
    if (begin == std::string_view::npos) return;
    for_each_line(text_.substr(begin + 1), [&](std::string_view line, std::uint32_t) {
      const std::size_t size = line.rfind(" has size ");
      if (!line.starts_with("Datatype ") || size == std::string_view::npos) return;
      sizes_.push_back(whole_number<std::int32_t>(line.substr(size + 10)).value_or(-1));
    });
  }

  std::string_view text_;  ///< What is left of it.
  std::uint32_t line_ = 0;
  std::optional<std::int64_t> first_;
};

}  // namespace

bool begins_like_dumpi_text(std::string_view beginning) {
  const std::string_view line = first_line(beginning);
  if (line.starts_with("version=")) return beginning.find("\nstarttime=") != std::string_view::npos;
  return line.starts_with("MPI_") && line.find(kEntering) != std::string_view::npos;
}

std::unique_ptr<DumpiTrace> open_dumpi_text(std::string_view text, const std::string& file) {
  return std::make_unique<DumpiText>(text, file);
}

}  // namespace heddle::traces
