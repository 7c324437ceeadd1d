// What the page draws.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "report/fabric_map.hpp"
#include "report/packed_numbers.hpp"
#include "report/recorded_run.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kSeries = 40;  ///< Links whose use over time is shown.

std::string packed_cells(const record::Overview& overview) {
  PackedNumbers numbers;
  for (const record::Cell& cell : overview.cells) {
    // Waiting in 15ths, in the upper half of the first byte.
    numbers.put_byte(static_cast<std::uint8_t>(cell.activity | (cell.waiting + 8) / 17 << 4));
    numbers.put_byte(cell.share);
  }
  return numbers.base64();
}

/// By thread, in the order of time: how many, then what, how long after the one before, how long.
std::string packed_intervals(const std::vector<record::RankThread>& threads,
                             std::vector<record::Interval> intervals) {
  std::stable_sort(
      intervals.begin(), intervals.end(), [](const record::Interval& a, const record::Interval& b) {
        return std::tie(a.rank, a.thread, a.begin) < std::tie(b.rank, b.thread, b.begin);
      });
  PackedNumbers numbers;
  auto next = intervals.begin();
  for (const record::RankThread& who : threads) {
    auto last = next;
    while (last != intervals.end() && last->rank == who.rank && last->thread == who.thread) {
      ++last;
    }
    numbers.put(static_cast<std::uint64_t>(last - next));
    std::int64_t before = 0;
    for (; next != last; ++next) {
      numbers.put(next->what);
      numbers.put_signed(next->begin.ps() - before);
      numbers.put(static_cast<std::uint64_t>((next->end - next->begin).ps()));
      before = next->end.ps();
    }
  }
  return numbers.base64();
}

/// Every thread of the ranks whose intervals are kept, ascending.
std::vector<record::RankThread> exact_threads(const record::Overview& overview) {
  std::vector<record::RankThread> threads;
  auto other = overview.threads.begin();
  for (const std::uint32_t rank : overview.exact_ranks) {
    threads.emplace_back(rank);
    while (other != overview.threads.end() && other->rank < rank) ++other;
    for (; other != overview.threads.end() && other->rank == rank; ++other) {
      threads.emplace_back(rank, other->thread);
    }
  }
  return threads;
}

Json timeline_json(const RecordedRun& run) {
  const record::Overview& o = run.overview;
  Json timeline;
  timeline["per_row"] = o.per_row;
  timeline["rows"] = o.rows;
  timeline["slices"] = o.slices;
  timeline["cells"] = packed_cells(o);
  Json& names = timeline["activities"] = Json::array();
  for (std::size_t i = 0; i < record::kActivities; ++i) {
    names.push_back(record::name_of(static_cast<record::Activity>(i)));
  }
  timeline["call_names"] = run.recorder->call_names();
  timeline["exact_ranks"] = o.exact_ranks.size();
  const std::vector<record::RankThread> threads = exact_threads(o);
  Json& places = timeline["lanes"] = Json::array();
  for (const record::RankThread& who : threads) places.push_back({who.rank, who.thread});
  timeline["intervals"] = packed_intervals(threads, o.activities);
  timeline["calls"] = packed_intervals(threads, o.calls);
  return timeline;
}

Json path_pieces_json(const record::CriticalPath& path) {
  PackedNumbers numbers;
  std::int64_t before = 0;
  for (const record::PathPiece& piece : path.pieces) {
    numbers.put(piece.rank);
    numbers.put(piece.to);
    numbers.put(piece.thread);
    numbers.put(static_cast<std::uint64_t>(piece.resource));
    numbers.put_signed(piece.begin.ps() - before);
    numbers.put(static_cast<std::uint64_t>((piece.end - piece.begin).ps()));
    numbers.put(static_cast<std::uint64_t>(piece.bytes));
    before = piece.end.ps();
  }
  Json json;
  json["count"] = path.pieces.size();
  json["pieces"] = numbers.base64();
  Json& names = json["resources"] = Json::array();
  for (std::size_t i = 0; i < record::kResources; ++i) {
    names.push_back(record::name_of(static_cast<record::Resource>(i)));
  }
  return json;
}

Json messages_json(const record::Overview& overview) {
  PackedNumbers numbers;
  std::int64_t before = 0;
  for (const record::Record& m : overview.sampled) {
    numbers.put(m.rank);
    numbers.put(m.peer);
    numbers.put(static_cast<std::uint64_t>(m.bytes));
    numbers.put_signed(m.begin.ps() - before);
    numbers.put_signed((m.middle - m.begin).ps());
    numbers.put(static_cast<std::uint64_t>((m.end - m.begin).ps()));
    numbers.put(static_cast<std::uint64_t>(m.way));
    before = m.begin.ps();
  }
  return {{"every", overview.every_message},
          {"count", overview.sampled.size()},
          {"packed", numbers.base64()}};
}

