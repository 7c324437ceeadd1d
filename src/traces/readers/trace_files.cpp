// Finds the files that belong to a trace.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/text.hpp"
#include "files/input_stream.hpp"
#include "goal/formats/mapped_file.hpp"
#include "traces/readers/fields.hpp"
#include "traces/readers/trace_reader.hpp"

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

/// The reader of a file that begins so, or null. Throws InputError where that would refuse it.
const TraceReader* reader_of_file(std::string_view beginning, const std::string& file) {
  const TraceReader* const reader = reader_for(beginning);
  if (reader != nullptr && reader->refuse != nullptr) reader->refuse(beginning, file);
  return reader;
}

/// The files of a folder that are traces, in the order of the numbers in their names.
std::vector<std::string> traces_in(const std::string& folder) {
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path();
    const auto number = last_number(entry.path().filename());
    if (reader_of_file(files::beginning_of(path), path) == nullptr) continue;
    found.emplace_back(number ? number->value : 0, path);
  }
  if (found.empty()) throw InputError({folder}, "there are no traces in this folder");
  std::sort(found.begin(), found.end());
  std::vector<std::string> files;
  for (auto& [number, path] : found) {
    if (number != found.front().first + files.size()) {
      throw InputError({path}, "a trace is missing or there twice: the one with number " +
                                   std::to_string(found.front().first + files.size()) +
                                   " was expected before this one");
    }
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
    if (!fs::is_regular_file(path)) {
      throw InputError({list, number, 1}, "'" + std::string(line.substr(0, 200)) +
                                              "' is not a file: the path of a trace is expected");
    }
    files.push_back(path);
  });
  return files;
}

/// Both files and the reader of a trace.
struct Found {
  const TraceReader* reader;
  std::vector<std::string> files;
};

[[noreturn]] void refuse(const std::string& path) {
  std::string expected;
  for (const TraceReader* reader : trace_readers()) {
    expected += std::string(reader->expected) + ", ";
  }
  throw InputError({path, 1, 1}, "this is not a trace: " + expected +
                                     "a list of their files or a folder with them is expected");
}

/// By the first of them, which all are like.
Found by_first(std::vector<std::string> files, const std::string& path) {
  if (files.empty()) throw InputError({path}, "no trace is named here");
  const TraceReader* const reader = reader_of_file(files::beginning_of(files[0]), files[0]);
  if (reader == nullptr) {
    throw InputError({files[0], 1, 1}, "this is not a trace, though it is named as one");
  }
  return {reader, std::move(files)};
}

Found find_in_folder(const std::string& folder) {
  for (const TraceReader* reader : trace_readers()) {
    if (reader->recognises_folder != nullptr && reader->recognises_folder(folder)) {
      return {reader, {folder}};
    }
  }
  return by_first(traces_in(folder), folder);
}

Found find(const std::string& path, const TraceReadOptions& options) {
  if (fs::is_directory(path)) return find_in_folder(path);
  const goal::MappedFile file(path, "trace");
  const TraceReader* const reader = reader_of_file(file.bytes(), path);
  if (reader == nullptr) {
    if (!may_list_files(file.bytes())) refuse(path);
    return by_first(listed(file.bytes(), path), path);
  }
  if (reader->holds_all != nullptr && reader->holds_all(path, options)) return {reader, {path}};
  return {reader, counted_up(path, options.most_ranks)};
}

}  // namespace

const TraceReader* reader_for(std::string_view beginning) {
  for (const TraceReader* reader : trace_readers()) {
    if (reader->recognises(beginning)) return reader;
  }
  return nullptr;
}

std::string traces_read() {
  std::vector<std::string> all;
  for (const TraceReader* reader : trace_readers()) all.emplace_back(reader->called);
  return joined(all);
}

bool may_list_files(std::string_view beginning) {
  constexpr std::size_t kLongestPath = 4096;
  const std::string_view line = first_line(beginning);
  return !line.empty() && line.size() < kLongestPath &&
         std::all_of(line.begin(), line.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= ' '; });
}

Trace read_traces(const std::string& path, const TraceReadOptions& options) {
  if (!fs::exists(path)) throw InputError({path}, "there is no such file or folder");
  if (!fs::is_directory(path) && !fs::is_regular_file(path)) {
    throw InputError({path}, "accepted is a file or a folder: a pipe cannot be read twice");
  }
  const Found found = find(path, options);
  if (found.reader->read == nullptr) {
    throw InputError({path}, "there are no calls in " + std::string(found.reader->called) +
                                 " files, which `heddle convert` and `heddle replay` make "
                                 "schedules of");
  }
  Trace trace = found.reader->read(found.files, options);
  trace.source = path;
  return trace;
}

bool makes_schedule(const std::string& path) {
  const auto scheduled = [](const std::string& file) {
    const TraceReader* const reader = reader_for(files::beginning_of(file));
    return reader != nullptr && (reader->schedule != nullptr || reader->replayed_as_schedule);
  };
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return scheduled(path);
  if (!fs::is_directory(path, ignored)) return false;
  const fs::directory_iterator entries(path, ignored);
  return std::any_of(begin(entries), end(entries), [&](const fs::directory_entry& entry) {
    return entry.is_regular_file(ignored) && scheduled(entry.path());
  });
}

Conversion convert_files(const std::string& path, const TraceReadOptions& options,
                         const ConvertConfig& config) {
  if (fs::exists(path) && (fs::is_directory(path) || fs::is_regular_file(path))) {
    const Found found = find(path, options);
    if (found.reader->schedule != nullptr) return found.reader->schedule(found.files, config);
  }
  return convert(read_traces(path, options), config);
}

}  // namespace heddle::traces
