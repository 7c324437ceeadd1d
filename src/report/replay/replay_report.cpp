#include "report/replay/replay_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "core/units.hpp"
#include "platform/noise.hpp"
#include "report/losses.hpp"
#include "report/packet_counts.hpp"
#include "report/repeat.hpp"
#include "report/table.hpp"
#include "report/traffic/flow_report.hpp"
#include "report/traffic/link_report.hpp"

namespace heddle::report {
namespace {

using replay::ReplayResult;

constexpr std::uint32_t kShown = 32;   ///< Most ranks that are shown one by one.
constexpr std::uint32_t kSlowest = 5;  ///< Ranks shown of more.

/// One share of a rank's time.
struct Share {
  const char* name;
  Time (*of)(const ReplayResult&, std::uint32_t rank);
};

constexpr Share kShares[] = {
    {"compute", [](const ReplayResult& r, std::uint32_t i) { return r.times[i].compute; }},
    {"overhead", [](const ReplayResult& r, std::uint32_t i) { return r.times[i].overhead; }},
    {"gap", [](const ReplayResult& r, std::uint32_t i) { return r.times[i].gap; }},
    {"noise", [](const ReplayResult& r, std::uint32_t i) { return r.times[i].noise; }},
    {"waiting",
     [](const ReplayResult& r, std::uint32_t i) { return r.waiting(replay::RankId{i}); }},
};

/// Microseconds; to the picosecond where nanoseconds do not say it all.
class Microseconds {
 public:
  explicit Microseconds(const ReplayResult& result) {
    for (const Time t : result.finish) {
      if (t.ps() % 1000 != 0) digits_ = 6;
    }
  }
  std::string operator()(double ps) const { return fmt::format("{:.{}f}", ps / 1e6, digits_); }
  std::string operator()(Time t) const { return (*this)(static_cast<double>(t.ps())); }

 private:
  int digits_ = 3;
};

Table shares_table(const char* first) {
  std::vector<Column> columns = {{first, Align::right}, {"finish_us", Align::right}};
  for (const Share& share : kShares) {
    columns.push_back({share.name + std::string("_us"), Align::right});
  }
  return Table(columns);
}

std::vector<std::string> rank_row(const ReplayResult& result, std::uint32_t rank,
                                  const Microseconds& us) {
  std::vector<std::string> row = {std::to_string(rank), us(result.finish[rank])};
  for (const Share& share : kShares) row.push_back(us(share.of(result, rank)));
  return row;
}

std::string ranks_text(const ReplayResult& result, const std::vector<std::uint32_t>& ranks) {
  const Microseconds us(result);
  Table table = shares_table("rank");
  for (const std::uint32_t rank : ranks) table.add(rank_row(result, rank, us));
  return table.text();
}

std::vector<std::uint32_t> all_ranks(const ReplayResult& result) {
  std::vector<std::uint32_t> ranks(result.finish.size());
  std::iota(ranks.begin(), ranks.end(), 0U);
  return ranks;
}

std::vector<std::uint32_t> slowest(const ReplayResult& result) {
  std::vector<std::uint32_t> ranks = all_ranks(result);
  std::partial_sort(ranks.begin(), ranks.begin() + kSlowest, ranks.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      const Time x = result.finish[a];
                      const Time y = result.finish[b];
                      return x != y ? x > y : a < b;
                    });
  ranks.resize(kSlowest);
  return ranks;
}

/// Least, mean and most of a quantity over all ranks, as three cells.
struct Spread {
  double min, mean, max;
};
template <class Value>
Spread spread(const ReplayResult& result, Value value) {
  const std::uint32_t ranks = static_cast<std::uint32_t>(result.finish.size());
  Spread s{value(0), 0, value(0)};
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const double v = value(r);
    s = {std::min(s.min, v), s.mean + v / ranks, std::max(s.max, v)};
  }
  return s;
}

std::string summary_text(const ReplayResult& result) {
  const Microseconds us(result);
  std::vector<Spread> columns = {
      spread(result, [&](std::uint32_t r) { return static_cast<double>(result.finish[r].ps()); })};
  for (const Share& share : kShares) {
    columns.push_back(spread(
        result, [&](std::uint32_t r) { return static_cast<double>(share.of(result, r).ps()); }));
  }
  Table table = shares_table("");
  const std::pair<const char*, double Spread::*> rows[] = {
      {"min", &Spread::min}, {"mean", &Spread::mean}, {"max", &Spread::max}};
  for (const auto& [name, member] : rows) {
    std::vector<std::string> row = {name};
    for (const Spread& column : columns) row.push_back(us(column.*member));
    table.add(row);
  }
  return table.text() + "\nSlowest ranks\n" + ranks_text(result, slowest(result));
}

std::string rate_text(TimePerByte rate) {
  return fmt::format("{:g} ns/B", static_cast<double>(rate.attoseconds()) / 1e9);
}

std::string network_text(const ReplayReport& report) {
  const replay::LogGopsParameters& p = report.parameters;
  const std::string latency =
      report.over_loggops() ? fmt::format("L {}, ", format_time(p.latency)) : "";
  const std::string ends = fmt::format(
      "{}o {}, g {}, G {}, O {}, S {} B", latency, format_time(p.overhead), format_time(p.gap),
      rate_text(p.gap_per_byte), rate_text(p.overhead_per_byte), p.replay.rendezvous.count());
  if (report.machine->platform == nullptr) return "over LogGOPS: " + ends;
  return fmt::format("over {}, network {}: {}", report.machine->title(), report.network, ends);
}

