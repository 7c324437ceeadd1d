#include "mpi/rma/create.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "mpi/comm/registry.hpp"
#include "mpi/error.hpp"
#include "mpi/rma/operation.hpp"
#include "mpi/rma/window_observer.hpp"

namespace heddle::mpi {
namespace {

/// Members' memory in a shared window that need not be contiguous begins at such addresses.
constexpr std::int64_t kPage = 4096;

/// What the members share; the first one to come makes it.
WindowDataRef join(Communicator& communicator, const WindowOffer& offer) {
  World& world = communicator.process().world();
  auto& joining = world.part<RmaState>().joining;
  const std::pair key(communicator.data()->number, communicator.next_object());
  WindowDataRef& place = joining[key];
  if (!place) {
    place = std::make_shared<WindowData>();
    place->flavor = offer.flavor;
    auto own = std::make_shared<CommunicatorData>();
    own->number = world.part<Registry>().new_number();
    own->group = communicator.data()->group;
    place->communicator = own;
    place->members.resize(static_cast<std::size_t>(communicator.size()));
  }
  WindowDataRef data = place;
  if (++data->joined == data->members.size()) joining.erase(key);
  WindowMember& self = data->members[static_cast<std::size_t>(communicator.rank())];
  self.memory = {static_cast<std::byte*>(offer.base), offer.size};
  self.unit = offer.unit;
  return data;
}

/// Zeros.
std::byte* allocate(std::int64_t size, std::size_t alignment) {
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(size, 1));
  void* memory = alignment == 0 ? std::calloc(wanted, 1) : aligned_memory(alignment, wanted);
  if (memory == nullptr) {
    throw Error{MPI_ERR_NO_MEM, "no memory for a window of " + std::to_string(size) + " bytes"};
  }
  if (alignment != 0) std::memset(memory, 0, wanted);
  return static_cast<std::byte*>(memory);
}

/// One block for all, in the order of ranks.
void allocate_shared(WindowData& data, bool contiguous, std::size_t alignment) {
  const std::int64_t step = std::max(kPage, static_cast<std::int64_t>(alignment));
  std::int64_t total = 0;
  std::vector<std::int64_t> offsets;
  for (const WindowMember& member : data.members) {
    offsets.push_back(total);
    total += member.memory.size;
    if (!contiguous) total = (total + step - 1) / step * step;
  }
  data.block.reset(allocate(total, alignment));
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    Region& memory = data.members[i].memory;
    memory.base = memory.size == 0 ? nullptr : data.block.get() + offsets[i];
  }
}

bool wants_gaps(const InfoRef& info) {
  const std::string* value = info == nullptr ? nullptr : info->find("alloc_shared_noncontig");
  return value != nullptr && *value == "true";
}

void check_shareable(const Communicator& communicator) {
  World& world = communicator.process().world();
  const Group& group = communicator.group();
  for (int i = 0; i < group.size(); ++i) {
    const host::Rank& rank = world.process(group.process(i)).rank();
    if (rank.node() == communicator.process().rank().node()) continue;
    throw Error{MPI_ERR_RMA_SHARED, "argument comm: its ranks 0 to " +
                                        std::to_string(group.size() - 1) +
                                        " are not all on one node: MPI_Comm_split_type makes a "
                                        "communicator of those that are"};
  }
}

void fill_attributes(Window& window) {
  const WindowMember& self = window.member(window.rank());
  window.attribute_size = self.memory.size;
  window.attribute_unit = static_cast<int>(self.unit);
}

}  // namespace

Window& create_window(Communicator& communicator, const WindowOffer& offer) {
  Process& process = communicator.process();
  if (communicator.inter()) bad_argument(MPI_ERR_COMM, "comm", "is an intercommunicator");
  const bool shared = offer.flavor == MPI_WIN_FLAVOR_SHARED;
  if (shared) check_shareable(communicator);
  WindowOffer brought = offer;
  if (offer.flavor == MPI_WIN_FLAVOR_ALLOCATE) {
    brought.base = allocate(offer.size, wanted_alignment(offer.info));
  }
  const WindowDataRef data = join(communicator, brought);
  CommunicatorRef own = make_ref<Communicator>(process, communicator.handle(), data->communicator);
  process.rank().extensions().others_write();
  auto made = std::make_unique<Window>(process, data, std::move(own), rma_of(process).carrier);
  Window& window = *made;
  window.info = offer.info;
  window.handle = process.part<Windows>().table.add(std::move(made));
  window.barrier("all to create it");
  if (shared && data->block == nullptr) {
    allocate_shared(*data, !wants_gaps(offer.info), wanted_alignment(offer.info));
  }
  fill_attributes(window);
  return window;
}

void free_window(Window& window) {
  if (!window.epochs().idle()) {
    throw Error{MPI_ERR_RMA_SYNC, window.label() + ": MPI_Win_free inside an epoch"};
  }
  window.targets().flush(-1);
  window.barrier("all to free it");
  if (WindowObserver* observer = observer_of(window.process())) observer->freed(window);
  if (window.data().flavor == MPI_WIN_FLAVOR_ALLOCATE) {
    std::free(window.member(window.rank()).memory.base);
  }
  window.process().part<Windows>().table.remove(window.handle);
}

void attach(Window& window, void* base, std::int64_t size) {
  auto* first = static_cast<std::byte*>(base);
  std::vector<Region>& attached = window.member(window.rank()).attached;
  for (const Region& region : attached) {
    if (size > 0 && first < region.base + region.size && region.base < first + size) {
      throw Error{MPI_ERR_RMA_ATTACH, "argument base: overlaps memory that is attached already"};
    }
  }
  attached.push_back({first, size});
}

void detach(Window& window, const void* base) {
  std::vector<Region>& attached = window.member(window.rank()).attached;
  const auto found =
      std::ranges::find_if(attached, [&](const Region& region) { return region.base == base; });
  if (found == attached.end()) {
    throw Error{MPI_ERR_RMA_ATTACH, "argument base: no memory is attached there"};
  }
  attached.erase(found);
}

}  // namespace heddle::mpi
