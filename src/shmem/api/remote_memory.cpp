// Puts, gets, signals, and their order.
#include "shmem/access.hpp"
#include "shmem/api/calls.hpp"

namespace heddle::shmem::api {
namespace {

bool signal_adds(const Call& call, int sig_op) {
  if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD) {
    call.refuse("sig_op is neither SHMEM_SIGNAL_SET nor SHMEM_SIGNAL_ADD");
  }
  return sig_op == SHMEM_SIGNAL_ADD;
}

constexpr Type kSignal{sizeof(std::uint64_t), Number::unsigned_integer};

}  // namespace

void put(const Site& site, Type type, void* dest, const void* source, std::size_t nelems, int pe) {
  shmem::put(Call(site), dest, source, bytes_of(nelems, type.size), pe, Until::reusable);
}

void put_nbi(const Site& site, Type type, void* dest, const void* source, std::size_t nelems,
             int pe) {
  shmem::put(Call(site), dest, source, bytes_of(nelems, type.size), pe, Until::started);
}

void p(const Site& site, Type type, void* dest, const void* value, int pe) {
  shmem::put(Call(site), dest, value, type.size, pe, Until::reusable);
}

void iput(const Site& site, Type type, void* dest, const void* source, std::ptrdiff_t dst,
          std::ptrdiff_t sst, std::size_t nelems, int pe) {
  shmem::put(Call(site), dest, source, Strides{dst, sst, 1, nelems}, type.size, pe);
}

void ibput(const Site& site, Type type, void* dest, const void* source, std::ptrdiff_t dst,
           std::ptrdiff_t sst, std::size_t bsize, std::size_t nblocks, int pe) {
  shmem::put(Call(site), dest, source, Strides{dst, sst, bsize, nblocks}, type.size, pe);
}

void get(const Site& site, Type type, void* dest, const void* source, std::size_t nelems, int pe) {
  shmem::get(Call(site), dest, source, bytes_of(nelems, type.size), pe, Until::reusable);
}

void get_nbi(const Site& site, Type type, void* dest, const void* source, std::size_t nelems,
             int pe) {
  shmem::get(Call(site), dest, source, bytes_of(nelems, type.size), pe, Until::started);
}

void g(const Site& site, Type type, void* result, const void* source, int pe) {
  shmem::get(Call(site), result, source, type.size, pe, Until::reusable);
}

void iget(const Site& site, Type type, void* dest, const void* source, std::ptrdiff_t dst,
          std::ptrdiff_t sst, std::size_t nelems, int pe) {
  shmem::get(Call(site), dest, source, Strides{dst, sst, 1, nelems}, type.size, pe);
}

void ibget(const Site& site, Type type, void* dest, const void* source, std::ptrdiff_t dst,
           std::ptrdiff_t sst, std::size_t bsize, std::size_t nblocks, int pe) {
  shmem::get(Call(site), dest, source, Strides{dst, sst, bsize, nblocks}, type.size, pe);
}

void put_signal(const Site& site, Type type, void* dest, const void* source, std::size_t nelems,
                std::uint64_t* sig_addr, std::uint64_t signal, int sig_op, int pe) {
  const Call call(site);
  shmem::put_signal(call, dest, source, bytes_of(nelems, type.size),
                    {sig_addr, signal, signal_adds(call, sig_op)}, pe, Until::reusable);
}

void put_signal_nbi(const Site& site, Type type, void* dest, const void* source, std::size_t nelems,
                    std::uint64_t* sig_addr, std::uint64_t signal, int sig_op, int pe) {
  const Call call(site);
  shmem::put_signal(call, dest, source, bytes_of(nelems, type.size),
                    {sig_addr, signal, signal_adds(call, sig_op)}, pe, Until::started);
}

void signal_set(const Site& site, std::uint64_t* sig_addr, std::uint64_t signal, int pe) {
  update(Call(site), sig_addr, {Atomic::set, kSignal, signal}, pe);
}

void signal_add(const Site& site, std::uint64_t* sig_addr, std::uint64_t signal, int pe) {
  update(Call(site), sig_addr, {Atomic::add, kSignal, signal}, pe);
}

void quiet(const Site& site) {
  const Call call(site);
  call.engine().quiet(call.pe(), call.context());
}

void fence(const Site& site) {
  const Call call(site);
  const Context& context = call.context();
  if (!call.engine().transport().ordered()) call.engine().quiet(call.pe(), context);
}

}  // namespace heddle::shmem::api
