// Reading command lines as getopt(3) does, with a state that is not the whole process's.
#pragma once

#include <getopt.h>

namespace heddle::host {

/// How long options are recognised.
enum class LongOptions { none, with_two_dashes, with_one_dash_too };

/// What getopt remembers between calls besides the C library's variables (optind and the like),
/// which it uses as they are.
class GetoptState {
 public:
  /// As getopt_long(3) and its relatives; `options` and `index` may be null.
  int next(int argc, char* const* argv, const char* accepted, const struct option* options,
           int* index, LongOptions kind);

 private:
  enum class Order { permute, require, in_order };
  struct Line;

  void begin(const char* accepted);
  bool find_argument(const Line& line);
  void move_skipped(char** argv);
  int short_option(const Line& line);
  int long_option(const Line& line, int dashes);
  int take_long(const Line& line, const struct option& found, const char* value, int dashes);

  char* place_ = nullptr;  ///< In a group of short options.
  int first_skipped_ = 1;  ///< Words that are no options and go to the end.
  int last_skipped_ = 1;
  Order order_ = Order::permute;
  bool begun_ = false;
};

}  // namespace heddle::host
