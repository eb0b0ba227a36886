// The searches for a first solution; see docs/first.md. Each call is one attempt, which depends on
// nothing but its arguments. Any number of threads may make attempts at the same time.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "beam.hpp"
#include "ground.hpp"
#include "kernels.hpp"
#include "repair.hpp"

namespace exactile {

// The result of an attempt.
struct Attempt {
    std::vector<Index> solution;  // options in increasing order; none if empty
    bool exhausted = false;       // all was searched: there is no other solution
    std::uint64_t nodes = 0;
    std::uint64_t beam_work = 0;  // rough cost of the parts of an attempt
    std::uint64_t endgame_work = 0;
    Index endgames = 0;
    Index cut_short = 0;  // endgames that reached their limit
    std::uint64_t moves = 0;
    Index cost = -1;  // of the last tiling; -1 if there was none
};

// A depth-first search with shuffled options: ties among items go to the first in `order`, which
// names all items. `nodes` limits it.
Attempt restart(Ground& ground, const std::vector<Index>& order, Nearness near, std::uint64_t nodes,
                std::uint64_t seed);

// A beam that fills the units in some order, and an exact search below each of its survivors.
Attempt beam(Ground& ground, const std::vector<Index>& order, const BeamSetting& setting,
             std::uint64_t nodes, std::uint64_t seed);

// Start from a beam that stops before the end, fill the rest whatever it costs, and walk.
struct RepairSetting {
    Index width = 20;
    double rest = 48;  // open units where the beam stops
    Walk walk;
    std::uint64_t moves = 10000;
    std::uint64_t patience = 5000;  // moves since the last gain
};
Attempt repair(Ground& ground, const std::vector<Index>& order, const RepairSetting& setting,
               std::uint64_t seed);

}  // namespace exactile
