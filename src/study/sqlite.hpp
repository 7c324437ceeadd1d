// The few things that are asked of SQLite.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace heddle::study {

/// A database in a file. Whatever fails throws RunError with the file's name and what SQLite says.
class Database {
 public:
  enum class Access { read, write };
  /// With write access the file is made if there is none.
  Database(const std::string& path, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Carries out statements that answer nothing.
  void execute(const std::string& statements);
  const std::string& path() const { return path_; }

 private:
  friend class Query;
  [[noreturn]] void fail() const;

  std::string path_;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement.
class Query {
 public:
  Query(Database& database, const std::string& statement);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  /// Values for the question marks, which count from 1.
  Query& bind(int place, std::string_view text);
  Query& bind(int place, std::int64_t number);
  Query& bind(int place, double number);
  /// The next row; false behind the last one, where the statement can be used again.
  bool next();
  /// Carries it out, and makes it ready for the next time.
  void run() {
    while (next()) {
    }
  }

  /// Of the row, columns counting from 0; text is "" for nothing.
  std::string text(int column) const;
  std::int64_t number(int column) const;
  double real(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace heddle::study
