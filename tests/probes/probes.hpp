// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Small controllers that prove clauses of the model (docs/model.md) and have no other use.
#include <vector>

#include <starloom/control/algorithm_entry.hpp>

namespace starloom::links {

/// `probe-hold` tests the rules of held worms: a held worm stays with all its flits, and is released as a whole in
/// one step; its registers may be used again only when they are empty. Dimension order. It completes on every mesh;
/// on a torus its rings can deadlock, and then no flit is pending.
AlgorithmEntry probe_hold_entry();

/// `probe-hot-potato` tests the rules of worms that never wait: each flit crosses a link in every step, flit j
/// follows the head j steps behind, a worm may cross its own source and destination, and need never arrive
/// (livelock). Worms circle a ring in + direction.
AlgorithmEntry probe_hot_potato_entry();

/// `probe-keys` proves the clauses on control objects: keys cross links, carry header words, need not be stored or
/// passed on, wake their receiver, and leave packets untouched.
AlgorithmEntry probe_keys_entry();

/// `probe-quitter` tests the rule on the end of a program: the run ends there, with undelivered packets.
AlgorithmEntry probe_quitter_entry();

/// `probe-sleeper` proves the clause on wake-ups: a node that asked for a step is run in it, at any distance, and the
/// time between costs no processor time.
AlgorithmEntry probe_sleeper_entry();

/// The entries of all of them.
const std::vector<AlgorithmEntry>& probe_table();

}  // namespace starloom::links
