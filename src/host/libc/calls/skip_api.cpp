// heddle.h: code that is not run every time, and memory that is not there for everybody.
#include <cmath>
#include <string>
#include <vector>

#include "heddle.h"
#include "host/libc/calls/rank_call.hpp"
#include "host/memory/folded_memory.hpp"
#include "host/rank/samples.hpp"

namespace heddle::host {
namespace {

Sample& sample_at(Rank& rank, const char* place, bool everywhere) {
  std::string name = place;
  if (!everywhere) name += '\n' + std::to_string(index(rank.id()));
  return rank.job().savings().samples.at(name);
}

}  // namespace
}  // namespace heddle::host

using namespace heddle;
using namespace heddle::host;

extern "C" {

int heddle_sample_begin(const char* place, int everywhere, int most, double error, int times) {
  Rank& rank = *current_rank();
  const Call call(rank);
  const Sample& sample = sample_at(rank, place, everywhere != 0);
  if (sample.wants_more(most, error)) return 1;
  const Time mean = sample.mean();
  if (times > 0 && mean > Time::zero()) {
    rank.thread().work().compute(mean * static_cast<std::int64_t>(times));
  }
  return 0;
}

/// What was computed since heddle_sample_begin is charged when the call begins, as ever.
void heddle_sample_end(const char* place, int everywhere) {
  Rank& rank = *current_rank();
  const Time before = rank.account().times().computing;
  const Call call(rank);
  sample_at(rank, place, everywhere != 0).add(rank.account().times().computing - before);
}

void* heddle_folded_alloc(size_t size) {
  const Rank& rank = *current_rank();
  return rank.job().savings().memory.take(static_cast<uint32_t>(rank.id()), size);
}

void* heddle_folded_alloc_partly(size_t size, const size_t* offsets, int ranges) {
  const Rank& rank = *current_rank();
  std::vector<FoldedMemory::Range> folded;
  for (int i = 0; i < ranges; ++i) folded.push_back({offsets[2 * i], offsets[2 * i + 1]});
  return rank.job().savings().memory.take(static_cast<uint32_t>(rank.id()), size, folded);
}

int heddle_folded_free(void* memory) {
  const Rank& rank = *current_rank();
  return static_cast<int>(
      rank.job().savings().memory.give_back(static_cast<uint32_t>(rank.id()), memory));
}
}
