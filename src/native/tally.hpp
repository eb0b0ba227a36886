// The number of polyforms of an order, up to isometries, without keeping any: each fixed form is
// met once (D. H. Redelmeier, "Counting polyominoes: yet another attack", Discrete Mathematics 36,
// 1981), and counts as many times as isometries map it to itself.

#pragma once

#include <cstdint>
#include <vector>

#include "grow.hpp"

namespace exactile {

class FormTally {
public:
    // The matrices of the lattice must be a group. Throws std::length_error if the units that forms
    // can reach are too many.
    FormTally(GrowthLattice lattice, int order);

    // Go on for some seconds; return whether all forms are counted.
    bool run(double seconds);

    // How many fixed forms were met.
    std::uint64_t met() const { return met_; }

    // How many forms there are up to the matrices, once all are counted.
    std::uint64_t forms() const;

private:
    struct Site {
        std::size_t index;    // in the grid
        std::size_t residue;  // in the table of types
        int at[3];
    };
    struct Step {
        std::ptrdiff_t index;
        int by[3];
    };
    struct Level {
        std::size_t next, end;  // the sites that may be joined
    };
    enum class Mark : std::uint8_t { kNew, kReached, kJoined };

    bool begin();  // with the next unit as the least of a form; false if there is none
    void step();
    void reach(const Site& site);
    void leave();
    void tally();
    bool is_mapped(const int* matrix, const int* sum) const;  // `sum` of its coordinates

    GrowthLattice lattice_;
    std::size_t order_;
    int radius_[3] = {0, 0, 0};  // of the grid around the least unit, in each coordinate
    std::ptrdiff_t stride_[3] = {0, 0, 0};
    std::vector<std::vector<Step>> steps_;  // by residue
    std::vector<Mark> grid_;
    std::size_t residue_ = 0;  // of the next least unit
    Site least_{};
    std::vector<Site> sites_, joined_;
    std::vector<Level> levels_;
    std::uint64_t met_ = 0, weight_ = 0;
    bool done_ = false;
};

}  // namespace exactile
