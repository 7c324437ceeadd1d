#include "record/findings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/units.hpp"
#include "record/gains.hpp"
#include "record/shares.hpp"

namespace heddle::record {
namespace {

std::string percent(double share) {
  const double p = 100 * share;
  return std::abs(p) >= 9.95 || p == 0 ? fmt::format("{:.0f} %", p) : fmt::format("{:.1f} %", p);
}

/// How resources are called where they are the subject of a sentence.
const char* words_for(Resource resource) {
  switch (resource) {
    case Resource::compute:
      return "computation";
    case Resource::overhead:
      return "software overhead of messages and calls";
    case Resource::nic:
      return "work of the network adapters";
    case Resource::pcie:
      return "the way between memory and adapter (PCIe)";
    case Resource::latency:
      return "latency of wires and switches";
    case Resource::bandwidth:
      return "bytes passing the narrowest link of their way";
    case Resource::contention:
      return "contention: messages held up by others";
    case Resource::wait:
      return "waiting for nothing that was recorded (polling, noise)";
    case Resource::storage:
      return "the file system";
    case Resource::sleep:
      return "sleep, as the program wanted it";
  }
  return "";
}

/// How many links are about as busy as the busiest.
struct BusySet {
  std::size_t links = 0;
  double least = 0;  ///< The least busy of them.
};

/// Everything that sentences are made from.
class Judge {
 public:
  Judge(const CriticalPath& path, const Overview& overview, const LinkFacts& links,
        const Efficiency& efficiency)
      : path_(path),
        overview_(overview),
        links_(links),
        efficiency_(efficiency),
        gains_(path, overview, links) {}

  Findings judge() {
    findings_.what_if = gains_.list();
    find_floor();
    main_sentence();
    if (findings_.cause != "imbalance") second_sentence();
    waiting_sentence();
    efficiency_sentence();
    gain_sentence();
    return std::move(findings_);
  }

 private:
  std::string spoken(Resource r) const {
    if (r == Resource::nic && gains_.has_gaps()) {
      return "gaps between messages and their bytes (g and G)";
    }
    if (r == Resource::bandwidth && gains_.links_and_buses()) {
      return "bytes passing links and PCIe buses, which are equally narrow";
    }
    return words_for(r);
  }
  Time share(Resource r) const { return gains_.share(r); }
  double part(Resource r) const { return ratio(share(r), path_.length); }
  static Time computing(const RankTotals& rank) {
    return rank.times[static_cast<std::size_t>(Activity::compute)];
  }
  Time on_path(std::uint32_t rank, Resource r) const { return gains_.on_path(rank, r); }

  void find_floor() {
    if (links_.used.empty()) return;
    const LinkFact& busiest = *std::max_element(
        links_.used.begin(), links_.used.end(),
        [](const LinkFact& a, const LinkFact& b) { return a.utilisation < b.utilisation; });
    findings_.floor = Time::ps(
        static_cast<std::int64_t>(static_cast<double>(path_.length.ps()) * busiest.utilisation));
    findings_.floor_at = busiest.name;
  }

  Resource largest() const {
    Resource most = Resource::compute;
    for (std::size_t i = 0; i < kResources; ++i) {
      if (path_.shares[i] > share(most)) most = static_cast<Resource>(i);
    }
    return most;
  }

  /// Whether one link alone makes most of what links cost the path.
  bool one_link() const {
    const GuiltyLink& link = gains_.link();
    const Time all = share(Resource::bandwidth) + share(Resource::contention);
    return link.owed > Time::zero() && ratio(link.owed, all) > 0.5 &&
           ratio(link.gain, link.owed) > 0.2;
  }

  /// Links of the fabric that are busy, and about as busy as the busiest of them.
  BusySet busy_set() const {
    BusySet set;
    double most = 0;
    for (const LinkFact& link : links_.used) {
      if (!link.bus) most = std::max(most, link.utilisation);
    }
    constexpr double kAlike = 0.92;
    constexpr double kBusy = 0.5;
    if (most < kBusy) return set;
    set.least = most;
    for (const LinkFact& link : links_.used) {
      if (link.bus || link.utilisation < kAlike * most) continue;
      ++set.links;
      set.least = std::min(set.least, link.utilisation);
    }
    return set;
  }

