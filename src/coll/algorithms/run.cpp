#include "coll/algorithms/run.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "coll/algorithms/parts.hpp"

namespace heddle::coll {
namespace {

bool same_letters(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const auto plain = [](char c) {
    return c == '-' ? '_' : std::tolower(static_cast<unsigned char>(c));
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (plain(a[i]) != plain(b[i])) return false;
  }
  return true;
}

}  // namespace

bool same_name(std::string_view written, std::string_view name) {
  if (same_letters(written, name)) return true;
  for (const std::string_view library : {"ompi_", "mpich_", "mvapich2_", "impi_"}) {
    if (written.size() > library.size() &&
        same_letters(written.substr(0, library.size()), library)) {
      return same_letters(written.substr(library.size()), name);
    }
  }
  return false;
}

bool commonly_called(std::string_view written, std::string_view name) {
  // An operation that has two of the names that stand for one word lists the right one first.
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"ring", "lr"},
      {"recursive_doubling", "rdb"},
      {"recursive_doubling", "recursivedoubling"},
      {"recursive_halving", "basic_recursivehalving"},
      {"pairwise", "pair"},
      {"linear", "basic_linear"},
      {"linear", "flattree"},
      {"flat_tree", "flattree"},
      {"binomial", "binomial_tree"},
      {"binomial", "tree"},
      {"dissemination", "bruck"},
      {"neighbor_exchange", "neighborexchange"},
      {"double_ring", "doublering"},
      {"nonoverlapping", "redbcast"},
      {"rabenseifner", "scatter_gather"},
      {"rabenseifner", "rab"},
  };
  return std::ranges::any_of(kWords, [&](const auto& word) {
    return word.second == name && same_name(written, word.first);
  });
}

bool fits(Needs needs, const Steps& steps, bool commutative, std::int64_t elements) {
  if (has(needs, Needs::commutative) && !commutative) return false;
  if (has(needs, Needs::power_of_two) && !is_power_of_two(steps.size())) return false;
  if (has(needs, Needs::even) && steps.size() % 2 != 0) return false;
  if (has(needs, Needs::two) && steps.size() != 2) return false;
  if (has(needs, Needs::parts) && elements < steps.size()) return false;
  if (has(needs, Needs::power_parts) && elements < power_of_two_below(steps.size())) return false;
  if (has(needs, Needs::halves) && elements < 2) return false;
  return !has(needs, Needs::equal_nodes) || steps.places().nodes().even_size() > 0;
}

void run(Steps& steps, const Algorithm<Bcast>& algorithm, const Bcast& work, const Tuning& tuning) {
  if (!has(algorithm.needs, Needs::bytes)) return algorithm.run(steps, work, tuning);
  const std::int64_t size = bytes(work.data);
  if (work.data.type->contiguous()) {
    return algorithm.run(steps, {{work.data.address, size, &byte_type()}, work.root}, tuning);
  }
  // Ranks may give types of different shapes: only bytes can be cut alike everywhere.
  const Buffer packed = steps.scratch(size, byte_type());
  if (steps.rank() == work.root) steps.copy(work.data, packed);
  algorithm.run(steps, {packed, work.root}, tuning);
  if (steps.rank() != work.root) steps.copy(packed, work.data);
}

void run(Steps& steps, const Algorithm<Allgather>& algorithm, const Allgather& work,
         const Tuning& tuning) {
  if (!has(algorithm.needs, Needs::dense) || work.blocks.dense()) {
    return algorithm.run(steps, work, tuning);
  }
  std::vector<std::int64_t> counts;
  std::int64_t total = 0;
  for (int r = 0; r < steps.size(); ++r) {
    counts.push_back(work.blocks[r].count);
    total += counts.back();
  }
  const Buffer memory = steps.scratch(total, *work.blocks.type());
  const Blocks dense = Blocks::packed(memory.address, counts, *memory.type);
  steps.copy(work.blocks[steps.rank()], dense[steps.rank()]);
  algorithm.run(steps, {dense}, tuning);
  for (int r = 0; r < steps.size(); ++r) {
    if (r != steps.rank()) steps.copy(dense[r], work.blocks[r]);
  }
}

}  // namespace heddle::coll
