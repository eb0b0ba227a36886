// Isohedral tilings: those whose symmetries take every tile to every other one.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tiling_torus.hpp"

namespace exactile::tiling {

// A tiling by translates of the only prototile, or of it and of it turned by 180 degrees.
Outcome find_translates(const Prototiles& prototiles, Sublattices& sublattices, Periodic& found);
Outcome find_half_turns(const Prototiles& prototiles, Sublattices& sublattices, Periodic& found);

// Searches surroundings of the only prototile, each given by the motions that take it to its
// neighbors: with two such motions, their product takes it to a neighbor too, or to a tile apart.
class Isohedral {
public:
    // Neighbors of excluded classes are not used.
    Isohedral(const Prototiles& prototiles, const std::vector<char>& excluded);

    Outcome search(std::int64_t nodes);
    const Periodic& found() const { return found_; }

private:
    enum class State : char { kUnknown, kIn, kOut };

    Outcome search_with(const std::vector<Motion>& kept);
    Outcome descend();
    bool add(int candidate);
    bool close(const Motion& motion, std::vector<int>& waiting);
    int find(const Motion& motion, int neighbor) const;
    bool confirm();

    const Prototiles* prototiles_;
    const Lattice* lattice_;
    std::vector<Motion> stabilizer_, kept_;
    std::vector<Motion> candidates_;  // of neighbor k: from k times the size of the stabilizer on
    std::vector<std::vector<int>> covers_;    // neighbor -> units of the halo
    std::vector<std::vector<int>> covering_;  // unit of the halo -> neighbors
    std::vector<State> state_, usable_;
    std::vector<int> chosen_;
    std::int64_t nodes_ = 0, last_node_ = 0;
    Periodic found_;
};

// For each copy, the number of its orbit under the symmetries of a tiling: motions by which tiles
// may be turned.
std::vector<int> orbits(const Prototiles& prototiles, const Periodic& tiling);

}  // namespace exactile::tiling
