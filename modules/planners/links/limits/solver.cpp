#include <starloom/planners/links/limits/solver.hpp>

#include <fstream>
#include <optional>
#include <string>

#include <cadical.hpp>

#include <starloom/core/aside.hpp>
#include <starloom/core/error.hpp>

namespace starloom::links {
namespace {

class StopAtDeadline final : public CaDiCaL::Terminator {
 public:
  explicit StopAtDeadline(const Deadline& deadline) : deadline_(deadline) {}
  bool terminate() override { return deadline_.passed(); }

 private:
  const Deadline& deadline_;
};

void write_formula(const std::filesystem::path& file, const Formula& formula) {
  std::ofstream stream(file, std::ios::binary);
  stream << "p cnf " << formula.variables() << ' ' << formula.clauses() << '\n';
  for (const Literal literal : formula.literals()) stream << literal << (literal == 0 ? '\n' : ' ');
  stream.close();
  if (!stream) throw OutputError(file.string() + ": the formula of the proof cannot be written");
}

}  // namespace

Solution solve(const Formula& formula, const SolverLimits& limits) {
  CaDiCaL::Solver solver;
  solver.set("quiet", 1);
  std::optional<FileAside> formula_file, proof_file;
  if (limits.proof) {
    formula_file.emplace(limits.proof->string() + ".cnf");
    proof_file.emplace(*limits.proof);
    solver.set("binary", 0);
    solver.set("check", 1);
    solver.set("checkproof", 1);
    write_formula(formula_file->path(), formula);
    if (!solver.trace_proof(proof_file->path().c_str()))
      throw OutputError(limits.proof->string() + ": the proof cannot be written");
  }
  for (const Literal literal : formula.literals()) solver.add(literal);
  StopAtDeadline stop(limits.deadline);
  solver.connect_terminator(&stop);
  if (limits.conflicts >= 0) solver.limit("conflicts", limits.conflicts);
  const int status = solver.solve();
  solver.disconnect_terminator();
  constexpr int satisfiable = 10, unsatisfiable = 20;
  if (limits.proof) {
    solver.flush_proof_trace();
    solver.close_proof_trace();
    if (status == unsatisfiable) {
      formula_file->publish();
      proof_file->publish();
    }
  }
  if (status == unsatisfiable) return {Answer::no, {}};
  if (status != satisfiable) return {};
  Solution solution{Answer::yes, {false}};
  for (int variable = 1; variable <= formula.variables(); ++variable)
    solution.truth.push_back(solver.val(variable) > 0);
  return solution;
}

}  // namespace starloom::links
