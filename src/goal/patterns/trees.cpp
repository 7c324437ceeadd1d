// Patterns along trees, and those in which one member talks to all others.
#include <optional>

#include "coll/algorithms/tree.hpp"
#include "goal/patterns/patterns.hpp"
#include "goal/patterns/step_writer.hpp"

namespace heddle::goal {
namespace {

/// Receives what a child sends and adds it to the own data; gives the operation that ends this.
std::uint32_t reduce_from(const Side& side, std::uint64_t bytes, std::uint32_t child,
                          std::uint64_t compute) {
  const std::uint32_t recv = side.recv(bytes, child);
  if (compute == 0) return recv;
  const std::uint32_t sum = side.calc(compute);
  side.after(sum, recv);
  return sum;
}

/// Receives from all children of a tree, in any order, before it sends to the parent.
void reduce(const Side& side, const coll::Tree& tree, std::uint64_t bytes, std::uint64_t compute) {
  std::optional<std::uint32_t> send;
  if (!tree.root()) send = side.send(bytes, static_cast<std::uint32_t>(tree.parent));
  for (const int child : tree.children()) {
    const std::uint32_t sum = reduce_from(side, bytes, static_cast<std::uint32_t>(child), compute);
    if (send) side.after(*send, sum);
  }
}

/// Of a side whose member 0 is the root.
coll::TreePlace place_of(const Side& side) {
  return {static_cast<int>(side.me), static_cast<int>(side.size), 0};
}

void bcast(const Side& side, std::string_view name, std::uint64_t bytes, std::uint32_t root) {
  write_steps(side.led_by(root), coll::bcast_algorithms(), name, coll::Bcast{data_of(bytes)});
}

}  // namespace

void binomial_bcast(const Side& side, std::uint64_t bytes, std::uint32_t root) {
  const Side led = side.led_by(root);
  write_steps(led, [&](StepWriter& steps) {
    coll::bcast_along(steps, coll::doubling_tree(place_of(led)), data_of(bytes), 0);
  });
}

void binomial_reduce(const Side& side, std::uint64_t bytes, std::uint32_t root,
                     std::uint64_t compute) {
  const Side led = side.led_by(root);
  reduce(led, coll::doubling_tree(place_of(led)), bytes, compute);
}

void binary_bcast(const Side& side, std::uint64_t bytes, std::uint32_t root) {
  bcast(side, "binary", bytes, root);
}

void binary_reduce(const Side& side, std::uint64_t bytes, std::uint32_t root,
                   std::uint64_t compute) {
  const Side led = side.led_by(root);
  reduce(led, coll::binary_tree(place_of(led)), bytes, compute);
}

void linear_gather(const Side& side, std::uint64_t bytes, std::uint32_t root) {
  if (side.me != root) {
    side.send(bytes, root);
    return;
  }
  for (std::uint32_t i = 1; i < side.size; ++i) side.recv(bytes, swap_root(i, root));
}

void linear_scatter(const Side& side, std::uint64_t bytes, std::uint32_t root) {
  bcast(side, "flattree", bytes, root);
}

void linear_barrier(const Side& side) {
  write_steps(side, coll::barrier_algorithms(), "basic_linear", coll::Barrier{}, {{}, 1});
}

}  // namespace heddle::goal
