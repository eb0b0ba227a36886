// Sublattices of the translations, in Hermite form: the periods of tilings.

#pragma once

#include <compare>
#include <map>
#include <vector>

#include "tiling_lattice.hpp"

namespace exactile::tiling {

// Its basis: row i ends at coordinate i with a positive number. The numbers below it are not
// negative, and smaller.
struct Sublattice {
    int dimension = 2;
    std::array<Vec, kAxes> rows{};

    int index() const;               // places that it distinguishes
    Vec reduced(Vec v) const;        // to 0 <= v[i] < rows[i][i]
    int number(const Vec& v) const;  // of the place that represents v
    Vec place(int number) const;
    auto operator<=>(const Sublattice&) const = default;
};

// The sublattice that some vectors span; its index is 0 if they span less.
Sublattice spanned(std::vector<Vec> vectors, int dimension);

// One sublattice of each class under the turns, the roundest first, and the turns that keep it.
struct Representative {
    Sublattice period;
    std::vector<int> keep;
    int others;  // further sublattices of its class
};

class Sublattices {
public:
    explicit Sublattices(const Lattice& lattice) : lattice_(&lattice) {}
    const std::vector<Representative>& of_index(int index);

private:
    const Lattice* lattice_;
    std::map<int, std::vector<Representative>> known_;
};

}  // namespace exactile::tiling
