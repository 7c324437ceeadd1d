#include "study/result_table.hpp"

#include "report/table.hpp"

namespace heddle::study {
namespace {

std::string member_text(const Json& object, const std::string& name) {
  const auto found = object.find(name);
  return found == object.end() ? "" : text_of(*found);
}

}  // namespace

std::string text_of(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return report::dump_line(value);
}

std::string csv_of(const std::vector<StoredPoint>& points) {
  const std::vector<std::string> parameters = parameters_of(points);
  const std::vector<std::string> measures = measures_of(points);
  std::vector<report::Column> columns = {{"number"}, {"hash"}, {"status"}, {"error"}};
  for (const auto* names : {&parameters, &measures}) {
    for (const std::string& name : *names) columns.push_back({name});
  }
  report::Table table(columns);
  for (const StoredPoint& point : points) {
    std::vector<std::string> cells = {std::to_string(point.number), point.hash, point.status,
                                      point.error};
    for (const std::string& name : parameters) {
      cells.push_back(member_text(point.parameters, name));
    }
    for (const std::string& name : measures) cells.push_back(member_text(point.result, name));
    table.add(std::move(cells));
  }
  return table.csv();
}

}  // namespace heddle::study
