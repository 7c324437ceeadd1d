#include "mpi/collectives/amounts.hpp"

namespace heddle::mpi::collectives {
namespace {

std::int64_t element(const Datatype* type) {
  return type == nullptr || type->size() == 0 ? 1 : type->size();
}

/// All that a rank gives is in one buffer.
CollectiveAmounts of_buffer(const Buffer& data, int root = 0) {
  CollectiveAmounts result;
  result.root = root;
  result.element = element(data.type);
  result.sent = result.received = bytes(data);
  return result;
}

std::vector<std::int64_t> sizes(const Blocks& blocks, int members) {
  std::vector<std::int64_t> list;
  for (int i = 0; i < members; ++i) list.push_back(bytes(blocks[i]));
  return list;
}

bool differ(Collective collective) {
  return collective == Collective::gatherv || collective == Collective::scatterv ||
         collective == Collective::allgatherv || collective == Collective::alltoallv ||
         collective == Collective::alltoallw || collective == Collective::reduce_scatter;
}

}  // namespace

CollectiveAmounts amounts(const Barrier&, Collective, const Steps&) {
  return {};
}

CollectiveAmounts amounts(const Bcast& work, Collective, const Steps&) {
  return of_buffer(work.data, work.root);
}

CollectiveAmounts amounts(const Gather& work, Collective collective, const Steps& steps) {
  const bool at_root = steps.rank() == work.root;
  const Buffer own = work.own.type != nullptr ? work.own : work.blocks[steps.rank()];
  CollectiveAmounts result = of_buffer(own, work.root);
  if (differ(collective) && at_root) result.received_from = sizes(work.blocks, steps.size());
  return result;
}

CollectiveAmounts amounts(const Scatter& work, Collective collective, const Steps& steps) {
  const bool at_root = steps.rank() == work.root;
  const Buffer own = work.own.type != nullptr ? work.own : work.blocks[steps.rank()];
  CollectiveAmounts result = of_buffer(own, work.root);
  if (differ(collective) && at_root) result.sent_to = sizes(work.blocks, steps.size());
  return result;
}

CollectiveAmounts amounts(const Allgather& work, Collective collective, const Steps& steps) {
  CollectiveAmounts result = of_buffer(work.blocks[steps.rank()]);
  if (differ(collective)) result.received_from = sizes(work.blocks, steps.size());
  return result;
}

CollectiveAmounts amounts(const Alltoall& work, Collective collective, const Steps& steps) {
  CollectiveAmounts result = of_buffer(work.out[0]);
  result.received = bytes(work.in[0]);
  if (!differ(collective)) return result;
  if (collective == Collective::alltoallw) result.element = 1;
  result.sent_to = sizes(work.out, steps.size());
  result.received_from = sizes(work.in, steps.size());
  return result;
}

CollectiveAmounts amounts(const Reduce& work, Collective, const Steps&) {
  return of_buffer(work.data, work.root);
}

CollectiveAmounts amounts(const Allreduce& work, Collective, const Steps&) {
  return of_buffer(work.data);
}

CollectiveAmounts amounts(const ReduceScatter& work, Collective, const Steps& steps) {
  CollectiveAmounts result = of_buffer(work.result);
  result.sent_to = sizes(work.blocks, steps.size());
  return result;
}

CollectiveAmounts amounts(const Scan& work, Collective, const Steps&) {
  return of_buffer(work.data);
}

CollectiveAmounts amounts(const Neighbours&, Collective, const Steps&) {
  CollectiveAmounts result;
  result.known = false;
  return result;
}

}  // namespace heddle::mpi::collectives