std::string links_text(const ReplayReport& report) {
  const platform::Platform* const platform = report.machine->platform.get();
  if (platform == nullptr) return "";
  const std::string packets = packets_words(report.packets);
  return losses_text(*platform, report.losses) +
         (packets.empty() ? "" : fmt::format("\npackets: {}\n", packets)) +
         (report.busiest.empty() ? "" : busiest_text(*platform, report.busiest));
}

std::string cost_text(const ReplayReport& report) {
  const std::uint64_t events = report.result.events + report.network_events;
  const double s = report.wall_seconds;
  return fmt::format("\n{} events in {:.3g} s: {:.3g} M events/s\n", events, s,
                     s > 0 ? static_cast<double>(events) / s / 1e6 : 0);
}

Json by_rank(const ReplayResult& result, Time (*value)(const ReplayResult&, std::uint32_t)) {
  Json list = Json::array();
  for (std::uint32_t r = 0; r < result.finish.size(); ++r) list.push_back(value(result, r).ps());
  return list;
}

Time finish_of(const ReplayResult& result, std::uint32_t rank) {
  return result.finish[rank];
}
Time adapters_of(const ReplayResult& result, std::uint32_t rank) {
  return result.adapters_free[rank];
}

Json parameters_json(const replay::LogGopsParameters& p) {
  Json json;
  put(json, "L", p.latency);
  put(json, "o", p.overhead);
  put(json, "g", p.gap);
  json["G_as_per_byte"] = p.gap_per_byte.attoseconds();
  json["O_as_per_byte"] = p.overhead_per_byte.attoseconds();
  put(json, "S", p.replay.rendezvous);
  return json;
}

}  // namespace

namespace {

std::string background_text(const ReplayReport& report) {
  if (!report.background) return "";
  return flows_text(report.background->groups,
                    fmt::format(" in the background, load {}", report.background->load));
}

}  // namespace

std::string text_of(const ReplayReport& report) {
  const ReplayResult& result = report.result;
  const std::string heading =
      fmt::format("{}: {} ranks, {} operations\n{}\n\n", report.schedule->source(),
                  report.schedule->ranks(), report.operations, network_text(report));
  const std::string table =
      result.finish.size() <= kShown ? ranks_text(result, all_ranks(result)) : summary_text(result);
  return heading + table +
         fmt::format("\nThe last is rank {}, at {} us.\n", raw(result.last_rank()),
                     Microseconds(result)(result.makespan())) +
         (report.step ? text_of(*report.step) : "") + background_text(report) + links_text(report) +
         cost_text(report);
}

std::string csv_of(const ReplayReport& report) {
  const ReplayResult& result = report.result;
  std::vector<Column> columns = {{"rank"}, {"finish_ps"}};
  for (const Share& share : kShares) columns.push_back({share.name + std::string("_ps")});
  columns.push_back({"adapters_free_ps"});
  Table table(columns);
  for (std::uint32_t r = 0; r < result.finish.size(); ++r) {
    std::vector<std::string> row = {std::to_string(r), std::to_string(result.finish[r].ps())};
    for (const Share& share : kShares) row.push_back(std::to_string(share.of(result, r).ps()));
    row.push_back(std::to_string(result.adapters_free[r].ps()));
    table.add(row);
  }
  return table.csv();
}

Json json_of(const ReplayReport& report) {
  const ReplayResult& result = report.result;
  Json document = new_document("heddle.replay/1");
  document["schedule"] = report.schedule->source();
  document["ranks"] = report.schedule->ranks();
  document["operations"] = report.operations;
  document["network"] = report.network;
  document["platform"] = nullptr;
  if (report.machine->platform) document["platform"] = report.machine->platform->name();
  document["schedule_hash"] = nullptr;
  if (report.processes == 1) document["schedule_hash"] = hash_of(*report.schedule);
  document["seed"] = report.machine->settings.get(platform::noise_table()).seed;
  document["configuration"] = nullptr;
  if (report.machine->platform) document["configuration"] = report.machine->config();
  document["again"] = report.again;
  document["parameters"] = parameters_json(report.parameters);
  put(document, "makespan", result.makespan());
  document["last_rank"] = raw(result.last_rank());
  document["finish_time_ps"] = by_rank(result, finish_of);
  for (const Share& share : kShares) {
    document[share.name + std::string("_ps")] = by_rank(result, share.of);
  }
  document["adapters_free_ps"] = by_rank(result, adapters_of);
  document["busiest_links"] = Json::array();
  if (!report.busiest.empty()) {
    document["busiest_links"] = busiest_json(*report.machine->platform, report.busiest);
  }
  if (report.background) {
    document["background"] = {{"load", report.background->load},
                              {"flows_meanwhile", report.background->flows},
                              {"flows", flows_json(report.background->groups)}};
  }
  document["step"] = report.step ? json_of(*report.step) : Json();
  if (report.machine->platform != nullptr && report.machine->platform->outages().any()) {
    document["losses"] = losses_json(report.losses);
  }
  if (report.packets.arrived > 0) document["packets"] = packets_json(report.packets);
  document["events"] = result.events;
  document["network_events"] = report.network_events;
  document["fingerprint"] = hex(report.fingerprint());
  document["wall_seconds"] = report.wall_seconds;
  return document;
}

std::string fingerprint_of(const ReplayReport& report) {
  return "fingerprint " + hex(report.fingerprint()) + "\n";
}

}  // namespace heddle::report
