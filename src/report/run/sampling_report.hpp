// What a run says about loops that were not always carried out.
#pragma once

#include <string>
#include <vector>

#include "host/program/sampling/loop_sampler.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// Within which part of a run's time that time is known, with 95 %: times follow costs at most in
/// proportion.
double time_error(const std::vector<host::SampledLoop>& loops, Time end);
/// Whether any was left out.
bool leaves_out(const std::vector<host::SampledLoop>& loops);

/// Lines for people; empty where there are no loops.
std::string sampling_text(const std::vector<host::SampledLoop>& loops, Time end);
/// The same in one sentence.
std::string sampling_sentence(const std::vector<host::SampledLoop>& loops, Time end);
/// What has become of each, and of all.
Json sampling_json(const std::vector<host::SampledLoop>& loops, Time end);

}  // namespace heddle::report
