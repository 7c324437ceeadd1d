// What a run says about loops that were not always carried out.
#pragma once

#include <string>
#include <vector>

#include "host/program/sampling/loop_sampler.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// Lines for people; empty where there are no loops.
std::string sampling_text(const std::vector<host::SampledLoop>& loops);
/// The same in one sentence.
std::string sampling_sentence(const std::vector<host::SampledLoop>& loops);
/// What has become of each, and of all.
Json sampling_json(const std::vector<host::SampledLoop>& loops);

}  // namespace heddle::report
