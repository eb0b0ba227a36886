// Enumeration of polyforms by growth: every form of order n + 1 is a form of order n and one more
// unit next to it, so joining a unit to each form in every way and keeping one canonical form per
// class gives all of them.

#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace exactile {

// A lattice of dimension d, as far as growth needs to know it.
struct GrowthLattice {
    // Throws std::invalid_argument if something is of a wrong size, or too large.
    void check() const;

    // The place of a point in the table of types.
    std::size_t residue_of(const int* point) const;

    int dimension = 0;
    int period = 1;
    std::vector<int> types;               // residue index -> type of unit, -1 where there is none
    std::vector<std::vector<int>> steps;  // type -> offsets to neighbors, d numbers each
    std::vector<int> matrices;  // isometries under which forms count as equal, d * d numbers each
};

class Grower {
public:
    explicit Grower(GrowthLattice lattice);

    // Add every form that arises from this one by joining a unit. `points` holds order * d numbers.
    void extend(const std::int64_t* points, std::size_t order);

    std::size_t size() const { return found_.size(); }
    std::size_t dimension() const { return static_cast<std::size_t>(lattice_.dimension); }

    // The canonical forms, each as (order + 1) * d numbers, in lexicographic order.
    std::vector<std::int64_t> forms() const;

private:
    // A canonical form: its points, packed and sorted, most significant coordinate first.
    using Form = std::u32string;

    Form canonical(const std::vector<int>& points) const;
    GrowthLattice lattice_;
    std::unordered_set<Form> found_;
};

}  // namespace exactile
