// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/ending.hpp>
#include <starloom/support/message.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <new>

namespace starloom {
namespace {

Ending with_reported_errors(const std::function<Ending()>& command) {
  try {
    return command();
  } catch (const Error& error) {
    print_message(error.what());
    // Only errors of the input are found before there is a netlist, which may be too large to destroy.
    return {error.status(), error.status() != ExitStatus::usage};
  } catch (const std::bad_alloc&) {
    print_message("starloom: there is not enough memory for this; choose a smaller network or a shorter run");
    return {ExitStatus::unexpected, true};
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return {ExitStatus::output, true};  // reported when stdout is flushed
    print_message(fmt::format("starloom: unexpected: {}", error.what()));
    return {ExitStatus::unexpected, true};
  }
}

}  // namespace

Ending run_to_end(const std::function<Ending()>& command) {
  Ending ending = with_reported_errors(command);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    print_message("starloom: cannot write to stdout");
    ending.status = ExitStatus::output;
  }
  return ending;
}

}  // namespace starloom
