#include "report/run/mpi_report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/units.hpp"
#include "mpi/process.hpp"
#include "report/run/call_report.hpp"

namespace heddle::report {
namespace {

using mpi::CallProfile;

/// Calls `f(process, profile)` for each rank that has called MPI.
template <class F>
void for_each_profile(mpi::World& world, F f) {
  for (std::uint32_t id = 0; id < world.size(); ++id) {
    mpi::Process* process = world.find_process(id);
    if (process == nullptr) continue;
    if (const auto* profile = process->find_part<mpi::Profile>()) f(*process, *profile);
  }
}

/// The calls of all ranks together, those that took most time first.
std::vector<CallProfile> sums(mpi::World& world) {
  std::vector<const std::vector<CallProfile>*> lists;
  for_each_profile(world, [&](mpi::Process&, const mpi::Profile& profile) {
    lists.push_back(&profile.calls());
  });
  return sum_by_name(lists);
}

mpi::Counters counters(mpi::World& world) {
  mpi::Counters sum;
  for_each_profile(world, [&](mpi::Process& process, const mpi::Profile&) {
    sum.messages += process.counters.messages;
    sum.bytes += process.counters.bytes;
    sum.late_senders += process.counters.late_senders;
    sum.late_receivers += process.counters.late_receivers;
  });
  return sum;
}

void put_counters(Json& object, const mpi::Counters& counters) {
  object["messages"] = counters.messages;
  put(object, "sent", Bytes(counters.bytes));
  put(object, "late_senders", counters.late_senders);
  put(object, "late_receivers", counters.late_receivers);
}

}  // namespace

std::string mpi_text(mpi::World& world) {
  const std::vector<CallProfile> calls = sums(world);
  if (calls.empty()) return "";
  const mpi::Counters sum = counters(world);
  std::string text =
      fmt::format("MPI             {} messages, {}; late senders {}, late receivers {}\n",
                  sum.messages, format_bytes(Bytes(sum.bytes)), format_time(sum.late_senders),
                  format_time(sum.late_receivers));
  return text + calls_text(calls, "all ranks");
}

Json mpi_json(mpi::World& world) {
  const std::vector<CallProfile> calls = sums(world);
  if (calls.empty()) return nullptr;
  Json document;
  put_counters(document, counters(world));
  document["calls"] = calls_json(calls);
  document["sizes"] = sizes_json(world.messages());
  document["pairs"] = pairs_json(world.messages());
  Json& ranks = document["ranks"] = Json::array();
  for_each_profile(world, [&](mpi::Process& process, const mpi::Profile& profile) {
    Json& rank = ranks.emplace_back();
    rank["rank"] = process.id();
    put_counters(rank, process.counters);
    put(rank, "waiting", process.counters.waiting);
    rank["calls"] = calls_json(profile.calls());
  });
  return document;
}

std::string mpi_calls_csv(mpi::World& world) {
  std::string text = kCallsHeading;
  for_each_profile(world, [&](mpi::Process& process, const mpi::Profile& profile) {
    text += calls_csv(process.id(), profile.calls());
  });
  return text;
}

std::string check_text(const std::vector<std::string>& findings) {
  constexpr std::size_t kShown = 20;
  if (findings.empty()) return "check           nothing found\n";
  std::string text = fmt::format("check           {} found\n", findings.size());
  for (std::size_t i = 0; i < std::min(kShown, findings.size()); ++i) {
    text += "  " + findings[i] + "\n";
  }
  if (findings.size() > kShown) text += fmt::format("  and {} more\n", findings.size() - kShown);
  return text;
}

}  // namespace heddle::report
