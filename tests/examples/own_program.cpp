/// \file A program of one's own: its words are scenarios, which it runs as a regression.
#include <vector>

#include <starloom/commands/program.hpp>

int sc_main(int argc, char** argv) {
  std::vector<const char*> words = {argv[0], "regress"};
  words.insert(words.end(), argv + 1, argv + argc);
  return starloom::run_program(starloom::standard_catalogue(), static_cast<int>(words.size()), words.data());
}
