// Drives a fuzz target without libFuzzer: its corpus, then mutations of it that follow from a seed,
// so that they are the same on every run. Usage: PROGRAM CORPUS_DIRECTORY MUTATIONS [SEED
// [SECONDS]]; with SECONDS it ends after these, if not before.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "fuzz.hpp"

// Of the sanitizers, where they are linked: what to do before they end the program.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

using heddle::RandomStream;

/// Which mutation of which seed is being answered.
std::uint64_t seed = 1;
int current = -1;

void say_which() {
  std::fprintf(stderr, "seed %llu, mutation %d\n", static_cast<unsigned long long>(seed), current);
}

std::vector<std::string> read_corpus(const char* directory) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

void feed(const std::string& text) {
  try {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  } catch (const std::exception& problem) {
    std::printf("%s, for this input:\n%s\n", problem.what(), text.c_str());
    say_which();
    std::exit(1);
  }
}

/// A piece of `text` of at most 32 characters.
std::string piece(const std::string& text, RandomStream& random) {
  if (text.empty()) return text;
  return text.substr(random.below(text.size()), 1 + random.below(32));
}

/// Changes one place: overwrites a character, cuts, repeats, or brings in a piece of `other`.
void mutate(std::string& text, const std::string& other, RandomStream& random) {
  const std::size_t at = random.below(text.size() + 1);
  switch (random.below(5)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(random.below(256));
      break;
    case 1:
      text.erase(at, 1 + random.below(16));
      break;
    case 2:
      text.insert(at, piece(text, random));
      break;
    case 3:
      text.insert(at, piece(other, random));
      break;
    default:
      text.insert(at, 1, "{}[]:,-#'\"|&*!\n\t 0919<>=/"[random.below(25)]);
  }
}

std::string mutated(const std::vector<std::string>& corpus, RandomStream random) {
  std::string text = corpus[random.below(corpus.size())];
  for (std::uint64_t n = 1 + random.below(6); n > 0; --n) {
    mutate(text, corpus[random.below(corpus.size())], random);
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) return 2;
  const std::vector<std::string> corpus = read_corpus(argv[1]);
  if (corpus.empty()) return 2;
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(say_which);
  for (const std::string& text : corpus) feed(text);
  const int mutations = std::atoi(argv[2]);
  if (argc > 3) seed = std::strtoull(argv[3], nullptr, 0);
  const RandomStream random(seed);
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::seconds(argc > 4 ? std::atoi(argv[4]) : 86'400);
  for (current = 0; current < mutations && std::chrono::steady_clock::now() < end; ++current) {
    feed(mutated(corpus, random.split(static_cast<std::uint64_t>(current))));
  }
  std::printf("%zu inputs and %d mutations of seed %llu answered\n", corpus.size(), current,
              static_cast<unsigned long long>(seed));
  return 0;
}
