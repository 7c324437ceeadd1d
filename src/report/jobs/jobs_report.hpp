// What `heddle jobs` says.
#pragma once

#include <string>
#include <vector>

#include "platform/machine.hpp"
#include "report/json.hpp"
#include "run/jobs/job_run.hpp"

namespace heddle::report {

struct JobsReport {
  const platform::Machine* machine = nullptr;
  std::string network;
  std::string list;  ///< The file.
  std::vector<run::JobLine> jobs;
  run::JobMix mix;
};

std::string text_of(const JobsReport& report);
std::string csv_of(const JobsReport& report);
Json json_of(const JobsReport& report);

}  // namespace heddle::report
