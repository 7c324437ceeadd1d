#include "study/sqlite.hpp"

#include <sqlite3.h>

#include "core/error.hpp"
#include "files/files_read.hpp"

namespace heddle::study {

Database::Database(const std::string& path, Access access) : path_(path) {
  const int flags =
      access == Access::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    const std::string problem = sqlite3_errmsg(handle_);
    sqlite3_close(handle_);
    throw RunError("'" + path + "': " + problem);
  }
  files::note_read(path);
  constexpr int kPatienceMs = 10'000;
  sqlite3_busy_timeout(handle_, kPatienceMs);
}

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::fail() const {
  const int reason = sqlite3_errcode(handle_);
  if (reason == SQLITE_NOTADB || reason == SQLITE_CORRUPT) {
    throw InputError({path_}, std::string(sqlite3_errmsg(handle_)) +
                                  ": accepted is a file of results as `heddle sweep` writes it");
  }
  throw RunError("'" + path_ + "': " + sqlite3_errmsg(handle_));
}

void Database::execute(const std::string& statements) {
  if (sqlite3_exec(handle_, statements.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

Query::Query(Database& database, const std::string& statement) : database_(database) {
  const int answer = sqlite3_prepare_v2(database.handle_, statement.c_str(),
                                        static_cast<int>(statement.size()), &statement_, nullptr);
  if (answer != SQLITE_OK) database.fail();
}

Query::~Query() {
  sqlite3_finalize(statement_);
}

Query& Query::bind(int place, std::string_view text) {
  const auto size = static_cast<int>(text.size());
  if (sqlite3_bind_text(statement_, place, text.data(), size, SQLITE_TRANSIENT) != SQLITE_OK) {
    database_.fail();
  }
  return *this;
}

Query& Query::bind(int place, std::int64_t number) {
  if (sqlite3_bind_int64(statement_, place, number) != SQLITE_OK) database_.fail();
  return *this;
}

Query& Query::bind(int place, double number) {
  if (sqlite3_bind_double(statement_, place, number) != SQLITE_OK) database_.fail();
  return *this;
}

bool Query::next() {
  const int answer = sqlite3_step(statement_);
  if (answer == SQLITE_ROW) return true;
  sqlite3_reset(statement_);
  if (answer != SQLITE_DONE) database_.fail();
  return false;
}

std::string Query::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text == nullptr
             ? ""
             : std::string(text,
                           static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

std::int64_t Query::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Query::real(int column) const {
  return sqlite3_column_double(statement_, column);
}

}  // namespace heddle::study
