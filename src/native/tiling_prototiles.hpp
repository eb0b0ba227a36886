// Prototiles with all their aspects, and how two placements of aspects may lie: overlapping,
// touching or apart.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tiling_lattice.hpp"

namespace exactile::tiling {

// An aspect, with its least coordinates moved to `at`.
struct Placement {
    int aspect;
    Vec at;
    auto operator<=>(const Placement&) const = default;
};

struct Aspect {
    int prototile;
    Units units;  // sorted, least coordinates 0
    Units items;  // of vertices, used by this aspect
    Units halo;   // units that touch it
    int frame;    // a turn that takes the root of its prototile to it
};

class Prototiles {
public:
    // Each prototile is a list of units. Throws std::invalid_argument if they are not units, two
    // prototiles are congruent, or they are too many or too large.
    Prototiles(const Lattice& lattice, const std::vector<Units>& forms);

    const Lattice& lattice() const { return *lattice_; }
    int aspect_count() const { return static_cast<int>(aspects_.size()); }
    const Aspect& aspect(int a) const { return aspects_[static_cast<std::size_t>(a)]; }
    int prototile_count() const { return static_cast<int>(roots_.size()); }
    int root(int prototile) const { return roots_[static_cast<std::size_t>(prototile)]; }
    int root_of(int aspect) const { return root(this->aspect(aspect).prototile); }
    int units_of(int prototile) const {
        return static_cast<int>(aspect(root(prototile)).units.size());
    }
    int extent() const { return extent_; }  // the most places that a tile spans along an axis

    Placement turned(int turn, const Placement& p) const {
        const Placement& image =
            images_[static_cast<std::size_t>(turn)][static_cast<std::size_t>(p.aspect)];
        return {image.aspect, image.at + lattice_->turned(turn, p.at)};
    }
    Placement moved(const Motion& motion, const Placement& p) const {
        Placement image = turned(motion.turn, p);
        image.at = image.at + motion.by;
        return image;
    }
    // The motion that takes the root of the prototile at 0 to a placement.
    Motion motion_to(const Placement& p) const {
        const Aspect& a = aspect(p.aspect);
        return {a.frame, p.at - turned(a.frame, {root(a.prototile), {}}).at};
    }

    // Placements that have a unit or an item in common with the aspect at 0, itself included.
    const std::vector<Placement>& overlaps(int a) const {
        return overlaps_[static_cast<std::size_t>(a)];
    }
    // Placements that touch the aspect at 0 without overlapping it.
    const std::vector<Placement>& neighbors(int a) const {
        return neighbors_[static_cast<std::size_t>(a)];
    }
    // Pairs of touching placements up to motions: the class of the k-th neighbor of an aspect, and
    // of the same two seen from the neighbor.
    int class_count() const { return static_cast<int>(classes_.size()); }
    int class_of(int a, int k) const {
        return class_at_[static_cast<std::size_t>(aspect(a).prototile)]
                        [static_cast<std::size_t>(k)];
    }
    int opposite(int c) const { return opposite_[static_cast<std::size_t>(c)]; }
    // A root and its neighbor that are of a class.
    std::pair<int, Placement> example(int c) const { return classes_[static_cast<std::size_t>(c)]; }
    // How a placement lies to the root of a prototile at 0: the number of the neighbor that it is,
    // or kOverlap (the root itself included), or kApart.
    static constexpr int kOverlap = -2, kApart = -1;
    int neighbor_index(int prototile, const Placement& p) const;
    // Do two placements touch?
    bool touch(const Placement& p, const Placement& q) const;
    // The motions that take the root of a prototile to itself.
    std::vector<Motion> stabilizer(int prototile) const;

private:
    void make_aspects(const std::vector<Units>& forms);
    void relate(int prototile);
    void classify();

    const Lattice* lattice_;
    std::vector<Aspect> aspects_;
    std::vector<int> roots_;
    std::vector<std::vector<Placement>> images_;  // [turn][aspect] at 0
    int extent_ = 1;
    std::vector<std::vector<Placement>> overlaps_, neighbors_;
    std::vector<std::vector<std::int32_t>> relation_;  // per prototile: neighbor + 1
    std::vector<std::vector<int>> class_at_;
    std::vector<std::pair<int, Placement>> classes_;
    std::vector<int> opposite_;
};

}  // namespace exactile::tiling
