// Allocators of crossbars beside their definitions, written down once more: with tables of all
// pairs of ports, of which each step is looked at in full.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/random.hpp"
#include "network/packet/rules.hpp"
#include "network/support.hpp"

namespace heddle::network {
namespace {

using PortPair = std::pair<std::uint32_t, std::uint32_t>;  ///< Of an input and an output.
using PortPairs = std::set<PortPair>;

constexpr std::uint32_t kInputs = 5;
constexpr std::uint32_t kOutputs = 4;

std::unique_ptr<Allocator> allocator_of(const std::string& name, int rounds) {
  Settings settings(network_sections());
  settings.assign("packet.allocation_rounds=" + std::to_string(rounds), {});
  const PacketConfig config = settings.get(packet_table());
  const platform::Platform platform = star(2);
  const auto rule = find_rule(allocations(), name).make({config, settings, 1, platform});
  return rule->new_allocator({kInputs, kOutputs, 3});
}

PortPairs matched_by(Allocator& of, const std::vector<CrossbarRequest>& requests) {
  std::vector<std::size_t> places;
  of.match(requests, places);
  PortPairs found;
  for (const std::size_t i : places) found.insert({requests[i].input, requests[i].output});
  EXPECT_EQ(found.size(), places.size());
  return found;
}

/// Each pair of ports asks with the probability `part`, since one of a few instants.
std::vector<CrossbarRequest> random_requests(RandomStream& random, double part) {
  std::vector<CrossbarRequest> requests;
  for (std::uint32_t output = 0; output < kOutputs; ++output) {
    for (std::uint32_t input = 0; input < kInputs; ++input) {
      const Time since = Time::ns(static_cast<std::int64_t>(random.below(6)));
      if (random.uniform() < part) requests.push_back({input, output, since});
    }
  }
  return requests;
}

/// Pairs of ports that are in the set, and of which neither port is in a match.
PortPairs left_over(const PortPairs& asked, const PortPairs& matched) {
  PortPairs left = asked;
  for (const auto& [input, output] : matched) {
    for (std::uint32_t i = 0; i < kInputs; ++i) left.erase({i, output});
    for (std::uint32_t o = 0; o < kOutputs; ++o) left.erase({input, o});
  }
  return left;
}

/// Allocation in turn as it is defined: one side's ports choose the next of the other side at or
/// behind their pointers, then the other side's ports among those that have chosen them.
struct Turns {
  bool outputs_first;
  bool first_round_only;  ///< Pointers move for matches of the first round.
  int rounds;
  std::vector<std::uint32_t> input_pointers = std::vector<std::uint32_t>(kInputs);
  std::vector<std::uint32_t> output_pointers = std::vector<std::uint32_t>(kOutputs);

  /// Of the pairs, those that inputs choose ...
  PortPairs of_inputs(const PortPairs& asked) const {
    PortPairs chosen;
    for (std::uint32_t input = 0; input < kInputs; ++input) {
      for (std::uint32_t step = 0; step < kOutputs; ++step) {
        const PortPair pair = {input, (input_pointers[input] + step) % kOutputs};
        if (asked.count(pair) == 0) continue;
        chosen.insert(pair);
        break;
      }
    }
    return chosen;
  }
  /// ... or outputs.
  PortPairs of_outputs(const PortPairs& asked) const {
    PortPairs chosen;
    for (std::uint32_t output = 0; output < kOutputs; ++output) {
      for (std::uint32_t step = 0; step < kInputs; ++step) {
        const PortPair pair = {(output_pointers[output] + step) % kInputs, output};
        if (asked.count(pair) == 0) continue;
        chosen.insert(pair);
        break;
      }
    }
    return chosen;
  }

