#include "orders.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace heddle::serve {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// Options of each command that pages may give: none of those that write files.
const std::map<std::string, std::set<std::string>>& offered() {
  static const std::map<std::string, std::set<std::string>> options = {
      {"platforms", {}},
      {"topo", {"network", "routing", "seed", "size", "route", "print-config"}},
      {"traffic",
       {"network", "routing", "seed", "seeds", "pattern", "size", "load", "messages", "window",
        "duration", "warm-up", "spacing", "from"}},
      {"replay",
       {"network", "routing", "seed", "pattern", "ranks-per-node", "map", "nodes", "ends",
        "time-unit"}},
      {"run",
       {"network", "routing", "seed", "ranks", "ranks-per-node", "map", "nodes", "compute",
        "payload", "fidelity"}},
      {"report", {}},
  };
  return options;
}

std::string text_of(const json& value, const std::string& name) {
  if (!value.is_string()) throw Refused(name + " has to be a text");
  const std::string text = value.get<std::string>();
  if (text.size() > 4096 || text.find('\0') != std::string::npos) {
    throw Refused(name + " is too long");
  }
  return text;
}

/// Of a path whose links were followed.
bool is_inside(const fs::path& path, const fs::path& folder) {
  const fs::path inside = path.lexically_relative(folder);
  return !inside.empty() && *inside.begin() != "..";
}

std::string safe_value(const fs::path& folder, const json& value, const std::string& name) {
  const std::string text = text_of(value, name);
  if (!stays_below(text, folder)) throw Refused(name + ": '" + text + "' leads out of the folder");
  return text;
}

/// A file of the folder, as a path from there.
std::string file_in(const fs::path& folder, const json& value, const std::string& name) {
  const std::string text = safe_value(folder, value, name);
  std::error_code error;
  const fs::path path = fs::weakly_canonical(folder / text, error);
  if (error || text.empty() || !is_inside(path, folder)) {
    throw Refused(name + ": '" + text + "' leads out of the folder");
  }
  if (!fs::is_regular_file(path, error)) throw Refused(name + ": there is no file '" + text + "'");
  return "./" + path.lexically_relative(folder).string();
}

void add_options(Order& order, const json& options, const fs::path& folder) {
  const std::set<std::string>& accepted = offered().at(order.command);
  for (const auto& [name, value] : options.items()) {
    if (!accepted.contains(name)) throw Refused("option '" + name + "' is not offered here");
    if (name == "print-config") {
      order.words.push_back("--print-config");
      continue;
    }
    if (name == "route") {
      if (!value.is_array() || value.size() != 2) throw Refused("a route has two ends");
      order.words.push_back("--route");
      for (const json& end : value) {
        order.words.push_back(safe_value(folder, end, "route"));
        if (order.words.back().starts_with('-')) throw Refused("there is no such node");
      }
      continue;
    }
    order.words.push_back("--" + name + "=" + safe_value(folder, value, name));
  }
}

void add_settings(Order& order, const json& settings, const fs::path& folder) {
  for (const auto& [name, value] : settings.items()) {
    if (name.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") !=
        std::string::npos) {
      throw Refused("there is no parameter '" + name + "'");
    }
    order.words.push_back("--set=" + name + "=" + safe_value(folder, value, name));
  }
}

void add_machine(Order& order, const json& wanted, const fs::path& folder) {
  if (wanted.contains("machine")) {
    constexpr std::size_t kMost = 200'000;
    if (!wanted["machine"].is_string()) throw Refused("a machine has to be a text");
    order.machine_text = wanted["machine"].get<std::string>();
    if (order.machine_text.size() > kMost) throw Refused("the machine is too long");
    if (order.machine_text.find('\\') != std::string::npos) {
      throw Refused("the machine has a backslash, which could hide the path of a file");
    }
    if (!stays_below(order.machine_text, folder)) {
      throw Refused("the machine names files outside the folder");
    }
  } else if (wanted.contains("platform")) {
    const std::string name = safe_value(folder, wanted["platform"], "platform");
    const bool file = name.find('/') != std::string::npos || name.find('.') != std::string::npos;
    order.words.push_back("--platform=" +
                          (file ? file_in(folder, wanted["platform"], "platform") : name));
  }
}

void add_work(Order& order, const json& wanted, const fs::path& folder) {
  if (order.command == "run") {
    const json program = wanted.value("program", json::array());
    if (!program.is_array() || program.empty()) throw Refused("a program is missing");
    order.behind.push_back(file_in(folder, program[0], "program"));
    for (std::size_t i = 1; i < program.size(); ++i) {
      order.behind.push_back(text_of(program[i], "an argument"));
      if (order.behind.back() == ":") throw Refused("one program at a time");
    }
  }
  if (order.command == "replay" && wanted.contains("schedule")) {
    order.behind.push_back(file_in(folder, wanted["schedule"], "schedule"));
  }
  if (order.command == "report") {
    for (const json& run : wanted.value("runs", json::array())) {
      order.runs.push_back(text_of(run, "a run"));
    }
    if (order.runs.size() < 2) throw Refused("a comparison needs two runs");
  }
}

}  // namespace

bool stays_below(const std::string& value, const fs::path& folder) {
  if (value.find('\\') != std::string::npos) return false;
  // Paths begin at the beginning, or behind what separates words.
  constexpr const char* kBetween = " \t\r\n\"':,;=@[]{}()|";
  std::size_t begin = 0;
  while (begin < value.size()) {
    const std::size_t end = std::min(value.find_first_of(kBetween, begin), value.size());
    const fs::path path = value.substr(begin, end - begin);
    if (std::find(path.begin(), path.end(), "..") != path.end()) return false;
    std::error_code error;
    const fs::path followed = fs::weakly_canonical(folder / path, error);
    if (!error && followed != folder && !is_inside(followed, folder)) return false;
    begin = end + 1;
  }
  return true;
}

Order read_order(const json& wanted, const fs::path& folder) {
  if (!wanted.is_object()) throw Refused("an order has to be an object");
  Order order;
  order.command = text_of(wanted.value("command", json("")), "command");
  if (!offered().contains(order.command)) {
    throw Refused("command '" + order.command + "' is not offered here");
  }
  const json nothing = json::object();
  const json options = wanted.value("options", nothing);
  const json settings = wanted.value("settings", nothing);
  if (!options.is_object() || !settings.is_object()) {
    throw Refused("options and settings have to be objects");
  }
  if (order.command != "report") add_machine(order, wanted, folder);
  add_options(order, options, folder);
  add_settings(order, settings, folder);
  add_work(order, wanted, folder);
  return order;
}

}  // namespace heddle::serve
