// The file in which the results of studies are kept: one SQLite database.
//
//   points(hash, command, status, error, result)      what is known of a point, whoever wants it
//   timings(hash, seconds, memory_bytes, host)        what it took; no result depends on it
//   studies(study, number, hash, parameters)          which points a study has
//   "NAME"                                            a view per study: a row per point and a
//                                                     column for each parameter and each measure
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/json.hpp"
#include "study/sqlite.hpp"

namespace heddle::study {

using report::Json;

/// What became of a point.
struct Outcome {
  std::string hash;     ///< Stands for all that determines the result.
  std::string command;  ///< As a user would type it.
  std::string error;    ///< Why it failed, or "".
  Json result;          ///< Measures by their names: numbers, words, yes or no.
  double seconds = 0;
  std::int64_t memory = 0;
  std::string host = {};

  bool failed() const { return !error.empty(); }
};

/// A point of a study, as it is kept.
struct StoredPoint {
  std::int64_t number = 0;
  std::string hash;
  Json parameters;  ///< Texts by their names.
  std::string command = {};
  std::string status = {};  ///< "done", "failed", or "" if it has not been computed.
  std::string error = {};
  Json result = {};

  bool done() const { return status == "done"; }
};

class ResultStore {
 public:
  using Access = Database::Access;
  /// Throws InputError for a file that is something else, or that does not exist and is only to be
  /// read.
  ResultStore(const std::string& path, Access access);
  ~ResultStore();

  /// Writes down which points the study has, in the place of those it had.
  void put_study(const std::string& name, const std::vector<StoredPoint>& points);
  /// Of these hashes, those that are known: done, or failed.
  enum class Known { done, failed };
  std::map<std::string, Known> known(const std::set<std::string>& hashes);
  /// Keeps the outcome; it is in the file when this returns.
  void put(const Outcome& outcome);
  /// The same for many at once: all of them or, if that throws, none.
  void put(const std::vector<Outcome>& outcomes);
  /// Makes the view of the study, for others than this program.
  void put_view(const std::string& name, const std::vector<std::string>& parameters,
                const std::vector<std::string>& measures);
  /// All is in one file afterwards, unless others use it at the same time.
  void finish();

  std::vector<std::string> studies();
  std::vector<StoredPoint> points(const std::string& study);

 private:
  void check_format();
  /// Does `work` wholly or not at all.
  void at_once(const std::function<void()>& work);

  Access access_;
  Database database_;
};

/// The names of all measures of these points, in the order of their first appearance.
std::vector<std::string> measures_of(const std::vector<StoredPoint>& points);
/// The names of all parameters of these points, likewise.
std::vector<std::string> parameters_of(const std::vector<StoredPoint>& points);

}  // namespace heddle::study
