// Waiting for memory to change, and looking whether it has.
#include "shmem/access.hpp"
#include "shmem/api/calls.hpp"
#include "shmem/variables.hpp"

namespace heddle::shmem::api {
namespace {

constexpr Type kLong = type_of<long>();
constexpr Type kSignalWord = type_of<std::uint64_t>();

void wait_all(const Site& site, Type type, const Variables::Wanted& wanted) {
  const Call call(site);
  const Variables variables(call, type, wanted);
  wait_for(call.pe(), variables, [](const Variables& v) { return v.all_hold(); });
}

std::size_t wait_any(const Site& site, Type type, const Variables::Wanted& wanted) {
  const Call call(site);
  const Variables variables(call, type, wanted);
  if (variables.none()) return SIZE_MAX;
  wait_for(call.pe(), variables, [](const Variables& v) { return v.first() != SIZE_MAX; });
  return variables.first();
}

std::size_t wait_some(const Site& site, Type type, const Variables::Wanted& wanted,
                      std::size_t* indices) {
  const Call call(site);
  const Variables variables(call, type, wanted);
  if (variables.none()) return 0;
  wait_for(call.pe(), variables, [](const Variables& v) { return v.first() != SIZE_MAX; });
  return variables.list(indices);
}

int look_all(const Site& site, Type type, const Variables::Wanted& wanted) {
  const Call call(site);
  const Variables variables(call, type, wanted);
  if (!variables.all_hold()) call.pe().look_in_vain();
  return static_cast<int>(variables.all_hold());
}

std::size_t look_any(const Site& site, Type type, const Variables::Wanted& wanted) {
  const Call call(site);
  const Variables variables(call, type, wanted);
  if (!variables.none() && variables.first() == SIZE_MAX) call.pe().look_in_vain();
  return variables.first();
}

std::size_t look_some(const Site& site, Type type, const Variables::Wanted& wanted,
                      std::size_t* indices) {
  const Call call(site);
  const Variables variables(call, type, wanted);
  if (!variables.none() && variables.first() == SIZE_MAX) call.pe().look_in_vain();
  return variables.list(indices);
}

}  // namespace

void wait_until(const Site& site, Type type, void* ivar, int cmp, const void* cmp_value) {
  wait_all(site, type, {ivar, 1, nullptr, cmp, cmp_value});
}
void wait_until_all(const Site& site, Type type, void* ivars, std::size_t nelems, const int* status,
                    int cmp, const void* cmp_value) {
  wait_all(site, type, {ivars, nelems, status, cmp, cmp_value});
}
std::size_t wait_until_any(const Site& site, Type type, void* ivars, std::size_t nelems,
                           const int* status, int cmp, const void* cmp_value) {
  return wait_any(site, type, {ivars, nelems, status, cmp, cmp_value});
}
std::size_t wait_until_some(const Site& site, Type type, void* ivars, std::size_t nelems,
                            std::size_t* indices, const int* status, int cmp,
                            const void* cmp_value) {
  return wait_some(site, type, {ivars, nelems, status, cmp, cmp_value}, indices);
}
void wait_until_all_vector(const Site& site, Type type, void* ivars, std::size_t nelems,
                           const int* status, int cmp, void* cmp_values) {
  wait_all(site, type, {ivars, nelems, status, cmp, cmp_values, true});
}
std::size_t wait_until_any_vector(const Site& site, Type type, void* ivars, std::size_t nelems,
                                  const int* status, int cmp, void* cmp_values) {
  return wait_any(site, type, {ivars, nelems, status, cmp, cmp_values, true});
}
std::size_t wait_until_some_vector(const Site& site, Type type, void* ivars, std::size_t nelems,
                                   std::size_t* indices, const int* status, int cmp,
                                   void* cmp_values) {
  return wait_some(site, type, {ivars, nelems, status, cmp, cmp_values, true}, indices);
}

int test(const Site& site, Type type, void* ivar, int cmp, const void* cmp_value) {
  return look_all(site, type, {ivar, 1, nullptr, cmp, cmp_value});
}
int test_all(const Site& site, Type type, void* ivars, std::size_t nelems, const int* status,
             int cmp, const void* cmp_value) {
  return look_all(site, type, {ivars, nelems, status, cmp, cmp_value});
}
std::size_t test_any(const Site& site, Type type, void* ivars, std::size_t nelems,
                     const int* status, int cmp, const void* cmp_value) {
  return look_any(site, type, {ivars, nelems, status, cmp, cmp_value});
}
std::size_t test_some(const Site& site, Type type, void* ivars, std::size_t nelems,
                      std::size_t* indices, const int* status, int cmp, const void* cmp_value) {
  return look_some(site, type, {ivars, nelems, status, cmp, cmp_value}, indices);
}
int test_all_vector(const Site& site, Type type, void* ivars, std::size_t nelems, const int* status,
                    int cmp, void* cmp_values) {
  return look_all(site, type, {ivars, nelems, status, cmp, cmp_values, true});
}
std::size_t test_any_vector(const Site& site, Type type, void* ivars, std::size_t nelems,
                            const int* status, int cmp, void* cmp_values) {
  return look_any(site, type, {ivars, nelems, status, cmp, cmp_values, true});
}
std::size_t test_some_vector(const Site& site, Type type, void* ivars, std::size_t nelems,
                             std::size_t* indices, const int* status, int cmp, void* cmp_values) {
  return look_some(site, type, {ivars, nelems, status, cmp, cmp_values, true}, indices);
}

void wait(const Site& site, Type type, void* ivar, const void* cmp_value) {
  wait_all(site, type, {ivar, 1, nullptr, SHMEM_CMP_NE, cmp_value});
}
void wait_long(const Site& site, long* ivar, long cmp_value) {
  wait_all(site, kLong, {ivar, 1, nullptr, SHMEM_CMP_NE, &cmp_value});
}

std::uint64_t signal_fetch(const Site& site, const std::uint64_t* sig_addr) {
  const Call call(site);
  call.check_symmetric(sig_addr, sizeof *sig_addr, "sig_addr");
  // Somebody who asks again and again waits for something.
  if (std::exchange(call.pe().last_signal, *sig_addr) == *sig_addr) call.pe().look_in_vain();
  return *sig_addr;
}

std::uint64_t signal_wait_until(const Site& site, std::uint64_t* sig_addr, int cmp,
                                std::uint64_t cmp_value) {
  const Call call(site);
  const Variables variables(call, kSignalWord, {sig_addr, 1, nullptr, cmp, &cmp_value});
  wait_for(call.pe(), variables, [](const Variables& v) { return v.all_hold(); });
  return variables.value(0);
}

}  // namespace heddle::shmem::api