  PortPairs match(const PortPairs& asked) {
    PortPairs matched;
    for (int round = 0; round < rounds; ++round) {
      const PortPairs left = left_over(asked, matched);
      const PortPairs made =
          outputs_first ? of_inputs(of_outputs(left)) : of_outputs(of_inputs(left));
      for (const auto& [input, output] : made) {
        matched.insert({input, output});
        if (first_round_only && round > 0) continue;
        input_pointers[input] = (output + 1) % kOutputs;
        output_pointers[output] = (input + 1) % kInputs;
      }
    }
    return matched;
  }
};

PortPairs pairs_of(const std::vector<CrossbarRequest>& requests) {
  PortPairs asked;
  for (const CrossbarRequest& request : requests) asked.insert({request.input, request.output});
  return asked;
}

// 3000 slots with random requests, few and many, of which each goes on from the pointers that those
// before it have left: the matches are those of the definition in every slot.
TEST(AllocatorReference, InTurnAsDefined) {
  struct Rule {
    const char* name;
    bool outputs_first;
    bool first_round_only;
  };
  for (const Rule& rule : {Rule{"islip", true, true}, Rule{"separable-output-first", true, false},
                           Rule{"separable-input-first", false, false}}) {
    for (const int rounds : {1, 2, 4}) {
      const auto ours = allocator_of(rule.name, rounds);
      Turns turns{rule.outputs_first, rule.first_round_only, rounds};
      RandomStream random(11);
      for (int slot = 0; slot < 3000; ++slot) {
        const auto requests = random_requests(random, slot % 2 == 0 ? 0.3 : 0.9);
        ASSERT_EQ(matched_by(*ours, requests), turns.match(pairs_of(requests)))
            << rule.name << ", rounds " << rounds << ", slot " << slot;
      }
    }
  }
}

// The oldest go first: there is one set of matches in which every request that is left over has one
// of its ports taken by an older one (of equal age, that of a lower input, then output), whichever
// way it is found. Here it is looked for among all sets of matches.
TEST(AllocatorReference, NoYoungerOneBeforeAnOlderOne) {
  using Age = std::tuple<Time, std::uint32_t, std::uint32_t>;
  const auto age = [](const CrossbarRequest& r) { return Age{r.since, r.input, r.output}; };
  const auto ours = allocator_of("oldest-first", 1);
  RandomStream random(5);
  for (int slot = 0; slot < 300; ++slot) {
    std::vector<CrossbarRequest> requests = random_requests(random, 0.5);
    if (requests.size() > 10) requests.resize(10);
    const std::size_t sets = std::size_t{1} << requests.size();
    std::optional<PortPairs> found;
    for (std::size_t set = 0; set < sets; ++set) {
      const auto taken = [set](std::size_t i) { return (set >> i & 1) != 0; };
      bool stable = true;
      for (std::size_t i = 0; i < requests.size() && stable; ++i) {
        bool older = false;
        bool any = false;
        for (std::size_t k = 0; k < requests.size(); ++k) {
          const bool shares =
              requests[k].input == requests[i].input || requests[k].output == requests[i].output;
          if (k == i || !taken(k) || !shares) continue;
          any = true;
          older = older || age(requests[k]) < age(requests[i]);
        }
        stable = taken(i) ? !any : older;
      }
      if (!stable) continue;
      EXPECT_FALSE(found.has_value()) << "only one set is stable";
      found.emplace();
      for (std::size_t i = 0; i < requests.size(); ++i) {
        if (taken(i)) found->insert({requests[i].input, requests[i].output});
      }
    }
    ASSERT_EQ(matched_by(*ours, requests), found) << slot;
  }
}

/// The probabilities of all sets of matches that one round of choices at random makes: outputs
/// grant to any input that asks, inputs accept any of their grants, all with equal probabilities.
std::map<PortPairs, double> parallel_matching(const PortPairs& asked) {
  std::map<PortPairs, double> grants = {{{}, 1.0}};
  const auto choose = [](const std::map<PortPairs, double>& from, auto among) {
    std::map<PortPairs, double> to;
    for (const auto& [before, probability] : from) {
      const std::vector<PortPair> choices = among(before);
      if (choices.empty()) to[before] += probability;
      for (const PortPair& choice : choices) {
        PortPairs after = before;
        after.insert(choice);
        to[after] += probability / static_cast<double>(choices.size());
      }
    }
    return to;
  };
  for (std::uint32_t output = 0; output < kOutputs; ++output) {
    grants = choose(grants, [&](const PortPairs&) {
      std::vector<PortPair> choices;
      for (const PortPair& pair : asked) {
        if (pair.second == output) choices.push_back(pair);
      }
      return choices;
    });
  }
  std::map<PortPairs, double> all;
  for (const auto& grant : grants) {
    const PortPairs& granted = grant.first;
    std::map<PortPairs, double> accepted = {{{}, grant.second}};
    for (std::uint32_t input = 0; input < kInputs; ++input) {
      accepted = choose(accepted, [&](const PortPairs&) {
        std::vector<PortPair> choices;
        for (const PortPair& pair : granted) {
          if (pair.first == input) choices.push_back(pair);
        }
        return choices;
      });
    }
    for (const auto& [matched, part] : accepted) all[matched] += part;
  }
  return all;
}

// Of 40,000 slots with the same requests each set of matches is met as often as its probability
// says, within five standard deviations, and no other set is met at all.
TEST(AllocatorReference, AtRandomAsOftenAsDefined) {
  constexpr int kSlots = 40'000;
  RandomStream random(8);
  for (const double part : {0.3, 0.5, 0.7}) {
    const auto requests = random_requests(random, part);
    const auto ours = allocator_of("pim", 1);
    std::map<PortPairs, int> met;
    for (int slot = 0; slot < kSlots; ++slot) ++met[matched_by(*ours, requests)];
    const auto expected = parallel_matching(pairs_of(requests));
    for (const auto& [matched, times] : met) {
      EXPECT_EQ(expected.count(matched), 1U) << "a set that cannot be made, " << times << " times";
    }
    for (const auto& [matched, probability] : expected) {
      const double deviation = std::sqrt(kSlots * probability * (1 - probability));
      EXPECT_NEAR(met[matched], kSlots * probability, 5 * deviation + 1);
    }
  }
}

// Whatever the rule, with as many rounds as there are ports no request is left over whose ports are
// both free.
TEST(AllocatorReference, EnoughRoundsLeaveNothingOver) {
  for (const char* name :
       {"islip", "separable-output-first", "separable-input-first", "pim", "oldest-first"}) {
    const auto ours = allocator_of(name, kInputs);
    RandomStream random(2);
    for (int slot = 0; slot < 1000; ++slot) {
      const auto requests = random_requests(random, 0.4);
      ASSERT_TRUE(left_over(pairs_of(requests), matched_by(*ours, requests)).empty()) << name;
    }
  }
}

}  // namespace
}  // namespace heddle::network
