// A tiling that uses some pieces too often is repaired, neighborhood by neighborhood.
//
// A tiling fills all units and keeps all rules but one: pieces may be used more often than their
// bounds allow. Each use too many costs 1. A neighborhood is some options of the tiling that lie
// together. What they fill is filled again by an exact search in which options of pieces that are
// used up can be chosen at a cost of 1 each, up to a budget: one less than the neighborhood cost
// before (a strict move), or just as much for any other filling (a move on the plateau).
//
// For each use too many, a piece is left over. If chance alone chose among tilings of equal
// cost, these would be the awkward ones, which fit nowhere. So a piece has a weight, which grows
// while it is left over, and moves that leave over heavier ones are rarely made. In time all pieces
// are left over equally often, and with one that is easily placed the last step succeeds.

#pragma once

#include <cstdint>
#include <vector>

#include "dice.hpp"
#include "excerpt.hpp"
#include "ground.hpp"

namespace exactile {

struct Walk {
    double strict = 11;          // options in a neighborhood of a strict move
    double level = 10;           // and of a move on the plateau
    std::uint64_t nodes = 5000;  // limit of a move
    bool adaptive = true;        // sizes follow what can be searched within the limit
    double risk = 0;             // how often a move may add one use too many
    double learning = 0.01;      // what a piece gains in weight by a move that leaves it over
};

class Tiling {
public:
    explicit Tiling(const Ground& ground);

    void clear();
    void add(Index option);
    void remove(Index option);
    const std::vector<Index>& options() const { return options_; }
    Index cost() const { return cost_; }
    Index used(Index item) const { return used_[item]; }
    // Whether an option keeps all rules but the bounds of pieces.
    bool fits(Index option) const;
    bool surplus(Index option) const;  // whether one of its pieces is used too often
    // The option that fills a unit, or kNone.
    Index owner(Index unit) const;
    // The options without those of pieces that are used too often.
    std::vector<Index> packing() const;

    static constexpr Index kNone = -1;

private:
    void own(std::size_t place);

    const Ground& ground_;
    std::vector<Index> options_;
    std::vector<Index> used_, color_;  // item -> uses; the color that it has, 0 for none
    std::vector<std::size_t> owner_;   // unit -> the place of its option
    Index cost_ = 0;
};

class Repair {
public:
    Repair(Ground& ground, Dice& dice);

    // Whether repair applies: an option has at most one piece.
    bool applies() const { return applies_; }
    // Fill what a partial choice leaves, at the least cost that is easily found. Returns whether
    // there is a tiling now.
    bool fill(const std::vector<Index>& chosen);
    // Move until the cost is 0, for at most `moves` moves, or `patience` moves without a gain.
    void walk(const Walk& walk, std::uint64_t moves, std::uint64_t patience);
    const Tiling& tiling() const { return tiling_; }
    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t moves() const { return moves_; }
    // A measure of the time taken.
    std::uint64_t work() const { return work_; }

private:
    Index piece_of(Index option) const { return piece_[option]; }
    bool pays(Index piece) const;
    void sort_options();
    std::vector<Index> neighborhood(Index unit, std::size_t size);
    Index somewhere(bool at_surplus);
    bool gather(const std::vector<Index>& open, Index budget);
    bool move(std::vector<Index> options, Index less, std::uint64_t& nodes);
    double weight_left_over() const;
    void learn(double rate);
    std::vector<Index> open_units() const;

    Ground& ground_;
    Dice& dice_;
    Tiling tiling_;
    Excerpt excerpt_;
    bool applies_ = true;
    std::vector<Index> piece_;        // option -> its piece, or -1
    std::vector<std::size_t> first_;  // item -> options of which it is the first unit, in list_
    std::vector<Index> list_;
    std::vector<Index> needed_;          // pieces that have to be used
    std::vector<double> weight_;         // of a piece, the more the longer it was left over
    double share_ = 1;                   // of the used-up pieces, those that can be chosen
    std::vector<Index> free_, paid_;     // scratch of gather
    std::vector<std::uint8_t> offered_;  // scratch: piece -> whether it can be chosen at a cost
    std::vector<std::uint64_t> mark_;    // item -> last time that it was met
    std::uint64_t time_ = 0;
    std::uint64_t nodes_ = 0, moves_ = 0, work_ = 0;
};

}  // namespace exactile
