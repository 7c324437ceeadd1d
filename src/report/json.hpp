// JSON documents of results. Every document names its schema and its version; docs/json.md
// describes them.
//
// A quantity is two members: the one whose name ends in the unit is an exact integer, the one
// without is the rounded figure people read ("latency_ps": 1234567, "latency": "1.235 us").
//
// Json's own parse() and dump() are costly to compile: what is here does it for all.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/quantity.hpp"

namespace heddle::report {

/// Members keep the order in which they were added.
using Json = nlohmann::ordered_json;

/// The start of every document: {"schema": "heddle.topo/1", "heddle": "0.1.0"}.
Json new_document(std::string_view schema);
/// The text of a document, indented, with a newline at the end.
std::string dump(const Json& document);
/// The text of a value on one line, without its end.
std::string dump_line(const Json& value);
/// What a text says; discarded (is_discarded()) if it is no JSON.
Json parse_json(std::string_view text);
/// Throws InputError at the place of the text of `file` where it is no JSON, if there is one.
void require_json(std::string_view text, const std::string& file);

/// Adds "<name>_ps" and "<name>".
void put(Json& object, const std::string& name, Time value);
/// Adds "<name>_bytes" and "<name>".
void put(Json& object, const std::string& name, Bytes value);
/// Adds "<name>_bps" (bits per second; null where there is no limit) and "<name>".
void put(Json& object, const std::string& name, Bandwidth value);

/// A number with four significant digits: as many as pages show.
double significant(double value);

}  // namespace heddle::report
