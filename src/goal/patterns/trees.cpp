// Patterns along trees, and those in which one member talks to all others.
#include <optional>

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

/// A binary tree that is numbered level by level from 0.
struct BinaryTree {
  static std::uint32_t parent(std::uint32_t node) { return (node - 1) / 2; }
  template <class Visitor>
  static void for_children(std::uint32_t node, std::uint32_t size, Visitor visit) {
    for (std::uint64_t child = 2 * std::uint64_t{node} + 1; child <= 2 * std::uint64_t{node} + 2;
         ++child) {
      if (child < size) visit(static_cast<std::uint32_t>(child));
    }
  }
};

/// A binomial tree; children come nearest first.
struct BinomialTree {
  static std::uint32_t parent(std::uint32_t node) {
    std::uint32_t bit = 1;
    while (node >> 1 >= bit) bit <<= 1;
    return node - bit;
  }
  template <class Visitor>
  static void for_children(std::uint32_t node, std::uint32_t size, Visitor visit) {
    for (std::uint64_t bit = 1; bit < size; bit <<= 1) {
      if (node < bit && node + bit < size) visit(static_cast<std::uint32_t>(node + bit));
    }
  }
};

template <class Tree>
void bcast(const Side& side, std::uint64_t bytes, std::uint32_t root) {
  const std::uint32_t node = swap_root(side.me, root);
  std::optional<std::uint32_t> recv;
  if (node != 0) recv = side.recv(bytes, swap_root(Tree::parent(node), root));
  Tree::for_children(node, side.size, [&](std::uint32_t child) {
    const std::uint32_t send = side.send(bytes, swap_root(child, root));
    if (recv) side.after(send, *recv);
  });
}

template <class Tree>
void reduce(const Side& side, std::uint64_t bytes, std::uint32_t root, std::uint64_t compute) {
  const std::uint32_t node = swap_root(side.me, root);
  std::optional<std::uint32_t> send;
  if (node != 0) send = side.send(bytes, swap_root(Tree::parent(node), root));
  Tree::for_children(node, side.size, [&](std::uint32_t child) {
    const std::uint32_t sum = reduce_from(side, bytes, swap_root(child, root), compute);
    if (send) side.after(*send, sum);
  });
}

}  // namespace

void binomial_bcast(const Side& side, std::uint64_t bytes, std::uint32_t root) {
  bcast<BinomialTree>(side, bytes, root);
}

void binomial_reduce(const Side& side, std::uint64_t bytes, std::uint32_t root,
                     std::uint64_t compute) {
  reduce<BinomialTree>(side, bytes, root, compute);
}

void binary_bcast(const Side& side, std::uint64_t bytes, std::uint32_t root) {
  bcast<BinaryTree>(side, bytes, root);
}

void binary_reduce(const Side& side, std::uint64_t bytes, std::uint32_t root,
                   std::uint64_t compute) {
  reduce<BinaryTree>(side, bytes, root, compute);
}

void linear_gather(const Side& side, std::uint64_t bytes, std::uint32_t root) {
  if (side.me != root) {
    side.send(bytes, root);
    return;
  }
  for (std::uint32_t i = 1; i < side.size; ++i) side.recv(bytes, swap_root(i, root));
}

void linear_scatter(const Side& side, std::uint64_t bytes, std::uint32_t root) {
  if (side.me != root) {
    side.recv(bytes, root);
    return;
  }
  for (std::uint32_t i = 1; i < side.size; ++i) side.send(bytes, swap_root(i, root));
}

void linear_barrier(const Side& side) {
  write_steps(side, coll::barrier_algorithms(), "basic_linear", coll::Barrier{}, {{}, 1});
}

}  // namespace heddle::goal
