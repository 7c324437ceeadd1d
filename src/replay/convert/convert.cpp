#include "replay/convert/convert.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units.hpp"
#include "replay/convert/alignment.hpp"
#include "replay/convert/rank_converter.hpp"

namespace heddle::replay {
namespace {

class Converter {
 public:
  Converter(const Trace& trace, const ConvertConfig& config)
      : trace_(trace),
        config_(config),
        communicators_(trace),
        collectives_(trace, communicators_) {}

  Conversion run() {
    if (config_.durations || has_open_tags()) make_plans();
    ScheduleBuilder out = builder();
    write(out, report_);
    report_.communicators = communicators_.size();
    warn_of_traces();
    return {out.finish(), std::move(report_)};
  }

 private:
  ScheduleBuilder builder() const {
    return ScheduleBuilder(static_cast<std::uint32_t>(trace_.ranks.size()), trace_.source);
  }

  bool has_open_tags() const {
    for (const RankTrace& rank : trace_.ranks) {
      const bool found = std::any_of(rank.calls.begin(), rank.calls.end(), [](const Call& c) {
        return (c.kind == CallKind::recv && c.tag < 0) ||
               (c.kind == CallKind::sendrecv && c.recv_tag < 0);
      });
      if (found) return true;
    }
    return false;
  }

  /// The ranks one after another; what they post. Always the same for the same plans.
  std::vector<RankPosts> write(ScheduleBuilder& out, ConversionReport& report) {
    const ConversionContext context{trace_, config_, communicators_, collectives_, tags_, report};
    std::vector<RankPosts> posts;
    for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) {
      out.begin_rank(r);
      posts.push_back(RankConverter(context, r, out, plans_.empty() ? nullptr : &plans_[r]).run());
      out.end_rank();
    }
    return posts;
  }

  /// Writes a schedule only to see the messages, and pairs them up.
  void make_plans() {
    ScheduleBuilder scratch = builder();
    ConversionReport unused;
    const std::vector<RankPosts> posts = write(scratch, unused);
    const auto pairs = pair_up(trace_, posts);
    std::vector<RankPlan> plans(trace_.ranks.size());
    for (std::size_t r = 0; r < plans.size(); ++r) plans[r].tags = found_tags(posts, pairs[r], r);
    if (config_.durations) {
      Alignment alignment = align(trace_, communicators_, posts, pairs);
      for (std::size_t r = 0; r < plans.size(); ++r)
        plans[r].before = std::move(alignment.before[r]);
      report_.warn("calls whose counterpart could not be followed on the ranks' clocks",
                   alignment.forced);
      if (alignment.waited > 0)
        report_.warn(fmt::format("time that ranks wait though their calls were over: {} in all",
                                 format_time(Time::ps(alignment.waited))));
    }
    plans_ = std::move(plans);
  }

  static std::vector<std::int32_t> found_tags(const std::vector<RankPosts>& posts,
                                              const std::vector<Counterpart>& pairs,
                                              std::size_t rank) {
    std::vector<std::int32_t> tags;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const Post& post = posts[rank].posts[p];
      const Counterpart& other = pairs[p];
      const bool found = post.tag < 0 && other.post != kNoPost && other.certain;
      tags.push_back(found ? posts[other.rank].posts[other.post].tag : post.tag);
    }
    return tags;
  }

  void warn_of_traces() {
    for (const RankTrace& rank : trace_.ranks) {
      for (const auto& [name, times] : rank.left_out)
        report_.warn("calls of " + name + " that have no counterpart in a schedule, kept as time",
                     times);
      report_.warn("times in a trace that lie before the one before them", rank.backwards);
    }
    report_.warn("communicators whose members are known by the order of ranks only",
                 communicators_.guessed());
  }

  const Trace& trace_;
  const ConvertConfig& config_;
  Communicators communicators_;
  Collectives collectives_;
  Tags tags_;
  std::vector<RankPlan> plans_;
  ConversionReport report_;
};

}  // namespace

Conversion convert(const Trace& trace, const ConvertConfig& config) {
  return Converter(trace, config).run();
}

}  // namespace heddle::replay
