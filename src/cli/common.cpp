#include "cli/common.hpp"

#include "network/network.hpp"
#include "platform/platform.hpp"

namespace heddle::cli {

std::vector<const ParamSection*> all_sections() {
  std::vector<const ParamSection*> sections = {&platform::link_table(), &platform::switch_table(),
                                               &platform::node_table(), &platform::nic_table()};
  for (const ParamSection* section : network::network_sections()) sections.push_back(section);
  return sections;
}

void OutputOptions::add_to(CLI::App& app) {
  app.add_option("--json", json_path_, "Write the results as JSON; - for the standard output")
      ->type_name("FILE");
}

void OutputOptions::open() {
  if (json_wanted()) json_.emplace("--json", json_path_);
}

void OutputOptions::write(const report::Json& document) const {
  if (json_) json_->write(report::dump(document));
}

}  // namespace heddle::cli
