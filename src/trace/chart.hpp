// A sequence chart as text: who passed what to whom, and when.
#pragma once

#include <string>
#include <vector>

#include "trace/row.hpp"

namespace heddle::trace {

/// The rows as arrows between lifelines, one line each, ordered by their starts. Every process and
/// every adapter that takes part has a lifeline: a node's processes stand left of its adapter,
/// those of the last node right of it. Empty if there are no rows.
std::string chart(std::vector<Row> rows);

/// The first `capacity` rows, by their starts, of those it is given.
class EarliestRows {
 public:
  explicit EarliestRows(std::size_t capacity) : capacity_(capacity) {}
  void add(const Row& row);
  /// How many it was given and did not keep.
  std::size_t left_out() const { return left_out_; }
  const std::vector<Row>& rows() const { return heap_; }

 private:
  std::size_t capacity_;
  std::size_t left_out_ = 0;
  std::vector<Row> heap_;  ///< The latest on top.
};

/// The order of rows in a chart.
bool earlier(const Row& a, const Row& b);

}  // namespace heddle::trace
