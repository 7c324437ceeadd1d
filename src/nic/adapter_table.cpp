#include "nic/adapter_table.hpp"

#include <utility>

#include "nic/adapter.hpp"

namespace heddle::nic {

AdapterTable::AdapterTable(std::size_t adapters, Make make)
    : adapters_(adapters), make_(std::move(make)) {}

AdapterTable::~AdapterTable() = default;

void AdapterTable::make(AdapterId id) {
  adapters_[index(id)] = make_(id);
}

}  // namespace heddle::nic
