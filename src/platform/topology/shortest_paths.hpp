// Shortest paths of a graph, worked out per destination when first asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "core/time.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// Trees of shortest paths: the least links, then the least latency, then the lowest next vertex
/// and link. A vertex with a single neighbour is a leaf: it has no tree and is in none, for its
/// paths are its neighbour's and one link more. Keeps as many trees as fit a fixed budget and
/// forgets the oldest.
class ShortestPaths {
 public:
  /// `ends` by link, and `latency` by cable; both directions of a cable can be used.
  /// `budget` is the number of bytes that all trees together may take.
  ShortestPaths(std::uint32_t vertices, const std::vector<LinkEnds>& ends,
                std::vector<Time> latency, std::size_t budget = std::size_t{256} << 20);

  /// Other latencies for the cables, by number.
  void set_latencies(std::vector<Time> latency);

  /// The first link on the path from `at` to another vertex `to`, which it must be joined to.
  LinkId first(VertexId at, VertexId to);
  /// Of all links from `at` that lead to a vertex with fewer links to go, the one that the number
  /// names.
  LinkId drawn(VertexId at, VertexId to, std::uint64_t number);
  /// Adds every link from `at` that leads to a vertex with fewer links to go to `to`.
  void nearer(VertexId at, VertexId to, LinkSet& out);
  /// The lowest vertex that no path joins to vertex 0; kNoVertex if all are joined.
  VertexId cut_off();

 private:
  /// An inner vertex is one that is no leaf; those are numbered apart, in the same order.
  enum class Inner : std::uint32_t {};
  struct Place {
    Inner home;           ///< Of an inner vertex its own number, of a leaf its neighbour's.
    LinkId up = kNoLink;  ///< Of a leaf: the quickest link to its neighbour.
  };
  /// A link between inner vertices.
  struct Step {
    LinkId link;
    Inner to;
    std::uint32_t back;  ///< The port at `to` of the other direction.
  };
  /// By inner vertex: the port of the first step towards the destination, in `width_` bytes; then,
  /// by inner vertex, the low byte of how many steps there are. Neighbours differ by one at most.
  using Tree = std::vector<std::uint8_t>;
  template <class T>
  struct Span {
    const T* first;
    const T* last;
    const T* begin() const { return first; }
    const T* end() const { return last; }
  };

  bool is_leaf(VertexId v) const { return places_[index(v)].up != kNoLink; }
  Time latency(LinkId link) const { return latency_[index(link) / 2]; }
  /// The links that leave a vertex, by the number of the vertex they lead to, then their own.
  Span<LinkId> leaving(VertexId v) const;
  /// Those to inner vertices; a port is a place in this list.
  Span<Step> steps(Inner v) const;
  const Step& step(const Tree& tree, Inner at) const;

  void index_links(const std::vector<LinkEnds>& ends);
  VertexId only_neighbour(VertexId v, const std::vector<LinkEnds>& ends) const;
  void find_leaves(const std::vector<LinkEnds>& ends);
  void index_steps(const std::vector<LinkEnds>& ends);
  void choose_width();
  void choose_up_links();

  const Tree& tree(Inner to);
  void search(Inner to);
  void reach(Inner from, const Step& step);
  Tree packed_ports() const;
  std::uint32_t find_nearer(const Tree& tree, Inner at);

  std::vector<Time> latency_;
  std::vector<std::uint32_t> offsets_;  ///< Into leaving_, by vertex.
  std::vector<LinkId> leaving_;
  std::vector<Place> places_;                ///< By vertex.
  std::vector<std::uint32_t> step_offsets_;  ///< Into steps_, by inner vertex.
  std::vector<Step> steps_;

  std::size_t budget_;
  std::size_t width_ = 1;
  std::vector<std::uint32_t> slot_of_;  ///< By destination; kNoSlot where there is no tree.
  std::vector<Tree> trees_;
  std::vector<Inner> owners_;  ///< By slot.
  std::size_t oldest_ = 0;

  /// What a search finds of an inner vertex.
  struct Found {
    std::uint32_t links;  ///< To the destination; kFar if it was not reached.
    Inner next;
    Time latency;
    std::uint32_t port;
  };
  std::vector<Found> found_;           ///< Of the last search.
  std::vector<Inner> order_;           ///< By distance: each after all those nearer.
  std::vector<std::uint32_t> nearer_;  ///< Ports, of the last vertex that was asked about.
};

}  // namespace heddle::platform
