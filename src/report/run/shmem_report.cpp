#include "report/run/shmem_report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/units.hpp"
#include "report/run/call_report.hpp"

namespace heddle::report {
namespace {

/// Calls `f(pe)` for each that has called OpenSHMEM.
template <class F>
void for_each_pe(shmem::World& world, F f) {
  for (std::uint32_t number = 0; number < world.size(); ++number) {
    if (const shmem::Pe* pe = world.find_pe(number)) f(*pe);
  }
}

std::vector<mpi::CallProfile> shmem_sums(shmem::World& world) {
  std::vector<const std::vector<mpi::CallProfile>*> lists;
  for_each_pe(world, [&](const shmem::Pe& pe) { lists.push_back(&pe.calls); });
  return sum_by_name(lists);
}

shmem::Counters shmem_counters(shmem::World& world) {
  shmem::Counters sum;
  for_each_pe(world, [&](const shmem::Pe& pe) {
    sum.puts += pe.counters.puts;
    sum.gets += pe.counters.gets;
    sum.atomics += pe.counters.atomics;
    sum.messages += pe.counters.messages;
    sum.bytes += pe.counters.bytes;
    sum.waiting += pe.counters.waiting;
  });
  return sum;
}

/// Of all teams and active sets together.
shmem::Imbalance imbalance(const shmem::World& world) {
  shmem::Imbalance sum;
  for (const shmem::Team& team : world.teams().all()) {
    sum.meetings += team.imbalance.meetings;
    sum.total += team.imbalance.total;
    sum.worst = std::max(sum.worst, team.imbalance.worst);
  }
  return sum;
}

Time mean(const shmem::Imbalance& imbalance) {
  if (imbalance.meetings == 0) return Time::zero();
  return Time::ps(imbalance.total.ps() / static_cast<std::int64_t>(imbalance.meetings));
}

void put_shmem_counters(Json& object, const shmem::Counters& counters) {
  object["puts"] = counters.puts;
  object["gets"] = counters.gets;
  object["atomics"] = counters.atomics;
  object["collective_messages"] = counters.messages;
  put(object, "moved", Bytes(counters.bytes));
  put(object, "waiting", counters.waiting);
}

}  // namespace

std::string shmem_text(shmem::World& world) {
  if (!world.used()) return "";
  const shmem::Counters sum = shmem_counters(world);
  const shmem::Imbalance uneven = imbalance(world);
  std::string text =
      fmt::format("OpenSHMEM       {} puts, {} gets, {} atomics, {} messages of collectives, {}\n",
                  sum.puts, sum.gets, sum.atomics, sum.messages, format_bytes(Bytes(sum.bytes)));
  if (uneven.meetings > 0) {
    text += fmt::format("collectives     {}; first to last PE {} on average, {} at most\n",
                        uneven.meetings, format_time(mean(uneven)), format_time(uneven.worst));
  }
  return text + calls_text(shmem_sums(world), "all PEs");
}

Json shmem_json(shmem::World& world) {
  if (!world.used()) return nullptr;
  Json document;
  put_shmem_counters(document, shmem_counters(world));
  const shmem::Imbalance uneven = imbalance(world);
  Json& meetings = document["collectives"];
  meetings["calls"] = uneven.meetings;
  put(meetings, "first_to_last", uneven.total);
  put(meetings, "worst_first_to_last", uneven.worst);
  document["calls"] = calls_json(shmem_sums(world));
  document["sizes"] = sizes_json(world.messages());
  document["pairs"] = pairs_json(world.messages());
  Json& pes = document["pes"] = Json::array();
  for_each_pe(world, [&](const shmem::Pe& pe) {
    Json& entry = pes.emplace_back();
    entry["pe"] = pe.number();
    put_shmem_counters(entry, pe.counters);
    entry["calls"] = calls_json(pe.calls);
  });
  return document;
}

std::string shmem_calls_csv(shmem::World& world) {
  std::string text = kCallsHeading;
  for_each_pe(world, [&](const shmem::Pe& pe) { text += calls_csv(pe.number(), pe.calls); });
  return text;
}

}  // namespace heddle::report
