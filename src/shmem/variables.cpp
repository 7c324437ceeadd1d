#include "shmem/variables.hpp"

#include <fmt/core.h>

#include <cstring>

namespace heddle::shmem {
namespace {

constexpr const char* kSigns[] = {"==", "!=", ">", "<=", "<", ">="};
constexpr int kComparisons = 6;

template <class T>
bool compare(T a, int comparison, T b) {
  switch (comparison) {
    case SHMEM_CMP_EQ:
      return a == b;
    case SHMEM_CMP_NE:
      return a != b;
    case SHMEM_CMP_GT:
      return a > b;
    case SHMEM_CMP_LE:
      return a <= b;
    case SHMEM_CMP_LT:
      return a < b;
    default:
      return a >= b;
  }
}

/// The number that the low bytes of a word are.
std::int64_t extended(Type type, std::uint64_t word) {
  const int unused = 64 - 8 * type.size;
  return static_cast<std::int64_t>(word << unused) >> unused;
}

}  // namespace

Variables::Variables(const Call& call, Type type, const Wanted& wanted)
    : pe_(call.pe()),
      type_(type),
      variables_(wanted.variables),
      count_(wanted.count),
      comparison_(wanted.comparison) {
  if (comparison_ < 0 || comparison_ >= kComparisons) {
    call.refuse(fmt::format("cmp {} is none of SHMEM_CMP_EQ, NE, GT, LE, LT and GE", comparison_));
  }
  call.check_symmetric(variables_, count_ * type.size, count_ == 1 ? "ivar" : "ivars");
  if (wanted.excluded != nullptr) excluded_.assign(wanted.excluded, wanted.excluded + count_);
  values_.resize(wanted.value_each ? count_ : 1);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    std::memcpy(&values_[i], static_cast<const std::byte*>(wanted.values) + i * type.size,
                type.size);
  }
}

const std::byte* Variables::address(std::size_t i) const {
  return static_cast<const std::byte*>(variables_) + i * type_.size;
}

std::uint64_t Variables::value(std::size_t i) const {
  std::uint64_t word = 0;
  pe_.memory().read(&word, address(i), type_.size);
  return word;
}

bool Variables::holds(std::size_t i) const {
  const std::uint64_t now = value(i);
  if (type_.number == Number::signed_integer) {
    return compare(extended(type_, now), comparison_, extended(type_, wanted(i)));
  }
  return compare(now, comparison_, wanted(i));
}

bool Variables::none() const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (counts(i)) return false;
  }
  return true;
}

bool Variables::all_hold() const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (counts(i) && !holds(i)) return false;
  }
  return true;
}

std::size_t Variables::first() const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (counts(i) && holds(i)) return i;
  }
  return SIZE_MAX;
}

std::size_t Variables::list(std::size_t* indices) const {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    if (counts(i) && holds(i)) indices[found++] = i;
  }
  return found;
}

std::string Variables::text(std::uint64_t value) const {
  if (type_.number == Number::signed_integer) return std::to_string(extended(type_, value));
  return std::to_string(value);
}

std::string Variables::waiting_text() const {
  std::size_t i = 0;
  while (i + 1 < count_ && (!counts(i) || holds(i))) ++i;
  const int writer = pe_.world().engine().writers().find(pe_.number(), address(i));
  std::string words = fmt::format("waits in {} for {} to be {} {}: it is {}, {}", pe_.call,
                                  pe_.world().memory().place(pe_.rank(), address(i)),
                                  kSigns[comparison_], text(wanted(i)), text(value(i)),
                                  writer < 0 ? "and no other PE is known to have written it"
                                             : fmt::format("last written by PE {}", writer));
  if (count_ > 1) words += fmt::format(" (one of {})", count_);
  return words;
}

}  // namespace heddle::shmem
