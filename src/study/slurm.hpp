// Slurm, as far as studies need it: its commands, called as a user would.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::study {

/// What is asked of a job array; what is empty is left to the cluster.
struct SlurmRequest {
  std::string name;
  std::size_t tasks = 1;    ///< Of the array, numbered from 0.
  std::size_t at_once = 0;  ///< At most so many at a time; 0: as many as there is room for.
  std::size_t cpus = 1;     ///< Of each task.
  std::string log;          ///< Where output goes, with %a for the task.
  std::string partition = {};
  std::string time = {};               ///< "30:00"
  std::string dependency = {};         ///< "afterok:123"
  std::vector<std::string> more = {};  ///< Further options of sbatch.
};

/// Hands the script over; answers the job's number. Throws RunError with what sbatch says.
std::string submit(const SlurmRequest& request, const std::string& script);
/// How many tasks of the job are in which state ("RUNNING", "PENDING"); none once it is over.
std::map<std::string, std::size_t> states_of(const std::string& job);
void cancel(const std::string& job);

}  // namespace heddle::study
