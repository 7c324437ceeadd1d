// Finds the files that belong to a trace.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "files/input_stream.hpp"
#include "goal/formats/mapped_file.hpp"
#include "traces/readers/allprof_functions.hpp"
#include "traces/readers/fields.hpp"
#include "traces/readers/readers.hpp"
#include "traces/readers/recorded_trace.hpp"

namespace heddle::traces {
namespace {

namespace fs = std::filesystem;

/// Where the last number in a file's name stands.
struct NameNumber {
  std::size_t begin = 0;
  std::size_t length = 0;
  std::uint64_t value = 0;
};

std::optional<NameNumber> last_number(const std::string& name) {
  constexpr const char* kDigits = "0123456789";
  const std::size_t end = name.find_last_of(kDigits);
  if (end == std::string::npos) return std::nullopt;
  const std::size_t before = name.find_last_not_of(kDigits, end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const auto value =
      whole_number<std::uint64_t>(std::string_view(name).substr(begin, end + 1 - begin));
  if (!value) return std::nullopt;
  return NameNumber{begin, end + 1 - begin, *value};
}

/// The same file with another number in its name.
fs::path with_number(const fs::path& file, const NameNumber& place, std::uint64_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < place.length) digits.insert(0, place.length - digits.size(), '0');
  std::string name = file.filename();
  name.replace(place.begin, place.length, digits);
  return file.parent_path() / name;
}

/// The names of rank 0's file with the number counted up, as long as there are such files. Some
/// count from 1.
std::vector<std::string> counted_up(const fs::path& first, std::uint32_t most) {
  const auto number = last_number(first.filename());
  if (!number || number->value > 1) return {first};
  if (number->value == 1 && fs::exists(with_number(first, *number, 0))) return {first};
  std::vector<std::string> files;
  for (std::uint64_t r = 0; r < most; ++r) {
    const fs::path path = with_number(first, *number, number->value + r);
    if (!fs::exists(path)) break;
    files.push_back(path);
  }
  return files;
}

/// The successor of liballprof writes addresses in hexadecimal, and numbers for datatypes and
/// communicators without their sizes.
void refuse_allprof2(std::string_view text, const std::string& path) {
  constexpr std::size_t kBeginning = 4096;
  const std::size_t at = text.substr(0, kBeginning).find(":0x");
  if (at == std::string_view::npos) return;
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw InputError({path, static_cast<std::uint32_t>(line)},
                   "a trace of liballprof2, which does not tell the sizes of datatypes and so of "
                   "messages: one of liballprof or of libheddle_trace is expected");
}

/// The files of a folder that are traces, in the order of the numbers in their names.
std::vector<std::string> traces_in(const std::string& folder) {
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path();
    const auto number = last_number(entry.path().filename());
    const std::string beginning = files::beginning_of(path);
    const TraceFormat format = recognise_trace(beginning);
    if (format == TraceFormat::list || format == TraceFormat::unknown) continue;
    if (format == TraceFormat::allprof) refuse_allprof2(beginning, path);
    found.emplace_back(number ? number->value : 0, path);
  }
  if (found.empty()) throw InputError({folder}, "there are no traces in this folder");
  std::sort(found.begin(), found.end());
  std::vector<std::string> files;
  for (auto& [number, path] : found) {
    if (number != found.front().first + files.size())
      throw InputError({path}, "a trace is missing or there twice: the one with number " +
                                   std::to_string(found.front().first + files.size()) +
                                   " was expected before this one");
    files.push_back(std::move(path));
  }
  return files;
}

std::vector<std::string> listed(std::string_view text, const std::string& list) {
  std::vector<std::string> files;
  const fs::path folder = fs::path(list).parent_path();
  for_each_line(text, [&](std::string_view line, std::uint32_t number) {
    if (line.empty() || line.starts_with('#')) return;
    // SimGrid writes paths as seen from where it ran.
    const fs::path beside = folder / line;
    const fs::path path = fs::exists(beside) ? beside : fs::path(line);
    if (!fs::is_regular_file(path))
      throw InputError({list, number, 1}, "'" + std::string(line.substr(0, 200)) +
                                              "' is not a file: the path of a trace is expected");
    files.push_back(path);
  });
  return files;
}

std::vector<std::string> find_files(const std::string& path, const TraceReadOptions& options) {
  if (fs::is_directory(path)) return traces_in(path);
  const goal::MappedFile file(path, "trace");
  switch (recognise_trace(file.bytes())) {
    case TraceFormat::list:
      return listed(file.bytes(), path);
    case TraceFormat::allprof:
      refuse_allprof2(file.bytes(), path);
      return counted_up(path, options.most_ranks);
    case TraceFormat::recorded:
      return counted_up(path, options.most_ranks);
    case TraceFormat::time_independent:
      // One file may hold all ranks; rank 0's own names no other.
      if (count_ranks(file.bytes(), path, options.most_ranks) > 1) return {path};
      return counted_up(path, options.most_ranks);
    default:
      break;
  }
  throw InputError({path, 1, 1},
                   "this is not a trace: one that libheddle_trace recorded, a liballprof trace "
                   "(lines such as MPI_Send:...), a "
                   "time-independent trace (lines such as '0 send 1 0 1e6'), a list of their files "
                   "or a folder with them is expected");
}

std::vector<RankTrace> read_allprof(const std::vector<std::string>& files) {
  std::vector<RankTrace> ranks;
  for (const std::string& file : files)
    ranks.push_back(parse_allprof(goal::MappedFile(file, "trace").bytes(), file));
  return ranks;
}

std::vector<RankTrace> read_recorded(const std::vector<std::string>& files) {
  const auto count = static_cast<std::uint32_t>(files.size());
  std::vector<RankTrace> ranks;
  for (std::uint32_t r = 0; r < count; ++r)
    ranks.push_back(
        parse_recorded(goal::MappedFile(files[r], "trace").bytes(), files[r], r, count));
  return ranks;
}

std::vector<RankTrace> read_time_independent(const std::vector<std::string>& files,
                                             const TraceReadOptions& options) {
  auto ranks = static_cast<std::uint32_t>(files.size());
  if (ranks == 1)
    ranks = count_ranks(goal::MappedFile(files[0], "trace").bytes(), files[0], options.most_ranks);
  TimeIndependentReader reader(ranks, options.speed);
  for (const std::string& file : files) reader.read(goal::MappedFile(file, "trace").bytes(), file);
  return reader.finish(files[0]);
}

bool is_action(std::string_view line) {
  const std::size_t digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && line[digits] == ' ' &&
         digits + 1 < line.size() &&
         ((line[digits + 1] | 0x20) >= 'a' && (line[digits + 1] | 0x20) <= 'z');
}

}  // namespace

