// SPDX-License-Identifier: Apache-2.0
#include <starloom/search/solver.hpp>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include <cadical.hpp>

#include <starloom/support/atomic_file.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

/// A temporary file that a solver writes; messages name the final file.
class ProofFile {
 public:
  explicit ProofFile(const std::filesystem::path& name) : name_(name.string()), temporary_(name) {
    file_.reset(std::fopen(temporary_.path().c_str(), "w"));
    if (!file_) fail("cannot be created");
  }

  std::FILE* stream() const { return file_.get(); }
  bool failed() const { return std::ferror(file_.get()) != 0; }
  /// \throws OutputError if this write or an earlier one failed
  void close() {
    const bool lost = failed();
    errno = 0;  // a failed write is repeated here, so that errno gives a reason even for an earlier error
    if (std::fflush(file_.get()) != 0 || lost || std::fclose(file_.release()) != 0) fail("cannot be written");
  }
  void publish() { temporary_.publish(); }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  [[noreturn]] void fail(const char* what) const {
    throw OutputError(name_ + ": " + what + " (" + std::generic_category().message(errno) + ")");
  }

  std::string name_;
  AtomicFile temporary_;
  std::unique_ptr<std::FILE, Closer> file_;
};

/// The two files of a proof.
struct ProofFiles {
  explicit ProofFiles(const std::filesystem::path& name) : formula(name.string() + ".cnf"), proof(name) {}

  bool failed() const { return formula.failed() || proof.failed(); }
  void publish() {
    formula.close();
    proof.close();
    formula.publish();
    proof.publish();
  }

  ProofFile formula, proof;
};

class StopEarly final : public CaDiCaL::Terminator {
 public:
  StopEarly(const Deadline& deadline, const std::optional<ProofFiles>& files) : deadline_(deadline), files_(files) {}
  bool terminate() override { return deadline_.passed() || (files_ && files_->failed()); }

 private:
  const Deadline& deadline_;
  const std::optional<ProofFiles>& files_;
};

void write_formula(std::FILE* file, const Formula& formula) {
  std::fprintf(file, "p cnf %d %zu\n", formula.variables(), formula.clauses());
  for (const Literal literal : formula.literals()) std::fprintf(file, literal == 0 ? "%d\n" : "%d ", literal);
}

}  // namespace

Solution solve(const Formula& formula, const SolverLimits& limits) {
  std::optional<ProofFiles> files;  // outlives the solver, which writes into it
  CaDiCaL::Solver solver;
  solver.set("quiet", 1);
  if (limits.proof) {
    files.emplace(*limits.proof);
    solver.set("binary", 0);
    solver.set("check", 1);
    solver.set("checkproof", 1);
    write_formula(files->formula.stream(), formula);
    solver.trace_proof(files->proof.stream(), limits.proof->c_str());
  }
  for (const Literal literal : formula.literals()) solver.add(literal);
  StopEarly stop(limits.deadline, files);
  solver.connect_terminator(&stop);
  if (limits.conflicts >= 0) solver.limit("conflicts", limits.conflicts);
  const int status = solver.solve();
  solver.disconnect_terminator();
  constexpr int satisfiable = 10, unsatisfiable = 20;
  if (files) {
    solver.close_proof_trace();
    if (status == unsatisfiable || (status != satisfiable && files->failed())) files->publish();
  }
  if (status == unsatisfiable) return {Answer::no, {}};
  if (status != satisfiable) return {};
  Solution solution{Answer::yes, {false}};
  for (int variable = 1; variable <= formula.variables(); ++variable)
    solution.truth.push_back(solver.val(variable) > 0);
  return solution;
}

}  // namespace starloom::links
