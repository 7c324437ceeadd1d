#include "cli/notes.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cli/command.hpp"
#include "report/json.hpp"

namespace heddle::cli {
namespace {

constexpr const char* kNotesVariable = "HEDDLE_NOTES";
constexpr const char* kNoteSchema = "heddle.note/1";
constexpr const char* kInputCause = "input";

int open_notes() {
  const char* const path = std::getenv(kNotesVariable);
  if (path == nullptr || *path == '\0') return -1;
  const int file = ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
  unsetenv(kNotesVariable);
  return file;
}

/// -1 if nobody wants any.
int& notes_file() {
  static int file = open_notes();
  return file;
}

report::Json new_note(std::string_view kind, std::string_view text) {
  report::Json note;
  note["schema"] = kNoteSchema;
  note["kind"] = kind;
  note["text"] = text;
  return note;
}

/// In one piece, as several processes may share the file; files of the C library are the programs'
/// simulated ones while a rank runs. That it cannot be written is nobody's failure.
void write_note(const char* line, std::size_t size) {
  syscall(SYS_write, notes_file(), line, size);
}

void append(const report::Json& note) {
  const std::string line = report::dump_line(note) + "\n";
  write_note(line.data(), line.size());
}

report::Json number_or_null(std::uint32_t number) {
  return number == 0 ? report::Json(nullptr) : report::Json(number);
}

void append_error(std::string_view cause, int status, std::string_view sentence,
                  std::string_view problem, const SourceLocation& where) {
  if (!Notes::wanted()) return;
  report::Json note = new_note("error", sentence);
  note["cause"] = cause;
  note["status"] = status;
  note["problem"] = problem;
  note["file"] = where.file.empty() ? report::Json(nullptr) : report::Json(where.file);
  note["line"] = number_or_null(where.line);
  note["column"] = number_or_null(where.column);
  append(note);
}

}  // namespace

void Notes::open() {
  notes_file();
}

bool Notes::wanted() {
  return notes_file() >= 0;
}

void Notes::leave_out() {
  if (wanted()) ::close(notes_file());
  notes_file() = -1;
}

void Notes::error(std::string_view cause, int status, std::string_view sentence) {
  append_error(cause, status, sentence, sentence, {});
}

void Notes::error(const InputError& error) {
  append_error(kInputCause, kWrongInput, error.what(), error.problem(), error.where());
}

void Notes::wrong_words(std::string_view sentence) {
  append_error(kInputCause, kWrongInput, sentence, sentence, {});
}

void Notes::warning(std::string_view sentence) {
  if (wanted()) append(new_note("warning", sentence));
}

void Notes::progress(std::string_view text, std::optional<double> done) {
  if (!wanted()) return;
  report::Json note = new_note("progress", text);
  note["done"] = done ? report::Json(*done) : report::Json(nullptr);
  append(note);
}

void Notes::plain_progress(std::string_view text) {
  if (!wanted()) return;
  constexpr std::size_t kRoom = 256;
  char line[kRoom];
  const auto written =
      fmt::format_to_n(line, kRoom, R"({{"schema":"{}","kind":"progress","text":"{}","done":null}}
)",
                       kNoteSchema, text);
  if (written.size <= kRoom) write_note(line, written.size);
}

Logger logger() {
  return Logger(LogLevel::warning, [](LogLevel level, std::string_view line) {
    Logger::to_stderr(level, line);
    constexpr std::string_view kPrefix = "warning: ";
    if (level == LogLevel::warning) Notes::warning(line.substr(kPrefix.size()));
  });
}

}  // namespace heddle::cli
