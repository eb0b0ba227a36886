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

// Two shapes in a relative position: the directions in which the second blocks the first at once,
// and those in which it does after some steps, as bits; and for each direction the steps that the
// first moves. Each direction is counted one way, then the other.
struct Apart {
    std::uint64_t at_once, later;
    const Distance* steps;
};

// The translations of a lattice: directions one way each, and the units that a unit of each type
// meets during one step.
struct Motions {
    int period = 1;
    std::vector<Vec> steps;                            // direction -> displacement, in periods
    std::vector<std::vector<std::vector<Vec>>> swept;  // direction -> type -> offsets of units
    int directions() const { return static_cast<int>(steps.size()); }
};

// A piece in its place: a shape, and its displacement from the place where the shape is stored.
struct Placed {
    int shape;
    Vec at;
};

class Distances {
public:
    explicit Distances(Motions motions);

    const Motions& motions() const { return motions_; }

    // Numbers of steps in an `Apart`: they fill whole words.
    std::size_t row() const { return far_.size(); }

    // Adds a placement and returns its number; translates of each other share their shape.
    int add(const std::vector<Vec>& units, const std::vector<int>& types);
    const Placed& placed(int number) const { return placed_[number]; }
    int placements() const { return static_cast<int>(placed_.size()); }

    // On the lattice of cubes: the shape after a quarter turn, see assembly_turns.hpp.
    int turned(int shape, int turn);
    // The cells of a shape, from the least corner of its bounding box, and the size of that.
    const std::vector<Vec>& cells(int shape) const { return shapes_[shape].units; }
    const Vec& size(int shape) const { return shapes_[shape].size; }

    // How far the first shape moves before it meets the second, which lies at a displacement from
    // it. Valid until the next call.
    Apart between(int first, int second, const Vec& displacement) {
        // Keys have 1 + 16 + 16 + 3 * 10 bits.
        int outside = (first | second) >> 16;
        std::uint64_t key = (std::uint64_t{1} << 16 | static_cast<std::uint64_t>(first)) << 16 |
                            static_cast<std::uint64_t>(second);
        for (const int c : displacement) {
            outside |= (c + kHalf) >> kBits;
            key = key << kBits | static_cast<std::uint64_t>((c + kHalf) & ((1 << kBits) - 1));
        }
        if (outside != 0) return compute_all(first, second, displacement);
        const std::size_t place = slot(key);
        return known_[place].key == key ? found(place) : learn(key, first, second, displacement);
    }

private:
    static constexpr int kBits = 10;  // of a coordinate in a key
    static constexpr int kHalf = 1 << (kBits - 1);

    struct Known {
        std::uint64_t key;  // 0 is empty
        std::uint64_t at_once, later;
    };

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
    Apart compute_all(int first, int second, const Vec& displacement);
    Apart learn(std::uint64_t key, int first, int second, const Vec& displacement);
    Apart found(std::size_t place) const {
        return {known_[place].at_once, known_[place].later, &steps_[place * far_.size()]};
    }
    void grow();
    std::size_t slot(std::uint64_t key) const {
        const std::size_t mask = known_.size() - 1;
        std::size_t place = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> 32) & mask;
        while (known_[place].key != 0 && known_[place].key != key) place = (place + 1) & mask;
        return place;
    }

    Motions motions_;
    int reach_ = 0;  // largest difference of coordinates of units that meet in a step
    std::vector<Shape> shapes_;
    std::map<std::vector<Vec>, int> numbers_;
    std::vector<Placed> placed_;
    // A hash table of what is known, open addressing, with the steps of each entry.
    std::vector<Known> known_;
    std::vector<Distance> steps_;
    std::size_t entries_ = 0;
    std::vector<Distance> far_;  // of the pair that was computed last
};

}  // namespace exactile::assembly
