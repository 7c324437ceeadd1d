// What of a document of results becomes columns of a study.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study/result_store.hpp"
#include "study/study.hpp"

namespace heddle::study {

/// The numbers, words and flags of a document that `heddle run`, `replay` or `traffic` wrote with
/// --json, each under its path ("latency.mean_ps"). A single run of `traffic` stands for the whole;
/// lists, what repeats parameters, what is only the rounded form of another and what the simulator
/// itself took are left out.
Json measures_in(const Json& document);

/// Adds the numbers that the measures find in a program's output; null where there is none.
void add_measures(Json& result, const std::vector<Measure>& measures, const std::string& output);

}  // namespace heddle::study
