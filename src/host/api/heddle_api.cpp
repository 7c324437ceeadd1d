// heddle.h, for the programs that ranks run.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>

#include "heddle.h"
#include "host/libc/calls/rank_call.hpp"
#include "host/rank/loop_charge.hpp"

namespace heddle::host {
namespace {

/// Picoseconds in a number of seconds; what does not fit is as much as does.
Time as_time(double seconds) {
  constexpr double kMost = 9e18;
  const double ps = std::clamp(seconds * 1e12, 0.0, kMost);
  return Time::ps(static_cast<std::int64_t>(ps + 0.5));
}

Rank& rank_number(int rank) {
  return current_rank()->job().rank(RankId{static_cast<std::uint32_t>(rank)});
}

bool is_rank(int rank) {
  return rank >= 0 && rank < heddle_size();
}

LaunchService& launcher() {
  return current_rank()->job().launcher();
}

/// Hands a value to the program; its whole size, or -1 if there is none.
long copied(const std::optional<std::string_view>& found, void* value, size_t size) {
  if (!found) return -1;
  if (value != nullptr) std::memcpy(value, found->data(), std::min(size, found->size()));
  return static_cast<long>(found->size());
}

}  // namespace
}  // namespace heddle::host

using namespace heddle;
using namespace heddle::host;

extern "C" {

int heddle_rank() {
  return static_cast<int>(index(current_rank()->id()));
}

int heddle_size() {
  return static_cast<int>(current_rank()->job().size());
}

int heddle_node() {
  return static_cast<int>(index(current_rank()->node()));
}

int heddle_local_rank() {
  return static_cast<int>(current_rank()->local());
}

uint32_t heddle_nid(int rank) {
  return is_rank(rank) ? static_cast<uint32_t>(rank_number(rank).node()) : UINT32_MAX;
}

uint32_t heddle_pid(int rank) {
  return is_rank(rank) ? current_rank()->job().pid_of(rank_number(rank)) : UINT32_MAX;
}

int heddle_local_size() {
  return static_cast<int>(current_rank()->job().ranks_on(current_rank()->node()).size());
}

int heddle_local_peer(int n) {
  const std::span<const RankId> peers = current_rank()->job().ranks_on(current_rank()->node());
  if (n < 0 || static_cast<std::size_t>(n) >= peers.size()) return -1;
  return static_cast<int>(index(peers[static_cast<std::size_t>(n)]));
}

void heddle_barrier() {
  const Call call(*current_rank());
  launcher().barrier(current_rank()->id(), "heddle_barrier");
}

int heddle_put(const char* key, const void* value, size_t size) {
  if (key == nullptr || (value == nullptr && size > 0)) return -1;
  const Call call(*current_rank());
  launcher().put(current_rank()->id(), key, std::string(static_cast<const char*>(value), size));
  return 0;
}

int heddle_show(const char* key, const void* value, size_t size) {
  if (heddle_put(key, value, size) != 0) return -1;
  launcher().show(current_rank()->id());
  return 0;
}

void heddle_fence() {
  const Call call(*current_rank());
  launcher().show(current_rank()->id());
  launcher().barrier(current_rank()->id(), "heddle_fence");
}

long heddle_get(int rank, const char* key, void* value, size_t size) {
  if (key == nullptr) return -1;
  const Call call(*current_rank());
  return copied(launcher().get(RankId{static_cast<std::uint32_t>(rank)}, key), value, size);
}

long heddle_find(const char* key, void* value, size_t size) {
  if (key == nullptr) return -1;
  const Call call(*current_rank());
  return copied(launcher().find(key), value, size);
}

void heddle_abort(int status) {
  const Call call(*current_rank());
  current_rank()->ending().abort_job("heddle_abort", status);
}

double heddle_time() {
  const Call call(*current_rank());
  charge_repetition(*current_thread(), current_thread()->looks().clock_loop());
  return current_rank()->now().seconds();
}

uint64_t heddle_time_ps() {
  const Call call(*current_rank());
  charge_repetition(*current_thread(), current_thread()->looks().clock_loop());
  return static_cast<uint64_t>(current_rank()->now().ps());
}

void heddle_compute(double seconds) {
  const Call call(*current_rank());
  current_rank()->thread().work().compute(as_time(seconds));
}

void heddle_compute_flops(double operations) {
  const Rank& rank = *current_rank();
  const auto speed = rank.job().platform().node(rank.node()).speed.flops();
  if (speed > 0) heddle_compute(operations / static_cast<double>(speed));
}

void heddle_use_service_network(int yes) {
  current_rank()->use_service_network(yes != 0);
}
}
