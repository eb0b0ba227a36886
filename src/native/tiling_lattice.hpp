// A lattice as the searches for tilings see it: its units are places of a grid of translations,
// each with the same few types of unit, and its motions act on them.

#pragma once

#include <array>
#include <compare>
#include <vector>

namespace exactile::tiling {

inline constexpr int kAxes = 3;  // of a flat lattice, the last coordinate is always 0

using Vec = std::array<int, kAxes>;

inline Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec operator-(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec operator*(int k, const Vec& a) { return {k * a[0], k * a[1], k * a[2]}; }

// A unit, or an item of a vertex that at most one piece may use (its type follows those of units).
struct Unit {
    Vec at;
    int type;
    auto operator<=>(const Unit&) const = default;
};

using Units = std::vector<Unit>;

// A motion of the lattice: first turned, then moved.
struct Motion {
    int turn;
    Vec by;
    auto operator<=>(const Motion&) const = default;
};

struct Lattice {
    int dimension = 0;
    int types = 0;
    std::vector<std::array<Vec, kAxes>> turns;  // matrices by rows; the first is the identity
    std::vector<Units> images;                  // of the unit of each type at 0, under each turn
    std::vector<Units> touching;  // for each type, the units that share a corner with the one at 0
    std::vector<Units> joined;    // those that share a side
    Units rays;                   // the units that end at the vertex at 0, counter-clockwise
    std::vector<unsigned> items;  // set of rays -> set of items of the vertex that they use

    // Computed by complete().
    std::vector<std::vector<int>> product;  // of turns: the second first
    std::vector<int> inverse;
    int slots = 0;  // types of units and of items

    // Check the data and compute the rest; throws std::invalid_argument.
    void complete();

    Vec turned(int turn, const Vec& v) const {
        const auto& m = turns[static_cast<std::size_t>(turn)];
        Vec w;
        for (int i = 0; i < kAxes; ++i) w[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
        return w;
    }
    Unit turned(int turn, const Unit& unit) const {
        Unit image = images[static_cast<std::size_t>(turn)][static_cast<std::size_t>(unit.type)];
        image.at = image.at + turned(turn, unit.at);
        return image;
    }
    int turn_count() const { return static_cast<int>(turns.size()); }

    // The motion that first does `second`, then `first`.
    Motion composed(const Motion& first, const Motion& second) const {
        return {
            product[static_cast<std::size_t>(first.turn)][static_cast<std::size_t>(second.turn)],
            turned(first.turn, second.by) + first.by};
    }
    Motion inverted(const Motion& motion) const {
        const int back = inverse[static_cast<std::size_t>(motion.turn)];
        return {back, Vec{} - turned(back, motion.by)};
    }
};

}  // namespace exactile::tiling