  void main_sentence() {
    const Resource most = largest();
    findings_.cause = name_of(most);
    if (most == Resource::compute && ratio(gains_.late_rank().gain, path_.length) > 0.1) {
      return say_late();
    }
    const Time by_links = share(Resource::bandwidth) + share(Resource::contention);
    if (by_links >= share(most) && one_link()) return say_link();
    if (by_links >= share(most) && busy_set().links > 1) return say_links(by_links);
    findings_.sentences.push_back(fmt::format("{} of the critical path is {}{}.",
                                              percent(part(most)), spoken(most), where(most)));
  }

  void say_links(Time by_links) {
    findings_.cause = "links";
    const BusySet set = busy_set();
    const std::string all =
        links_.of_fabric > 0 ? fmt::format(" of {}", links_.of_fabric) : std::string();
    findings_.sentences.push_back(fmt::format(
        "{} of the critical path is bytes passing links and messages held up at them: {}{} links "
        "are {} busy or more, so no single one of them is the cause.",
        percent(ratio(by_links, path_.length)), set.links, all,
        percent(std::floor(100 * set.least) / 100)));
  }

  void say_late() {
    findings_.cause = "imbalance";
    const LateRank& late = gains_.late_rank();
    findings_.sentences.push_back(fmt::format(
        "{} of the critical path is computation on rank {}, which computes for {} where ranks "
        "usually compute for {}: the others wait for it.",
        percent(ratio(on_path(late.rank, Resource::compute), path_.length)), late.rank,
        format_time(computing(overview_.by_rank[late.rank])), format_time(late.usual)));
  }

  void say_link() {
    findings_.cause = "link";
    const GuiltyLink& link = gains_.link();
    std::string text = fmt::format(
        "{} of the critical path is spent at link {}", percent(ratio(link.owed, path_.length)),
        link.fact == nullptr ? std::to_string(link.link) : link.fact->name);
    if (link.fact != nullptr) {
      text += fmt::format(", which is {} busy ({} at its busiest)", percent(link.fact->utilisation),
                          percent(link.fact->peak));
    }
    text += fmt::format(": doubling it would gain {}.", percent(ratio(link.gain, path_.length)));
    findings_.sentences.push_back(std::move(text));
  }

  /// " on ranks 3 to 7", if it is not everywhere.
  std::string where(Resource resource) const {
    std::vector<std::uint32_t> order(overview_.ranks);
    for (std::uint32_t r = 0; r < overview_.ranks; ++r) order[r] = r;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return on_path(a, resource) > on_path(b, resource);
    });
    Time sum;
    std::vector<std::uint32_t> ranks;
    for (const std::uint32_t r : order) {
      if (ratio(sum, share(resource)) >= 0.8) break;
      sum += on_path(r, resource);
      ranks.push_back(r);
    }
    if (ranks.size() * 2 > overview_.ranks || ranks.empty()) return "";
    std::sort(ranks.begin(), ranks.end());
    return " on " + ranks_text(ranks);
  }

  /// What comes next on the path.
  void second_sentence() {
    std::vector<Resource> order;
    for (std::size_t i = 0; i < kResources; ++i) order.push_back(static_cast<Resource>(i));
    std::stable_sort(order.begin(), order.end(),
                     [&](Resource a, Resource b) { return share(a) > share(b); });
    std::vector<std::string> parts;
    const bool by_link = findings_.cause == "link" || findings_.cause == "links";
    for (std::size_t i = by_link ? 0 : 1; i < 4 && parts.size() < 3; ++i) {
      if (part(order[i]) < 0.02) break;
      parts.push_back(fmt::format("{} {}", percent(part(order[i])), spoken(order[i])));
    }
    if (parts.empty()) return;
    findings_.sentences.push_back(
        fmt::format("{}: {}.", by_link ? "By resource" : "Next", joined(parts, "; ")));
  }

