#include "platform/simgrid/config_settings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "platform/simgrid/reading/xml_element.hpp"

namespace heddle::platform::simgrid {
namespace {

using Text = std::optional<std::string>;
using Translate = Text (*)(std::string_view value);

std::optional<double> number_of(std::string_view value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) return {};
  return number;
}

Text as_it_is(std::string_view value) {
  return std::string(value);
}

Text as_number(std::string_view value) {
  return number_of(value) ? as_it_is(value) : std::nullopt;
}

/// A number for all sizes, or one for each class of them.
Text as_classes(std::string_view value) {
  return value.find(':') == std::string_view::npos ? std::nullopt : as_it_is(value);
}

Text as_bytes(std::string_view value) {
  const auto bytes = number_of(value);
  return bytes ? Text(fmt::format("{}B", std::llround(*bytes))) : std::nullopt;
}

Text as_seconds(std::string_view value) {
  return number_of(value) ? Text(std::string(value) + "s") : std::nullopt;
}

/// The part of a message's rate that SimGrid lets its acknowledgements take.
Text as_cross_traffic(std::string_view value) {
  for (const std::string_view yes : {"yes", "1", "on", "true"}) {
    if (value == yes) return "0.05";
  }
  for (const std::string_view no : {"no", "0", "off", "false"}) {
    if (value == no) return "0";
  }
  return {};
}

struct Word {
  std::string_view simgrid;
  std::string_view ours;
};

template <std::size_t n>
Text ours_of(const Word (&words)[n], std::string_view value) {
  const auto word =
      std::ranges::find_if(words, [&](const Word& one) { return one.simgrid == value; });
  return word == std::end(words) ? std::nullopt : Text(word->ours);
}

Text as_model(std::string_view value) {
  constexpr Word kModels[] = {{"CM02", "simgrid-cm02"}, {"LV08", "simgrid-lv08"}, {"SMPI", "smpi"}};
  return ours_of(kModels, value);
}

Text as_selector(std::string_view value) {
  constexpr Word kSelectors[] = {
      {"ompi", "openmpi"}, {"mpich", "mpich"}, {"mvapich2", "mvapich2"}, {"impi", "impi"}};
  return ours_of(kSelectors, value);
}

struct Setting {
  std::string_view simgrid;
  std::string_view ours;
  Translate translate;
};

constexpr Setting kSettings[] = {
    {"network/model", "fluid.preset", as_model},
    {"network/weight-S", "fluid.weight_s", as_bytes},
    {"network/TCP-gamma", "fluid.tcp_gamma", as_bytes},
    {"network/crosstraffic", "fluid.cross_traffic", as_cross_traffic},
    {"network/latency-factor", "fluid.latency_factor", as_number},
    {"network/latency-factor", "mpi.latency_factors", as_classes},
    {"network/bandwidth-factor", "fluid.bandwidth_factor", as_number},
    {"network/bandwidth-factor", "mpi.bandwidth_factors", as_classes},
    {"smpi/lat-factor", "mpi.latency_factors", as_it_is},
    {"smpi/bw-factor", "mpi.bandwidth_factors", as_it_is},
    {"smpi/os", "mpi.send_overhead", as_it_is},
    {"smpi/ois", "mpi.isend_overhead", as_it_is},
    {"smpi/or", "mpi.receive_overhead", as_it_is},
    {"smpi/async-small-thresh", "mpi.eager_limit", as_bytes},
    {"smpi/send-is-detached-thresh", "mpi.detached_limit", as_bytes},
    {"smpi/init", "mpi.init_cost", as_seconds},
    {"smpi/wtime", "mpi.clock_cost", as_seconds},
    {"smpi/test", "mpi.test_cost", as_seconds},
    {"smpi/coll-selector", "mpi.selector", as_selector},
};

bool knows(const Settings& settings, std::string_view name) {
  const std::string_view section = name.substr(0, name.find('.'));
  return std::ranges::any_of(
      settings.known(), [&](const ParamSection* known) { return known->section() == section; });
}

void assign(const Element& prop, Settings& settings) {
  const auto translation = translated_setting(prop.text("id"), prop.text("value"));
  if (!translation || !knows(settings, translation->name) || settings.has(translation->name)) {
    return;
  }
  settings.assign(translation->name, translation->text, prop.where("value"));
}

}  // namespace

std::optional<Translation> translated_setting(std::string_view id, std::string_view value) {
  for (const Setting& setting : kSettings) {
    if (setting.simgrid != id) continue;
    if (auto text = setting.translate(value)) {
      return Translation{std::string(setting.ours), std::move(*text)};
    }
  }
  return {};
}

void assign_config(std::string_view xml, const std::string& file_name, Settings& settings) {
  const XmlDocument document(xml, file_name);
  for (const Element& child : document.root().children()) {
    if (child.tag() != "config") continue;
    for (const Element& prop : child.children()) assign(prop, settings);
  }
}

}  // namespace heddle::platform::simgrid