TraceFormat recognise_trace(std::string_view text) {
  constexpr std::size_t kLongestPath = 4096;
  if (text.starts_with(kRecordedMagic)) return TraceFormat::recorded;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const std::string_view head = line.substr(0, line.find(':'));
    if (head.size() < line.size() && head.size() < 64 && !plain_name(head).empty())
      return TraceFormat::allprof;
    if (is_action(line)) return TraceFormat::time_independent;
    const bool printable = std::all_of(line.begin(), line.end(),
                                       [](char c) { return static_cast<unsigned char>(c) >= ' '; });
    return printable && line.size() < kLongestPath ? TraceFormat::list : TraceFormat::unknown;
  }
  return TraceFormat::unknown;
}

Trace read_traces(const std::string& path, const TraceReadOptions& options) {
  if (!fs::exists(path)) throw InputError({path}, "there is no such file or folder");
  if (!fs::is_directory(path) && !fs::is_regular_file(path))
    throw InputError({path}, "accepted is a file or a folder: a pipe cannot be read twice");
  const std::vector<std::string> files = find_files(path, options);
  if (files.empty()) throw InputError({path}, "no trace is named here");
  Trace trace;
  trace.source = path;
  switch (recognise_trace(heddle::files::beginning_of(files[0]))) {
    case TraceFormat::recorded:
      trace.ranks = read_recorded(files);
      trace.agreed_handles = true;
      break;
    case TraceFormat::allprof:
      trace.ranks = read_allprof(files);
      break;
    case TraceFormat::time_independent:
      trace.ranks = read_time_independent(files, options);
      break;
    default:
      throw InputError({files[0], 1, 1}, "this is not a trace, though it is named as one");
  }
  return trace;
}

}  // namespace heddle::traces
