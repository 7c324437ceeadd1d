// What a shell offers when the user asks how a word goes on. Shells ask the program itself
// (`heddle help --complete WORDS`), so that they offer what this version accepts.
#pragma once

#include <string>
#include <vector>

#include "cli/manual.hpp"

namespace heddle::cli {

/// A word that may stand there, and what it means, if more is to be said.
struct Candidate {
  std::string word;
  std::string about = {};
};

/// What may stand in a place; of files the shell knows more than this.
struct Candidates {
  std::vector<Candidate> words = {};
  bool files = false;
  bool folders = false;
};

/// What the last of `words`, those behind the program's name, may become. Only candidates are given
/// that begin as it does.
Candidates complete(const CommandDescription& program, std::vector<std::string> words);
/// The same for a shell: a candidate a line, with a tab before what it means; ":files" or
/// ":folders" where those are wanted.
std::string completion_lines(const Candidates& candidates);

/// The completion for "bash", "zsh" or "fish"; throws InputError for another shell.
std::string completion_script(const std::string& shell);

}  // namespace heddle::cli
