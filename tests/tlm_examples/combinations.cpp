// SPDX-License-Identifier: Apache-2.0
/// \file Every initiator of the distribution's TLM examples with every target of theirs, through a network in each
/// view. Their traffic generators write, read and compare; a difference is a fatal report of theirs.
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <type_traits>

#include <starloom/algorithms/table/make_algorithm.hpp>
#include <starloom/fabric/links/network.hpp>
#include <starloom/sockets/transaction_network.hpp>
#include "support/fresh_context.hpp"

#include "at_initiator_annotated.h"
#include "at_initiator_explicit.h"
#include "at_target_1_phase.h"
#include "at_target_2_phase.h"
#include "at_target_4_phase.h"
#include "at_target_ooo_2_phase.h"
#include "lt_dmi_initiator.h"
#include "lt_dmi_target.h"
#include "lt_initiator.h"
#include "lt_synch_target.h"
#include "lt_target.h"
#include "lt_td_initiator.h"
#define REPORT_DEFINE_GLOBALS
#include "reporting.h"
#include "select_initiator.h"
#include "traffic_generator.h"

namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

int combinations = 0, complete = 0, diagnostics = 0;

void note(const sc_core::sc_report& report, const sc_core::sc_actions&) {
  const std::string text = report.get_msg();
  if (text.find("Traffic Generator Complete") != std::string::npos) ++complete;
  if (report.get_severity() < sc_core::SC_WARNING) return;
  ++diagnostics;
  std::printf("%s\n", report.what());
}

/// Those without blocking also want to know how long they take for END_RESP.
template <class Initiator>
Initiator* make_initiator(const char* name, unsigned id) {
  if constexpr (std::is_constructible_v<Initiator, const char*, unsigned, sc_time>)
    return new Initiator(name, id, sc_time(7, SC_NS));
  else return new Initiator(name, id);
}

/// A generator, an initiator and the queues between them; never destroyed, as in the examples.
template <class Initiator>
struct Source {
  Source(const std::string& name, unsigned id, std::uint64_t first, std::uint64_t second, unsigned most)
      : initiator(make_initiator<Initiator>(name.c_str(), id)),
        generator(new traffic_generator((name + "_traffic").c_str(), id, first, second, most)),
        requests(new sc_core::sc_fifo<tlm::tlm_generic_payload*>),
        responses(new sc_core::sc_fifo<tlm::tlm_generic_payload*>) {
    generator->request_out_port(*requests);
    initiator->request_in_port(*requests);
    initiator->response_out_port(*responses);
    generator->response_in_port(*responses);
  }
  Initiator* initiator;
  traffic_generator* generator;
  sc_core::sc_fifo<tlm::tlm_generic_payload*>*requests, *responses;
};

template <class Initiator, class Target>
void run(starloom::TransactionView view, const char* initiator, const char* target) {
  starloom::fresh_context();
  const starloom::LinkNetwork mesh = starloom::link_network(starloom::Grid::mesh({2, 2}));
  starloom::links::AlgorithmContext context;
  context.network = &mesh;
  context.reply_channels = 1;
  const auto algorithm = starloom::links::make_algorithm("vc-wormhole", context, {{"channels", std::int64_t{2}}});
  const std::uint64_t size = std::uint64_t{1} << 28;
  starloom::TransactionNetworkOptions options;
  options.view = view;
  options.initiators = {0, 3};
  options.targets = {{1, {0, size}}, {2, {size, size}}};
  options.period = sc_time(5, SC_NS);
  // Not destroyed: parts of the examples would outlive it.
  auto& network = *new starloom::TransactionNetwork("network", mesh, *algorithm, options);
  for (unsigned i = 0; i < 2; ++i) {
    const Source<Initiator> source("initiator_" + std::to_string(i), 101 + i, 0x100 * (i + 1), size + 0x100 * (i + 1),
                                   2);
    source.initiator->initiator_socket(network.target_socket[i]);
    auto* const memory = new Target(("target_" + std::to_string(i)).c_str(), 201 + i, "memory_socket", 4 * 1024, 4,
                                    sc_time(10, SC_NS), sc_time(50, SC_NS), sc_time(30, SC_NS));
    network.initiator_socket[i](memory->m_memory_socket);
  }
  ++combinations;
  complete = 0;
  sc_core::sc_start(sc_time(200, sc_core::SC_US));  // a target toggles its direct access for ever
  if (complete == 2 && network.outstanding() == 0) return;
  ++diagnostics;
  std::printf("%s with %s, %s: %d of 2 generators came to their end\n", initiator, target,
              starloom::transaction_view_names[static_cast<std::size_t>(view)].data(), complete);
}

template <class Initiator>
void run_targets(starloom::TransactionView view, const char* initiator) {
  run<Initiator, lt_target>(view, initiator, "lt_target");
  run<Initiator, lt_synch_target>(view, initiator, "lt_synch_target");
  run<Initiator, lt_dmi_target>(view, initiator, "lt_dmi_target");
  run<Initiator, at_target_1_phase>(view, initiator, "at_target_1_phase");
  run<Initiator, at_target_2_phase>(view, initiator, "at_target_2_phase");
  run<Initiator, at_target_4_phase>(view, initiator, "at_target_4_phase");
  run<Initiator, at_target_ooo_2_phase>(view, initiator, "at_target_ooo_2_phase");
}

}  // namespace

int sc_main(int, char**) {
  REPORT_ENABLE_ALL_REPORTING();
  sc_core::sc_report_handler::set_handler(note);
  for (const auto view : {starloom::TransactionView::loosely_timed, starloom::TransactionView::approximately_timed,
                          starloom::TransactionView::cycle_accurate}) {
    run_targets<lt_initiator>(view, "lt_initiator");
    run_targets<lt_td_initiator>(view, "lt_td_initiator");
    run_targets<lt_dmi_initiator>(view, "lt_dmi_initiator");
    run_targets<select_initiator>(view, "select_initiator");
    run_targets<at_initiator_explicit>(view, "at_initiator_explicit");
    run_targets<at_initiator_annotated>(view, "at_initiator_annotated");
  }
  std::printf("%d combinations, %d faults\n", combinations, diagnostics);
  std::fflush(stdout);
  std::_Exit(diagnostics == 0 ? 0 : 1);  // no destructors run
}
