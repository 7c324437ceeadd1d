// What studies can set: parameters, and options of the command.
#pragma once

#include <string>

#include "study/study.hpp"

namespace heddle::cli {

/// What the name of a study's parameter stands for.
struct StudyName {
  enum class Kind { other, platform, file, program, map };
  std::string name;
  std::string option;          ///< On the command line; "" if the value itself stands there.
  std::string parameter = {};  ///< "section.name" if it is short for that.
  std::string also = {};       ///< Another assignment that it implies.
  Kind kind = Kind::other;
};

/// Throws InputError, where the study says it, if the command has no such option and there is no
/// such parameter.
StudyName study_name(const std::string& command, const study::Parameter& parameter);

}  // namespace heddle::cli
