// Tables of results that programs print, read back.
//
// One row per line under a line of column names. Fields stand apart by commas if the line of names
// has one, else by blanks. What follows a # is a comment; blank lines are skipped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace heddle::report {

/// A table as text, each row as long as the line of names.
struct DataTable {
  struct Row {
    std::vector<std::string> fields;
    std::vector<std::uint32_t> places;  ///< Of the fields in the line, from 1.
    SourceLocation where;               ///< Its line.
  };
  std::string file;
  std::vector<std::string> columns;
  std::vector<Row> rows;

  /// The place of a column; throws InputError, naming those there are, if there is none of that
  /// name.
  std::size_t column(std::string_view name) const;
  /// The field as a finite number; not a number where it is empty. Throws InputError for anything
  /// else.
  double number(const Row& row, std::size_t column) const;
};

/// The table in `text`; throws InputError at the first mistake. `file_name` is for errors only.
DataTable read_table_text(std::string_view text, const std::string& file_name);
/// The table in the file at `path` ("-": the standard input); throws InputError if it cannot be
/// read.
DataTable read_table_file(const std::string& path);

}  // namespace heddle::report
