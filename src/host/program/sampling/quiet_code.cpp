#include "host/program/sampling/quiet_code.hpp"

#include <dlfcn.h>
#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "host/program/loading/bindings.hpp"
#include "host/rank/code/x86/flow.hpp"

namespace heddle::host {
namespace {

using FlowKind = Flow::Kind;

template <class Number>
Number number_at(const std::byte* place) {
  Number number{};
  std::memcpy(&number, place, sizeof number);
  return number;
}

const Elf64_Phdr* segment(std::uint64_t base, std::uint32_t type) {
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(base);
  const auto* segments = reinterpret_cast<const Elf64_Phdr*>(base + header->e_phoff);
  const auto* end = segments + header->e_phnum;
  const auto* found = std::find_if(segments, end, [=](const auto& s) { return s.p_type == type; });
  return found == end ? nullptr : found;
}

/// Libraries that compute and do nothing else.
bool computes(const void* place) {
  Dl_info info{};
  if (dladdr(place, &info) == 0 || info.dli_fname == nullptr) return false;
  const std::string_view path = info.dli_fname;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("libm.so") || name.starts_with("libmvec.so") ||
         name.starts_with("libgcc_s.so");
}

/// Functions of the C library on memory and texts that are there.
bool moves_memory(std::string_view name) {
  static constexpr std::array<std::string_view, 19> kNames = {
      "memcpy",       "memmove",       "memset",        "memcmp",  "memchr", "bcmp",    "bzero",
      "__memcpy_chk", "__memmove_chk", "__memset_chk",  "strlen",  "strcmp", "strncmp", "strcpy",
      "strncpy",      "__strcpy_chk",  "__strncpy_chk", "mempcpy", "abs"};
  return std::ranges::find(kNames, name) != kNames.end();
}

/// Those that end the program: what stands behind a call of theirs is not carried out.
bool ends_program(std::string_view name) {
  return name == "abort" || name == "exit" || name == "__assert_fail" ||
         name == "__stack_chk_fail" || name.starts_with("_gfortran_runtime_error") ||
         name.starts_with("_gfortran_stop") || name.starts_with("_gfortran_error_stop") ||
         name.starts_with("_ZSt16__throw") || name.starts_with("_ZSt17__throw") ||
         name.starts_with("_ZSt20__throw") || name.starts_with("_ZSt24__throw");
}

}  // namespace

QuietCode::QuietCode(const link_map& object) {
  find_functions(object.l_addr);
  Bindings(object).each(
      [&](const Binding& one) { bindings_[reinterpret_cast<std::uint64_t>(one.slot)] = one.name; });
}

void QuietCode::find_functions(std::uint64_t base) {
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(base);
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
  const auto* segments = reinterpret_cast<const Elf64_Phdr*>(base + header->e_phoff);
  for (const Elf64_Phdr& s : std::span(segments, header->e_phnum)) {
    if (s.p_type == PT_LOAD && (s.p_flags & PF_X) != 0) code_end_ = base + s.p_vaddr + s.p_memsz;
  }
  const Elf64_Phdr* const table = segment(base, PT_GNU_EH_FRAME);
  if (table == nullptr) return;
  add_functions(reinterpret_cast<const std::byte*>(base + table->p_vaddr));
}

/// A sorted table of functions and their records, both as distances from the table; a record has
/// the function's place, as a distance from there, and its length.
void QuietCode::add_functions(const std::byte* table) {
  constexpr std::array<std::uint8_t, 4> kUsual = {1, 0x1b, 0x03, 0x3b};
  if (std::memcmp(table, kUsual.data(), kUsual.size()) != 0) return;
  const auto place = reinterpret_cast<std::uint64_t>(table);
  const auto count = number_at<std::uint32_t>(table + 8);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::byte* const entry = table + 12 + std::size_t{8} * i;
    const std::uint64_t begin =
        place + static_cast<std::uint64_t>(std::int64_t{number_at<std::int32_t>(entry)});
    const std::byte* const record = table + number_at<std::int32_t>(entry + 4);
    const auto* const from = record + 8;
    const auto again = reinterpret_cast<std::uint64_t>(from) +
                       static_cast<std::uint64_t>(std::int64_t{number_at<std::int32_t>(from)});
    if (again != begin) continue;
    functions_.push_back({begin, begin + number_at<std::uint32_t>(from + 4)});
  }
}

