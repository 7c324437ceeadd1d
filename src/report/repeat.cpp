#include "report/repeat.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace heddle::report {
namespace {

/// FNV-1a, over bytes or words.
class Hash {
 public:
  void add(std::uint64_t value) { hash_ = (hash_ ^ value) * 0x100000001b3; }
  std::string text() const { return hex(hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

void add(Hash& hash, const goal::Op& op) {
  for (const std::uint64_t part : {static_cast<std::uint64_t>(op.kind), op.value,
                                   static_cast<std::uint64_t>(op.peer) << 32 | op.tag,
                                   static_cast<std::uint64_t>(op.cpu) << 8 | op.nic}) {
    hash.add(part);
  }
}

std::string shown_path(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto relative = path.lexically_relative(std::filesystem::current_path(ignored));
  if (relative.empty() || *relative.begin() == "..") return path.filename().string();
  return relative.has_parent_path() ? relative.string() : "./" + relative.string();
}

}  // namespace

std::string hex(std::uint64_t number) {
  return fmt::format("{:016x}", number);
}

std::string absolute_path(const std::string& path) {
  return path == "-" ? path : std::filesystem::absolute(path).lexically_normal().string();
}

std::vector<std::string> without_places(std::vector<std::string> words) {
  for (std::string& word : words) {
    const std::size_t begin =
        word.starts_with('/') ? 0 : std::min(word.find(":/"), word.find("=/")) + 1;
    if (begin >= word.size() || word[begin] != '/') continue;
    word = word.substr(0, begin) + shown_path(word.substr(begin));
  }
  return words;
}

Json hash_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return nullptr;
  Hash hash;
  std::vector<char> block(1 << 16);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0) {
    for (std::streamsize i = 0; i < file.gcount(); ++i) {
      hash.add(static_cast<unsigned char>(block[static_cast<std::size_t>(i)]));
    }
  }
  return hash.text();
}

std::string hash_of(const goal::Schedule& schedule) {
  Hash hash;
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    const goal::RankView rank = schedule.rank(r);
    hash.add(rank.size());
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      add(hash, rank.op(i));
      for (const goal::Edge edge : rank.successors(i)) {
        hash.add(static_cast<std::uint64_t>(edge.target) << 1 | edge.from_start);
      }
    }
  }
  return hash.text();
}

std::vector<std::string> changed_settings(const Settings& settings,
                                          const std::vector<std::string>& sections) {
  const Settings untouched(settings.known());
  std::vector<std::string> changed;
  for (const ParamSection* section : settings.known()) {
    if (std::find(sections.begin(), sections.end(), section->section()) == sections.end()) continue;
    const auto before = section->effective(untouched);
    const auto now = section->effective(settings);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] == before[i]) continue;
      changed.push_back(section->section() + "." + now[i].first + "=" + now[i].second);
    }
  }
  return changed;
}

}  // namespace heddle::report
