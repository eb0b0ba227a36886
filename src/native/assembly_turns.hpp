// Quarter turns of cubes about an axis: where a cell goes, and which cells it sweeps on its way.

#pragma once

#include <cstdint>
#include <vector>

#include "assembly_distances.hpp"

namespace exactile::assembly {

constexpr int kTurns = 2 * kAxes;  // 2 a about axis a counter-clockwise, 2 a + 1 clockwise
constexpr int kWidest = 64;        // cells of an assembly along an axis, if it is turned

// The center of a cell in the plane across an axis, in half units from the axis. Both are even, or
// both odd: then a quarter turn maps cells to cells.
struct Flat {
    int u, v;
};

// Whether the interiors of two cells have a point in common at some moment of a quarter turn
// counter-clockwise of the first one, its beginning and end included.
bool meets(const Flat& turning, const Flat& resting);

// The cells that a turning cell meets, as displacements from it in cells; computed once for each
// cell. Its coordinates are at most 2 * kWidest.
class Sweeps {
public:
    const std::vector<Flat>& of(const Flat& cell);

private:
    std::vector<std::vector<Flat>> known_;
};

// The least corner of a box after a quarter turn: `axis` is a point of the axis in half units.
Vec turned_box(int turn, const Vec& axis, const Vec& at, const Vec& size);

// A cell of a box, given from its least corner, after the turn.
Vec turned_cell(int turn, const Vec& cell, const Vec& size);

}  // namespace exactile::assembly