/// Empty if it is no function of another object.
std::string_view QuietCode::name_called(const Flow& call) const {
  const auto found =
      bindings_.find(call.by_word || call.unknown ? call.target : word_at(call.target));
  return found == bindings_.end() ? std::string_view() : found->second;
}

std::vector<CodeStep> QuietCode::steps_of(const Function& function) {
  std::vector<CodeStep> steps;
  for (std::uint64_t at = function.begin; at < function.end;) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(at);
    Flow flow = x86::read_flow(bytes, std::min(code_end_, function.end + 16) - at, at);
    if (flow.length == 0) return {};
    if (flow.kind == FlowKind::call && ends_program(name_called(flow))) flow.kind = FlowKind::away;
    steps.push_back({at, flow, true});
    at += flow.length;
  }
  return steps;
}

std::vector<CodeLoop> QuietCode::loops() {
  std::vector<CodeLoop> all;
  for (Function& function : functions_) {
    std::vector<CodeStep> steps = steps_of(function);
    for (CodeStep& step : steps) step.wanted = is_quiet(step.flow, function);
    for (CodeLoop& loop : wanted_loops(steps)) all.push_back(std::move(loop));
  }
  return all;
}

bool QuietCode::is_quiet(Function& function) {
  if (function.quiet != Answer::unknown) return function.quiet == Answer::yes;
  function.quiet = Answer::asked;
  const std::vector<CodeStep> steps = steps_of(function);
  const bool quiet = !steps.empty() && std::ranges::all_of(steps, [&](const CodeStep& step) {
    return !step.flow.unknown && is_quiet(step.flow, function);
  });
  function.quiet = quiet ? Answer::yes : Answer::no;
  return quiet;
}

bool QuietCode::is_quiet(const Flow& flow, const Function& within) {
  if (flow.others) return false;
  if (flow.unknown) return flow.kind != FlowKind::call;
  if (flow.by_word) return is_quiet_by_word(flow.target);
  if (flow.kind == FlowKind::next || flow.kind == FlowKind::away) return true;
  const bool inside = flow.target >= within.begin && flow.target < within.end;
  return (inside && flow.kind != FlowKind::call) || is_quiet_at(flow.target);
}

/// Code that leads on to what a word says, as linkers make it for functions of other objects.
std::uint64_t QuietCode::word_at(std::uint64_t place) const {
  for (int i = 0; i < 2 && place < code_end_; ++i) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(place);
    const Flow flow = x86::read_flow(bytes, code_end_ - place, place);
    if (flow.kind == FlowKind::jump && flow.by_word) return flow.target;
    if (flow.length == 0 || flow.kind != FlowKind::next) return 0;
    place += flow.length;
  }
  return 0;
}

bool QuietCode::is_quiet_at(std::uint64_t place) {
  const auto after =
      std::ranges::upper_bound(functions_, place, {}, [](const Function& f) { return f.begin; });
  if (after == functions_.begin() || place >= std::prev(after)->end) return false;
  if (const std::uint64_t word = word_at(place)) return is_quiet_by_word(word);
  return std::prev(after)->begin == place && is_quiet(*std::prev(after));
}

bool QuietCode::is_quiet_by_word(std::uint64_t word) {
  const auto found = bindings_.find(word);
  if (found == bindings_.end()) return false;
  const auto place = number_at<std::uint64_t>(reinterpret_cast<const std::byte*>(word));
  if (!functions_.empty() && place >= functions_.front().begin && place < functions_.back().end) {
    return is_quiet_at(place);
  }
  return moves_memory(found->second) || computes(reinterpret_cast<const void*>(place));
}

}  // namespace heddle::host
