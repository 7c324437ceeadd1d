#include "simgrid_engine.hpp"

namespace heddle::bench {

std::unique_ptr<simgrid::s4u::Engine> make_simgrid_engine(std::vector<std::string> config) {
  std::vector<std::string> words = {"bench", "--log=root.thres:critical"};
  config.emplace_back("contexts/factory:boost");
  for (const std::string& setting : config) words.push_back("--cfg=" + setting);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(words.size());
  return std::make_unique<simgrid::s4u::Engine>(&argc, argv.data());
}

}  // namespace heddle::bench
