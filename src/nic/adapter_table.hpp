// The adapters of a machine, by their numbers.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "nic/adapter_map.hpp"

namespace heddle::nic {

class Adapter;

/// Adapters are made when they are first asked for: one that is never used costs a pointer.
class AdapterTable {
 public:
  using Make = std::function<std::unique_ptr<Adapter>(AdapterId)>;
  AdapterTable(std::size_t adapters, Make make);
  ~AdapterTable();

  /// The adapter of that number, made if need be.
  Adapter& at(AdapterId id) {
    if (!adapters_[index(id)]) make(id);
    return *adapters_[index(id)];
  }
  /// One that has been asked for before.
  Adapter& existing(AdapterId id) const { return *adapters_[index(id)]; }
  /// Null if it has not been asked for yet.
  const Adapter* find(AdapterId id) const { return adapters_[index(id)].get(); }

 private:
  void make(AdapterId id);

  std::vector<std::unique_ptr<Adapter>> adapters_;
  Make make_;
};

}  // namespace heddle::nic
