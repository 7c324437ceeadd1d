#include "traces/convert/convert.hpp"
#include "goal/schedule_builder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/units.hpp"
#include "traces/convert/alignment.hpp"
#include "traces/convert/rank_converter.hpp"

namespace heddle::traces {
namespace {

class Converter {
 public:
  Converter(const Trace& trace, const ConvertConfig& config)
      : trace_(trace), config_(config), communicators_(trace), collectives_(trace, communicators_) {
    if (trace.one_sided.empty()) return;
    one_sided_.resize(trace.ranks.size());
    for (std::uint32_t number = 0; number < trace.one_sided.size(); ++number) {
      const OneSided& transfer = trace.one_sided[number];
      one_sided_[transfer.to].push_back(number);
      if (transfer.cause != OneSided::kNoCause) one_sided_[transfer.from].push_back(number);
    }
  }

  Conversion run() {
    if (config_.durations || has_open_calls()) make_plans();
    if (config_.durations) align_plans();
    goal::ScheduleBuilder out = builder();
    // Most calls are one operation behind a computation. Room costs nothing until it is used, but
    // to find more later is to have all twice for a time.
    out.reserve(2 * calls(), 0);
    write(out, report_, [](RankPosts&&) {});
    report_.communicators = communicators_.used();
    warn_of_traces();
    return {out.finish(), std::move(report_)};
  }

 private:
  goal::ScheduleBuilder builder() const {
    return goal::ScheduleBuilder(static_cast<std::uint32_t>(trace_.ranks.size()), trace_.source);
  }

  std::uint64_t calls() const {
    std::uint64_t all = 0;
    for (const RankTrace& rank : trace_.ranks) all += rank.calls.size();
    return all;
  }

  /// Whether what becomes of some call depends on the messages of other ranks.
  bool has_open_calls() const {
    return std::any_of(trace_.ranks.begin(), trace_.ranks.end(),
                       [](const RankTrace& rank) { return rank.calls.has_any(kOpenCalls); });
  }

  /// The ranks one after another; `take` is given what each posts. Always the same for the same
  /// plans.
  template <class Taker>
  void write(goal::ScheduleBuilder& out, ConversionReport& report, Taker take) {
    const ConversionContext context{trace_, config_, communicators_, collectives_,
                                    tags_,  report,  one_sided_};
    for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) {
      out.begin_rank(r);
      take(RankConverter(context, r, out, plans_.empty() ? nullptr : &plans_[r]).run());
      out.end_rank();
    }
  }

  /// Writes a schedule only to see the messages.
  std::vector<RankPosts> see_posts() {
    goal::ScheduleBuilder scratch = builder();
    const auto ranks = static_cast<std::uint32_t>(trace_.ranks.size());
    scratch.keep({0, ranks + 1});  // Of none what was written.
    ConversionReport unused;
    std::vector<RankPosts> posts;
    write(scratch, unused, [&](RankPosts&& of_rank) { posts.push_back(std::move(of_rank)); });
    return posts;
  }

  /// Pairs the messages up.
  void make_plans() {
    const std::vector<RankPosts> posts = see_posts();
    const auto pairs = pair_up(trace_, posts);
    plans_.resize(trace_.ranks.size());
    for (std::size_t r = 0; r < plans_.size(); ++r) {
      plans_[r].tags = found_tags(posts, pairs[r], r);
      plans_[r].sent = sent_at(posts, pairs[r], r);
    }
    number_synchronous(posts, pairs);
  }

  /// For what is sent back when they are received.
  void number_synchronous(const std::vector<RankPosts>& posts,
                          const std::vector<std::vector<Counterpart>>& pairs) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
    for (std::uint32_t r = 0; r < posts.size(); ++r) {
      for (std::size_t p = 0; p < posts[r].posts.size(); ++p) {
        const Counterpart& other = pairs[r][p];
        if (!posts[r].posts[p].synchronous || other.post == kNoPost) continue;
        const std::uint32_t number = numbers[{r, other.rank}]++;
        note_synchronous(r, p, posts[r].posts.size(), {other.rank, number});
        note_synchronous(other.rank, other.post, posts[other.rank].posts.size(), {r, number});
      }
    }
  }
  void note_synchronous(std::uint32_t rank, std::size_t post, std::size_t posts,
                        const Acknowledged& message) {
    plans_[rank].acknowledged.resize(posts);
    plans_[rank].acknowledged[post] = message;
  }

  /// Puts the messages at their instants inside the calls. What calls wait for is as planned now.
  void align_plans() {
    const std::vector<RankPosts> posts = see_posts();
    Alignment alignment = align(trace_, communicators_, posts, pair_up(trace_, posts));
    for (std::size_t r = 0; r < plans_.size(); ++r) {
      plans_[r].before = std::move(alignment.before[r]);
    }
    report_.warn("calls whose counterpart could not be followed on the ranks' clocks",
                 alignment.forced);
    if (alignment.waited > 0) {
      report_.warn(fmt::format("time that ranks wait though their calls were over: {} in all",
                               format_time(Time::ps(alignment.waited))));
    }
  }

  std::vector<std::int64_t> sent_at(const std::vector<RankPosts>& posts,
                                    const std::vector<Counterpart>& pairs, std::size_t rank) const {
    std::vector<std::int64_t> times;
    const auto begun = [&](std::size_t r, std::size_t post) {
      return trace_.ranks[r].calls[posts[r].posts[post].call].start;
    };
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const bool known = pairs[p].post != kNoPost;
      times.push_back(posts[rank].posts[p].sends ? begun(rank, p)
                      : known                    ? begun(pairs[p].rank, pairs[p].post)
                                                 : kNeverSent);
    }
    return times;
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
      for (const auto& [name, times] : rank.left_out) {
        report_.warn("calls of " + name + " that have no counterpart in a schedule, kept as time",
                     times);
      }
      for (const auto& [remark, times] : rank.remarks) report_.warn(remark, times);
      report_.warn("times in a trace that lie before the one before them", rank.backwards);
    }
    report_.warn("communicators whose members are known by the order of ranks only",
                 communicators_.guessed());
    const Collectives::Contradictions& sizes = collectives_.contradictions();
    report_.warn("sizes in collective calls that contradict another member's (the first: " +
                     sizes.first + ")",
                 sizes.count);
    warn_of_ends();
  }

  void warn_of_ends() {
    std::uint64_t cut = 0;
    std::string first;
    for (const RankTrace& rank : trace_.ranks) {
      if (!rank.calls.empty() && rank.calls.back().kind == CallKind::finalize) continue;
      if (cut++ == 0) first = rank.calls.empty() ? rank.file : rank.where(rank.calls.back()).str();
    }
    report_.warn("traces that end before MPI_Finalize, so messages may be missing (the first: " +
                     first + ")",
                 cut);
  }

  const Trace& trace_;
  const ConvertConfig& config_;
  Communicators communicators_;
  Collectives collectives_;
  Tags tags_;
  std::vector<std::vector<std::uint32_t>> one_sided_;  ///< As ConversionContext has it.
  std::vector<RankPlan> plans_;
  ConversionReport report_;
};

}  // namespace

Conversion convert(const Trace& trace, const ConvertConfig& config) {
  return Converter(trace, config).run();
}

}  // namespace heddle::traces
