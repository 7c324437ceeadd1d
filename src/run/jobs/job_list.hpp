// Jobs that want a part of a machine each: the job list.
//
// One job per line, of words NAME=VALUE in any order:
//
//     # a comment, to the end of the line
//     name=solver arrival=0us ranks=32 pattern=ring-allreduce pattern.size=64KiB
//     arrival=1ms schedule=app.goal placement=by-switch ranks_per_node=4
//
// A job does what its pattern or the file of its schedule says. `ranks` are those of a pattern; a
// schedule has its own. Lines may come in any order.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/time.hpp"
#include "run/jobs/free_nodes.hpp"

namespace heddle::run {

/// A job as its line has it.
struct JobLine {
  std::string name;  ///< "job LINE" if it has none.
  Time arrival;
  std::uint32_t ranks = 0;  ///< 0: those of its schedule.
  std::uint32_t ranks_per_node = 1;
  std::string pattern;   ///< This ...
  std::string schedule;  ///< ... or this is "".
  JobPlacement placement = JobPlacement::contiguous;
  /// "pattern.size" and others of that section, with where each stands.
  std::vector<std::pair<std::string, SourceLocation>> settings = {};
  SourceLocation where = {};
};

/// The jobs in `text`, in the order of its lines. Throws InputError at the first mistake;
/// `file_name` is for errors.
std::vector<JobLine> read_job_list_text(std::string_view text, const std::string& file_name);
/// Those in the file `path`, of which there is one at least; paths in it start from there.
std::vector<JobLine> read_job_list(const std::string& path);

}  // namespace heddle::run
