#include "study/result_store.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"

namespace heddle::study {
namespace {

constexpr std::int64_t kFormat = 1;
/// "hedl": what `PRAGMA application_id` says of our files.
constexpr std::int64_t kApplication = 0x6865646c;

constexpr const char* kTables =
    "CREATE TABLE points(hash TEXT PRIMARY KEY, command TEXT NOT NULL, status TEXT NOT NULL,"
    " error TEXT NOT NULL, result TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE timings(hash TEXT PRIMARY KEY, seconds REAL, memory_bytes INTEGER, host TEXT)"
    " WITHOUT ROWID;"
    "CREATE TABLE studies(study TEXT, number INTEGER, hash TEXT NOT NULL, parameters TEXT NOT NULL,"
    " PRIMARY KEY(study, number)) WITHOUT ROWID;";

const std::string& existing(const std::string& path, Database::Access access) {
  if (access == Database::Access::read && !std::filesystem::exists(path)) {
    throw InputError({path}, "there are no results: `heddle sweep STUDY` computes them");
  }
  return path;
}

/// A name in SQL.
std::string sql_quoted(const std::string& name, char quote) {
  std::string text(1, quote);
  for (const char c : name) {
    if (c == quote) text += c;
    text += c;
  }
  return text + quote;
}

/// The member of a JSON object in SQL.
std::string member(const char* object, const std::string& name) {
  std::string path = "$.\"" + name + "\"";
  return fmt::format("json_extract({}, {}) AS {}", object, sql_quoted(path, '\''),
                     sql_quoted(name, '"'));
}

std::vector<std::string> names_in(const std::vector<StoredPoint>& points,
                                  const Json StoredPoint::*object) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const StoredPoint& point : points) {
    for (const auto& item : (point.*object).items()) {
      if (seen.insert(item.key()).second) names.push_back(item.key());
    }
  }
  return names;
}

}  // namespace

ResultStore::ResultStore(const std::string& path, Access access)
    : access_(access), database_(existing(path, access), access) {
  check_format();
  if (access == Access::write) {
    // Others can look while a study runs, and what was put survives this program. The journal goes
    // into the file every now and then, beside points that compute: at the end nothing does.
    database_.execute(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=1000;");
  }
}

ResultStore::~ResultStore() = default;

void ResultStore::check_format() {
  std::int64_t application = 0;
  std::int64_t format = 0;
  std::int64_t objects = 0;
  try {
    Query id(database_, "PRAGMA application_id");
    if (id.next()) application = id.number(0);
    Query version(database_, "PRAGMA user_version");
    if (version.next()) format = version.number(0);
    Query all(database_, "SELECT count(*) FROM sqlite_schema");
    if (all.next()) objects = all.number(0);
  } catch (const RunError& error) {
    throw InputError({database_.path()}, std::string("cannot be read as results: ") + error.what());
  }
  if (objects == 0 && access_ == Access::write) {
    database_.execute(
        fmt::format("BEGIN; PRAGMA application_id={}; PRAGMA user_version={}; {} "
                    "COMMIT;",
                    kApplication, kFormat, kTables));
  } else if (application != kApplication || format != kFormat) {
    throw InputError({database_.path()},
                     "does not hold results of `heddle sweep`: accepted is a file that it made, or "
                     "one that does not exist");
  }
}

void ResultStore::at_once(const std::function<void()>& work) {
  database_.execute("BEGIN IMMEDIATE");
  try {
    work();
    database_.execute("COMMIT");
  } catch (...) {
    try {
      database_.execute("ROLLBACK");
    } catch (const RunError&) {  // A full disk has rolled it back already.
    }
    throw;
  }
}

void ResultStore::put_study(const std::string& name, const std::vector<StoredPoint>& points) {
  at_once([&] {
    Query(database_, "DELETE FROM studies WHERE study = ?").bind(1, name).run();
    Query insert(database_, "INSERT INTO studies VALUES(?, ?, ?, ?)");
    for (const StoredPoint& point : points) {
      insert.bind(1, name).bind(2, point.number).bind(3, point.hash);
      insert.bind(4, report::dump_line(point.parameters)).run();
    }
  });
}

std::map<std::string, ResultStore::Known> ResultStore::known(const std::set<std::string>& hashes) {
  std::map<std::string, Known> found;
  at_once([&] {
    Query query(database_, "SELECT status FROM points WHERE hash = ?");
    for (const std::string& hash : hashes) {
      query.bind(1, hash);
      while (query.next()) found[hash] = query.text(0) == "done" ? Known::done : Known::failed;
    }
  });
  return found;
}

void ResultStore::put(const Outcome& outcome) {
  put(std::vector{outcome});
}

void ResultStore::put(const std::vector<Outcome>& outcomes) {
  at_once([&] {
    Query insert(database_, "INSERT OR REPLACE INTO points VALUES(?, ?, ?, ?, ?)");
    Query timing(database_, "INSERT OR REPLACE INTO timings VALUES(?, ?, ?, ?)");
    for (const Outcome& outcome : outcomes) {
      insert.bind(1, outcome.hash).bind(2, outcome.command);
      insert.bind(3, std::string_view(outcome.failed() ? "failed" : "done"));
      insert.bind(4, outcome.error).bind(5, report::dump_line(outcome.result)).run();
      timing.bind(1, outcome.hash).bind(2, outcome.seconds);
      timing.bind(3, outcome.memory).bind(4, outcome.host).run();
    }
  });
}

void ResultStore::put_view(const std::string& name, const std::vector<std::string>& parameters,
                           const std::vector<std::string>& measures) {
  std::string columns = "s.number, s.hash, p.status, p.error";
  for (const std::string& parameter : parameters) {
    columns += ", " + member("s.parameters", parameter);
  }
  for (const std::string& measure : measures) columns += ", " + member("p.result", measure);
  const std::string view = sql_quoted(name, '"');
  at_once([&] {
    database_.execute("DROP VIEW IF EXISTS " + view);
    database_.execute(
        fmt::format("CREATE VIEW {} AS SELECT {} FROM studies s LEFT JOIN points p "
                    "ON p.hash = s.hash WHERE s.study = {} ORDER BY s.number",
                    view, columns, sql_quoted(name, '\'')));
  });
}

void ResultStore::finish() {
  try {
    database_.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE;");
  } catch (const RunError&) {  // Others use the file, too: the last of them does it.
    return;
  }
}

std::vector<std::string> ResultStore::studies() {
  std::vector<std::string> names;
  Query query(database_, "SELECT DISTINCT study FROM studies ORDER BY study");
  while (query.next()) names.push_back(query.text(0));
  return names;
}

std::vector<StoredPoint> ResultStore::points(const std::string& study) {
  std::vector<StoredPoint> points;
  Query query(database_,
              "SELECT s.number, s.hash, s.parameters, p.command, p.status, p.error, p.result FROM "
              "studies s LEFT JOIN points p ON p.hash = s.hash WHERE s.study = ? ORDER BY "
              "s.number");
  query.bind(1, study);
  while (query.next()) {
    StoredPoint point{query.number(0), query.text(1), report::parse_json(query.text(2)),
                      query.text(3),   query.text(4), query.text(5)};
    const std::string result = query.text(6);
    point.result = result.empty() ? Json::object() : report::parse_json(result);
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<std::string> measures_of(const std::vector<StoredPoint>& points) {
  return names_in(points, &StoredPoint::result);
}

std::vector<std::string> parameters_of(const std::vector<StoredPoint>& points) {
  return names_in(points, &StoredPoint::parameters);
}

}  // namespace heddle::study
