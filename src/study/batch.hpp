// Points handed to other computers: a folder that they share, with what is to be done and what was.
//
//   plan/K.json      the points of task K, how many at a time and with how much memory
//   done/K.*.jsonl   what became of them: a line of JSON for each, written as soon as it is known
//   log/K.txt        what the task printed
//   job              the number that the batch system gave to all of it
#pragma once

#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "study/result_store.hpp"
#include "study/study.hpp"

namespace heddle::study {

/// A point as a command line.
struct PlannedPoint {
  /// What `heddle` is to do, without where results go: {"traffic", "--load", "0.5", ...}.
  std::vector<std::string> words;
  /// Of all that determines the result: the effective configuration, the contents of files, the
  /// version of the program.
  std::string hash;
  Json parameters;  ///< What the study sets, by name.
};

/// What one task of a batch has to do.
struct BatchTask {
  std::vector<PlannedPoint> points;  ///< Without their parameters.
  std::vector<Measure> measures;
  std::size_t jobs = 1;  ///< Points at a time.
  Bytes memory;          ///< That each may have.
};

class Batch {
 public:
  explicit Batch(std::string folder) : folder_(std::move(folder)) {}
  /// That of a study, beside the file of its results.
  static Batch of(const std::string& results, const std::string& study);

  const std::string& folder() const { return folder_; }
  /// Where sbatch writes what tasks say, in its own words: %a stands for the task, %% for %.
  std::string log_pattern() const;
  /// Whether there is one that was handed over.
  bool exists() const;
  std::string job() const;
  void set_job(const std::string& job) const;

  /// Writes down what is to be done, in tasks of `chunk` points, in the place of an earlier batch.
  /// Answers how many tasks there are.
  std::size_t create(const BatchTask& all, std::size_t chunk) const;
  /// Task `number` without the points that are done. Throws InputError if there is none.
  BatchTask task(std::size_t number) const;
  /// What became of points so far. What was being written when a computer died is not there.
  std::vector<Outcome> outcomes() const;
  std::size_t points() const;
  void remove() const;

 private:
  std::string folder_;
};

/// The file of what one process of a task has done.
class OutcomeFile {
 public:
  /// Throws RunError if it cannot be written.
  OutcomeFile(const Batch& batch, std::size_t task);
  ~OutcomeFile();
  OutcomeFile(const OutcomeFile&) = delete;
  OutcomeFile& operator=(const OutcomeFile&) = delete;
  /// It is on the disk when this returns; throws RunError if it is not.
  void append(const Outcome& outcome) const;

 private:
  std::string path_;
  int file_;
};

}  // namespace heddle::study
