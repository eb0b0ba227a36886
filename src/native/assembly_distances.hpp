// How far pieces move before they meet: free distances between shapes in relative positions.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace exactile::assembly {

constexpr int kAxes = 3;

// A point, or a displacement in steps of the lattice's period; unused coordinates are 0.
using Vec = std::array<int, kAxes>;

using Distance = std::uint16_t;
constexpr Distance kFree = 0xFFFF;  // no other piece is in the way at any distance

// The translations of a lattice: directions one way each, and the units that a unit of each type
// meets during one step.
struct Motions {
    int period = 1;
    std::vector<Vec> steps;                            // direction -> displacement, in periods
    std::vector<std::vector<std::vector<Vec>>> swept;  // direction -> type -> offsets of units
    int directions() const { return static_cast<int>(steps.size()); }
};

// A piece in its place: a shape, and how far it has been moved from where shapes are kept.
struct Placed {
    int shape;
    Vec at;
};

class Distances {
public:
    explicit Distances(Motions motions);

    const Motions& motions() const { return motions_; }

    // Adds a placement and returns its number; congruent ones by translation share their shape.
    int add(const std::vector<Vec>& units, const std::vector<int>& types);
    const Placed& placed(int number) const { return placed_[number]; }
    int placements() const { return static_cast<int>(placed_.size()); }

    // On the lattice of cubes: the shape after a quarter turn, see assembly_turns.hpp.
    int turned(int shape, int turn);
    // The cells of a shape, from the least corner of its bounding box, and the size of that.
    const std::vector<Vec>& cells(int shape) const { return shapes_[shape].units; }
    const Vec& size(int shape) const { return shapes_[shape].size; }

    // The steps that the first shape moves before it meets the second, which lies at a displacement
    // from it: for each direction one way, then the other. Valid until the next call.
    const Distance* between(int first, int second, const Vec& displacement);

private:
    struct Shape {
        std::vector<Vec> units;
        std::vector<int> types;
        std::vector<std::vector<int>> fronts;  // direction -> units that may be the first to meet
        Vec least, size;                       // bounding box
        std::vector<char> box;                 // whether a point of it is a unit
        std::vector<int> turned;               // quarter turn -> shape, or -1; empty until asked
        bool contains(const Vec& point) const;
    };

    Placed shape_of(const std::vector<Vec>& units, const std::vector<int>& types);
    Distance compute(const Shape& first, const Shape& second, const Vec& displacement,
                     int direction) const;
    void grow();
    std::size_t slot(std::uint64_t key) const;

    Motions motions_;
    int reach_ = 0;  // no unit meets one whose coordinate differs by more in a step
    std::vector<Shape> shapes_;
    std::map<std::vector<Vec>, int> numbers_;
    std::vector<Placed> placed_;
    // A hash table of what is known, open addressing: key 0 is empty.
    std::vector<std::uint64_t> keys_;
    std::vector<Distance> values_;
    std::size_t known_ = 0;
    std::vector<Distance> far_;  // of a pair too far apart to be kept
};

}  // namespace exactile::assembly
