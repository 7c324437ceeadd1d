#include "shmem/access.hpp"

namespace heddle::shmem {
namespace {

constexpr Type kSignalType{sizeof(std::uint64_t), Number::unsigned_integer};

/// The address of an element of step `i`; where there is no such address, one that nobody has.
std::byte* moved(const void* address, std::size_t i, std::ptrdiff_t stride, std::size_t size) {
  const __int128 place = reinterpret_cast<std::uintptr_t>(address) +
                         static_cast<__int128>(stride) * static_cast<__int128>(i * size);
  const bool exists = i <= SIZE_MAX / size && place > 0 && place < SIZE_MAX;
  return reinterpret_cast<std::byte*>(exists ? static_cast<std::uintptr_t>(place) : SIZE_MAX);
}

/// An operation on memory of another PE, not started.
Operation& prepare(const Call& call, Operation::Kind kind, Pe& target, const void* local,
                   void* remote, std::size_t bytes) {
  Operation& operation = call.engine().begin(kind, call.pe(), target);
  operation->local = const_cast<void*>(local);
  operation->remote = remote;
  operation->bytes = bytes;
  return operation;
}

void start_put(const Call& call, Operation& operation, Context& context, Until until) {
  if (until == Until::reusable) {
    call.engine().start_blocking(operation, context);
  } else {
    call.engine().start(operation, context);
  }
}

Operation& prepare(const Call& call, Operation::Kind kind, const Context& context, const void* dest,
                   const Update& update, int pe) {
  Pe& target = call.target(context, pe);
  void* there = call.at(target, dest, update.type.size, "dest");
  Operation& operation = prepare(call, kind, target, nullptr, there, update.type.size);
  operation->atomic = update.atomic;
  operation->type = update.type;
  operation->value = update.value;
  operation->condition = update.condition;
  return operation;
}

void wait_for_gets(const Call& call, const Context& context) {
  Pe& pe = call.pe();
  pe.wait_until([&] { return context.pending == 0; },
                [&] { return std::string("waits in ") + pe.call + " for the data of other PEs"; });
}

}  // namespace

void put(const Call& call, void* dest, const void* source, std::size_t bytes, int pe, Until until) {
  Context& context = call.context();
  Pe& target = call.target(context, pe);
  if (bytes == 0) return;
  void* there = call.at(target, dest, bytes, "dest");
  start_put(call, prepare(call, Operation::Kind::put, target, source, there, bytes), context,
            until);
}

void get(const Call& call, void* dest, const void* source, std::size_t bytes, int pe, Until until) {
  Context& context = call.context();
  Pe& target = call.target(context, pe);
  if (bytes == 0) return;
  void* there = call.at(target, source, bytes, "source");
  Operation& operation = prepare(call, Operation::Kind::get, target, dest, there, bytes);
  if (until == Until::started) return call.engine().start(operation, context);
  call.engine().complete(operation, context);
  call.engine().give_back(operation);
}

void put(const Call& call, void* dest, const void* source, const Strides& strides, std::size_t size,
         int pe) {
  for (std::size_t i = 0; i < strides.blocks; ++i) {
    put(call, moved(dest, i, strides.dest, size), moved(source, i, strides.source, size),
        bytes_of(strides.block, size), pe, Until::reusable);
  }
}

void get(const Call& call, void* dest, const void* source, const Strides& strides, std::size_t size,
         int pe) {
  Pe& target = call.target(call.context(), pe);
  const std::size_t bytes = bytes_of(strides.block, size);
  if (bytes == 0) return;
  Context together;
  for (std::size_t i = 0; i < strides.blocks; ++i) {
    void* there = call.at(target, moved(source, i, strides.source, size), bytes, "source");
    call.engine().start(prepare(call, Operation::Kind::get, target,
                                moved(dest, i, strides.dest, size), there, bytes),
                        together);
  }
  wait_for_gets(call, together);
}

void update(const Call& call, const void* dest, const Update& update, int pe) {
  Context& context = call.context();
  call.engine().start(prepare(call, Operation::Kind::atomic, context, dest, update, pe), context);
}

std::uint64_t fetch(const Call& call, const void* dest, const Update& update, int pe) {
  Context& context = call.context();
  Operation& operation = prepare(call, Operation::Kind::fetch_atomic, context, dest, update, pe);
  call.engine().complete(operation, context);
  const std::uint64_t fetched = operation->fetched;
  call.engine().give_back(operation);
  return fetched;
}

void fetch_later(const Call& call, void* to, const void* dest, const Update& update, int pe) {
  Context& context = call.context();
  Operation& operation = prepare(call, Operation::Kind::fetch_atomic, context, dest, update, pe);
  operation->local = to;
  call.engine().start(operation, context);
}

void put_signal(const Call& call, void* dest, const void* source, std::size_t bytes,
                const Signal& signal, int pe, Until until) {
  Context& context = call.context();
  Pe& target = call.target(context, pe);
  void* place = call.at(target, signal.address, sizeof signal.value, "sig_addr");
  const bool apart = bytes == 0 || (call.engine().transport().ordered() && &target != &call.pe());
  if (apart) {
    put(call, dest, source, bytes, pe, until);
    return update(call, signal.address,
                  {signal.adds ? Atomic::add : Atomic::set, kSignalType, signal.value}, pe);
  }
  void* there = call.at(target, dest, bytes, "dest");
  Operation& operation = prepare(call, Operation::Kind::put, target, source, there, bytes);
  operation->signal = place;
  operation->signal_value = signal.value;
  operation->signal_adds = signal.adds;
  start_put(call, operation, context, until);
}

}  // namespace heddle::shmem
