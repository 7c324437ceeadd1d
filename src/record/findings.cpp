#include "record/findings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/units.hpp"

namespace heddle::record {
namespace {

double ratio(Time part, Time whole) {
  return whole <= Time::zero() ? 0
                               : static_cast<double>(part.ps()) / static_cast<double>(whole.ps());
}

std::string percent(double share) {
  const double p = 100 * share;
  return p >= 9.95 || p == 0 ? fmt::format("{:.0f} %", p) : fmt::format("{:.1f} %", p);
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
      return "waiting for nothing that was recorded (sleep, polling, noise)";
    case Resource::storage:
      return "the file system";
  }
  return "";
}

/// Everything that sentences are made from.
class Judge {
 public:
  Judge(const CriticalPath& path, const Overview& overview, const std::vector<LinkFact>& links)
      : path_(path), overview_(overview), links_(links) {
    find_late_rank();
    find_link();
  }

  Findings judge() {
    list_gains();
    main_sentence();
    if (findings_.cause != "imbalance") second_sentence();
    waiting_sentence();
    gain_sentence();
    return std::move(findings_);
  }

 private:
  /// Without links and adapters, gaps are all that LogGOPS has of both.
  bool has_gaps() const { return links_.empty() && overview_.steps.empty(); }
  const char* spoken(Resource r) const {
    if (r == Resource::nic && has_gaps()) return "gaps between messages and their bytes (g and G)";
    return words_for(r);
  }
  Time share(Resource r) const { return path_.shares[static_cast<std::size_t>(r)]; }
  double part(Resource r) const { return ratio(share(r), path_.length); }
  static Time computing(const RankTotals& rank) {
    return rank.times[static_cast<std::size_t>(Activity::compute)];
  }
  Time on_path(std::uint32_t rank, Resource r) const {
    return path_.by_rank[rank][static_cast<std::size_t>(r)];
  }

