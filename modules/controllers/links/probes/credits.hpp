#pragma once
/// \file `probe-credits` proves the clauses of the contract on virtual channels: several buffers a link, each of
/// limited capacity; credits over the reverse side wire; flits of a packet in order in a channel; one flit ejected per
/// node and step. Wormhole routing in dimension order. It completes on every mesh; on a torus its rings can deadlock.
#include <starloom/controllers/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry probe_credits_entry();

}  // namespace starloom::links
