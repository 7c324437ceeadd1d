#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "core/text.hpp"
#include "platform/cost/prices.hpp"
#include "platform/text_file.hpp"
#include "platform/yaml_document.hpp"

namespace heddle::platform {
namespace {

/// What a number counts.
enum class Measured : std::uint8_t { money, count, length, power };

struct UnitName {
  std::string_view name;
  double factor;
};

const std::vector<UnitName>& units_of(Measured measured) {
  static const std::vector<UnitName> kLengths = {{"m", 1}, {"cm", 0.01}, {"km", 1000}};
  static const std::vector<UnitName> kPowers = {{"W", 1}, {"mW", 0.001}, {"kW", 1000}};
  static const std::vector<UnitName> kNone = {{"", 1}};
  if (measured == Measured::length) return kLengths;
  return measured == Measured::power ? kPowers : kNone;
}

std::string_view accepted_number(Measured measured) {
  switch (measured) {
    case Measured::money:
      return "an amount of money such as 350.4, without the currency";
    case Measured::count:
      return "a whole number of at least 1";
    case Measured::length:
      return "a length such as 1.5m or 60cm";
    default:
      return "a power such as 2.8W or 1.2kW";
  }
}

bool fits(Measured measured, double value) {
  if (measured == Measured::count) return value >= 1 && value == std::floor(value);
  return std::abs(value) < 1e12 && (measured == Measured::money || value >= 0);
}

/// The number that `text` is, in units without prefix.
std::optional<double> parse_measured(std::string_view text, Measured measured) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  for (const UnitName& known : units_of(measured)) {
    if (known.name == unit && fits(measured, number)) return number * known.factor;
  }
  return std::nullopt;
}

/// A mapping whose keys are taken one after the other; one that is left over is an error.
class PriceMap {
 public:
  PriceMap(const YAML::Node& node, std::string what, const std::string& file)
      : node_(node), what_(std::move(what)), file_(file) {
    if (!node.IsMap()) fail(node, what_ + " is " + token_of(node) + ": accepted is a mapping");
    for (const auto& item : node) {
      if (!item.first.IsScalar()) fail(item.first, "a key of " + what_ + " is no word");
      if (!left_.emplace(item.first.Scalar(), item.first).second) {
        fail(item.first, in_quotes(item.first.Scalar()) + " is given twice in " + what_);
      }
    }
  }

  /// The node of `key`, which is done with then; nothing if it is not there.
  std::optional<YAML::Node> take(const std::string& key) {
    known_.push_back(key);
    if (left_.erase(key) == 0) return std::nullopt;
    return YAML::Node(node_[key]);
  }
  YAML::Node need(const std::string& key, const std::string& accepted) {
    if (const auto value = take(key)) return *value;
    fail(node_, what_ + " has no " + key + ": accepted is " + accepted);
  }
  std::string text(const std::string& key) {
    const auto value = take(key);
    if (!value) return "";
    if (!value->IsScalar()) fail(*value, key + " is " + token_of(*value) + ": accepted is text");
    return value->Scalar();
  }
  std::optional<double> number(const std::string& key, Measured measured) {
    const auto value = take(key);
    if (!value) return std::nullopt;
    const auto number =
        value->IsScalar() ? parse_measured(value->Scalar(), measured) : std::optional<double>();
    if (number) return number;
    fail(*value, key + " of " + what_ + " is " + token_of(*value) + ": accepted is " +
                     std::string(accepted_number(measured)));
  }
  void number(const std::string& key, Measured measured, double& place) {
    place = number(key, measured).value_or(place);
  }
  double needed_number(const std::string& key, Measured measured) {
    if (const auto value = number(key, measured)) return *value;
    fail(node_,
         what_ + " has no " + key + ": accepted is " + std::string(accepted_number(measured)));
  }
  /// Throws if there are keys that nobody asked for.
  void finish() const {
    if (left_.empty()) return;
    const auto& [key, node] = *left_.begin();
    fail(node, "unknown key " + in_quotes(key) + " of " + what_ + did_you_mean(key, known_) +
                   ": accepted are " + joined(known_));
  }
  [[noreturn]] void fail(const YAML::Node& at, const std::string& problem) const {
    throw InputError(place_of(at.Mark(), file_), problem);
  }

 private:
  YAML::Node node_;
  std::string what_;
  const std::string& file_;
  std::map<std::string, YAML::Node> left_;
  std::vector<std::string> known_;
};

class PricesReader {
 public:
  explicit PricesReader(const std::string& file) : file_(file) {}

  Prices read(const std::string& text) {
    const YAML::Node root = load_yaml(text, file_, "table of prices",
                                      "a mapping with currency, floor, switches, cables, adapters");
    PriceMap map(root, "the table of prices", file_);
    prices_.file = file_;
    prices_.name = map.text("name");
    prices_.about = map.text("about");
    prices_.currency = map.text("currency");
    if (prices_.currency.empty()) {
      map.fail(root, "the table has no currency: accepted is a word such as EUR");
    }
    floor(map.need("floor", "a mapping such as {switches_per_rack: 16}"));
    each(map.need("switches", "a list such as [{name: small, ports: 36, price: 9000}]"),
         "a class of switches", [this](PriceMap& one) { switches(one); });
    if (const auto optics = map.take("optics")) {
      each(*optics, "a class of optics", [this](PriceMap& one) { this->optics(one); });
    }
    each(map.need("cables", "a list such as [{name: copper, up_to: 3m, price: 40}]"),
         "a class of cables", [this](PriceMap& one) { cables(one); });
    adapters(map.need("adapters", "a mapping such as {price: 900, power: 20W}"));
    map.finish();
    sort();
    return std::move(prices_);
  }

