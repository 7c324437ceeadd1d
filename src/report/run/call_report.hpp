// Tables of calls, whichever interface they are of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/profile.hpp"
#include "record/message_profile.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// Adds up calls of the same name; those that took most time first.
std::vector<mpi::CallProfile> sum_by_name(
    const std::vector<const std::vector<mpi::CallProfile>*>& lists);
/// A table of the first ones, under a line of headings: `who` are "all ranks".
std::string calls_text(const std::vector<mpi::CallProfile>& calls, const std::string& who);
Json calls_json(const std::vector<mpi::CallProfile>& calls);
Json sizes_json(const record::MessageProfile& messages);
Json pairs_json(const record::MessageProfile& messages);
/// One rank's calls as lines of CSV, under this heading.
inline constexpr const char* kCallsHeading = "rank,call,calls,sent_bytes,time_ps,waiting_ps\n";
std::string calls_csv(std::uint32_t rank, const std::vector<mpi::CallProfile>& calls);
/// Who sent how much to whom, with a heading.
std::string pairs_csv(const record::MessageProfile& messages);

}  // namespace heddle::report