  /// Ranks that are not on the path wait: how much, and who most.
  void waiting_sentence() {
    Time waited;
    Time lived;
    std::uint32_t most = 0;
    const auto wait_of = [&](std::uint32_t r) {
      return overview_.by_rank[r].times[static_cast<std::size_t>(Activity::wait)];
    };
    for (std::uint32_t r = 0; r < overview_.ranks; ++r) {
      waited += wait_of(r);
      lived += path_.length;
      if (wait_of(r) > wait_of(most)) most = r;
    }
    if (overview_.ranks < 2 || ratio(waited, lived) < 0.01) return;
    std::string text = fmt::format("Ranks wait {} of their time, rank {} most ({}).",
                                   percent(ratio(waited, lived)), most,
                                   percent(ratio(wait_of(most), path_.length)));
    if (path_.late_receivers * 4 > path_.messages && path_.messages > 0) {
      text += fmt::format(" {} of the {} messages on the path had to wait for their receivers.",
                          path_.late_receivers, path_.messages);
    }
    findings_.sentences.push_back(std::move(text));
  }

  void efficiency_sentence() {
    if (!efficiency_.known || overview_.ranks < 2) return;
    findings_.sentences.push_back(
        fmt::format("Parallel efficiency {}: load balance {}, serialisation {}, transfer {}.",
                    percent(efficiency_.parallel), percent(efficiency_.load_balance),
                    percent(efficiency_.serialisation), percent(efficiency_.transfer)));
  }

  std::string gain_text(const WhatIf& w) const {
    const auto of_run = [&](Time time) { return percent(ratio(time, path_.length)); };
    if (!w.sure) return fmt::format("{} would take {} off the path", w.what, of_run(w.gain));
    const bool more = w.at_most > w.gain + path_.length / 10;
    return fmt::format("{} would gain {} ({}{})", w.what, format_time(w.gain), of_run(w.gain),
                       more ? ", at most " + of_run(w.at_most) : "");
  }
  /// Of the run no figure can be promised where messages are in each other's way.
  std::string range_text(const WhatIf& w) const {
    if (w.sure) return "";
    return fmt::format(
        " The run itself may gain up to {} by the first{}: messages are in each other's way.",
        percent(ratio(w.at_most, path_.length)), w.at_least < Time::zero() ? ", or lose" : "");
  }

  void gain_sentence() {
    std::vector<std::string> parts;
    for (const WhatIf& w : findings_.what_if) {
      if (parts.size() == 2 || ratio(w.gain, path_.length) < 0.01) break;
      parts.push_back(gain_text(w));
    }
    if (parts.empty()) return;
    // Names of quantities are not capitalised.
    const bool begins_with_word = parts.front().find(' ') > 1;
    std::string text = joined(parts, "; ") + "." + range_text(findings_.what_if.front());
    if (begins_with_word && text.front() >= 'a' && text.front() <= 'z') {
      text.front() = static_cast<char>(text.front() - 'a' + 'A');
    }
    findings_.sentences.push_back(std::move(text));
  }

  const CriticalPath& path_;
  const Overview& overview_;
  const LinkFacts& links_;
  const Efficiency& efficiency_;
  Gains gains_;
  Findings findings_;
};

}  // namespace

Findings find_limits(const CriticalPath& path, const Overview& overview, const LinkFacts& links,
                     const Efficiency& efficiency) {
  return Judge(path, overview, links, efficiency).judge();
}

std::string ranks_text(const std::vector<std::uint32_t>& ranks) {
  constexpr std::size_t kFew = 4;
  if (ranks.size() == 1) return fmt::format("rank {}", ranks.front());
  if (ranks.back() - ranks.front() + 1 == ranks.size()) {
    return fmt::format("ranks {} to {}", ranks.front(), ranks.back());
  }
  if (ranks.size() > kFew) return fmt::format("{} ranks", ranks.size());
  std::string text = "ranks ";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : (i + 1 == ranks.size() ? " and " : ", "), ranks[i]);
  }
  return text;
}

}  // namespace heddle::record