 private:
  template <class Read>
  void each(const YAML::Node& list, const char* what, Read read) {
    if (!list.IsSequence() || list.size() == 0) {
      throw InputError(place_of(list.Mark(), file_),
                       std::string("no list of classes: accepted is a list with ") + what);
    }
    std::set<std::string> names;
    for (const YAML::Node& node : list) {
      PriceMap map(node, what, file_);
      read(map);
      map.finish();
      if (!names.insert(last_name_).second) {
        map.fail(node, "a second class is called " + in_quotes(last_name_) + ": accepted is one");
      }
    }
  }
  std::string named(PriceMap& map) {
    const YAML::Node node = map.need("name", "a word such as small");
    if (!node.IsScalar() || node.Scalar().empty()) map.fail(node, "the name is no word");
    return last_name_ = node.Scalar();
  }

  void floor(const YAML::Node& node) {
    PriceMap map(node, "floor", file_);
    Prices::Floor& f = prices_.floor;
    f.switches_per_rack = map.needed_number("switches_per_rack", Measured::count);
    f.racks_per_row = map.number("racks_per_row", Measured::count);
    map.number("rack_width", Measured::length, f.rack_width);
    map.number("rack_depth", Measured::length, f.rack_depth);
    map.number("inside", Measured::length, f.inside);
    map.number("between", Measured::length, f.between);
    map.finish();
  }
  void switches(PriceMap& map) {
    Prices::Switch s;
    s.name = named(map);
    s.ports = map.needed_number("ports", Measured::count);
    map.number("price", Measured::money, s.price);
    map.number("price_per_port", Measured::money, s.price_per_port);
    map.number("power", Measured::power, s.power);
    map.number("power_per_port", Measured::power, s.power_per_port);
    prices_.switches.push_back(s);
  }
  void optics(PriceMap& map) {
    Prices::Optics o;
    o.name = named(map);
    map.number("price", Measured::money, o.price);
    map.number("power", Measured::power, o.power);
    prices_.optics.push_back(o);
  }
  void cables(PriceMap& map) {
    Prices::Cable c;
    c.name = named(map);
    c.up_to = map.number("up_to", Measured::length);
    map.number("price", Measured::money, c.price);
    map.number("price_per_metre", Measured::money, c.price_per_metre);
    map.number("price_per_gbps", Measured::money, c.price_per_gbps);
    map.number("price_per_gbps_metre", Measured::money, c.price_per_gbps_metre);
    map.number("power", Measured::power, c.power);
    if (const auto optics = map.take("optics")) c.optics = known_optics(map, *optics);
    prices_.cables.push_back(c);
  }
  std::string known_optics(PriceMap& map, const YAML::Node& node) {
    const std::string name = node.IsScalar() ? node.Scalar() : "";
    std::vector<std::string> names;
    for (const Prices::Optics& optics : prices_.optics) names.push_back(optics.name);
    if (std::ranges::find(names, name) != names.end()) return name;
    map.fail(node, "no optics are called " + token_of(node) + ": accepted are " +
                       (names.empty() ? "those of a list 'optics: [{name: DR4, price: 400}]'"
                                      : joined(names)));
  }
  void adapters(const YAML::Node& node) {
    PriceMap map(node, "adapters", file_);
    map.number("price", Measured::money, prices_.adapter.price);
    map.number("power", Measured::power, prices_.adapter.power);
    map.finish();
  }

  void sort() {
    std::ranges::stable_sort(prices_.switches, {}, &Prices::Switch::ports);
    std::ranges::stable_sort(prices_.cables, {}, [](const Prices::Cable& cable) {
      return cable.up_to.value_or(HUGE_VAL);
    });
  }

  std::string file_;
  std::string last_name_;
  Prices prices_;
};

}  // namespace

Prices read_prices_text(const std::string& text, const std::string& file) {
  Prices prices = PricesReader(file).read(text);
  if (prices.name.empty()) prices.name = std::filesystem::path(file).stem().string();
  return prices;
}

Prices read_prices(const std::string& name_or_path) {
  std::vector<std::string> names;
  for (const PublishedPrices& known : published_prices()) {
    if (known.name == name_or_path) {
      return read_prices_text(std::string(known.text), name_or_path + " (published)");
    }
    names.emplace_back(known.name);
  }
  std::error_code ignored;
  if (!std::filesystem::exists(name_or_path, ignored)) {
    throw InputError({}, in_quotes(name_or_path) +
                             " is no file of prices: accepted is the path of "
                             "one, or published prices: " +
                             joined(names));
  }
  const std::string text = read_text_file(name_or_path);
  require_text(text, name_or_path);
  return read_prices_text(text, name_or_path);
}

}  // namespace heddle::platform