Json rounds_json(const RecordedRun& run) {
  Json list = Json::array();
  constexpr std::size_t kMost = 400;
  const auto& rounds = run.overview.rounds;
  const std::size_t every = std::max<std::size_t>(1, (rounds.size() + kMost - 1) / kMost);
  for (std::size_t i = 0; i < rounds.size(); i += every) {
    const record::CollectiveRound& r = rounds[i];
    const record::Group& group = run.recorder->groups().at(r.group);
    list.push_back({r.number, run.recorder->call_names()[r.name], r.ranks, r.bytes,
                    r.first_begin.ps(), r.last_begin.ps(), r.last_end.ps(),
                    r.last_rank - group.first, r.ranks == group.members ? 1 : 0, group.label,
                    group.key.program});
  }
  return {{"every", every}, {"all", rounds.size()}, {"rows", list}};
}

Json steps_json(const record::Overview& overview) {
  Json list = Json::array();
  for (const record::Record& s : overview.steps) {
    list.push_back({s.what, s.number, s.rank, s.peer, s.bytes, s.begin.ps(), s.end.ps()});
  }
  return list;
}

Json ranks_json(const RecordedRun& run) {
  PackedNumbers numbers;
  for (std::uint32_t r = 0; r < run.overview.ranks; ++r) {
    const record::RankTotals& t = run.overview.by_rank[r];
    for (const Time time : t.times) numbers.put(static_cast<std::uint64_t>(time.ps()));
    numbers.put(static_cast<std::uint64_t>(t.end.ps()));
    Time on_path;
    for (const Time part : run.path.by_rank[r]) on_path += part;
    numbers.put(static_cast<std::uint64_t>(on_path.ps()));
    numbers.put(t.sent);
    numbers.put(static_cast<std::uint64_t>(t.sent_bytes));
  }
  return numbers.base64();
}

}  // namespace

Json matrix_json(std::uint32_t group, std::uint32_t groups,
                 const std::vector<record::Volume>& matrix) {
  Json json;
  json["group"] = group;
  json["groups"] = groups;
  PackedNumbers numbers;
  std::size_t last = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (matrix[i].messages == 0) continue;
    numbers.put(i - last);
    numbers.put(matrix[i].messages);
    numbers.put(static_cast<std::uint64_t>(matrix[i].bytes));
    last = i;
    ++count;
  }
  json["count"] = count;
  json["packed"] = numbers.base64();
  return json;
}

namespace {

/// How much of a link was used in each slice of time.
std::vector<double> uses_over_time(const record::LinkSamples& samples, std::uint32_t link,
                                   double rate, Time end) {
  std::vector<double> uses;
  for (std::size_t s = 0; s < samples.slices(); ++s) {
    const std::int64_t begin = samples.slice().ps() * static_cast<std::int64_t>(s);
    const auto length =
        static_cast<double>(std::clamp<std::int64_t>(end.ps() - begin, 1, samples.slice().ps()));
    const double use = static_cast<double>(samples.bytes(s, link)) / (rate * length);
    uses.push_back(std::clamp(use, 0.0, 1.0));
  }
  return uses;
}

std::string packed_uses(const std::vector<double>& uses, double scale) {
  PackedNumbers numbers;
  for (const double use : uses) {
    const double part = scale > 0 ? use / scale : 0;
    numbers.put_byte(static_cast<std::uint8_t>(std::lround(255 * part)));
  }
  return numbers.base64();
}

}  // namespace

Json series_json(const record::LinkSamples& samples, const platform::Platform& platform,
                 const std::vector<record::LinkFact>& links, Time end) {
  std::vector<const record::LinkFact*> shown;
  std::vector<std::vector<double>> uses;
  double most = 0;
  for (const record::LinkFact& fact : links) {
    if (shown.size() == kSeries) break;
    const double rate = platform.links()[LinkId{fact.link}].bandwidth.bytes_per_ps();
    if (rate <= 0) continue;
    shown.push_back(&fact);
    uses.push_back(uses_over_time(samples, fact.link, rate, end));
    for (const double use : uses.back()) most = std::max(most, use);
  }
  Json json;
  json["slices"] = samples.slices();
  json["slice_ps"] = samples.slice().ps();
  json["scale"] = most;
  Json& list = json["links"] = Json::array();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    list.push_back({{"name", shown[i]->name},
                    {"utilisation", significant(shown[i]->utilisation)},
                    {"peak", significant(shown[i]->peak)},
                    {"use", packed_uses(uses[i], most)}});
  }
  return json;
}

LinkUses uses_of(const RecordedRun& run) {
  LinkUses uses;
  for (const record::LinkFact& fact : run.links.used) {
    if (fact.link >= uses.size()) uses.resize(fact.link + 1);
    uses[fact.link] = fact.utilisation;
  }
  return uses;
}

Json page_data(const RecordedRun& run) {
  Json data;
  data["summary"] = summary_of(run);
  data["timeline"] = timeline_json(run);
  data["ranks"] = ranks_json(run);
  data["path"] = path_pieces_json(run.path);
  data["messages"] = messages_json(run.overview);
  data["matrix"] = matrix_json(run.overview.group, run.overview.groups, run.overview.matrix);
  data["rounds"] = rounds_json(run);
  data["steps"] = steps_json(run.overview);
  if (run.platform == nullptr) return data;
  data["series"] =
      series_json(run.recorder->links(), *run.platform, run.links.used, run.overview.end);
  data["fabric"] = fabric_json(*run.platform, uses_of(run));
  return data;
}

}  // namespace heddle::report
