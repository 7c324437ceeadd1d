#include "host/rank/rank_ending.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <utility>

#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"
#include "platform/node_names.hpp"

namespace heddle::host {

void RankEnding::finish(int status) {
  if (!rank_.thread().calls().under_way()) rank_.thread().work().end_stretch();
  rank_.job().ends().ended(rank_, rank_.id(), status);
  note_end();
}

void RankEnding::exit(int status) {
  finish(status);
  over_ = true;
  rank_.thread().fiber().end();
}

void RankEnding::crash(const Crash& crash) {
  crashed_ = true;
  rank_.job().ends().crash(crash);
  stop();
}

void RankEnding::abort_job(const char* call, int status) {
  end_with(call, status, "");
}

void RankEnding::fail_job(std::string problem) {
  end_with("", EXIT_FAILURE, std::move(problem));
}

void RankEnding::end_with(const char* call, int status, std::string problem) {
  over_ = true;
  rank_.job().ends().abort({&rank_, call, status, std::move(problem)});
  stop();
}

void RankEnding::note_end() {
  rank_.threads().first().account().end(rank_.now());
}

void RankEnding::stop() {
  note_end();
  rank_.thread().fiber().end();
}

void RankEnding::complete() {
  check();
  over_ = true;
  rank_.threads().discard_others(rank_.job().shared().waiters());
  Job& job = rank_.job();
  if (rank_.has_threads()) job.waits().forget(rank_);
  job.shared().turn().leave();
  rank_.program().ended(rank_);
}

void RankEnding::check() const {
  const JobEnds& ends = rank_.job().ends();
  if (crashed_ && ends.crash().cause == Crash::Cause::stopped) {
    throw StopError(rank_.now(), ends.crash().signal);
  }
  if (crashed_) throw CrashError(who(), ends.crash());
  const JobEnds::Abort& abort = ends.abort();
  if (abort.rank != &rank_) return;
  if (!abort.problem.empty()) throw AbortError(abort.problem, abort.status);
  throw AbortError(who(), abort.call, abort.status);
}

std::string RankEnding::who() const {
  const std::string node = platform::node_name(rank_.job().platform().topology(), rank_.node());
  return fmt::format("{} (node {})", rank_.name(), node);
}

}  // namespace heddle::host
