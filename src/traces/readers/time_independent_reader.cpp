#include "traces/readers/time_independent_reader.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "goal/formats/mapped_file.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {

TimeIndependentReader::TimeIndependentReader(std::uint32_t ranks, Speed speed)
    : speed_(speed), ranks_(ranks) {
  for (std::uint32_t r = 0; r < ranks; ++r) {
    ranks_[r].trace.comms = {{0, static_cast<std::int32_t>(r), static_cast<std::int32_t>(ranks)}};
  }
}

void TimeIndependentReader::read(std::string_view text, const std::string& file) {
  for_each_line(
      text, [&](std::string_view line, std::uint32_t number) { read_line(line, number, file); });
}

void TimeIndependentReader::read_line(std::string_view line, std::uint32_t number,
                                      const std::string& file) {
  ActionFields fields(line, number, file, ranks_.size());
  if (line.starts_with('#')) return read_remark(line, fields, number);
  if (line.find_first_not_of(" \t") == std::string_view::npos) return;
  read_action(fields, number);
}

/// A comment, unless it is one of those that say what the format has no words for.
void TimeIndependentReader::read_remark(std::string_view line, ActionFields& fields,
                                        std::uint32_t number) {
  if (line.starts_with("#among ")) return read_among(fields, number);
  // "#synchronous RANK": the send that follows ends only when it is received.
  if (line.starts_with("#synchronous ")) {
    return read_mark(fields, number, &RankActions::synchronous);
  }
  // "#buffered RANK": the isend that follows, for which nobody waits, is MPI_Bsend.
  if (line.starts_with("#buffered ")) return read_mark(fields, number, &RankActions::buffered);
  if (line.starts_with("#end ")) read_end(fields, number);
}

/// Takes the rank, which whatever is said begins with.
Action TimeIndependentReader::begin(ActionFields& fields, std::uint32_t line) {
  const std::int32_t number = fields.rank("a rank");
  RankActions& rank = ranks_[static_cast<std::size_t>(number)];
  if (rank.trace.file.empty()) rank.trace.file = fields.where().file;
  Action action{fields, rank, number, speed_};
  action.call.line = line;
  return action;
}

Action TimeIndependentReader::read_action(ActionFields& fields, std::uint32_t line) {
  Action action = begin(fields, line);
  Call& call = action.call;
  call.synchronous = std::exchange(action.rank.synchronous, false);
  call.buffered = call.detached = std::exchange(action.rank.buffered, false);
  carry_out(fields.take("an action such as send"), action);
  if (!action.rest_ignored) fields.expect_done();
  if (call.synchronous && call.kind != CallKind::send) {
    throw InputError(fields.where(), "behind #synchronous a send or isend is accepted");
  }
  if (call.buffered && (call.kind != CallKind::send || !call.nonblocking)) {
    throw InputError(fields.where(), "behind #buffered an isend is accepted");
  }
  return action;
}

/// "#among MEMBERS RANK ACTION ...": what the messages up to the next mark are together.
void TimeIndependentReader::read_among(ActionFields& fields, std::uint32_t line) {
  fields.take("#among");
  const std::string members(fields.take("ranks"));
  const auto list = RankList::read(members, static_cast<std::uint32_t>(ranks_.size()));
  if (!list) fields.reject("ranks such as 0:6:2,9");
  const Action action = read_action(fields, line);
  if (!is_collective(action.call.kind) || action.call.per_member) {
    fields.reject("a collective with parts of equal size");
  }
  RankActions& rank = action.rank;
  RankTrace& trace = rank.trace;
  if (rank.among) throw InputError(fields.where(), "the one before has no #end");
  trace.calls.pop_back();
  const auto [group, fresh] =
      rank.groups.try_emplace(members, static_cast<std::uint32_t>(trace.groups.size()));
  if (fresh) trace.groups.push_back(*list);
  trace.among.push_back({action.call, group->second, trace.calls.size(), trace.calls.size()});
  rank.among = true;
}

/// "#end RANK"
void TimeIndependentReader::read_end(ActionFields& fields, std::uint32_t line) {
  fields.take("#end");
  RankActions& rank = begin(fields, line).rank;
  fields.expect_done();
  if (!rank.among) throw InputError(fields.where(), "there is no #among before it");
  rank.trace.among.back().end = rank.trace.calls.size();
  rank.among = false;
}

void TimeIndependentReader::read_mark(ActionFields& fields, std::uint32_t line,
                                      bool RankActions::*mark) {
  fields.take("a mark");
  begin(fields, line).rank.*mark = true;
  fields.expect_done();
}

std::vector<RankTrace> TimeIndependentReader::finish(const std::string& source) {
  std::vector<RankTrace> traces;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    RankTrace& trace = ranks_[r].trace;
    if (ranks_[r].among) {
      throw InputError({trace.file},
                       "the last #among of rank " + std::to_string(r) + " has no #end");
    }
    if (trace.file.empty()) {
      throw InputError({source}, "there is no action of rank " + std::to_string(r) + " of " +
                                     std::to_string(ranks_.size()));
    }
    traces.push_back(std::move(trace));
  }
  return traces;
}

std::uint32_t count_ranks(std::string_view text, const std::string& file, std::uint32_t most) {
  std::int64_t highest = -1;
  for_each_line(text, [&](std::string_view line, std::uint32_t number) {
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) return;
    Fields fields(line, number, file, ' ');
    highest = std::max(highest, fields.integer("a rank", 0));
    if (highest >= most) fields.reject("a rank below " + std::to_string(most));
  });
  return static_cast<std::uint32_t>(highest + 1);
}

namespace {

/// "0 send 1 0 1e6"
bool begins_like_time_independent(std::string_view beginning) {
  const std::string_view line = first_line(beginning);
  const std::size_t digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && line[digits] == ' ' &&
         digits + 1 < line.size() &&
         ((line[digits + 1] | 0x20) >= 'a' && (line[digits + 1] | 0x20) <= 'z');
}

std::uint32_t ranks_of_file(const std::string& file, const TraceReadOptions& options) {
  return count_ranks(goal::MappedFile(file, "trace").bytes(), file, options.most_ranks);
}

/// One file may hold all ranks; rank 0's own names no other.
bool holds_several(const std::string& file, const TraceReadOptions& options) {
  return ranks_of_file(file, options) > 1;
}

Trace read_time_independent(const std::vector<std::string>& files,
                            const TraceReadOptions& options) {
  auto ranks = static_cast<std::uint32_t>(files.size());
  if (ranks == 1) ranks = ranks_of_file(files[0], options);
  TimeIndependentReader reader(ranks, options.speed);
  for (const std::string& file : files) reader.read(goal::MappedFile(file, "trace").bytes(), file);
  Trace trace;
  trace.ranks = reader.finish(files[0]);
  return trace;
}

}  // namespace

const TraceReader& time_independent_reader() {
  static const TraceReader reader = {
      "SimGrid time-independent", "a time-independent trace (lines such as '0 send 1 0 1e6')",
      begins_like_time_independent, read_time_independent, holds_several};
  return reader;
}

}  // namespace heddle::traces