  /// The rank that computes most on the path, if it computes more than ranks usually do.
  void find_late_rank() {
    if (overview_.ranks < 2) return;
    std::vector<Time> all;
    for (const RankTotals& rank : overview_.by_rank) all.push_back(computing(rank));
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2),
                     all.end());
    usual_ = all[all.size() / 2];
    if (overview_.ranks == 2) usual_ = std::min(all[0], all[1]);
    for (std::uint32_t r = 0; r < overview_.ranks; ++r) {
      if (on_path(r, Resource::compute) > on_path(late_, Resource::compute)) late_ = r;
    }
    const Time own = computing(overview_.by_rank[late_]);
    if (own <= usual_) return;
    late_gain_ = Time::ps(static_cast<std::int64_t>(
        static_cast<double>(on_path(late_, Resource::compute).ps()) * (1 - ratio(usual_, own))));
  }

  /// The link that the path owes most to.
  void find_link() {
    for (const auto& [number, link] : path_.links) {
      const Time owed = link.bandwidth + link.contention;
      if (link.if_twice > Time::zero() && owed > link_owed_) {
        link_owed_ = owed;
        link_ = number;
      }
    }
  }

  const LinkFact* fact(std::uint32_t number) const {
    const auto found = std::find_if(links_.begin(), links_.end(),
                                    [&](const LinkFact& f) { return f.link == number; });
    return found == links_.end() ? nullptr : &*found;
  }

  void add_gain(const char* key, std::string what, Time gain) {
    if (gain > Time::zero()) findings_.what_if.push_back({key, std::move(what), gain});
  }

  void list_gains() {
    add_gain("compute", "computation twice as fast", share(Resource::compute) / 2);
    add_gain("overhead", "software overheads halved", share(Resource::overhead) / 2);
    add_gain("nic", has_gaps() ? "g and G halved" : "adapters twice as fast",
             share(Resource::nic) / 2);
    add_gain("pcie", "PCIe buses twice as fast", bus_gain());
    add_gain("latency", "latencies of wires and switches halved", share(Resource::latency) / 2);
    add_gain("bandwidth", "all links of the fabric twice as wide", path_.if_twice_bandwidth);
    add_gain("storage", "the file system twice as fast", share(Resource::storage) / 2);
    add_gain("contention", "no message held up by others", share(Resource::contention));
    if (late_gain_ > Time::zero()) {
      add_gain("imbalance", fmt::format("rank {} computing no longer than ranks usually do", late_),
               late_gain_);
    }
    if (link_owed_ > Time::zero()) {
      const LinkFact* const known = fact(link_);
      add_gain("link",
               fmt::format("link {} alone twice as wide",
                           known == nullptr ? std::to_string(link_) : known->name),
               path_.links.at(link_).if_twice);
    }
    std::stable_sort(findings_.what_if.begin(), findings_.what_if.end(),
                     [](const WhatIf& a, const WhatIf& b) { return a.gain > b.gain; });
  }

  /// Half the buses' latency, and what wider ones would give.
  Time bus_gain() const {
    Time bytes;
    for (const auto& [number, link] : path_.links) {
      if (is_bus(number)) bytes += link.bandwidth;
    }
    const Time latency = std::max(share(Resource::pcie) - bytes, Time::zero());
    return latency / 2 + path_.if_twice_bus;
  }
  bool is_bus(std::uint32_t number) const {
    const LinkFact* const known = fact(number);
    return known != nullptr && known->name.find(" pcie") != std::string::npos;
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
    const Time all = share(Resource::bandwidth) + share(Resource::contention);
    return link_owed_ > Time::zero() && ratio(link_owed_, all) > 0.5 &&
           ratio(path_.links.at(link_).if_twice, link_owed_) > 0.2;
  }

  void main_sentence() {
    const Resource most = largest();
    findings_.cause = name_of(most);
    if (most == Resource::compute && ratio(late_gain_, path_.length) > 0.1) return say_late();
    const Time by_links = share(Resource::bandwidth) + share(Resource::contention);
    if (by_links >= share(most) && one_link()) return say_link();
    findings_.sentences.push_back(fmt::format("{} of the critical path is {}{}.",
                                              percent(part(most)), spoken(most), where(most)));
  }

  void say_late() {
    findings_.cause = "imbalance";
    const Time own = computing(overview_.by_rank[late_]);
    findings_.sentences.push_back(fmt::format(
        "{} of the critical path is computation on rank {}, which computes for {} where ranks "
        "usually compute for {}: the others wait for it.",
        percent(ratio(on_path(late_, Resource::compute), path_.length)), late_, format_time(own),
        format_time(usual_)));
  }

  void say_link() {
    findings_.cause = "link";
    const PathLink& link = path_.links.at(link_);
    const LinkFact* const known = fact(link_);
    std::string text = fmt::format("{} of the critical path is spent at link {}",
                                   percent(ratio(link.bandwidth + link.contention, path_.length)),
                                   known == nullptr ? std::to_string(link_) : known->name);
    if (known != nullptr) {
      text += fmt::format(", which is {} busy ({} at its busiest)", percent(known->utilisation),
                          percent(known->peak));
    }
    text += fmt::format(": doubling it would gain at most {}.",
                        percent(ratio(link.if_twice, path_.length)));
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
    for (std::size_t i = findings_.cause == "link" ? 0 : 1; i < 4 && parts.size() < 3; ++i) {
      if (part(order[i]) < 0.02) break;
      parts.push_back(fmt::format("{} {}", percent(part(order[i])), spoken(order[i])));
    }
    if (parts.empty()) return;
    findings_.sentences.push_back(fmt::format(
        "{}: {}.", findings_.cause == "link" ? "By resource" : "Next", joined(parts, "; ")));
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

  void gain_sentence() {
    if (findings_.what_if.empty()) return;
    std::vector<std::string> parts;
    for (const WhatIf& w : findings_.what_if) {
      if (parts.size() == 2 || ratio(w.gain, path_.length) < 0.01) break;
      parts.push_back(fmt::format("{} would gain at most {} ({})", w.what, format_time(w.gain),
                                  percent(ratio(w.gain, path_.length))));
    }
    if (parts.empty()) return;
    std::string text = joined(parts, "; ") + ".";
    if (text.front() >= 'a' && text.front() <= 'z') {
      text.front() = static_cast<char>(text.front() - 'a' + 'A');
    }
    findings_.sentences.push_back(std::move(text));
  }

  const CriticalPath& path_;
  const Overview& overview_;
  const std::vector<LinkFact>& links_;
  Findings findings_;
  Time usual_;  ///< What ranks compute, in the middle of them.
  std::uint32_t late_ = 0;
  Time late_gain_;
  std::uint32_t link_ = 0;
  Time link_owed_;
};

}  // namespace

Findings find_limits(const CriticalPath& path, const Overview& overview,
                     const std::vector<LinkFact>& links) {
  return Judge(path, overview, links).judge();
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
