// What `heddle tune` says: as text, CSV, JSON and a plot.
#pragma once

#include <string>
#include <vector>

#include "platform/machine.hpp"
#include "report/json.hpp"
#include "run/tuning.hpp"

namespace heddle::report {

struct TuneReport {
  const platform::Machine* machine = nullptr;  ///< Must outlive the report.
  coll::Collective collective;
  coll::OpenMpi version;  ///< That the rules are for.
  std::vector<run::TunedCase> cases;
  std::vector<coll::Rule> rules;
  std::vector<Time> fed_back;  ///< What each case takes under those rules.

  /// The quickest of Open MPI's ways, or what its own rules choose if none was quick enough.
  Time promised(std::size_t number) const;
  /// Whether the rules give the promised times.
  bool kept_promises() const;
};

std::string text_of(const TuneReport& report);
std::string csv_of(const TuneReport& report);
Json json_of(const TuneReport& report);
/// Times by size, relative to those of the library's rules: a plot for each number of ranks.
std::string svg_of(const TuneReport& report);
/// What a file of rules says of its origin.
std::string comment_of(const TuneReport& report);

}  // namespace heddle::report
